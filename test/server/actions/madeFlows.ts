// Flows of messages made by hand: each message with those it leads to.

import {
  type AccountFacts,
  type AccountsFacts,
  type ClassifiedAction,
  classifyTrace,
  type TraceInput,
  type TraceMessage,
  type TraceTransaction,
} from '../../../server/actions/index.ts'
import { type Builder, beginCell, type Cell, stdAddress, storeAddress } from '../../../server/cell/index.ts'
import { message, trace, transaction } from './madeTraces.ts'
import { expectShapes } from './shapes.ts'

/** An account whose address has this digit all over. */
export const account = (digit: string, workchain = 0): string => `${workchain}:${digit.repeat(64)}`

export const address = (builder: Builder, text: string): Builder => {
  const [workchain, hex = ''] = text.split(':')
  return storeAddress(builder, stdAddress(Number(workchain), Buffer.from(hex, 'hex')))
}

export const op = (opcode: number): Builder => beginCell().storeUint(opcode, 32)
export const call = (opcode: number, queryId = 0n): Builder => op(opcode).storeUint(queryId, 64)
export const comment = (text: string): Cell => op(0).storeBytes(Buffer.from(text)).end()

/** A message, and those it leads to. */
export interface Step {
  readonly from: string | null
  readonly to: string | null
  readonly body?: Cell
  readonly value?: bigint
  readonly aborted?: boolean
  /** Whether it brought too little to be executed. */
  readonly lackedGas?: boolean
  /** Whether its receiver has not taken it yet. */
  readonly isOnItsWay?: boolean
  readonly bounce?: boolean
  readonly bounced?: boolean
  /** Whether its receiver comes to life by it. */
  readonly begins?: boolean
  /** Whether its receiver destroys itself over it. */
  readonly ends?: boolean
  readonly init?: Uint8Array | null
  readonly extraCurrencies?: Readonly<Record<string, string>>
  readonly leads?: readonly Step[]
}

function transactionsOf(first: Step): TraceTransaction[] {
  let lt = 10n
  const found: TraceTransaction[] = []
  const messageOf = ({ init = null, extraCurrencies = {}, ...step }: Step): TraceMessage => {
    lt += 1n
    const { from: source, to: destination, body = beginCell().end(), value = 1_000_000_000n } = step
    const { bounce = true, bounced = false } = step
    return { ...message({ source, destination, body, value, lt, bounce, bounced }), init, extraCurrencies }
  }
  const visit = (step: Step, received: TraceMessage): void => {
    const sent = (step.leads ?? []).map((next) => ({ next, out: messageOf(next) }))
    found.push(
      transaction({
        account: step.to ?? '',
        in: received,
        outMessages: sent.map(({ out }) => out),
        ...(step.aborted === true ? { aborted: true, exitCode: 40 } : {}),
        ...(step.lackedGas === true ? { aborted: true, lackedGas: true, exitCode: null } : {}),
        ...(step.begins === true ? { origStatus: 'uninit' } : {}),
        ...(step.ends === true ? { endStatus: 'nonexist' } : {}),
      }),
    )
    for (const { next, out } of sent) if (next.to !== null && next.isOnItsWay !== true) visit(next, out)
  }
  visit(first, messageOf(first))
  return found
}

/** A flow as the classifier takes it. */
export function traceOf(first: Step): TraceInput {
  const [root, ...others] = transactionsOf(first)
  if (root === undefined) throw new Error('a flow without a message')
  return trace(root, ...others)
}

export const known = (facts: Partial<AccountFacts>): AccountFacts => ({ interfaces: [], codeHash: null, ...facts })

/** The actions of a flow, with those that are parts of others behind them. */
export function actionsOf(
  first: Step,
  facts: Readonly<Record<string, AccountFacts>> = {},
): readonly ClassifiedAction[] {
  const byAddress: AccountsFacts = new Map(Object.entries(facts))
  const { actions, failure } = classifyTrace(traceOf(first), byAddress)
  expectShapes(actions)
  if (failure !== null) throw failure
  return actions
}

/** Types in their order: `outer/inner`, and what failed. */
export const typesOf = (actions: readonly ClassifiedAction[]): string[] =>
  actions.map(({ type, success, ancestorTypes }) => `${[...ancestorTypes, type].join('/')}${success ? '' : ' failed'}`)
