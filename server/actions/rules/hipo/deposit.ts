// TON is staked with Hipo: its jettons come at once, or a bill is made for those that come at the end of the round.

import { hipo } from '../../../bodies/index.ts'
import { carries, either, envelopeOf, isCall, isComment } from '../../base.ts'
import { fieldsOf, readBody } from '../../reading.ts'
import { Picked, type Rule } from '../../rule.ts'
import { billAfter, HIPO, HIPO_DEPOSIT, isToTreasury, mintedAfter, savedAfter } from './orders.ts'

const isRequest = isCall(hipo.depositCoins.opcode)

const readRequest = fieldsOf(hipo.depositCoins)

/** As a comment it is for the sender, and of all that is left after the fees. */
const BY_COMMENT = { owner: null, coins: 0n }

/** Invariant: the known treasury, which is sent TON, has the wallet of a holder credited with what it took of it. */
export const hipoDeposit: Rule = {
  name: 'hipo/deposit',
  begins: either(isRequest, isComment('d', 'D')),
  match(request) {
    const requested = isRequest(request) ? readBody(request, readRequest) : BY_COMMENT
    if (requested === null || !isToTreasury(request)) return null
    const { source = null, destination = null, value = null } = envelopeOf(request) ?? {}
    const picked = new Picked(request)
    picked.absorb(request)
    const credited = mintedAfter(request, picked) ?? savedAfter(request, picked)
    billAfter(request, picked)
    const amount = credited?.coins ?? (requested.coins > 0n ? requested.coins : value)
    if (!carries(request, amount)) return null
    const content = HIPO_DEPOSIT.content({
      provider: HIPO,
      holder: credited?.holder ?? requested.owner ?? source,
      holderWallet: credited?.holderWallet ?? null,
      pool: destination,
      asset: credited?.asset ?? null,
      amount,
      minted: credited?.tokens ?? null,
    })
    return { blocks: picked.blocks, content, failed: request.failed || credited === null || credited.failed }
  },
}
