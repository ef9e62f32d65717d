import { expect, test } from 'vitest'
import { AttemptSlots } from '../../../server/webhooks/attemptSlots.ts'

const endless = new AbortController().signal

/** Takes all slots of one endpoint. They are free once the attempts that were begun are ended. */
function takeAll(slots: AttemptSlots): readonly (() => void)[] {
  const ends: (() => void)[] = []
  for (let i = 0; i < 8; i++) void slots.run('one', endless, () => new Promise<void>((resolve) => ends.push(resolve)))
  return ends
}

const end = (begun: readonly (() => void)[]): void => {
  for (const one of begun) one()
}

test('an attempt that was stopped, before or while it waits, waits for no slot and leaves none taken', async () => {
  const slots = new AttemptSlots()
  const begun = takeAll(slots)
  const made: string[] = []
  const attempt = (name: string, signal: AbortSignal) => slots.run('one', signal, async () => void made.push(name))
  await expect(attempt('before', AbortSignal.abort('stopped'))).rejects.toBe('stopped')
  const stopping = new AbortController()
  const stopped = attempt('meanwhile', stopping.signal)
  const next = attempt('next', endless)
  stopping.abort('stopped')
  await expect(stopped).rejects.toBe('stopped')
  end(begun)
  await next
  await attempt('last', endless)
  expect(made).toEqual(['next', 'last'])
  // All eight are free again.
  const again = takeAll(slots)
  const ninth = attempt('ninth', endless)
  await new Promise(setImmediate)
  expect([again.length, made]).toEqual([8, ['next', 'last']])
  end(again)
  await ninth
})
