// Liquidity given to a pool of STON.fi v2, one asset at a time: an account of the depositor keeps what has come until the
// other side is there, or at once when one side is enough.

import { stonfiV2 } from '../../../bodies/index.ts'
import type { ActionBlock } from '../../actionBlock.ts'
import { destinationOf, isCall } from '../../base.ts'
import { fieldsOf, readBody } from '../../reading.ts'
import { Picked, type Rule } from '../../rule.ts'
import { DEX_DEPOSIT, type DepositedAsset, NOTHING_DEPOSITED } from '../exchanges/deposit.ts'
import { type Leg, legBefore } from '../exchanges/legs.ts'
import { mintAfter, mintedAmount } from '../jettons/mint.ts'

const isProvide = isCall(stonfiV2.provide.opcode)

/** One asset being paid into the account. */
interface Side {
  readonly entry: Leg
  readonly isFirst: boolean
  readonly account: string | null
  /** Where the account gives it to the pool; null while it waits. */
  readonly toPool: ActionBlock | null
  readonly picked: Picked
}

const readProvide = fieldsOf(stonfiV2.provide, 'amount0')

function sideOf(provide: ActionBlock): Side | null {
  const picked = new Picked()
  picked.add(provide)
  const entry = legBefore(provide, picked)
  const add = picked.next(provide, isCall(stonfiV2.addToAccount.opcode))
  const requested = readBody(provide, readProvide)
  if (entry === null || add === null || requested === null) return null
  // The amount of the pool's other asset is null.
  const isFirst = requested.amount0 > 0n
  const toPool = picked.next(add, isCall(stonfiV2.addToPool.opcode))
  return { entry, isFirst, account: destinationOf(add), toPool, picked }
}

/** The call of the pool behind what came in: directly, or after TON has passed through a proxy. A router makes one. */
function provideBehind({ next }: ActionBlock): ActionBlock | undefined {
  for (const one of next) {
    const found = isProvide(one) ? one : one.next.find(isProvide)
    if (found !== undefined) return found
  }
  return undefined
}

/** The other asset of the same deposit, if the same message sent it. */
function otherSide(provide: ActionBlock, { entry, account, isFirst, toPool }: Side): Side | null {
  if (provideBehind(entry.block) !== provide) return null
  const { parent } = entry.block.first
  for (const sibling of entry.block.previous?.next ?? []) {
    // Of joined blocks, thousands may follow one; a message sends 255.
    if (sibling.first.parent !== parent) continue
    const block = provideBehind(sibling)
    const side = block === undefined || block === provide ? null : sideOf(block)
    if (side === null || side.account !== account || side.isFirst === isFirst) continue
    if ((side.toPool === null) !== (toPool === null)) return side
  }
  return null
}

const givenBy = ({ entry: { transfer } }: Side): DepositedAsset => ({
  asset: transfer.asset,
  amount: transfer.amount,
  wallet: transfer.sourceWallet,
})

function givenOf(side: Side, other: Side | null): [DepositedAsset, DepositedAsset] {
  if (other === null) return [givenBy(side), NOTHING_DEPOSITED]
  return side.isFirst ? [givenBy(side), givenBy(other)] : [givenBy(other), givenBy(side)]
}

/**
 * Invariant: what came into the router makes the pool give it to the depositor's account, which brings it to the
 * pool, which mints.
 */
export const stonfiDeposit: Rule = {
  name: 'stonfi/deposit',
  begins: isProvide,
  match(provide) {
    const side = sideOf(provide)
    const other = side === null ? null : otherSide(provide, side)
    // The one that completes the deposit takes the other along.
    if (side === null || (other !== null && side.toPool === null)) return null
    const { picked, toPool, entry, account } = side
    for (const block of other?.picked.blocks ?? []) picked.blocks.add(block)
    const minted = toPool === null ? null : mintAfter(toPool, picked)
    const isMinted = minted !== null && !minted.failed
    const content = DEX_DEPOSIT.content({
      dex: 'stonfi_v2',
      sender: entry.transfer.source,
      collector: account,
      pool: destinationOf(provide),
      given: givenOf(side, other),
      lpMinted: minted === null ? null : mintedAmount(minted),
    })
    return { blocks: picked.blocks, content, failed: toPool !== null && !isMinted, isScattered: true }
  },
}
