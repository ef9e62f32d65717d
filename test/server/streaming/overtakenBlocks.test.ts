// Blocks come faster than they are reported twice, as about to be indexed and as indexed: the second is the one that must come.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { StreamHub } from '../../../server/streaming/hub.ts'
import type { HubParts } from '../../../server/streaming/hubParts.ts'
import { textReader } from '../../setup/textReader.ts'
import { HASH, rowsOfBlock } from './hubScene.ts'

const BLOCKS = 400
const ADDRESS = `0:${'12'.repeat(32)}`

/** A chain that has a new block with each report of one, and an index of it that has no block yet. */
function busyScene(first = 1) {
  const head = { seqno: first - 1, rootHash: HASH }
  const last = head.seqno + BLOCKS
  const reports: Record<'confirmed' | 'finalized', number[]> = { confirmed: [], finalized: [] }
  const failures: object[] = []
  let prepared = (_: readonly object[]): void => undefined
  let wake = (): void => undefined
  const rowsOf = (mcSeqno: number, kind: keyof typeof reports) => ({
    ...rowsOfBlock,
    mcSeqno,
    traces: [],
    // Read once in each report.
    async itemOwners() {
      reports[kind].push(mcSeqno)
      if (head.seqno < last) arrive()
      return []
    },
  })
  function arrive(): void {
    prepared([rowsOf(head.seqno + 1, 'confirmed')])
    head.seqno++
    wake()
  }
  const feed = {
    head: () => (head.seqno < first ? null : { ...head }),
    onPrepared(listener: typeof prepared) {
      prepared = listener
      return () => undefined
    },
    async *from(_: number, { signal }: { readonly signal: AbortSignal }) {
      for (let next = first; !signal.aborted; )
        if (next <= head.seqno) yield { kind: 'block', rows: rowsOf(next++, 'finalized') }
        else
          await new Promise<void>((resolve) => {
            wake = resolve
            signal.addEventListener('abort', () => resolve())
          })
    },
  }
  const parts = {
    feed,
    sent: { onSent: () => () => undefined },
    traces: { head: async () => null, follow: () => undefined, forget: () => undefined },
    counts: { delayed: () => undefined },
    limits: { predictedMs: 60_000, sweepMs: 60_000, predictionMs: 1 },
    log: { warn: (facts: object) => failures.push(facts) },
  }
  // The cast: nothing else of them is read.
  return { hub: new StreamHub(parts as unknown as HubParts), head, last, reports, failures, arrive }
}

test.each([1, 45_000_000])(
  'indexed blocks from %i on are not left behind by those that are about to be indexed',
  async (first) => {
    const { hub, head, last, reports, failures, arrive } = busyScene(first)
    const wishes = { types: new Set(['nfts_change'] as const), addresses: new Set([ADDRESS]) }
    hub.add(textReader([], { ...wishes, minFinality: 'confirmed' }))
    await hub.run(() => undefined)
    arrive()
    while (head.seqno < last && failures.length === 0) await nextTurn()
    expect(failures).toEqual([])
    expect(head.seqno - (hub.processed ?? 0)).toBeLessThan(40)
    expect(reports.confirmed.length).toBeGreaterThan(8)
    // None has been reported as finalized before it, however high its number.
    expect(reports.confirmed[0]).toBe(first)
    hub.close()
  },
)
