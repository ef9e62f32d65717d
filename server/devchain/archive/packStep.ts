// The record of a step: a table of its blocks' headers and transactions, then each transaction as a bag of cells.
//
//   u32 length of the table | u32 crc32c of the table | table | bags
//
// A table is two lists, of the masterchain block and of the shard block, each in the order transactions are listed in:
//
//   u32 length | header proof | u32 entries | entries
//   entry: 32 account | u64 lt | u64 previous lt | 32 hash | u32 offset of its bag | u32 length | u32 crc32c of the bag
//
// The sum of the table begins with the hash of the masterchain block, so that it is whole for this step only.

import { type Cell, crc32c, makeProof, openCell, Usage, writeBoc } from '../../cell/index.ts'
import { accountBlocksOf, blockExtraOf, blockInfoOf, loadBlock } from '../../tlb/index.ts'

export const STEP_HEAD_BYTES = 8
export const ENTRY_BYTES = 92
/** Where the parts of an entry begin. */
export const ENTRY = { lt: 32, previousLt: 40, hash: 48, offset: 80, length: 84, sum: 88 } as const
/** Checksum but no index: the form transactions are returned in. */
const BAG = 2

/** The proof of a block that shows its header and nothing else. */
export function plainHeaderProof(root: Cell): Uint8Array {
  const usage = new Usage()
  usage.run(() => blockInfoOf(loadBlock(openCell(root))))
  return writeBoc(makeProof(root, usage), 0)
}

const u32 = (value: number): Buffer => {
  const bytes = Buffer.allocUnsafe(4)
  bytes.writeUInt32LE(value)
  return bytes
}

interface Draft {
  readonly table: Buffer[]
  readonly bags: Uint8Array[]
  /** Bytes of the bags. */
  size: number
}

const PREVIOUS_LT_AT = 4 + 256 + 64 + 256

function entryOf(account: Uint8Array, lt: bigint, cell: Cell, draft: Draft): Buffer {
  const bag = writeBoc(cell, BAG)
  const entry = Buffer.alloc(ENTRY_BYTES)
  entry.set(account)
  entry.writeBigUInt64LE(lt, ENTRY.lt)
  entry.writeBigUInt64LE(openCell(cell).skip(PREVIOUS_LT_AT).loadUintBig(64), ENTRY.previousLt)
  entry.set(cell.hashBytes(), ENTRY.hash)
  entry.writeUInt32LE(draft.size, ENTRY.offset)
  entry.writeUInt32LE(bag.length, ENTRY.length)
  entry.writeUInt32LE(crc32c(bag), ENTRY.sum)
  draft.bags.push(bag)
  draft.size += bag.length
  return entry
}

/** Packs a block, with a pause wherever `rest` takes one. */
async function packBlock(root: Cell, draft: Draft, rest: () => Promise<void>): Promise<void> {
  const header = plainHeaderProof(root)
  const entries: Buffer[] = []
  for (const [account, { transactions }] of accountBlocksOf(blockExtraOf(loadBlock(openCell(root)))))
    for (const [lt, cell] of transactions) {
      entries.push(entryOf(account, lt, cell, draft))
      await rest()
    }
  draft.table.push(u32(header.length), Buffer.from(header), u32(entries.length), ...entries)
}

export interface StepRoots {
  readonly masterRoot: Cell
  readonly shardRoot: Cell | null
}

/** The record of a step in pieces that follow each other, the table first. */
export async function packStep(step: StepRoots, rest: () => Promise<void>): Promise<readonly Uint8Array[]> {
  const draft: Draft = { table: [], bags: [], size: 0 }
  const { masterRoot, shardRoot } = step
  await packBlock(masterRoot, draft, rest)
  await rest()
  if (shardRoot === null) draft.table.push(u32(0), u32(0))
  else await packBlock(shardRoot, draft, rest)
  const table = Buffer.concat(draft.table)
  const sum = crc32c(table, 0, table.length, crc32c(masterRoot.hashBytes()))
  return [Buffer.concat([u32(table.length), u32(sum), table]), ...draft.bags]
}
