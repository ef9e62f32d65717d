// A round of Hipo ends: its bills burn, and each holder gets the jettons of a deposit or the TON of a withdrawal.

import { hipo } from '../../../bodies/index.ts'
import type { ActionBlock } from '../../actionBlock.ts'
import { destinationOf, isCall, sourceOf } from '../../base.ts'
import { type Match, Picked, type Rule } from '../../rule.ts'
import {
  billAfter,
  HIPO,
  HIPO_DEPOSIT,
  HIPO_REQUEST,
  HIPO_WITHDRAWAL,
  isToTreasury,
  mintedAfter,
  paidAfter,
  returnedAfter,
} from './orders.ts'

/** The bill that burned for a call of the treasury, picked. */
function burntBill(call: ActionBlock, picked: Picked): string | null {
  const burned = picked.previous(call, isCall(hipo.billBurned.opcode))
  if (burned !== null) picked.previous(burned, isCall(hipo.burnBill.opcode))
  return sourceOf(burned)
}

/** Invariant: for a bill that burned, the known treasury has a wallet credited. The TON came by the deposit. */
export const hipoDepositSettled: Rule = {
  name: 'hipo/depositSettled',
  begins: isCall(hipo.mintTokens.opcode),
  match(call) {
    const picked = new Picked(call)
    const minted = isToTreasury(call) ? mintedAfter(call, picked) : null
    if (minted === null) return null
    burntBill(call, picked)
    const pool = destinationOf(call)
    const content = HIPO_DEPOSIT.content({ ...minted, provider: HIPO, pool, amount: null, minted: minted.tokens })
    return { blocks: picked.blocks, content, failed: call.failed || minted.failed }
  },
}

/** What became of it: paid, put off to a further round under a new bill, or given back in jettons. */
function settled(call: ActionBlock, picked: Picked): Pick<Match, 'content' | 'failed'> | null {
  const stake = { provider: HIPO, pool: destinationOf(call) }
  const payoutNft = burntBill(call, picked)
  const paid = paidAfter(call, picked)
  if (paid !== null) return { content: HIPO_WITHDRAWAL.content({ ...paid, ...stake, payoutNft }), failed: paid.failed }
  const bill = billAfter(call, picked)
  if (bill !== null) {
    const { owner: holder, parent: asset, amount: burnt, item } = bill
    // No jettons move: they were burned with the first request.
    const content = HIPO_REQUEST.content({ ...stake, holder, asset, burnt, payoutNft: item })
    return { content, failed: item === null }
  }
  const returned = returnedAfter(call, picked)
  if (returned === null) return null
  const content = HIPO_WITHDRAWAL.content({ ...returned, ...stake, payoutNft, amount: null, burnt: returned.tokens })
  return { content, failed: true }
}

/** Invariant: for a bill that burned, the known treasury has it paid, makes another, or gives the jettons back. */
export const hipoWithdrawalSettled: Rule = {
  name: 'hipo/withdrawalSettled',
  begins: isCall(hipo.burnTokens.opcode),
  match(call) {
    const picked = new Picked(call)
    const outcome = isToTreasury(call) ? settled(call, picked) : null
    return outcome && { blocks: picked.blocks, content: outcome.content, failed: call.failed || outcome.failed }
  },
}
