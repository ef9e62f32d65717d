// Emulation of messages and of wallet requests.

import { ApiError } from '../../../shared/errors.ts'
import type { emulationV3 } from '../../../shared/v3/emulation.ts'
import { sameBytes } from '../../cell/index.ts'
import { type AccountId, accountAt, type BlockIdExt } from '../../node/index.ts'
import { readAll, type Sql, transactionsByHashRead } from '../../store/index.ts'
import type { Account } from '../../tlb/index.ts'
import type { Call, WritingHandlers } from '../call.ts'
import type { EmulatedTransaction } from '../emulation/emulation.ts'
import {
  type EmulationQuery,
  emulateRequest,
  type GivenMessage,
  type GivenRequest,
  startBlock,
} from '../emulation/emulationRequest.ts'
import { givenMessages } from '../emulation/givenMessages.ts'
import { replay } from '../emulation/replayTransaction.ts'
import { requestCell } from '../emulation/requestCell.ts'
import { openState } from '../emulation/states.ts'
import { composeExternal, initIn, senderOf, transfersOf, walletOf } from '../emulation/walletMessage.ts'
import { awaitRun } from '../errors/tvmErrors.ts'
import { ChainAtIndex } from '../pending/chainAtIndex.ts'
import { untilKept } from '../pending/inChain.ts'
import type { PendingActions } from '../pending/pendingActions.ts'
import type { PendingTraces } from '../pending/pendingTraces.ts'
import { callerTools } from '../tvm/callerTools.ts'
import type { PoolTools } from '../tvm/contractTools.ts'
import { trialInitOf } from '../tvm/trialAccount.ts'
import { toReplayed } from '../view/v3/emulation.ts'
import { EmulationWriter } from './emulationWriter.ts'
import type { SideObjects } from './names/sideObjects.ts'

export interface EmulationNeeds extends PoolTools {
  readonly actions: PendingActions
  readonly pending: PendingTraces
  readonly side: SideObjects
  readonly store: Sql
  /** Milliseconds for an index that follows a revert. */
  readonly followMs?: number | undefined
}

const NO_INIT = 'invalid from_state_init'

/** An account after the last of some transactions; null when none of them is its own. */
async function stateAfter(
  { workchain, hash }: AccountId,
  transactions: readonly EmulatedTransaction[],
  call: Call,
): Promise<Account | null> {
  const own = transactions.findLast(({ account }) => account.workchain === workchain && sameBytes(account.hash, hash))
  return own === undefined ? null : (await openState(own.after, call)).account
}

export function emulationHandlers(needs: EmulationNeeds): WritingHandlers<typeof emulationV3> {
  const { actions, pending, side, store, followMs, ...tools } = needs
  const atIndex = new ChainAtIndex({ chain: tools.chain, store, followMs })
  const writer = new EmulationWriter({ actions, side, settings: tools.settings })

  /** Where a request starts: on a block, and, where it requests that, after the messages that are in none yet. */
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

  /** From another block when the chain is reverted meanwhile. */
  const fromStart = <T>(
    query: Parameters<typeof startOf>[0],
    call: Call,
    work: (start: Awaited<ReturnType<typeof startOf>>) => Promise<T>,
  ): Promise<T> => untilKept(tools.chain, () => startOf(query, call), work)

  const emulate = async (block: BlockIdExt, given: GivenRequest, query: EmulationQuery, call: Call) =>
    writer.write(await emulateRequest(tools, block, given, query, call), query, call)

  return {
    async 'emulate.trace'(query, call) {
      const messages = await givenMessages(query, call)
      return fromStart(query, call, ({ block, before }) =>
        emulate(block, { messages, ignoreSignature: query.ignore_chksig, before }, query, call),
      )
    },

    // The index may still have a transaction that was undone.
    'emulate.replay': ({ tx_hash: hash }, call) =>
      atIndex.run(async () => {
        const [row] = await readAll(store, transactionsByHashRead([hash]), call)
        if (row === undefined) throw new ApiError('notFound', 'transaction not found')
        return toReplayed(hash, await replay(callerTools(tools, call), row, call.signal))
      }),

    async 'emulate.tonConnect'(query, call) {
      const wallet = senderOf(query)
      return fromStart(query, call, async ({ block, before }) => {
        const { account, utime } = await awaitRun(accountAt(tools.chain, wallet, block, call.signal))
        // Not this computer's time: equal requests on one block make equal messages.
        const movedTo = query.mc_block_seqno === undefined ? (tools.chain.movedTo?.() ?? 0) : 0
        const now = query.unixtime ?? Math.max(utime, movedTo)
        const transfers = await transfersOf(query, now, call)
        const { from_state_init: init } = query
        const given = init === undefined ? null : initIn(await requestCell(init, NO_INIT, call), NO_INIT)
        const messages = async (earlier: readonly EmulatedTransaction[]): Promise<readonly GivenMessage[]> => {
          const sender = (await stateAfter(wallet, earlier, call)) ?? account
          const init = trialInitOf(sender) === null ? given : null
          const order = { wallet, read: walletOf(sender, init), transfers, validUntil: query.valid_until, init }
          const cell = composeExternal(order, now)
          return [{ cell, hash: cell.hashBytes() }]
        }
        return emulate(block, { messages, ignoreSignature: true, before }, query, call)
      })
    },
  }
}
