// What happens without anybody sending a message: special accounts are woken, collected fees are paid out, and messages are
// delivered that the control API made up.

import { type Cell, openCell, stdAddress } from '../../../cell/index.ts'
import {
  type CurrencyCollection,
  configParam,
  gramsOnly,
  internalInfoOf,
  loadAccount,
  makeMessage,
  storeMessage,
  toCell,
} from '../../../tlb/index.ts'
import { MASTERCHAIN } from '../../state/index.ts'
import type { Draft } from '../blockDraft.ts'
import { type Injected, injectedMessage } from './injected.ts'
import { inMsgCell } from './inMsgCell.ts'
import { envelopeCell } from './queue.ts'
import { deliveryOf, runMessage, runTickTock } from './transact.ts'

/** Runs the special accounts of parameter 31 with the flag for it, in ascending order. */
export async function wakeSpecialAccounts(draft: Draft, which: 'tick' | 'tock'): Promise<void> {
  const { plan } = draft
  const special = configParam(plan.master.extra.config, 31)
  if (special === null) return
  for (const account of special.keys()) {
    if (!wants(draft, account, which)) continue
    const executed = await runTickTock(draft, { account, which }, which === 'tick' ? plan.startLt : draft.endLt - 1n)
    if (!executed.done)
      draft.shop.warn('A special account could not be woken', { which, reason: executed.rejection.reason })
  }
}

function wants(draft: Draft, id: Uint8Array, which: 'tick' | 'tock'): boolean {
  const state = loadAccount(openCell(draft.accounts.current(draft.accounts.get(id)).account))?.storage.state
  return state?.kind === 'active' && state.init.special?.[which] === true
}

const SYSTEM = stdAddress(MASTERCHAIN, new Uint8Array(32))

/** Pays recovered fees to their collector; returns the descriptor of the message. */
export async function payRecovered(draft: Draft, recovered: CurrencyCollection, to: Uint8Array): Promise<Cell> {
  const { startLt, utime } = draft.plan
  const message = toCell(
    makeMessage(
      {
        kind: 'internal',
        ihrDisabled: true,
        bounce: false,
        bounced: false,
        src: SYSTEM,
        dest: stdAddress(MASTERCHAIN, to),
        value: recovered,
        extraFlags: 0n,
        fwdFee: 0n,
        createdLt: startLt,
        createdAt: utime,
      },
      null,
      toCell(null, () => undefined),
    ),
    storeMessage,
  )
  const delivered = await deliverSpecial(draft, message)
  if (delivered === null) throw new Error('The fee collector cannot be paid')
  return delivered
}

/** Delivers made-up messages; their value is minted. */
export async function deliverInjected(draft: Draft, list: readonly Injected[]): Promise<void> {
  const { startLt, utime } = draft.plan
  let lt = startLt
  for (const injected of list) {
    // Each has a time of its own, or two equal ones would be one message.
    if ((await deliverSpecial(draft, injectedMessage(injected, lt++, utime))) === null) continue
    draft.mint(gramsOnly(injected.value))
    await draft.pacer.restIfDue()
  }
}

// Such a message was never queued and counts for no mark; only its InMsg shows it.
async function deliverSpecial(draft: Draft, message: Cell): Promise<Cell | null> {
  const executed = await runMessage(draft, deliveryOf(message, internalInfoOf(message)), draft.plan.startLt)
  if (!executed.done) {
    draft.shop.warn('A special message could not be delivered', { reason: executed.rejection.reason })
    return null
  }
  const { transaction } = executed
  const received = { kind: 'immediate', envelope: envelopeCell(message, 0n, true), transaction, fwdFee: 0n } as const
  draft.addIn(message.hash(), received)
  return inMsgCell(received)
}
