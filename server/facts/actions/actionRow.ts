// An action as its table takes it.

import type { Action, TraceInput } from '../../actions/index.ts'
import type { AccountKey, ActionRow } from '../../store/index.ts'
import { accountKey } from '../parse/accountKey.ts'

const bytes = (base64: string): Uint8Array => Buffer.from(base64, 'base64')

/** Null for accounts the index has no keys for. */
function keyOf(address: string): AccountKey | null {
  const [workchain = '', hex = ''] = address.split(':')
  const number = Number(workchain)
  return number < -128 || number > 127 || hex.length !== 64 ? null : accountKey(number, Buffer.from(hex, 'hex'))
}

export function toActionRow(action: Action, trace: TraceInput): ActionRow {
  const { actionId, parentActionId, parentGaslessAction, transactions, accounts, details } = action
  const { type, success, startLt, endLt, startUtime, endUtime, ancestorTypes } = action
  return {
    type,
    success,
    startLt,
    endLt,
    startUtime,
    endUtime,
    ancestorTypes,
    traceId: bytes(trace.traceId),
    actionId: bytes(actionId),
    traceEndLt: trace.endLt,
    traceEndUtime: trace.endUtime,
    traceMcSeqnoEnd: trace.mcSeqnoEnd,
    traceExternalHash: trace.externalHash === null ? null : bytes(trace.externalHash),
    traceExternalHashNorm: trace.externalHashNorm === null || type === 'unknown' ? null : bytes(trace.externalHashNorm),
    transactions: transactions.map(bytes),
    accounts: accounts.map(keyOf).filter((key) => key !== null),
    details: JSON.stringify(details),
    parentActionId: parentActionId === null ? null : bytes(parentActionId),
    parentGaslessAction: parentGaslessAction === null ? null : bytes(parentGaslessAction),
  }
}
