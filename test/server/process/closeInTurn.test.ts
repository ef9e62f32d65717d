import { expect, test } from 'vitest'
import { closeInTurn } from '../../../server/process/index.ts'

test('each part is closed after the one before it, and the first error is reported', async () => {
  const done: string[] = []
  const closing = closeInTurn(
    () => {
      throw new Error('first')
    },
    async () => {
      await Promise.resolve()
      done.push('second')
      throw new Error('second')
    },
    () => done.push('third'),
  )
  await expect(closing).rejects.toThrow('first')
  expect(done).toEqual(['second', 'third'])
})

test('nothing to close is no failure', async () => {
  await expect(closeInTurn(() => undefined)).resolves.toBeUndefined()
})

test('a single error, of whichever part, is reported', async () => {
  const fail = () => {
    throw new Error('only')
  }
  const pass = () => undefined
  for (const parts of [[fail], [fail, pass], [pass, fail]]) await expect(closeInTurn(...parts)).rejects.toThrow('only')
})
