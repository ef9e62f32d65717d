// Jettons of Hipo are burned for the stake behind them: it comes at once, or a bill is made for it.

import { hipo } from '../../../bodies/index.ts'
import type { ActionBlock } from '../../actionBlock.ts'
import { destinationOf, isCall, sourceOf } from '../../base.ts'
import { JETTON_BURN_OPCODE } from '../../opcodes.ts'
import { type Match, Picked, type Rule } from '../../rule.ts'
import { JETTON_BURN } from '../jettons/burn.ts'
import { billAfter, HIPO, HIPO_REQUEST, HIPO_WITHDRAWAL, isToTreasury, paidAfter, returnedAfter } from './orders.ts'

/** A burn whose jettons the treasury gave back, picked: it has burned nothing. */
function undoneBurn(request: ActionBlock, reserve: ActionBlock, picked: Picked): Match | null {
  const returned = returnedAfter(reserve, picked)
  const wallet = destinationOf(request)
  if (returned === null || returned.failed || wallet === null || returned.holderWallet !== wallet) return null
  const { holder: owner, asset, tokens: amount } = returned
  // What a stranger's parent passed on to the treasury names anyone as the owner.
  if (owner === null || asset === null || owner !== sourceOf(request)) return null
  return { blocks: picked.blocks, content: JETTON_BURN.content({ owner, wallet, asset, amount }), failed: true }
}

/**
 * Invariant: the burn reaches the known treasury, which has it paid or a bill made for it. Jettons that it gives back were
 * not its own, or cannot be paid for: that stays a burn, which has failed.
 */
export const hipoWithdrawal: Rule = {
  name: 'hipo/withdrawal',
  begins: isCall(JETTON_BURN_OPCODE),
  match(request) {
    const picked = new Picked(request)
    const forwarded = picked.next(request, isCall(hipo.proxyReserveTokens.opcode))
    const reserve = forwarded === null ? null : picked.next(forwarded, isCall(hipo.reserveTokens.opcode))
    if (reserve === null || !isToTreasury(reserve)) return null
    const stake = { provider: HIPO, pool: destinationOf(reserve), holderWallet: destinationOf(request) }
    const paid = paidAfter(reserve, picked)
    if (paid !== null) {
      const holder = paid.holder ?? sourceOf(request)
      const content = HIPO_WITHDRAWAL.content({ ...paid, ...stake, holder, payoutNft: null })
      return { blocks: picked.blocks, content, failed: request.failed || paid.failed }
    }
    const bill = billAfter(reserve, picked)
    if (bill === null) return undoneBurn(request, reserve, picked)
    const content = HIPO_REQUEST.content({
      ...stake,
      holder: bill.owner ?? sourceOf(request),
      asset: destinationOf(forwarded),
      burnt: bill.amount,
      payoutNft: bill.item,
    })
    return { blocks: picked.blocks, content, failed: request.failed || bill.item === null }
  },
}
