// Jettons of Hipo are burned for the stake behind them: it comes at once, or a bill is made for it.

import { hipo } from '../../../bodies/index.ts'
import { destinationOf, isCall, sourceOf } from '../../base.ts'
import { JETTON_BURN_OPCODE } from '../../opcodes.ts'
import { Picked, type Rule } from '../../rule.ts'
import { billAfter, HIPO, HIPO_REQUEST, HIPO_WITHDRAWAL, isToTreasury, paidAfter } from './orders.ts'

/**
 * Invariant: the burn reaches the known treasury, which has it paid or a bill made for it. Jettons that it gives back were
 * not its own, or cannot be paid for: that stays a burn.
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
    if (bill === null) return null
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
