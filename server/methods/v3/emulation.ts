// Emulation of messages and of wallet requests.

import { ApiError } from '../../../shared/errors.ts'
import type { Params, Result } from '../../../shared/registry.ts'
import type { emulation } from '../../../shared/v3/emulation.ts'
import type { TraceNode } from '../../../shared/v3/traces.ts'
import { type Cell, CellError, openCell, stdAddress } from '../../cell/index.ts'
import { inSlices, SlicedWork } from '../../fairness/index.ts'
import { type AccountId, accountAt, type BlockIdExt } from '../../node/index.ts'
import { readAll, type Sql, type TransactionFound, transactionsByHashRead } from '../../store/index.ts'
import { type Account, fromCell, loadMessage, loadRelaxedMessage, storeMessage, toCell } from '../../tlb/index.ts'
import type { Call, Handlers } from '../call.ts'
import type { EmulatedTransaction } from '../emulation/emulation.ts'
import {
  type EmulatedRequest,
  type EmulationQuery,
  emulateRequest,
  type GivenMessage,
  type GivenRequest,
  logged,
  startBlock,
} from '../emulation/emulationRequest.ts'
import { globalVersionOf } from '../emulation/globalVersionOf.ts'
import { replay } from '../emulation/replayTransaction.ts'
import { requestCell } from '../emulation/requestCell.ts'
import { contractsOf, openState, touchedAccounts, type WithStates, withStates } from '../emulation/states.ts'
import { createdTokens, tokenChanges } from '../emulation/tokenChanges.ts'
import { foundOf } from '../emulation/traceNames.ts'
import { composeExternal, initIn, senderOf, transfersOf, walletOf } from '../emulation/walletMessage.ts'
import type { PendingAction, PendingActions } from '../pending/pendingActions.ts'
import type { PendingNode, PendingTrace, PendingTraces } from '../pending/pendingTraces.ts'
import { callerTools } from '../tvm/callerTools.ts'
import type { PoolTools } from '../tvm/contractTools.ts'
import { trialInitOf } from '../tvm/trialAccount.ts'
import { running } from '../tvmErrors.ts'
import { quickBase64 } from '../view/base64.ts'
import { accountsOfAction, accountsOfDetails } from '../view/v3/action.ts'
import { toBalanceChanges, toCells, toLogs, toNewMetadata, toReplayed } from '../view/v3/emulation.ts'
import { toPendingTransaction } from '../view/v3/pending.ts'
import { treeOf, treePartOf } from '../view/v3/traceTree.ts'
import { isShown, typesOfCaller } from './actions/filter.ts'
import { toPendingAction } from './actions/pending.ts'
import type { SideObjects } from './sideObjects.ts'

type Methods = typeof emulation
type Emulated = Result<Methods['emulate.trace']>

export interface EmulationNeeds extends PoolTools {
  readonly actions: PendingActions
  readonly pending: PendingTraces
  readonly side: SideObjects
  readonly store: Sql
}

/** Clients see what the newest classifier finds unless they name an older one. */
const NEWEST_TYPES = ['latest']
const NO_INIT = 'invalid from_state_init'
const NO_ADDRESS = stdAddress(0, new Uint8Array(32))

/** A message as the chain has it: one made by a contract has no sender yet. */
function deliverable(cell: Cell): Cell {
  const { info, ...rest } = fromCell(cell, loadRelaxedMessage)
  if (info.kind !== 'internal' || (info.src !== null && info.src.kind !== 'external')) return cell
  return toCell({ info: { ...info, src: NO_ADDRESS }, ...rest }, storeMessage)
}

/** An account after the last of some transactions; null when none of them is its own. */
function stateAfter({ workchain, hash }: AccountId, transactions: readonly EmulatedTransaction[]): Account | null {
  const own = transactions.findLast(
    ({ account }) => account.workchain === workchain && Buffer.compare(account.hash, hash) === 0,
  )
  return own === undefined ? null : openState(own.after).account
}

function givenMessage(boc: Uint8Array): GivenMessage {
  const given = requestCell(boc, 'invalid boc')
  try {
    const isFromOutside = openCell(given).loadUint(2) === 2
    const cell = isFromOutside ? given : deliverable(given)
    const { info } = fromCell(cell, loadMessage)
    if (info.kind !== 'externalOut') return { cell, hash: given.hashBytes() }
  } catch (cause) {
    if (!(cause instanceof CellError)) throw cause
    throw new ApiError('notEmulated', `Can't deserialize message boc: ${cause.message}`, {}, { cause })
  }
  throw new ApiError('notEmulated', "Can't deserialize message boc: the message leaves the chain")
}

function givenMessages({ boc, messages }: Params<Methods['emulate.trace']>): readonly GivenMessage[] {
  if (boc !== undefined && messages !== undefined) throw new ApiError('invalidParams', 'either boc or messages')
  const all = messages ?? (boc === undefined ? [] : [boc])
  if (all.length === 0) throw new ApiError('invalidParams', 'boc is required', { param: 'boc' })
  return all.map(givenMessage)
}

interface FoundTrace extends PendingTrace {
  readonly states: readonly WithStates[]
}

