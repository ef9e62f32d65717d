import type { Result } from '../../../../shared/registry.ts'
import type { actionsV3 } from '../../../../shared/v3/actions.ts'
import { sameBytes } from '../../../cell/index.ts'
import { SlicedWork } from '../../../fairness/index.ts'
import type { UnpackedText } from '../../../store/index.ts'
import type { WritingHandlers } from '../../call.ts'
import type { PendingAction, PendingActions } from '../../pending/pendingActions.ts'
import type { PendingTrace, PendingTraces } from '../../pending/pendingTraces.ts'
import { quickBase64 } from '../../view/base64.ts'
import { type ActionOnWire, accountsOfDetails, toAction } from '../../view/v3/action.ts'
import { addPendingTransaction } from '../../view/v3/pending.ts'
import { Written, writeInSlices } from '../../written.ts'
import { type SideObjects, sideObjectsFor } from '../sideObjects.ts'
import { textInSlices } from '../texts/textInSlices.ts'
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

interface ActionOfTrace {
  readonly trace: PendingTrace
  readonly action: PendingAction
  readonly written: ActionOnWire
}

/** Adds the transactions of an action, in its order: a large one message by message. */
function* addTransactions({ trace, action: { row } }: ActionOfTrace, to: UnpackedText): Generator<boolean> {
  const nodes = new Map(trace.nodes.map((node) => [quickBase64(node.found.row.hash), node]))
  const own = row.transactions.flatMap((hash) => nodes.get(quickBase64(hash)) ?? [])
  to.ascii(',"transactions_full":[')
  for (const [i, node] of own.entries()) {
    if (i > 0) to.ascii(',')
    yield* addPendingTransaction(trace, node, to)
    yield true
  }
  to.ascii(']')
}

function* addActions(all: readonly ActionOfTrace[], withTransactions: boolean, to: UnpackedText): Generator<boolean> {
  to.ascii('[')
  for (const [i, one] of all.entries()) {
    to.string(`${i === 0 ? '' : ','}${JSON.stringify(one.written).slice(0, -1)}`)
    if (withTransactions) yield* addTransactions(one, to)
    to.ascii('}')
    yield false
  }
  to.ascii(']')
}

type Page = Result<(typeof actionsV3)['v3.pendingActions']>

export interface PendingActionNeeds {
  readonly traces: PendingTraces
  readonly actions: PendingActions
  readonly side: SideObjects
}

export const pendingActionHandlers = ({
  traces,
  actions: pendingActions,
  side,
}: PendingActionNeeds): WritingHandlers<Pick<typeof actionsV3, 'v3.pendingActions'>> => ({
  async 'v3.pendingActions'(query, call) {
    demandWanted(query)
    const types = typesOfCaller(query.supported_action_types, call)
    const { account, include_transactions } = query
    const found: ActionOfTrace[] = []
    for (const trace of wantedTraces(await traces.all(), query))
      for (const action of (await pendingActions.of(trace, new SlicedWork(call.caller))).filter(isShown(types))) {
        if (account !== undefined && !action.row.accounts.some((key) => sameBytes(key, account))) continue
        found.push({ trace, action, written: toPendingAction(trace, action) })
      }
    const accounts = found.flatMap(({ written: { details } }) => accountsOfDetails(details))
    const actions = await textInSlices((to) => addActions(found, include_transactions, to), call.caller)
    const extras = await sideObjectsFor(side, accounts, call)
    return await writeInSlices<Page>({ actions: new Written<Page['actions']>(actions), ...extras }, call.caller)
  },
})
