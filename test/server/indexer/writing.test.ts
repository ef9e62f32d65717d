import { expect, test } from 'vitest'
import { Writing } from '../../../server/indexer/writing.ts'

test('one batch is written at a time, in order, though the next one is requested before', async () => {
  const writing = new Writing()
  const events: string[] = []
  let endFirst: () => void = () => undefined
  await writing.begin(async (onSent) => {
    events.push('first begins')
    onSent()
    await new Promise<void>((resolve) => {
      endFirst = resolve
    })
    events.push('first ends')
  })
  const second = writing.begin(async (onSent) => {
    events.push('second begins')
    onSent()
  })
  await new Promise((resolve) => setImmediate(resolve))
  endFirst()
  await second
  await writing.done()
  expect(events).toEqual(['first begins', 'first ends', 'second begins'])
})

test('the failure of one batch is that of the next, which is not written', async () => {
  const writing = new Writing()
  await writing.begin(() => Promise.reject(new Error('no room')))
  let isWritten = false
  const next = writing.begin(async () => {
    isWritten = true
  })
  await expect(next).rejects.toThrow('no room')
  expect(isWritten).toBe(false)
})
