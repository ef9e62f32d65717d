// The phases of a transaction in their order, each with its outcome, its numbers and its fee.

import { actionWords, type CodeWords, computeWords, isOwnCode, skippedWords } from '../../../shared/exitCodes.ts'
import type { Transaction } from '../../index.ts'
import { orZero } from './orZero.ts'

export interface Phase {
  readonly name: 'Import' | 'Storage' | 'Credit' | 'Compute' | 'Action' | 'Bounce'
  readonly outcome: 'ok' | 'failed' | 'skipped'
  /** What happened, in a few words. */
  readonly text: string
  readonly hint?: string
  /** Failed with a code that only the contract knows. */
  readonly isOwn?: boolean
  /** Collected in this phase; with those of the others they are all fees of the transaction. */
  readonly fee: bigint
  readonly facts: readonly PhaseFact[]
  /** For a bar; a limit of 0 is none. What a message from outside is granted until it is accepted bounds nothing after that. */
  readonly gas?: { readonly used: bigint; readonly limit: bigint }
}

export type PhaseFact = readonly [name: string, value: string | { readonly nanotons: bigint }]

type Description = Transaction['description']
type Of<K extends keyof Description> = NonNullable<Description[K]>

const amount = (name: string, digits: string | undefined): readonly PhaseFact[] =>
  orZero(digits) === 0n ? [] : [[name, { nanotons: orZero(digits) }]]

const STATUS = { unchanged: '', frozen: 'the account was frozen', deleted: 'the account was deleted' } as const

function storage(phase: Of<'storage_ph'>): Phase {
  const fee = orZero(phase.storage_fees_collected)
  return {
    name: 'Storage',
    outcome: phase.status_change === 'unchanged' ? 'ok' : 'failed',
    text:
      STATUS[phase.status_change] || (orZero(phase.storage_fees_due) ? 'rent due' : fee ? 'rent paid' : 'no rent due'),
    fee,
    facts: amount('Still owed', phase.storage_fees_due),
  }
}

const credit = (phase: Of<'credit_ph'>): Phase => ({
  name: 'Credit',
  outcome: 'ok',
  text: 'the value was credited',
  fee: orZero(phase.due_fees_collected),
  facts: [['Credited', { nanotons: orZero(phase.credit) }]],
})

/** Errors of a contract by their exit codes, from its own description. */
export type OwnErrors = Readonly<Record<string, string>>

const ownWords = (code: number, own: OwnErrors): CodeWords | undefined =>
  Object.hasOwn(own, code) ? { text: own[code] ?? '' } : undefined

const withCode = (code: number, { text, hint }: CodeWords) => ({
  text: `exit code ${code}: ${text}`,
  ...(hint === undefined ? {} : { hint }),
})

function compute(phase: Of<'compute_ph'>, status: string, interfaces: readonly string[], own: OwnErrors): Phase {
  if (phase.skipped) {
    const { text, hint } = skippedWords(phase.reason, status)
    const base = { name: 'Compute', outcome: 'skipped', text: `skipped: ${text}`, fee: 0n, facts: [] } as const
    return hint === undefined ? base : { ...base, hint }
  }
  const said = phase.success
    ? { text: phase.exit_code === 0 ? 'success' : withCode(phase.exit_code, computeWords(phase.exit_code)).text }
    : withCode(phase.exit_code, ownWords(phase.exit_code, own) ?? computeWords(phase.exit_code, interfaces))
  return {
    name: 'Compute',
    outcome: phase.success ? 'ok' : 'failed',
    ...said,
    isOwn: !phase.success && isOwnCode(phase.exit_code, interfaces) && ownWords(phase.exit_code, own) === undefined,
    fee: orZero(phase.gas_fees),
    gas: { used: orZero(phase.gas_used), limit: orZero(phase.gas_limit) },
    facts: [
      ['Steps', String(phase.vm_steps)],
      ...(phase.exit_arg === undefined ? [] : ([['Exit argument', String(phase.exit_arg)]] as const)),
      ...(phase.account_activated ? ([['Account', 'deployed by this message']] as const) : []),
    ],
  }
}

/** How many actions of a successful phase were done, and how many left out. */
const carriedOut = ({ msgs_created: sent, skipped_actions: ignored }: Of<'action'>): CodeWords =>
  ignored === 0
    ? { text: `${sent} sent` }
    : {
        text: `${sent} sent, ${ignored} ignored`,
        hint: 'What mode +2 asks for is left out when it fails, most often for lack of TON.',
      }

function action(phase: Of<'action'>): Phase {
  const code = phase.result_code
  const said = phase.success ? carriedOut(phase) : actionWords(code)
  const all = orZero(phase.total_fwd_fees)
  const kept = orZero(phase.total_action_fees)
  return {
    name: 'Action',
    outcome: !phase.success ? 'failed' : phase.skipped_actions > 0 ? 'skipped' : 'ok',
    text: phase.success ? said.text : `result code ${code}: ${said.text}`,
    ...(said.hint === undefined ? {} : { hint: said.hint }),
    fee: kept,
    facts: [
      ['Actions', String(phase.tot_actions)],
      ...(phase.result_arg === undefined ? [] : ([['Failed action', String(phase.result_arg)]] as const)),
      ...amount('Goes along with the messages', String(all - kept)),
    ],
  }
}

const BOUNCES = {
  ok: 'the rest of the value was sent back',
  nofunds: 'nothing was left to send back',
  negfunds: 'nothing was left to send back',
} as const

const bounce = (phase: Of<'bounce'>): Phase => ({
  name: 'Bounce',
  outcome: phase.type === 'ok' ? 'ok' : 'failed',
  text: BOUNCES[phase.type],
  fee: orZero(phase.msg_fees),
  facts: [...amount('Goes along with the message', phase.fwd_fees), ...amount('Not covered', phase.req_fwd_fees)],
})

/**
 * Taken for bringing a message in from outside: no phase has it, and the message says nothing of it. It is what the others
 * leave of all fees.
 */
function imported({ in_msg: message, total_fees }: Transaction, others: readonly Phase[]): readonly Phase[] {
  const fee = others.reduce((left, phase) => left - phase.fee, orZero(total_fees))
  if (message === null || message.source !== null || fee <= 0n) return []
  return [{ name: 'Import', outcome: 'ok', text: 'the message was brought in from outside', fee, facts: [] }]
}

/** Phases that took place, in their order; `interfaces` are those of the account. */
export function phasesOf(
  transaction: Transaction,
  interfaces: readonly string[] = [],
  own: OwnErrors = {},
): readonly Phase[] {
  const {
    storage_ph,
    credit_ph,
    compute_ph,
    credit_first: isCreditFirst,
    action: actions,
    bounce: back,
  } = transaction.description
  const first: Phase[] = [...(storage_ph ? [storage(storage_ph)] : []), ...(credit_ph ? [credit(credit_ph)] : [])]
  const phases = [
    ...(isCreditFirst ? first.reverse() : first),
    ...(compute_ph ? [compute(compute_ph, transaction.orig_status, interfaces, own)] : []),
    ...(actions ? [action(actions)] : []),
    ...(back ? [bounce(back)] : []),
  ]
  return [...imported(transaction, phases), ...phases]
}
