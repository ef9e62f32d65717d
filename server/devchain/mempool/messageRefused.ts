// Why a message is refused, with the texts of the node, which tools search for patterns.

import { hashToHex } from '../../cell/index.ts'
import { ChangeDropped, LiteError } from '../../node/index.ts'
import type { External, Rejection } from '../collate/index.ts'

/**
 * - `notABag`: bytes that are no bag of cells.
 * - `malformed`: not a message, or not one for an account.
 * - `noShard`: for a workchain that does not exist.
 * - `tooLarge`, `tooDeep`: beyond the limits of the network.
 * - `noAccount`: its account does not exist.
 * - `notAccepted`: refused by the contract, or the account has too little TON.
 * - `poolFull`: too many messages wait already; a later attempt may succeed.
 * - `dropped`: the chain was closed, reverted, or could not make the block; the message had no effect.
 */
export type RefusalReason =
  | 'notABag'
  | 'malformed'
  | 'noShard'
  | 'tooLarge'
  | 'tooDeep'
  | 'noAccount'
  | 'notAccepted'
  | 'poolFull'
  | 'dropped'

export interface RefusalFacts {
  readonly reason: RefusalReason
  /** Of the contract; null when it was not run. */
  readonly exitCode: number | null
  readonly vmLog: string
}

/** Begins what concerns the state of an account. */
export const REFUSAL_OPENING = 'cannot apply external message to current state : '
/** Clients take the opening for the contract's refusal, so only what concerns the account begins with it. */
const BY_ACCOUNT: ReadonlySet<RefusalReason> = new Set(['noAccount', 'notAccepted'])

export class MessageRefused extends Error {
  readonly reason: RefusalReason
  readonly exitCode: number | null
  /** The end of the TVM's log. */
  readonly vmLog: string

  constructor(text: string, { reason, exitCode, vmLog }: RefusalFacts) {
    super(BY_ACCOUNT.has(reason) ? `${REFUSAL_OPENING}${text}` : text)
    this.name = 'MessageRefused'
    this.reason = reason
    this.exitCode = exitCode
    this.vmLog = vmLog
  }
}

/** A refusal before anything was run. */
export const refused = (reason: RefusalReason, text: string): MessageRefused =>
  new MessageRefused(text, { reason, exitCode: null, vmLog: '' })

/** Exit code of the faucet for a request that is too old or not good yet. */
const WRONG_TIME = 35

/** What the chain's faucet sends for a caller, signed by the chain's clock: a change that was not made. */
export function failDropped(error: unknown): never {
  const refusal = error instanceof LiteError ? error.cause : error
  if (!(refusal instanceof MessageRefused)) throw error
  const isLate = refusal.exitCode === WRONG_TIME
  if (refusal.reason !== 'dropped' && !isLate) throw error
  const why = isLate ? "the chain's clock was moved meanwhile" : refusal.message
  throw new ChangeDropped(`Not done: ${why}`, { cause: error })
}

const NOT_ACCEPTED = 'External message was not accepted\nCannot run message on account: '
const BEFORE_EXECUTION = 'before smart-contract execution'
const LOG_TAIL = 256

/** Instructions executed, counted in a log that has a line for each. */
const stepsIn = (log: string): number => log.match(/^execute /gm)?.length ?? 0

/** The refusal of a message that led to no transaction; `log` has a line per instruction, `hint` ends the text. */
export function refusalOf(
  external: External,
  { exitCode, reason }: Rejection,
  { log, hint = '' }: { readonly log: string; readonly hint?: string },
): MessageRefused {
  const account = hashToHex(Buffer.from(external.account).toString('latin1')).toUpperCase()
  const facts: RefusalFacts = { reason: 'notAccepted', exitCode, vmLog: log.slice(-LOG_TAIL) }
  if (reason.includes(BEFORE_EXECUTION))
    return new MessageRefused(
      `${NOT_ACCEPTED}inbound external message rejected by account ${account} ${BEFORE_EXECUTION}`,
      facts,
    )
  if (exitCode === null && !reason.startsWith('External message'))
    return new MessageRefused(`${NOT_ACCEPTED}${reason}`, facts)
  const lines = [
    `${NOT_ACCEPTED}inbound external message rejected by transaction ${account}:`,
    `exitcode=${exitCode ?? 0}, steps=${stepsIn(log)}, gas_used=0`,
  ]
  if (log !== '') lines.push('VM Log (truncated):', `...${facts.vmLog}`)
  if (hint !== '') lines.push(hint)
  return new MessageRefused(lines.join('\n'), facts)
}
