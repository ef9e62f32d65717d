import type { actionsV3 } from '../../../../shared/v3/actions.ts'
import { sameBytes } from '../../../cell/index.ts'
import type { Handlers } from '../../call.ts'
import type { PendingAction, PendingActions } from '../../pending/pendingActions.ts'
import type { PendingTrace, PendingTraces } from '../../pending/pendingTraces.ts'
import { quickBase64 } from '../../view/base64.ts'
import { type ActionOnWire, accountsOfDetails, toAction } from '../../view/v3/action.ts'
import { toPendingTransaction } from '../../view/v3/pending.ts'
import { type SideObjects, sideObjectsFor } from '../sideObjects.ts'
import { demandWanted, wantedTraces } from '../wantedTraces.ts'
import { isShown, typesOfCaller } from './filter.ts'

/** Named by the message from outside: a trace has no other name before a block has it. */
export function toPendingAction(trace: PendingTrace, { row, isCommitted }: PendingAction): ActionOnWire {
  const { trace_external_hash_norm: _, ...written } = toAction(row)
  const [hash, norm] = [quickBase64(trace.hash), quickBase64(trace.hashNorm)]
  return {
    ...written,
    trace_id: trace.traceId && quickBase64(trace.traceId),
    trace_external_hash: hash,
    ...(norm === hash ? {} : { trace_external_hash_norm: norm }),
    finality: isCommitted ? 'finalized' : 'pending',
  }
}

/** The transactions of an action, in its order. */
function transactionsOf(trace: PendingTrace, { row }: PendingAction) {
  const nodes = new Map(trace.nodes.map((node) => [quickBase64(node.found.row.hash), node]))
  return row.transactions.flatMap((hash) => {
    const node = nodes.get(quickBase64(hash))
    return node === undefined ? [] : [toPendingTransaction(trace, node)]
  })
}

export interface PendingActionNeeds {
  readonly traces: PendingTraces
  readonly actions: PendingActions
  readonly side: SideObjects
}

export const pendingActionHandlers = ({
  traces,
  actions: pendingActions,
  side,
}: PendingActionNeeds): Handlers<Pick<typeof actionsV3, 'v3.pendingActions'>> => ({
  async 'v3.pendingActions'(query, call) {
    demandWanted(query)
    const types = typesOfCaller(query.supported_action_types, call)
    const { account } = query
    const written: ActionOnWire[] = []
    for (const trace of wantedTraces(await traces.all(), query))
      for (const action of (await pendingActions.of(trace)).filter(isShown(types))) {
        if (account !== undefined && !action.row.accounts.some((key) => sameBytes(key, account))) continue
        const full = query.include_transactions ? { transactions_full: transactionsOf(trace, action) } : {}
        written.push({ ...toPendingAction(trace, action), ...full })
      }
    const accounts = written.flatMap(({ details }) => accountsOfDetails(details))
    return { actions: written, ...(await sideObjectsFor(side, accounts, call)) }
  },
})
