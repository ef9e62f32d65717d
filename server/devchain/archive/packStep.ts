// The record of a step: a table of its blocks' headers and transactions, then each transaction as finished text.
//
//   u32 length of the table | u32 crc32 of the table | table | texts, each with the transaction in it as a bag in base64
//
// A table is two lists, of the masterchain block and of the shard block, each in the order transactions are listed in:
//
//   u32 length | header proof | u32 entries | entries
//   entry: 32 account | u64 lt | u64 previous lt | 32 hash | 32 previous hash | u32 offset of its text |
//     u32 length of the bag's base64 | u32 length of the text before it | u32 length of that after it | u32 crc32 of the text
//
// The sum is the one of zlib: 1 us for the text of a usual transaction, where crc32c takes 3.
// The sum of the table begins with the hash of the masterchain block, so that it is whole for this step only.

import { crc32 } from 'node:zlib'
import {
  base64Pieces,
  type Cell,
  CellUsage,
  isLargeTree,
  NO_CRC,
  openCell,
  writeBoc,
  writingBoc,
} from '../../cell/index.ts'
import { inPieces } from '../../fairness/index.ts'
import { accountBlocksOf, blockExtraOf, blockInfoOf, loadBlock } from '../../tlb/index.ts'
import { BASECHAIN, MASTERCHAIN } from '../state/index.ts'
import type { TextAround, TransactionTexts } from './transactionTexts.ts'

export const STEP_HEAD_BYTES = 8
export const ENTRY_BYTES = 132
/** Where the parts of an entry begin. */
export const ENTRY = {
  lt: 32,
  previousLt: 40,
  hash: 48,
  previousHash: 80,
  offset: 112,
  length: 116,
  before: 120,
  after: 124,
  sum: 128,
} as const
/** Checksum but no index: the form transactions are returned in. */
const BAG = 2

/** The proof of a block that shows its header and nothing else. */
export function plainHeaderProof(root: Cell): Uint8Array {
  const usage = new CellUsage()
  usage.run(() => blockInfoOf(loadBlock(openCell(root))))
  return writeBoc({ root, usage }, NO_CRC)
}

const u32 = (value: number): Buffer => {
  const bytes = Buffer.allocUnsafe(4)
  bytes.writeUInt32LE(value)
  return bytes
}

interface Draft {
  readonly table: Buffer[]
  readonly texts: Uint8Array[]
  /** Bytes of them. */
  size: number
}

/** Of a text; the sum of a megabyte takes half a millisecond. */
const LONG_PIECE = 64 * 1024

const PREVIOUS_HASH_AT = 4 + 256 + 64

interface Packing {
  readonly draft: Draft
  readonly texts: TransactionTexts
  /** A pause where one is due. */
  readonly rest: () => Promise<void>
}

interface Place {
  readonly workchain: number
  readonly account: Uint8Array
  readonly lt: bigint
}

const through = <R>(pieces: Generator<void, R>, rest: Packing['rest']): Promise<R> =>
  inPieces(pieces, { isDue: true, rest })

/** In base64. One of tens of thousands of cells takes 20 ms at once. */
async function bagOf(cell: Cell, { rest }: Packing): Promise<readonly Buffer[]> {
  if (!isLargeTree(cell)) return [...base64Pieces(writeBoc(cell, BAG))]
  const pieces: Buffer[] = []
  for (const piece of base64Pieces(await through(writingBoc(cell, BAG), rest))) {
    pieces.push(piece)
    await rest()
  }
  return pieces
}

/** Each of its messages may have thousands of cells. */
async function textsOf(cell: Cell, workchain: number, { texts, rest }: Packing): Promise<TextAround> {
  const pieces = isLargeTree(cell) ? texts.writing?.(workchain, cell) : undefined
  if (pieces !== undefined) return await through(pieces, rest)
  const [before, after] = texts.write(workchain, cell)
  return { before: [Buffer.from(before)], after: [Buffer.from(after)] }
}

const sizeOf = (pieces: readonly Buffer[]): number => pieces.reduce((sum, { length }) => sum + length, 0)

async function entryOf(cell: Cell, { workchain, account, lt }: Place, packing: Packing): Promise<Buffer> {
  const { draft } = packing
  const bag = await bagOf(cell, packing)
  const { before, after } = await textsOf(cell, workchain, packing)
  const link = openCell(cell).skip(PREVIOUS_HASH_AT)
  const entry = Buffer.alloc(ENTRY_BYTES)
  entry.set(account)
  entry.writeBigUInt64LE(lt, ENTRY.lt)
  entry.set(cell.hashBytes(), ENTRY.hash)
  entry.set(link.loadBytes(32), ENTRY.previousHash)
  entry.writeBigUInt64LE(link.loadUintBig(64), ENTRY.previousLt)
  entry.writeUInt32LE(draft.size, ENTRY.offset)
  entry.writeUInt32LE(sizeOf(bag), ENTRY.length)
  entry.writeUInt32LE(sizeOf(before), ENTRY.before)
  entry.writeUInt32LE(sizeOf(after), ENTRY.after)
  let sum = 0
  for (const piece of [...before, ...bag, ...after]) {
    sum = crc32(piece, sum)
    draft.texts.push(piece)
    draft.size += piece.length
    if (piece.length > LONG_PIECE) await packing.rest()
  }
  entry.writeUInt32LE(sum, ENTRY.sum)
  return entry
}

async function packBlock(root: Cell, workchain: number, packing: Packing): Promise<void> {
  const { draft, rest } = packing
  const header = plainHeaderProof(root)
  const entries: Buffer[] = []
  for (const [account, { transactions }] of accountBlocksOf(blockExtraOf(loadBlock(openCell(root)))))
    for (const [lt, cell] of transactions) {
      entries.push(await entryOf(cell, { workchain, account, lt }, packing))
      await rest()
    }
  draft.table.push(u32(header.length), Buffer.from(header), u32(entries.length), ...entries)
}

export interface StepRoots {
  readonly masterRoot: Cell
  readonly shardRoot: Cell | null
}

/** The record of a step in pieces that follow each other, the table first. */
export async function packArchiveStep(
  step: StepRoots,
  texts: TransactionTexts,
  rest: () => Promise<void>,
): Promise<readonly Uint8Array[]> {
  const draft: Draft = { table: [], texts: [], size: 0 }
  const packing = { draft, texts, rest }
  const { masterRoot, shardRoot } = step
  await packBlock(masterRoot, MASTERCHAIN, packing)
  await rest()
  if (shardRoot === null) draft.table.push(u32(0), u32(0))
  else await packBlock(shardRoot, BASECHAIN, packing)
  const table = Buffer.concat(draft.table)
  const sum = crc32(table, crc32(masterRoot.hashBytes()))
  return [Buffer.concat([u32(table.length), u32(sum), table]), ...draft.texts]
}
