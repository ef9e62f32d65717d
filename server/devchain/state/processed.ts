// Which messages a chain has processed (ProcessedUpto). A mark means: everything up to this logical time and hash that a
// masterchain block had registered. By these marks neighbours remove delivered messages from their queues.

import { type BinaryHash, buildDict, type Dict, hashFromBytes, hashToBytes } from '../../cell/index.ts'
import { FULL_SHARD, type ProcessedUpto, processedKind } from '../../tlb/index.ts'

export interface ProcessedMark {
  readonly mcSeqno: number
  readonly lt: bigint
  readonly hash: BinaryHash
}

export type ProcessedInfo = Dict<Uint8Array, ProcessedUpto>

/** Greater than the hash of any message. */
export const LAST_HASH: BinaryHash = '\xff'.repeat(32)

const KEY_BYTES = 12

function keyOf(mcSeqno: number): Uint8Array {
  const key = Buffer.alloc(KEY_BYTES)
  key.writeBigUInt64BE(FULL_SHARD)
  key.writeUInt32BE(mcSeqno, 8)
  return key
}

export function readMarks(info: ProcessedInfo): ProcessedMark[] {
  const marks: ProcessedMark[] = []
  for (const [key, { lastLt, lastHash }] of info) {
    const mcSeqno = new DataView(key.buffer, key.byteOffset).getUint32(8)
    marks.push({ mcSeqno, lt: lastLt, hash: hashFromBytes(lastHash) })
  }
  return marks
}

export function writeMarks(marks: readonly ProcessedMark[]): ProcessedInfo {
  return buildDict(
    processedKind,
    marks.map(({ mcSeqno, lt, hash }) => [keyOf(mcSeqno), { lastLt: lt, lastHash: hashToBytes(hash) }] as const),
  )
}

const isBehind = (a: ProcessedMark, lt: bigint, hash: BinaryHash): boolean =>
  a.lt < lt || (a.lt === lt && a.hash < hash)

/** Whether a message with this logical time and hash has been processed. */
export const isProcessed = (marks: readonly ProcessedMark[], lt: bigint, hash: BinaryHash): boolean =>
  marks.some((mark) => !isBehind(mark, lt, hash))

/** The marks with a new one, without those that another one includes. */
export function withMark(marks: readonly ProcessedMark[], added: ProcessedMark): ProcessedMark[] {
  const all = [...marks.filter((mark) => mark.mcSeqno !== added.mcSeqno), added]
  return all.filter(
    (mark) => !all.some((other) => other.mcSeqno > mark.mcSeqno && !isBehind(other, mark.lt, mark.hash)),
  )
}
