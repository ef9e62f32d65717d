// The records of the journal, in the order of events. A record is a head in JSON and any number of byte strings:
//
//   u32 length of the head | head | u32 length | bytes | u32 length | bytes ...
//
// so that an index can be built without parsing a block.

import type { BlockIdExt } from '../state/index.ts'

export const RecordType = { genesis: 1, step: 2, revert: 3, clock: 4, mark: 5, imports: 6 } as const

/** What is known of a block without opening it. */
export interface JournalBlock {
  readonly id: BlockIdExt
  readonly startLt: bigint
  readonly endLt: bigint
  readonly utime: number
  readonly isKey: boolean
  readonly transactions: number
}

/** One step of the chain: a masterchain block and the shard block it registers, if any. */
export interface StepFacts {
  readonly master: JournalBlock
  readonly shard: JournalBlock | null
  /** Seconds the chain's clock was ahead when the step was made. */
  readonly clockOffset: number
}

export interface StoredSignature {
  /** Null in records of chains that had a single validator: its signature came without a name. */
  readonly nodeIdShort: Uint8Array | null
  /** 64 bytes. */
  readonly signature: Uint8Array
}

export interface StepBlocks {
  readonly masterBoc: Uint8Array
  readonly shardBoc: Uint8Array | null
  /** Of the masterchain block. */
  readonly signatures: readonly StoredSignature[]
}

export interface StepRecord extends StepFacts, StepBlocks {}

export interface GenesisRecord {
  readonly masterBoc: Uint8Array
  readonly baseBoc: Uint8Array
  /** What the chain was begun to play; nothing when null. */
  readonly story: string | null
  /** The block of another network whose accounts it begins with; null for none. */
  readonly fork: ForkBlock | null
}

export interface ForkBlock {
  readonly block: BlockIdExt
  readonly utime: number
  readonly lt: bigint
  /** Of the shard that ends first: later transactions need not be part of the block. Left out in records of older chains. */
  readonly shardLt?: bigint
}

/** Accounts of that network that a step puts into the chain; it comes before the step. */
export interface ImportsRecord {
  /** Of the masterchain block. */
  readonly seqno: number
  readonly accounts: readonly { readonly workchain: number; readonly id: Uint8Array }[]
}

/** Everything after a masterchain block is undone; `epoch` counts how often that has happened. */
export interface RevertRecord {
  /** Of the mark that was returned to. */
  readonly name: string
  readonly seqno: number
  readonly epoch: number
  readonly clockOffset: number
}

export interface MarkRecord {
  readonly name: string
  /** As its owner calls it. */
  readonly label?: string
  readonly seqno: number
  readonly clockOffset: number
}

type Json = Readonly<Record<string, unknown>>

function pack(head: Json, ...parts: readonly Uint8Array[]): Uint8Array {
  const pieces: Uint8Array[] = []
  for (const piece of [Buffer.from(JSON.stringify(head)), ...parts]) {
    const length = Buffer.alloc(4)
    length.writeUInt32LE(piece.length)
    pieces.push(length, piece)
  }
  return Buffer.concat(pieces)
}

/** The byte strings of a record, or of its first bytes: as many of them as are there whole. */
function piecesOf(payload: Uint8Array): Uint8Array[] {
  const view = Buffer.from(payload.buffer, payload.byteOffset, payload.length)
  const pieces: Uint8Array[] = []
  for (let at = 0; at + 4 <= view.length; ) {
    const end = at + 4 + view.readUInt32LE(at)
    if (end > view.length) break
    pieces.push(view.subarray(at + 4, end))
    at = end
  }
  return pieces
}

/** `Head` is what was packed: only this file packs records, and their checksums hold. */
function unpack<Head>(payload: Uint8Array): { head: Head; parts: Uint8Array[] } {
  const [first, ...parts] = piecesOf(payload)
  const head: Head = JSON.parse(Buffer.from(first ?? []).toString('utf8'))
  return { head, parts }
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

const writeId = ({ workchain, shard, seqno, rootHash, fileHash }: BlockIdExt) => ({
  workchain,
  shard: shard.toString(16),
  seqno,
  rootHash: hex(rootHash),
  fileHash: hex(fileHash),
})

const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'hex'))

const readId = ({ workchain, shard, seqno, rootHash, fileHash }: ReturnType<typeof writeId>): BlockIdExt => ({
  workchain,
  shard: BigInt(`0x${shard}`),
  seqno,
  rootHash: bytesOf(rootHash),
  fileHash: bytesOf(fileHash),
})

const writeFacts = ({ id, startLt, endLt, utime, isKey, transactions }: JournalBlock) => ({
  ...writeId(id),
  startLt: String(startLt),
  endLt: String(endLt),
  utime,
  isKey,
  transactions,
})

type WrittenFacts = ReturnType<typeof writeFacts>

const readFacts = (facts: WrittenFacts): JournalBlock => ({
  id: readId(facts),
  startLt: BigInt(facts.startLt),
  endLt: BigInt(facts.endLt),
  utime: facts.utime,
  isKey: facts.isKey,
  transactions: facts.transactions,
})

interface WrittenStep {
  readonly master: WrittenFacts
  readonly shard: WrittenFacts | null
  readonly clockOffset: number
}

