import { expect, test } from 'vitest'
import { closeTogether } from '../../../server/process/index.ts'
import { gate } from '../../setup/gate.ts'

test('all parts begin to close at once, each comes to its end, and then the first error is reported', async () => {
  const done: string[] = []
  const slow = gate()
  const closing = closeTogether(
    async () => {
      await slow.opened
      done.push('slow')
      throw new Error('first')
    },
    () => {
      throw new Error('second')
    },
    async () => {
      await Promise.resolve()
      done.push('third')
      slow.open()
    },
  )
  await expect(closing).rejects.toThrow('first')
  expect(done).toEqual(['third', 'slow'])
})

test('one that fails at once waits for the others', async () => {
  const done: string[] = []
  const slow = gate()
  const closing = closeTogether(
    () => Promise.reject(new Error('no')),
    async () => {
      await slow.opened
      done.push('slow')
    },
  ).catch(() => done.push('reported'))
  // Many turns: the failure has long arrived.
  await new Promise((resolve) => setImmediate(resolve))
  slow.open()
  await closing
  expect(done).toEqual(['slow', 'reported'])
})

test('nothing to close is no failure', async () => {
  await expect(closeTogether(() => undefined)).resolves.toBeUndefined()
})
