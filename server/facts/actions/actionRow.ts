// An action as its table takes it.

import type { ClassifiedAction, TraceInput } from '../../actions/index.ts'
import type { ActionRow } from '../../store/index.ts'
import { rawAccountKey } from '../parse/accountKey.ts'

const bytes = (base64: string): Uint8Array => Buffer.from(base64, 'base64')

export function toActionRow(action: ClassifiedAction, trace: TraceInput): ActionRow {
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
    accounts: accounts.map(rawAccountKey).filter((key) => key !== null),
    details: JSON.stringify(details),
    parentActionId: parentActionId === null ? null : bytes(parentActionId),
    parentGaslessAction: parentGaslessAction === null ? null : bytes(parentGaslessAction),
  }
}