export function emulationHandlers({ actions, pending, side, store, ...tools }: EmulationNeeds): Handlers<Methods> {
  async function traceOf(
    { hash, transactions }: EmulatedRequest['messages'][number],
    globalVersion: number,
    slices: SlicedWork,
  ): Promise<FoundTrace> {
    const states = await withStates(transactions, slices)
    const nodeOf = ({ one, before, after }: WithStates) => {
      const found: TransactionFound = foundOf(one, { traceId: null, hash }, globalVersion)
      return { found: { ...found, before: before.row, after: after.row }, emulated: true }
    }
    return { hash, hashNorm: hash, traceId: null, nodes: await inSlices(states, nodeOf, slices), states }
  }

  async function actionsOf(
    traces: readonly FoundTrace[],
    slices: SlicedWork,
    call: Call,
  ): Promise<Emulated['actions']> {
    const shown = isShown(typesOfCaller(NEWEST_TYPES, call))
    const all: Emulated['actions'] = []
    for (const trace of traces) {
      const found = (await actions.of(trace, slices)).filter(shown)
      const write = (one: PendingAction) => ({ ...toPendingAction(trace, one), accounts: accountsOfAction(one.row) })
      all.push(...(await inSlices(found, write, slices)))
    }
    return all
  }

  async function written(request: EmulatedRequest, query: EmulationQuery, call: Call): Promise<Emulated> {
    const { block } = request
    const slices = new SlicedWork(call.caller)
    const { params } = await tools.settings.at(block, call.signal)
    const globalVersion = globalVersionOf(params)
    const traces: FoundTrace[] = []
    for (const message of request.messages) traces.push(await traceOf(message, globalVersion, slices))
    const found = traces.flatMap(({ nodes }) => nodes.map((node) => node.found))
    const states = traces.flatMap((trace) => trace.states)
    const trees: TraceNode[] = []
    for (const { nodes } of traces) {
      const { root } = treeOf(await inSlices(nodes, (node) => treePartOf(node.found), slices))
      if (root !== null) trees.push(root)
    }
    const [first] = trees
    if (first === undefined)
      throw new ApiError('notEmulated', 'failed to emulate shard block: the message leads to no transaction')
    const shown = query.with_actions ? await actionsOf(traces, slices, call) : []
    const accounts = [...found.map(({ row }) => row.account), ...shown.flatMap((one) => accountsOfDetails(one.details))]
    const touched = touchedAccounts(states)
    const contracts = (when: 'before' | 'after') => contractsOf(request.tools, block, touched, when, call.signal)
    const metadata = async () => {
      const created = toNewMetadata(await running(createdTokens(contracts('after'), touched)))
      return { ...(await side.metadata(accounts, call)), ...created }
    }
    const changes = async () =>
      toBalanceChanges(found, await running(tokenChanges(contracts('before'), contracts('after'), touched)))
    const transactions: (readonly [string, Emulated['transactions'][string]])[] = []
    for (const trace of traces) {
      const write = (node: PendingNode) =>
        [quickBase64(node.found.row.hash), toPendingTransaction(trace, node)] as const
      transactions.push(...(await inSlices(trace.nodes, write, slices)))
    }
    return {
      mc_block_seqno: block.seqno,
      trace: first,
      ...(request.messages.length > 1 ? { traces: trees } : {}),
      transactions: Object.fromEntries(transactions),
      actions: shown,
      ...(query.include_code_data ? await toCells(states, slices) : {}),
      ...(query.include_address_book ? { address_book: await side.addressBook(accounts, call) } : {}),
      ...(query.include_metadata ? { metadata: await metadata() } : {}),
      ...(query.include_vm_log === 'none' ? {} : { vm_logs: toLogs(logged(request, query.include_vm_log)) }),
      ...(query.include_balance_changes ? { balance_changes: await changes() } : {}),
      rand_seed: quickBase64(request.randSeed),
      is_incomplete: !request.isWhole,
    }
  }

  /** Where a request starts: on a block, and after the messages that are in none yet where it wants that. */
  async function startOf(
    query: { readonly after_pending: boolean; readonly mc_block_seqno?: number | undefined },
    call: Call,
  ) {
    const { after_pending: isAfterPending, mc_block_seqno: seqno } = query
    if (isAfterPending && seqno !== undefined)
      throw new ApiError('invalidParams', 'after_pending starts from the newest block: leave out mc_block_seqno')
    const waiting = isAfterPending ? await pending.waiting(call.signal) : null
    if (waiting !== null) return { block: waiting.at, before: waiting.messages }
    return { block: await startBlock(tools, seqno, call.signal), before: [] }
  }

  const emulate = async (block: BlockIdExt, given: GivenRequest, query: EmulationQuery, call: Call) =>
    written(await emulateRequest(tools, block, given, query, call), query, call)

  return {
    async 'emulate.trace'(query, call) {
      const messages = givenMessages(query)
      const { block, before } = await startOf(query, call)
      return emulate(block, { messages, ignoreSignature: query.ignore_chksig, before }, query, call)
    },

    async 'emulate.replay'({ tx_hash: hash }, call) {
      const [row] = await readAll(store, transactionsByHashRead([hash]), call)
      if (row === undefined) throw new ApiError('notFound', 'transaction not found')
      return toReplayed(hash, await replay(callerTools(tools, call), row, call.signal))
    },

    async 'emulate.tonConnect'(query, call) {
      const wallet = senderOf(query)
      const { block, before } = await startOf(query, call)
      const { account, utime } = await running(accountAt(tools.chain, wallet, block, call.signal))
      // Not this computer's time: equal requests on one block make equal messages.
      const now = query.unixtime ?? utime
      const transfers = transfersOf(query, now)
      const given =
        query.from_state_init === undefined ? null : initIn(requestCell(query.from_state_init, NO_INIT), NO_INIT)
      const messages = (earlier: readonly EmulatedTransaction[]): readonly GivenMessage[] => {
        const deployed = trialInitOf(stateAfter(wallet, earlier) ?? account)
        const init = deployed === null ? given : null
        const order = { wallet, read: walletOf(deployed ?? init), transfers, validUntil: query.valid_until, init }
        const cell = composeExternal(order, now)
        return [{ cell, hash: cell.hashBytes() }]
      }
      return emulate(block, { messages, ignoreSignature: true, before }, query, call)
    },
  }
}
