// Predictions run a few at once: a caller that sends many messages leaves places to the others. What is over when one ends is not
// reported.

import { expect, test } from 'vitest'
import type { LiveTrace, SentMessage } from '../../../server/methods/index.ts'
import { Predictions } from '../../../server/streaming/predictions.ts'

const MANY = 500

/** Predictions that end when the test says so, with a trace or with nothing. */
function heldPredictions({ hasTrace = false } = {}) {
  let release = (): void => undefined
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const begun: string[] = []
  const predictions = new Predictions({
    waits: () => false,
    log: { warn: () => undefined },
    traces: {
      // The cast: the state is passed on only.
      head: async () => ({}) as never,
      async ofMessage({ share, hashNorm }) {
        begun.push(share)
        await released
        // The cast: nothing else of a trace is read.
        return hasTrace ? ({ hashNorm } as LiveTrace) : null
      },
    },
  })
  let count = 0
  const hashOf = (i: number) => Buffer.alloc(32, `${i} `)
  const send = (share: string) =>
    predictions.begin({
      share,
      to: `0:${count}`,
      hash: hashOf(count),
      hashNorm: hashOf(count++),
      // The cast: it is passed on only.
      ...({ cell: null, accepted: Promise.resolve(true) } as unknown as Pick<SentMessage, 'cell' | 'accepted'>),
    })
  return { predictions, send, release, begun, nameOf: (i: number) => hashOf(i).toString('base64') }
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

test('what a revert drops while it is predicted is not reported; what is sent afterwards is', async () => {
  const { predictions, send, release } = heldPredictions({ hasTrace: true })
  const dropped = send('one')
  predictions.undo()
  const sent = send('one')
  release()
  await Promise.all([dropped, sent])
  expect(await predictions.take(0)).toHaveLength(1)
})

test('what comes in a block while it is predicted is not reported as predicted', async () => {
  const { predictions, send, release, nameOf } = heldPredictions({ hasTrace: true })
  const both = [send('one'), send('one')]
  predictions.noteInBlock(nameOf(0))
  release()
  await Promise.all(both)
  expect((await predictions.take(0)).map(({ hashNorm }) => Buffer.from(hashNorm).toString('base64'))).toEqual([
    nameOf(1),
  ])
})

test('what is refused while it is predicted is not predicted again', async () => {
  const { predictions, send, release, nameOf } = heldPredictions()
  const refused = send('one')
  predictions.forget(nameOf(0))
  release()
  await refused
  expect(predictions.again()).toBeNull()
})
