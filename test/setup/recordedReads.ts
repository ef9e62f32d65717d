// What a lite server over recorded blocks also answers: look-ups in shards, lists of transactions, an account's history.

import { type Cell, makeProof, openCell, sameBytes, writeBoc } from '../../server/cell/index.ts'
import {
  type BlockQuery,
  inListOrder,
  isSameBlock,
  LiteError,
  type LiteServer,
  prefixOf,
  shardHolds,
} from '../../server/node/index.ts'
import { accountBlocksOf, blockExtraOf, loadTransaction } from '../../server/tlb/index.ts'
import type { RecordedBlock, RecordedChain } from './recordedBlocks.ts'

const EMPTY = new Uint8Array(0)
const whole = (root: Cell): Uint8Array => writeBoc(makeProof(root, () => true))

/** Whether a block is at or behind what is looked for. */
function isReached({ id, info }: RecordedBlock, query: BlockQuery): boolean {
  if ('seqno' in query) return id.seqno === query.seqno
  return 'lt' in query ? info.endLt >= query.lt : info.genUtime >= query.utime
}

export function recordedReads({ blocks }: RecordedChain): Partial<LiteServer> {
  const bySeqno = blocks.toSorted((a, b) => a.id.seqno - b.id.seqno)
  const rootOf = (id: Parameters<LiteServer['header']>[0]): RecordedBlock => {
    const found = blocks.find((one) => isSameBlock(one.id, id))
    if (found === undefined) throw new LiteError('notReady', 'block is not in db')
    return found
  }
  return {
    lookup: async (query, mode = 0) => {
      const found = bySeqno.find(
        (one) => one.id.workchain === query.workchain && shardHolds(one.id.shard, query.shard) && isReached(one, query),
      )
      if (found === undefined) throw new LiteError('notReady', 'cannot find block: seqno not in db')
      return { id: found.id, mode, headerProof: whole(found.root) }
    },
    listTransactions: async (id, query) => {
      const { root, block } = rootOf(id)
      const all = [...inListOrder(accountBlocksOf(blockExtraOf(block)), query)]
      const ids = all
        .slice(0, query.count)
        .map(({ account, lt, cell }) => ({ mode: 7, account, lt, hash: cell.hashBytes(), metadata: null }))
      return { id, requestedCount: query.count, incomplete: all.length > ids.length, proof: whole(root), ids }
    },
    transactions: async ({ account, lt, hash, count }) => {
      const found: { readonly block: RecordedBlock; readonly cell: Cell }[] = []
      for (let next = { lt, hash }; next.lt > 0n && found.length < count; ) {
        const block = bySeqno.find(
          (one) =>
            one.id.workchain === account.workchain &&
            shardHolds(one.id.shard, prefixOf(account.hash)) &&
            accountBlocksOf(blockExtraOf(one.block)).get(account.hash)?.transactions.has(next.lt) === true,
        )
        const cell = block && accountBlocksOf(blockExtraOf(block.block)).get(account.hash)?.transactions.get(next.lt)
        if (block === undefined || cell === undefined || !sameBytes(cell.hashBytes(), next.hash)) break
        found.push({ block, cell })
        const { prevLt, prevHash } = loadTransaction(openCell(cell))
        next = { lt: prevLt, hash: prevHash }
      }
      return {
        ids: found.map(({ block }) => block.id),
        transactions: found.length === 0 ? EMPTY : writeBoc(found.map(({ cell }) => cell)),
      }
    },
  }
}
