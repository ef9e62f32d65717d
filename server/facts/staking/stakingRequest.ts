// Messages of staking: what a transaction took in, as pools and the elector read it.

import { elector, everyday, nominators } from '../../bodies/index.ts'
import { beginCell, type Cell, MAX_DEPTH, openCell, readBoc, type Slice } from '../../cell/index.ts'
import type { AccountKey, WrittenMessage } from '../../store/index.ts'
import type { TransactionFacts } from '../parse/facts.ts'
import { isAborted, isTickTock } from '../parse/outcome.ts'

export const OPS = {
  payRequested: nominators.payRequested.opcode,
  payOne: nominators.payOne.opcode,
  validatorDeposit: nominators.validatorDeposit.opcode,
  validatorWithdrawal: nominators.validatorWithdrawal.opcode,
  newStake: elector.newStake.opcode,
  recoverStake: elector.recoverStake.opcode,
  stakeAccepted: elector.newStakeConfirmation.opcode,
  stakeRejected: elector.stakeRejected.opcode,
  stakeRecovered: elector.recoverStakeResponse.opcode,
  recoverFailed: elector.recoverFailed.opcode,
} as const

const OP_BITS = 32
const QUERY_BITS = 64
const NO_BODY = beginCell().end()

/** An internal message that was carried out. */
export interface StakingRequest {
  readonly source: AccountKey
  readonly value: bigint
  readonly isBounced: boolean
  /** Of the body behind the mark of a bounce; null for a body that has none. */
  readonly op: number | null
  /** Null for a body without room for one. */
  readonly queryId: bigint | null
  readonly body: Cell
}

/** Null for what changes no contract: other messages, and transactions that failed. */
export function requestOf({ inMessage, description }: TransactionFacts): StakingRequest | null {
  if (inMessage === null || inMessage.kind !== 'internal' || inMessage.source === null) return null
  if (isAborted(description) || isTickTock(description)) return null
  const body = bodyOf(inMessage)
  const isBounced = inMessage.bounced === true
  const slice = isBounced ? behindMark(openCell(body)) : openCell(body)
  const op = slice.remainingBits >= OP_BITS ? slice.loadUint(OP_BITS) : null
  const queryId = op !== null && slice.remainingBits >= QUERY_BITS ? slice.loadUintBig(QUERY_BITS) : null
  return { source: inMessage.source, value: inMessage.value ?? 0n, isBounced, op, queryId, body }
}

/** The original body of a message that came back: it follows the first 32 bits, or in the new form is in a cell of its own. */
function behindMark(slice: Slice): Slice {
  if (everyday.bounce.begins(slice)) return slice
  if (slice.remainingRefs === 0 || !everyday.newBounce.begins(slice)) return slice
  const original = slice.loadRef()
  return openCell(original.isExotic ? NO_BODY : original)
}

/** Anyone can send an exotic cell, of which a contract sees nothing. */
function bodyOf({ body }: WrittenMessage): Cell {
  const cell = readBoc(body, { maxDepth: MAX_DEPTH })
  return cell.isExotic ? NO_BODY : cell
}

/** What follows the operation. */
export const behindOp = ({ body }: StakingRequest): Slice => openCell(body).skip(OP_BITS)

/** The letter of a body that is a comment of one; null for any other. */
export function letterOf({ op, body }: StakingRequest): string | null {
  if (op !== 0 || body.bits !== OP_BITS + 8 || body.refs.length > 0) return null
  return String.fromCharCode(openCell(body).skip(OP_BITS).loadUint(8))
}

/** Operation and query id of a message that was sent. */
export function sentOp(message: WrittenMessage): { readonly op: number; readonly queryId: bigint } | null {
  const cell = bodyOf(message)
  if (cell.bits < OP_BITS + QUERY_BITS) return null
  const slice = openCell(cell)
  return { op: slice.loadUint(OP_BITS), queryId: slice.loadUintBig(QUERY_BITS) }
}
