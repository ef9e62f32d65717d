// Liquidity taken out of a pool of TONCO: the item of the position gives it up, in whole or in part, and the router pays.

import type { Slice } from '../../../cell/index.ts'
import { envelopeOf, isCall } from '../../base.ts'
import type { Facts } from '../../input.ts'
import { readBody } from '../../reading.ts'
import { Picked, type Rule } from '../../rule.ts'
import type { Position } from '../exchanges/deposit.ts'
import { type Leg, legAfter } from '../exchanges/legs.ts'
import { plainAsset, type SwapTransfer } from '../exchanges/swap.ts'
import { withdrawalKind } from '../exchanges/withdrawal.ts'
import { PAY_TO, type PayTo, readPayTo } from './payTo.ts'

const START_BURN = 0x530b5f2c
const BURN_ITEM = 0x46ca335a
const BURN = 0xd73ac09d
const GOOD_CODES: readonly number[] = [0, 201]

const TONCO_WITHDRAWAL = withdrawalKind('tonco_withdraw_liquidity')

interface Place {
  readonly nftIndex: bigint
  readonly liquidity: bigint
  readonly tickLower: number
  readonly tickUpper: number
}

const readPlace = (slice: Slice): Place => ({
  nftIndex: slice.loadUintBig(64),
  liquidity: slice.loadUintBig(128),
  tickLower: slice.loadInt(24),
  tickUpper: slice.loadInt(24),
})

/** The pool's side of each payment, identified by the router's wallet it came from; a side of nothing has an asset too. */
function takenOf(paid: PayTo, legs: readonly Leg[], facts: Facts): SwapTransfer[] {
  return paid.shares.map(({ wallet, amount }) => {
    const leg = legs.find(({ block }) => block.first.transaction.account === wallet)
    const asset = plainAsset(facts.get(wallet ?? '')?.jettonWallet?.jetton ?? null)
    return {
      ...{ asset, source: null, destination: null, sourceWallet: null, destinationWallet: null },
      ...leg?.transfer,
      amount: leg?.transfer.amount ?? amount,
    }
  })
}

export const toncoWithdrawal: Rule = {
  name: 'tonco/withdrawal',
  begins: isCall(START_BURN),
  match(request, facts) {
    const picked = new Picked(request)
    const toItem = picked.next(request, isCall(BURN_ITEM))
    const burn = toItem === null ? null : picked.next(toItem, isCall(BURN))
    const order = burn === null ? null : picked.next(burn, isCall(PAY_TO))
    const paid = order === null ? null : readBody(order, readPayTo)
    if (toItem === null || order === null || paid === null) return null
    const legs: Leg[] = []
    for (let leg = legAfter(order, picked); leg !== null; leg = legAfter(order, picked)) legs.push(leg)
    // The request says the same as the order that ends it, for those that end without.
    const place =
      (paid.more === null ? null : readPlace(paid.more)) ?? readBody(request, (body) => readPlace(body.skip(64)))
    const position: Position | undefined =
      place === null ? undefined : { nftAddress: envelopeOf(toItem)?.destination ?? null, ...place }
    const content = TONCO_WITHDRAWAL.content({
      dex: 'tonco',
      sender: envelopeOf(request)?.source ?? null,
      pool: envelopeOf(request)?.destination ?? null,
      taken: takenOf(paid, legs, facts),
      lpBurnt: place?.liquidity ?? null,
      ...(position !== undefined && { position }),
    })
    return { blocks: picked.blocks, content, failed: !GOOD_CODES.includes(paid.exitCode) }
  },
}
