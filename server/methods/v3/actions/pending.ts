import type { Result } from '../../../../shared/registry.ts'
import type { actionsV3 } from '../../../../shared/v3/actions.ts'
import { base64Of, sameBytes } from '../../../cell/index.ts'
import type { UnpackedText } from '../../../store/index.ts'
import type { WritingHandlers } from '../../call.ts'
import type { PendingAction } from '../../pending/pendingActions.ts'
import type { PendingNode, PendingTrace } from '../../pending/pendingTraces.ts'
import { type ActionOnWire, accountsOfDetails, toAction } from '../../view/v3/action.ts'
import { addPendingTransaction } from '../../view/v3/pending.ts'
import { accountsOfTransaction } from '../../view/v3/transaction.ts'
import { Written, writeInSlices } from '../../written.ts'
import { sideObjectsFor } from '../names/sideObjects.ts'
import { addArray } from '../texts/addArray.ts'
import { textInSlices } from '../texts/textInSlices.ts'
import { demandWanted, type PendingNeeds, wantedTraces } from '../wantedTraces.ts'
import { isShown, typesOfCaller } from './filter.ts'

/** Named by the message from outside: a trace has no other name before a block has it. */
export function toPendingAction(trace: PendingTrace, { row, isCommitted }: PendingAction): ActionOnWire {
  const { trace_external_hash_norm: _, ...written } = toAction(row)
  const hash = base64Of(trace.hash)
  const norm = base64Of(trace.hashNorm)
  return {
    ...written,
    trace_id: trace.traceId && base64Of(trace.traceId),
    trace_external_hash: hash,
    ...(norm === hash ? {} : { trace_external_hash_norm: norm }),
    finality: isCommitted ? 'finalized' : 'pending',
  }
}

interface ActionOfTrace {
  readonly trace: PendingTrace
  /** Transactions of the trace by hash; null when they are not requested. */
  readonly nodes: ReadonlyMap<string, PendingNode> | null
  readonly action: PendingAction
  readonly written: ActionOnWire
}

const nodesByHash = ({ nodes }: PendingTrace): ActionOfTrace['nodes'] =>
  new Map(nodes.map((node) => [base64Of(node.found.row.hash), node]))

const nodesOf = ({ transactions }: PendingAction['row'], nodes: ActionOfTrace['nodes']): PendingNode[] =>
  transactions.flatMap((hash) => nodes?.get(base64Of(hash)) ?? [])

/** Adds an action, with its transactions, in its order, where they are requested. */
function* addAction({ trace, nodes, action: { row }, written }: ActionOfTrace, to: UnpackedText): Generator<boolean> {
  const text = JSON.stringify(written)
  if (nodes === null) return to.string(text)
  const own = nodesOf(row, nodes)
  to.string(`${text.slice(0, -1)},"transactions_full":`)
  yield* addArray(own, to, (node) => addPendingTransaction(trace, node, to))
  to.ascii('}')
}

type Page = Result<(typeof actionsV3)['v3.pendingActions']>

export const pendingActionHandlers = ({
  traces,
  actions: pendingActions,
  side,
}: PendingNeeds): WritingHandlers<Pick<typeof actionsV3, 'v3.pendingActions'>> => ({
  async 'v3.pendingActions'(query, call) {
    demandWanted(query)
    const types = typesOfCaller(query.supported_action_types, call)
    const { account } = query
    const found: ActionOfTrace[] = []
    const wanted = wantedTraces(await traces.all(), query)
    for (const [trace, all] of await pendingActions.ofAll(wanted, call.caller.subject)) {
      const nodes = query.include_transactions ? nodesByHash(trace) : null
      for (const action of all.filter(isShown(types))) {
        if (account !== undefined && !action.row.accounts.some((key) => sameBytes(key, account))) continue
        found.push({ trace, nodes, action, written: toPendingAction(trace, action) })
      }
    }
    const accounts = found.flatMap(({ written: { details }, nodes, action: { row } }) => [
      ...accountsOfDetails(details),
      ...nodesOf(row, nodes).flatMap((node) => accountsOfTransaction(node.found)),
    ])
    const actions = await textInSlices((to) => addArray(found, to, (one) => addAction(one, to)), call)
    const extras = await sideObjectsFor(side, accounts, call)
    return await writeInSlices<Page>({ actions: new Written<Page['actions']>(actions), ...extras }, call)
  },
})
