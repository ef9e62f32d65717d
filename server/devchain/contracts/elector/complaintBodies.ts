// Complaints about validators, and votes on them, as the elector takes them.

import { type Builder, beginCell, type Cell } from '../../../cell/index.ts'
import type { AccountId } from '../../../node/index.ts'
import type { ConfigValue } from '../../../tlb/index.ts'
import { operationBody } from '../operationBody.ts'

export interface FiledComplaint {
  /** Of the accused, in the election the complaint is about. */
  readonly publicKey: Uint8Array
  /** The elector stores it and does not parse it. */
  readonly description: Cell
  readonly severity: number
  /** Nanotons. */
  readonly fine: bigint
}

/** What the elector adds to a complaint; its name is the hash of the whole. */
export interface ComplaintRecord {
  readonly createdAt: number
  readonly rewardTo: AccountId
  readonly paid: bigint
}

export interface ComplaintVote {
  readonly electionId: number
  /** Hash of the complaint. */
  readonly complaint: Uint8Array
  /** Of the validator, in the current set. */
  readonly index: number
  /** Ed25519 signature of bytes, by the validator's key. */
  readonly sign: (bytes: Uint8Array) => Uint8Array
}

const ops = { complaint: 0x52674370, vote: 0x56744370 } as const
const COMPLAINT_TAG = 0xbc
const NOT_GENERATED = 0x450e8bd9
const SIGNED_VOTE = 0x56744350
/** Stored with a complaint, in addition to its own cells. */
const STATUS_BITS = 1024n
const STATUS_CELLS = 2n

/** The usual reason of a complaint: a validator has made no blocks since this time. */
export const noBlocksSince = (utime: number): Cell =>
  beginCell().storeUint(NOT_GENERATED, 32).storeUint(utime, 32).storeRef(beginCell().end()).end()

const NOTHING_YET: ComplaintRecord = { createdAt: 0, rewardTo: { workchain: -1, hash: new Uint8Array(32) }, paid: 0n }

const storeComplaint = (builder: Builder, complaint: FiledComplaint, record: ComplaintRecord): Builder =>
  builder
    .storeUint(COMPLAINT_TAG, 8)
    .storeBytes(complaint.publicKey)
    .storeRef(complaint.description)
    .storeUint(record.createdAt, 32)
    .storeUint(complaint.severity, 8)
    .storeBytes(record.rewardTo.hash)
    .storeCoins(record.paid)
    .storeCoins(complaint.fine)
    .storeUint(0, 32)

/** Bits and references of a tree of cells, each cell counted once. */
function sizeOf(root: Cell): { readonly bits: number; readonly refs: number } {
  const seen = new Set<string>()
  let bits = 0
  let refs = 0
  const visit = (cell: Cell): void => {
    if (seen.has(cell.hash())) return
    seen.add(cell.hash())
    bits += cell.bits
    refs += cell.refs.length
    for (const ref of cell.refs) visit(ref)
  }
  visit(root)
  return { bits, refs }
}

/** For the elector, from the masterchain, with the price and 2 TON for the answer; the rest comes back. */
export const electorComplaintBody = (queryId: bigint, electionId: number, complaint: FiledComplaint): Cell =>
  storeComplaint(operationBody(ops.complaint, queryId).storeUint(electionId, 32), complaint, NOTHING_YET).end()

/** Nanotons that are kept for a complaint; `seconds` remain until the stakes of that election are unfrozen. */
export function complaintPrice(
  complaint: FiledComplaint,
  seconds: number,
  { deposit, bitPrice, cellPrice }: ConfigValue<13>,
): bigint {
  const { bits, refs } = sizeOf(storeComplaint(beginCell(), complaint, NOTHING_YET).end())
  const perSecond = (BigInt(bits) + STATUS_BITS) * bitPrice + (BigInt(refs) + STATUS_CELLS) * cellPrice
  return deposit + perSecond * BigInt(seconds)
}

/** The hash the elector knows a complaint by. */
export const complaintHash = (complaint: FiledComplaint, record: ComplaintRecord): Uint8Array =>
  storeComplaint(beginCell(), complaint, record).end().hashBytes()

/** For the elector, from anyone: what a validator has signed. */
export function electorVoteBody(queryId: bigint, { electionId, complaint, index, sign }: ComplaintVote): Cell {
  const head = beginCell().storeUint(SIGNED_VOTE, 32).storeUint(index, 16).storeUint(electionId, 32)
  const signed = head.storeBytes(complaint).end()
  const body = operationBody(ops.vote, queryId).storeBytes(sign(signed.data()))
  return body.storeRange(signed.data(), 0, signed.bits).end()
}
