// How far the index reads ahead: by steps while they are small, by blocks when the network has many shards.

import { expect, test } from 'vitest'
import type { ReadStep, Tip } from '../../../../server/indexer/chain/chainStep.ts'
import { Lookahead } from '../../../../server/indexer/chain/lookahead.ts'
import type { StepReader } from '../../../../server/indexer/chain/stepReader.ts'
import { type BlockIdExt, MASTERCHAIN, WHOLE_SHARD } from '../../../../server/node/index.ts'

const hash = new Uint8Array(32)
const idOf = (seqno: number): BlockIdExt => ({
  workchain: MASTERCHAIN,
  shard: WHOLE_SHARD,
  seqno,
  rootHash: hash,
  fileHash: hash,
})
const tipOf = (seqno: number): Tip => ({ id: idOf(seqno), tops: new Set(), globalVersion: undefined })

/** Steps of so many shard blocks. */
function open(shards: number, ahead: number) {
  let begun = 0
  const reader = {
    named: async (seqno: number) => idOf(seqno),
    fetch: async (id: BlockIdExt) => {
      begun++
      return { id }
    },
    master: ({ id }: { readonly id: BlockIdExt }) => ({ master: { id }, tip: tipOf(id.seqno) }),
    shards: async () => new Array(shards).fill({}),
  } as unknown as StepReader
  const lookahead = new Lookahead<ReadStep, number>(reader, tipOf(0), {
    ahead: () => ahead,
    prepare: async (step) => step,
    begin: ({ master }) => master.id.seqno,
  })
  return { lookahead, begun: () => begun }
}

test.each([
  [1, 16, 16],
  [15, 16, 16],
  [31, 16, 8],
  [513, 16, 2],
])('behavior: with %i shard blocks a step and up to %i steps, %i are read ahead', async (shards, ahead, expected) => {
  const { lookahead, begun } = open(shards, ahead)
  const taken: (number | undefined)[] = []
  for (let i = 0; i < 40; i++) {
    lookahead.reach(idOf(100))
    taken.push(await lookahead.take())
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(taken).toEqual(Array.from({ length: 40 }, (_, i) => i + 1))
  lookahead.reach(idOf(100))
  await new Promise((resolve) => setImmediate(resolve))
  expect(begun() - taken.length).toBe(expected)
})

test('behavior: a step is prepared behind the one before it, whose accounts it may need, though its blocks are there earlier', async () => {
  const prepared: number[] = []
  let arrive = (): void => undefined
  const late = new Promise<void>((resolve) => {
    arrive = resolve
  })
  const reader = {
    named: async (seqno: number) => idOf(seqno),
    fetch: async (id: BlockIdExt) => ({ id }),
    master: ({ id }: { readonly id: BlockIdExt }) => ({ master: { id }, tip: tipOf(id.seqno) }),
    shards: async ({ id }: { readonly id: BlockIdExt }) => {
      if (id.seqno === 1) await late
      return []
    },
  } as unknown as StepReader
  const lookahead = new Lookahead<ReadStep, number>(reader, tipOf(0), {
    ahead: () => 16,
    prepare: async (step) => {
      prepared.push(step.master.id.seqno)
      return step
    },
    begin: ({ master }) => master.id.seqno,
  })
  lookahead.reach(idOf(3))
  await new Promise((resolve) => setImmediate(resolve))
  arrive()
  expect([await lookahead.take(), await lookahead.take(), await lookahead.take()]).toEqual([1, 2, 3])
  expect(prepared).toEqual([1, 2, 3])
})
