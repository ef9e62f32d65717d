// The fallback for a trace that cannot be parsed.

import type { ClassifiedAction } from './action.ts'
import type { TraceInput } from './input.ts'

export function unknownAction(trace: TraceInput): ClassifiedAction {
  const { traceId, transactions, startLt, endLt, startUtime, endUtime } = trace
  return {
    actionId: traceId,
    type: 'unknown',
    success: transactions.every(({ aborted }) => !aborted),
    startLt,
    endLt,
    startUtime,
    endUtime,
    transactions: transactions.map(({ hash }) => hash),
    accounts: [...new Set(transactions.map(({ account }) => account))],
    roles: {},
    details: {},
    parentActionId: null,
    ancestorTypes: [],
    parentGaslessAction: null,
  }
}
