// What an emulation found, as the wire has it.

import { ApiError } from '../../../shared/errors.ts'
import type { Result } from '../../../shared/registry.ts'
import type { emulationV3 } from '../../../shared/v3/emulation.ts'
import type { TraceNode } from '../../../shared/v3/traces.ts'
import { base64Of } from '../../cell/index.ts'
import { inSlices, SlicedWork } from '../../fairness/index.ts'
import type { TransactionFound, UnpackedText } from '../../store/index.ts'
import type { Call } from '../call.ts'
import { type EmulatedRequest, type EmulationQuery, logged } from '../emulation/emulationRequest.ts'
import { factsAfter } from '../emulation/factsAfter.ts'
import { globalVersionOf } from '../emulation/globalVersionOf.ts'
import { contractsOf, touchedAccounts, type WithStates, withStates } from '../emulation/states.ts'
import { createdTokens, tokenChanges } from '../emulation/tokenChanges.ts'
import { foundOf } from '../emulation/traceNames.ts'
import { awaitRun } from '../errors/tvmErrors.ts'
import type { PendingAction, PendingActions } from '../pending/pendingActions.ts'
import type { PendingTrace } from '../pending/pendingTraces.ts'
import type { PoolTools } from '../tvm/contractTools.ts'
import { accountsOfAction, accountsOfDetails } from '../view/v3/action.ts'
import { toBalanceChanges, toCells, toLogs, toNewMetadata } from '../view/v3/emulation.ts'
import { addPendingTransaction } from '../view/v3/pending.ts'
import { treeOf, treePartOf } from '../view/v3/traceTree.ts'
import { Written, writeInSlices } from '../written.ts'
import { isShown, typesOfCaller } from './actions/filter.ts'
import { toPendingAction } from './actions/pending.ts'
import type { SideObjects } from './names/sideObjects.ts'
import { textInSlices } from './texts/textInSlices.ts'

type Emulated = Result<(typeof emulationV3)['emulate.trace']>

export interface EmulationWriterParts {
  readonly actions: PendingActions
  readonly side: SideObjects
  readonly settings: PoolTools['settings']
}

/** Clients see what the newest classifier finds unless they name an older one. */
const NEWEST_TYPES = ['latest']

interface FoundTrace extends PendingTrace {
  readonly states: readonly WithStates[]
}

type Messages = EmulatedRequest['messages']

/** The trace of one message. */
async function traceOf(
  { hash, transactions }: Messages[number],
  { block, tools }: EmulatedRequest,
  globalVersion: number,
  slices: SlicedWork,
): Promise<FoundTrace> {
  const states = await withStates(transactions, slices)
  const nodeOf = ({ one, before, after }: WithStates) => {
    const found: TransactionFound = foundOf(one, { traceId: null, hash }, globalVersion)
    return { found: { ...found, before: before.row, after: after.row }, emulated: true }
  }
  const nodes = await inSlices(states, nodeOf, slices)
  const after = factsAfter(
    tools,
    block,
    transactions,
    nodes.map(({ found }) => found),
  )
  return { hash, hashNorm: hash, traceId: null, nodes, states, factsAfter: after }
}

/** Traces as trees of transactions; a message that leads to none has no tree. */
async function treesOf(traces: readonly FoundTrace[], slices: SlicedWork): Promise<readonly TraceNode[]> {
  const trees: TraceNode[] = []
  for (const { nodes } of traces) {
    const { root } = treeOf(await inSlices(nodes, (node) => treePartOf(node.found), slices))
    if (root !== null) trees.push(root)
  }
  return trees
}

/** All transactions by hash. */
function* addTransactions(traces: readonly FoundTrace[], to: UnpackedText): Generator<boolean> {
  const all = new Map(
    traces.flatMap((trace) => trace.nodes.map((node) => [base64Of(node.found.row.hash), { trace, node }] as const)),
  )
  to.ascii('{')
  let isFirst = true
  for (const [hash, { trace, node }] of all) {
    to.ascii(`${isFirst ? '' : ','}"${hash}":`)
    isFirst = false
    yield* addPendingTransaction(trace, node, to)
    yield true
  }
  to.ascii('}')
}

export class EmulationWriter {
  readonly #parts: EmulationWriterParts

  constructor(parts: EmulationWriterParts) {
    this.#parts = parts
  }

  async write(request: EmulatedRequest, query: EmulationQuery, call: Call): Promise<Written<Emulated>> {
    const { block, messages } = request
    const { side } = this.#parts
    const slices = new SlicedWork(call)
    const traces = await this.#tracesOf(request, slices, call)
    const found = traces.flatMap(({ nodes }) => nodes.map((node) => node.found))
    const states = traces.flatMap((trace) => trace.states)
    const trees = await treesOf(traces, slices)
    const [first] = trees
    if (first === undefined)
      throw new ApiError('notEmulated', 'failed to emulate shard block: the message leads to no transaction')
    const actions = query.with_actions ? await this.#actionsOf(traces, slices, call) : []
    const touched = touchedAccounts(states)
    const contracts = (when: 'before' | 'after') => contractsOf(request.tools, block, touched, when, call.signal)
    const changes = query.include_balance_changes
      ? toBalanceChanges(found, await awaitRun(tokenChanges(contracts('before'), contracts('after'), touched)))
      : null
    const accounts = [
      ...found.map(({ row }) => row.account),
      ...actions.flatMap((one) => accountsOfDetails([one.details, one.accounts])),
      ...accountsOfDetails(
        Object.entries(changes ?? {}).map(([own, { jettons, nfts }]) => [own, Object.keys(jettons), nfts]),
      ),
    ]
    const metadata = async () => {
      const created = toNewMetadata(await awaitRun(createdTokens(contracts('after'), touched)))
      return { ...(await side.metadata(accounts, call)), ...created }
    }
    const transactions = await textInSlices((to) => addTransactions(traces, to), call)
    const result = {
      mc_block_seqno: block.seqno,
      trace: first,
      ...(messages.length > 1 ? { traces: [...trees] } : {}),
      transactions: new Written<Emulated['transactions']>(transactions),
      actions,
      ...(query.include_code_data ? await toCells(states, slices) : {}),
      ...(query.include_address_book ? { address_book: await side.addressBook(accounts, call) } : {}),
      ...(query.include_metadata ? { metadata: await metadata() } : {}),
      ...(query.include_vm_log === 'none' ? {} : { vm_logs: toLogs(logged(request, query.include_vm_log)) }),
      ...(changes === null ? {} : { balance_changes: changes }),
      rand_seed: base64Of(request.randSeed),
      is_incomplete: !request.isWhole,
    }
    return await writeInSlices<Emulated>(result, call)
  }

  async #tracesOf(request: EmulatedRequest, slices: SlicedWork, call: Call): Promise<FoundTrace[]> {
    const { block, messages } = request
    const { params } = await this.#parts.settings.at(block, call.signal)
    const globalVersion = globalVersionOf(params)
    const traces: FoundTrace[] = []
    for (const message of messages) traces.push(await traceOf(message, request, globalVersion, slices))
    return traces
  }

  async #actionsOf(traces: readonly FoundTrace[], slices: SlicedWork, call: Call): Promise<Emulated['actions']> {
    const shown = isShown(typesOfCaller(NEWEST_TYPES, call))
    const all: Emulated['actions'] = []
    for (const trace of traces) {
      const found = (await this.#parts.actions.of(trace, slices)).filter(shown)
      const write = (one: PendingAction) => ({ ...toPendingAction(trace, one), accounts: accountsOfAction(one.row) })
      all.push(...(await inSlices(found, write, slices)))
    }
    return all
  }
}
