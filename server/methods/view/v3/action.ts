// Actions as v3 writes them.

import type { z } from 'zod'
import { toDigits } from '../../../../shared/primitives.ts'
import type { Action, ActionKind } from '../../../../shared/v3/action.ts'
import { base64Of } from '../../../cell/index.ts'
import type { AccountKey, ActionRow } from '../../../store/index.ts'
import { keyOfAccount, rawOfKey } from '../../keyOfAccount.ts'

export type ActionOnWire = z.output<typeof Action>
type Details = Readonly<Record<string, unknown>>

const hasAny = (currencies: unknown): boolean =>
  typeof currencies === 'object' && currencies !== null && Object.keys(currencies).length > 0

/** A transfer with extra currencies is shown under another type than it is stored under. */
export const shownType = (type: string, details: Details): string =>
  hasAny(details.value_extra_currencies) || hasAny(details.extra_currencies) ? 'extra_currency_transfer' : type

const CURRENCIES = 'extra_currencies":'

/** The type that a stored action is shown under. */
export const shownTypeOf = ({ type, details }: Pick<ActionRow, 'type' | 'details'>): string =>
  details.includes(CURRENCIES) ? shownType(type, JSON.parse(details)) : type

// The casts: details were written as they go over the wire, and tests hold each type's against its shape.
function kindOf(row: ActionRow): ActionKind {
  const details = JSON.parse(row.details) as Details
  return { type: shownType(row.type, details), details } as ActionKind
}

export function toAction(row: ActionRow): ActionOnWire {
  const { traceExternalHash, traceExternalHashNorm, parentGaslessAction } = row
  return {
    trace_id: base64Of(row.traceId),
    action_id: base64Of(row.actionId),
    start_lt: toDigits(row.startLt),
    end_lt: toDigits(row.endLt),
    start_utime: row.startUtime,
    end_utime: row.endUtime,
    trace_end_lt: toDigits(row.traceEndLt),
    trace_end_utime: row.traceEndUtime,
    trace_mc_seqno_end: row.traceMcSeqnoEnd,
    transactions: row.transactions.map(base64Of),
    success: row.success,
    ...kindOf(row),
    finality: 'finalized',
    ...(traceExternalHash && { trace_external_hash: base64Of(traceExternalHash) }),
    ...(traceExternalHashNorm && { trace_external_hash_norm: base64Of(traceExternalHashNorm) }),
    ...(parentGaslessAction && { parent_gasless_action: base64Of(parentGaslessAction) }),
  }
}

export const accountsOfAction = (row: ActionRow): string[] => row.accounts.map(rawOfKey)

const RAW = /^(-?\d{1,3}):([0-9A-F]{64})$/

/** The accounts that details name, at any depth. */
export function accountsOfDetails(details: unknown): AccountKey[] {
  const keys = new Map<string, AccountKey>()
  const waiting: unknown[] = [details]
  while (waiting.length > 0) {
    const value = waiting.pop()
    if (typeof value === 'string') {
      const [raw, workchain = '', hex = ''] = RAW.exec(value) ?? []
      const number = Number(workchain)
      if (raw !== undefined && number >= -128 && number <= 127)
        keys.set(raw, keyOfAccount({ workchain: number, hash: Buffer.from(hex, 'hex') }))
    } else if (typeof value === 'object' && value !== null) waiting.push(...Object.values(value))
  }
  return [...keys.values()]
}
