// Predictions that take long: a block waits for them once, though it is reported twice.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { StreamHub } from '../../../server/streaming/hub.ts'
import type { HubParts } from '../../../server/streaming/hubParts.ts'
import { textReader } from '../../setup/textReader.ts'
import { HASH, rowsOfBlock } from './hubScene.ts'

const ADDRESS = `0:${'12'.repeat(32)}`
const WAIT_MS = 250

async function until(is: () => boolean): Promise<void> {
  while (!is()) await nextTurn()
}

test('as confirmed, and then as finalized at once', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const reports: string[] = []
  const rowsOf = (mcSeqno: number, kind: string) => ({
    ...rowsOfBlock,
    mcSeqno,
    traces: [],
    // Read once in each report.
    async itemOwners() {
      reports.push(`${mcSeqno} ${kind}`)
      return []
    },
  })
  let prepare = (_: readonly object[]): void => undefined
  let send = (_: object): void => undefined
  let index = (): void => undefined
  const parts = {
    feed: {
      head: () => ({ seqno: 4, rootHash: HASH }),
      onPrepared(listener: typeof prepare) {
        prepare = listener
        return () => undefined
      },
      async *from(first: number, { signal }: { readonly signal: AbortSignal }) {
        for (let next = first; !signal.aborted; ) {
          await new Promise<void>((resolve) => {
            index = resolve
            signal.addEventListener('abort', () => resolve())
          })
          if (!signal.aborted) yield { kind: 'block', rows: rowsOf(next++, 'finalized') }
        }
      },
    },
    sent: {
      onSent(listener: typeof send) {
        send = listener
        return () => undefined
      },
    },
    traces: {
      head: async () => null,
      // Without an end.
      ofMessage: () => new Promise(() => undefined),
      follow: () => undefined,
      forget: () => undefined,
    },
    counts: { delayed: () => undefined },
    limits: { predictedMs: 60_000, sweepMs: 60_000, predictionMs: WAIT_MS },
    log: { warn: () => undefined },
  }
  // The cast: nothing else of them is read.
  const hub = new StreamHub(parts as unknown as HubParts)
  onTestFinished(() => hub.close())
  const wishes = { types: new Set(['nfts_change'] as const), addresses: new Set([ADDRESS]) }
  hub.add(textReader([], { ...wishes, minFinality: 'pending' }))
  prepare([rowsOf(5, 'confirmed')])
  await until(() => reports.length === 1)
  index()
  await until(() => reports.length === 2)

  send({ hashNorm: HASH, to: ADDRESS, share: '', accepted: new Promise(() => undefined) })
  prepare([rowsOf(6, 'confirmed')])
  await until(() => vi.getTimerCount() === 1)
  expect(reports).toHaveLength(2)
  vi.advanceTimersByTime(WAIT_MS)
  await until(() => reports.length === 3)
  index()
  // No time passes any more.
  await until(() => reports.length === 4)
  expect(reports).toEqual(['5 confirmed', '5 finalized', '6 confirmed', '6 finalized'])
})
