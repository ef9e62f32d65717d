import { expect, test } from 'vitest'
import { AttemptSlots } from '../../../server/webhooks/attemptSlots.ts'

const endless = new AbortController().signal

/** All slots of one endpoint are taken until the returned function is called. */
function taken(slots: AttemptSlots): () => void {
  const ends: (() => void)[] = []
  for (let i = 0; i < 8; i++) void slots.run('one', endless, () => new Promise<void>((resolve) => ends.push(resolve)))
  return () => {
    for (const end of ends) end()
  }
}

test('an attempt that was stopped, before or while it waits, waits for no slot and leaves none taken', async () => {
  const slots = new AttemptSlots()
  const end = taken(slots)
  const made: string[] = []
  const attempt = (name: string, signal: AbortSignal) => slots.run('one', signal, async () => void made.push(name))
  await expect(attempt('before', AbortSignal.abort('stopped'))).rejects.toBe('stopped')
  const stopping = new AbortController()
  const stopped = attempt('meanwhile', stopping.signal)
  const next = attempt('next', endless)
  stopping.abort('stopped')
  await expect(stopped).rejects.toBe('stopped')
  end()
  await next
  await attempt('last', endless)
  expect(made).toEqual(['next', 'last'])
})
