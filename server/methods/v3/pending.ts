import { ApiError } from '../../../shared/errors.ts'
import type { Params, Result } from '../../../shared/registry.ts'
import type { pendingV3 } from '../../../shared/v3/pending.ts'
import type { Call, WritingHandlers } from '../call.ts'
import { byBeginning } from '../pending/pendingActions.ts'
import type { PendingTrace } from '../pending/pendingTraces.ts'
import { type ActionOnWire, accountsOfDetails } from '../view/v3/action.ts'
import { addPendingTrace, addPendingTransaction } from '../view/v3/pending.ts'
import { accountsOfTransaction } from '../view/v3/transaction.ts'
import { Written, writeInSlices } from '../written.ts'
import { isShown, typesOfCaller } from './actions/filter.ts'
import { toPendingAction } from './actions/pending.ts'
import { sideObjectsFor } from './names/sideObjects.ts'
import { addArray } from './texts/addArray.ts'
import { textInSlices } from './texts/textInSlices.ts'
import { among, demandWanted, type PendingNeeds, touches, wantedTraces } from './wantedTraces.ts'

const ACCOUNT_NEEDED = 'at least 1 account address required'
const NONE = 'emulated traces not found'

type Traces = Result<(typeof pendingV3)['v3.pendingTraces']>

interface ShownTrace {
  readonly trace: PendingTrace
  readonly actions: readonly ActionOnWire[]
}

/** Pending traces with their actions, and what goes next to them. */
export async function readPendingTraces(
  { traces, actions, side }: PendingNeeds,
  query: Params<(typeof pendingV3)['v3.pendingTraces']>,
  call: Call,
) {
  const types = typesOfCaller(query.supported_action_types, call)
  const all = await actions.ofAll(wantedTraces(await traces.all(), query), call.caller.subject)
  const found = all.map(([trace, made]): ShownTrace => {
    const shown = made.filter(isShown(types)).sort(byBeginning)
    return { trace, actions: shown.map((action) => toPendingAction(trace, action)) }
  })
  const accounts = [
    ...found.flatMap(({ trace }) => trace.nodes.flatMap((node) => accountsOfTransaction(node.found))),
    ...found.flatMap((one) => one.actions.flatMap(({ details }) => accountsOfDetails(details))),
  ]
  return { found, extras: await sideObjectsFor(side, accounts, call) }
}

/** One of them. */
export const writePendingTrace = async (
  { trace, actions }: ShownTrace,
  withActions: boolean,
  call: Call,
): Promise<Written<Traces['traces'][number]>> =>
  new Written(await textInSlices((to) => addPendingTrace(trace, withActions ? actions : null, to), call))

type Pending = Result<(typeof pendingV3)['v3.pendingTransactions']>

export const pendingHandlers = (needs: PendingNeeds): WritingHandlers<typeof pendingV3> => ({
  async 'v3.pendingTraces'(query, call) {
    demandWanted(query)
    const { found, extras } = await readPendingTraces(needs, query, call)
    const text = await textInSlices(
      (to) => addArray(found, to, ({ trace, actions }) => addPendingTrace(trace, actions, to)),
      call,
    )
    const traces = new Written<Traces['traces']>(text)
    return await writeInSlices<Traces>({ traces, ...extras }, call)
  },

  async 'v3.pendingTransactions'({ account, trace_id }, call) {
    if (account === undefined && trace_id === undefined) throw new ApiError('invalidParams', ACCOUNT_NEEDED)
    const isAsked = among(account ?? [])
    const isNamed = among(trace_id ?? [])
    const { traces, side } = needs
    const found = (await traces.all()).filter(
      (trace) =>
        (account === undefined || touches(trace, isAsked)) &&
        (trace_id === undefined || [trace.hash, trace.hashNorm, trace.traceId].some(isNamed)),
    )
    if (found.length === 0) throw new ApiError('notFound', NONE)
    const nodes = found
      .flatMap((trace) => trace.nodes.map((node) => ({ trace, node, row: node.found.row })))
      .filter(({ node, row }) => node.emulated && (account === undefined || isAsked(row.account)))
      .sort((a, b) =>
        a.row.lt === b.row.lt ? Buffer.compare(a.row.account, b.row.account) : a.row.lt > b.row.lt ? -1 : 1,
      )
    const accounts = nodes.flatMap(({ node }) => accountsOfTransaction(node.found))
    const address_book = await side.addressBook(accounts, call)
    const text = await textInSlices(
      (to) => addArray(nodes, to, ({ trace, node }) => addPendingTransaction(trace, node, to)),
      call,
    )
    const transactions = new Written<Pending['transactions']>(text)
    return await writeInSlices<Pending>({ transactions, address_book }, call)
  },
})
