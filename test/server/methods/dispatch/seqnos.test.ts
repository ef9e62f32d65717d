// Calls that demand a block of the index: by its height, and where blocks may be undone by the block it stands on.

import { expect, test } from 'vitest'
import { IndexHeads } from '../../../../server/indexer/indexHead.ts'
import type { ChargedCall } from '../../../../server/methods/call.ts'
import { type SeqnoSources, Seqnos } from '../../../../server/methods/dispatch/seqnos.ts'
import { standsIn } from '../../../../server/methods/indexReach.ts'
import { NO_MODIFIERS } from '../../../../server/methods/modifiers.ts'
import { LiteError, MASTERCHAIN, WHOLE_SHARD } from '../../../../server/node/index.ts'

function setUp(stands?: SeqnoSources['stands']) {
  const heads = new IndexHeads()
  const head = (seqno: number) => heads.set({ seqno, rootHash: new Uint8Array([seqno]), utime: 1, at: 1 })
  const seqnos = new Seqnos({ index: heads, chain: () => null, stands })
  const modifiers = { ...NO_MODIFIERS, minSeqno: 7, minSeqnoName: 'X-Min-Seqno' }
  // The cast: nothing else of a call is read.
  const call = { modifiers, signal: new AbortController().signal } as unknown as ChargedCall
  return { head, wait: () => seqnos.await('index', call) }
}

test('without reverts a call that is far enough waits for nothing', () => {
  const { head, wait } = setUp()
  head(7)
  expect(wait()).toBeNull()
})

test('an index at an undone block waits until one of the chain is as high', async () => {
  const undone = new Set([9, 8])
  const looked: number[] = []
  const { head, wait } = setUp(async ({ seqno }) => {
    looked.push(seqno)
    if (seqno === 9) head(8)
    // The index follows: first back, then on the new branch.
    if (seqno === 8) setImmediate(() => [6, 7].forEach(head))
    return !undone.has(seqno)
  })
  head(9)
  await wait()
  expect(looked).toEqual([9, 8, 7])
})

test('error: an index that stays behind', async () => {
  const { head, wait } = setUp(async () => false)
  head(9)
  await expect(wait()).rejects.toMatchObject({ kind: 'indexBehind', data: { retryAfter: 1 } })
})

const blockOf = (seqno: number) => ({ seqno, rootHash: new Uint8Array([seqno]) })

test('a block stands that the chain names by its seqno, and not one above its end', async () => {
  const idOf = async (query: object) => {
    const seqno = 'seqno' in query ? Number(query.seqno) : 0
    if (seqno > 7) throw new LiteError('notReady', 'block is not applied')
    return { ...blockOf(seqno), workchain: MASTERCHAIN, shard: WHOLE_SHARD, fileHash: new Uint8Array() }
  }
  // The cast: nothing else of the traits is read.
  const chainOf = (canRewind: boolean) => ({ idOf, traits: { canRewind } }) as unknown as Parameters<typeof standsIn>[0]
  const stands = standsIn(chainOf(true))
  const other = { ...blockOf(7), rootHash: new Uint8Array([1]) }
  expect(await Promise.all([blockOf(7), other, blockOf(8)].map((one) => stands?.(one)))).toEqual([true, false, false])
  expect(standsIn(chainOf(false))).toBeUndefined()
})
