// Predictions run a few at once: a caller that sends many messages leaves places to the others.

import { expect, test } from 'vitest'
import type { SentMessage } from '../../../server/methods/index.ts'
import { Predictions } from '../../../server/streaming/predictions.ts'

const MANY = 500

/** Predictions that end when the test says so, with nothing. */
function heldPredictions() {
  let release = (): void => undefined
  const released = new Promise<null>((resolve) => {
    release = () => resolve(null)
  })
  const begun: string[] = []
  const predictions = new Predictions({
    waits: () => false,
    log: { warn: () => undefined },
    traces: {
      // The cast: the state is passed on only.
      head: async () => ({}) as never,
      ofMessage({ share }) {
        begun.push(share)
        return released
      },
    },
  })
  let count = 0
  const send = (share: string) =>
    predictions.begin({
      share,
      to: `0:${count}`,
      hash: Buffer.alloc(32, `${count} `),
      hashNorm: Buffer.alloc(32, `${count++} `),
      // The cast: it is passed on only.
      ...({ cell: null, accepted: Promise.resolve(true) } as unknown as Pick<SentMessage, 'cell' | 'accepted'>),
    })
  return { predictions, send, release, begun }
}

test('callers who send many messages leave places to others', () => {
  const { send } = heldPredictions()
  const begins = (share: string, count: number): number =>
    Array.from({ length: count }, () => send(share)).filter((one) => one !== null).length
  const [first, second, third] = ['first', 'second', 'third'].map((share) => begins(share, MANY))
  expect(first).toBeGreaterThanOrEqual(64)
  expect(second).toBeGreaterThanOrEqual(16)
  expect(third).toBeGreaterThanOrEqual(8)
  expect(begins('other', 1)).toBe(1)
})

test('of messages that lead to nothing yet, those of others are predicted again too', async () => {
  const { predictions, send, release, begun } = heldPredictions()
  release()
  for (let i = 0; i < MANY; i++) await send('many')
  await send('one')
  begun.length = 0
  await predictions.again()
  expect(begun).toContain('one')
})