const stepFacts = ({ master, shard, clockOffset }: WrittenStep): StepFacts => ({
  master: readFacts(master),
  shard: shard === null ? null : readFacts(shard),
  clockOffset,
})

const ID_BYTES = 32
const SIGNATURE_BYTES = 64
const ENTRY_BYTES = ID_BYTES + SIGNATURE_BYTES

const packSignatures = (signatures: readonly StoredSignature[]): Uint8Array =>
  Buffer.concat(signatures.flatMap(({ nodeIdShort, signature }) => [nodeIdShort ?? Buffer.alloc(0), signature]))

function unpackSignatures(bytes: Uint8Array): StoredSignature[] {
  if (bytes.length === SIGNATURE_BYTES) return [{ nodeIdShort: null, signature: bytes }]
  const signatures: StoredSignature[] = []
  for (let at = 0; at < bytes.length; at += ENTRY_BYTES) {
    const named = at + ID_BYTES
    const signature = bytes.subarray(named, at + ENTRY_BYTES)
    signatures.push({ nodeIdShort: bytes.subarray(at, named), signature })
  }
  return signatures
}

export function packStep(step: StepRecord): Uint8Array {
  const { master, shard, clockOffset, masterBoc, shardBoc, signatures } = step
  const head = { master: writeFacts(master), shard: shard === null ? null : writeFacts(shard), clockOffset }
  return pack(head, packSignatures(signatures), masterBoc, ...(shardBoc === null ? [] : [shardBoc]))
}

/** Without the facts, which take longer to parse than all else. */
export function unpackBlocks(payload: Uint8Array): StepBlocks {
  const [, signed, masterBoc, shardBoc] = piecesOf(payload)
  if (signed === undefined || masterBoc === undefined) throw new Error('A step in the log is not complete')
  return { signatures: unpackSignatures(signed), masterBoc, shardBoc: shardBoc ?? null }
}

/** The masterchain block out of the first bytes of a step; undefined when it does not end in them. */
export const masterBocIn = (start: Uint8Array): Uint8Array | undefined => piecesOf(start)[2]

/** The facts of a step, for which its head is enough. */
export const unpackStepFacts = (payload: Uint8Array): StepFacts => stepFacts(unpack<WrittenStep>(payload).head)

/** What a start needs of a record: of a step its head, without the blocks. */
export function briefOf({ type, payload }: { readonly type: number; readonly payload: Uint8Array }): Uint8Array {
  if (type !== RecordType.step) return payload
  const { buffer, byteOffset, length } = payload
  return payload.subarray(0, 4 + Buffer.from(buffer, byteOffset, length).readUInt32LE(0))
}

interface WrittenFork {
  readonly block: ReturnType<typeof writeId>
  readonly utime: number
  readonly lt: string
  readonly shardLt?: string
}

const writeFork = ({ block, utime, lt, shardLt }: ForkBlock): WrittenFork => ({
  block: writeId(block),
  utime,
  lt: String(lt),
  ...(shardLt === undefined ? {} : { shardLt: String(shardLt) }),
})

const readFork = ({ block, utime, lt, shardLt }: WrittenFork): ForkBlock => ({
  block: readId(block),
  utime,
  lt: BigInt(lt),
  ...(shardLt === undefined ? {} : { shardLt: BigInt(shardLt) }),
})

export function packGenesis({ masterBoc, baseBoc, story, fork }: GenesisRecord): Uint8Array {
  const head = { ...(story === null ? {} : { story }), ...(fork === null ? {} : { fork: writeFork(fork) }) }
  return pack(head, masterBoc, baseBoc)
}

export function unpackGenesis(payload: Uint8Array): GenesisRecord {
  const { head, parts } = unpack<{ readonly story?: string; readonly fork?: WrittenFork }>(payload)
  const [masterBoc, baseBoc] = parts
  if (masterBoc === undefined || baseBoc === undefined) throw new Error('The genesis in the log is not complete')
  const { story = null, fork } = head
  return { masterBoc, baseBoc, story, fork: fork === undefined ? null : readFork(fork) }
}

export const packRevert = (revert: RevertRecord): Uint8Array => pack({ ...revert })
export const unpackRevert = (payload: Uint8Array): RevertRecord => unpack<RevertRecord>(payload).head

export const packMark = (mark: MarkRecord): Uint8Array => pack({ ...mark })
export const unpackMark = (payload: Uint8Array): MarkRecord => unpack<MarkRecord>(payload).head

export const packClock = (clockOffset: number): Uint8Array => pack({ clockOffset })
export const unpackClock = (payload: Uint8Array): number =>
  unpack<{ readonly clockOffset: number }>(payload).head.clockOffset

export const packImports = ({ seqno, accounts }: ImportsRecord): Uint8Array =>
  pack({ seqno, accounts: accounts.map(({ workchain, id }) => ({ workchain, id: hex(id) })) })

export function unpackImports(payload: Uint8Array): ImportsRecord {
  type Written = { readonly seqno: number; readonly accounts: readonly { workchain: number; id: string }[] }
  const { seqno, accounts } = unpack<Written>(payload).head
  return { seqno, accounts: accounts.map(({ workchain, id }) => ({ workchain, id: bytesOf(id) })) }
}
