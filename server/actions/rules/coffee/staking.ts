// Stakes with swap.coffee: jettons go to a vault, and an NFT item represents them until they are taken back. Rewards
// are paid by the master of the items.

import { coffeeStaking } from '../../../bodies/index.ts'
import type { ActionBlock } from '../../actionBlock.ts'
import { Kind } from '../../actionKind.ts'
import { destinationOf, envelopeOf, isCall } from '../../base.ts'
import { digits } from '../../details.ts'
import { fieldsOf, readBody } from '../../reading.ts'
import { Picked, type Rule } from '../../rule.ts'
import { isTransfer, isUnpaidLeg } from '../exchanges/legs.ts'
import { JETTON_TRANSFER } from '../jettons/transfer.ts'
import { NFT_MINT } from '../nft/mint.ts'

interface StakeMoved {
  readonly owner: string | null
  readonly ownerWallet: string | null
  readonly pool: string | null
  readonly poolWallet: string | null
  readonly asset: string | null
  readonly amount: bigint
}

const moved = ({ owner, ownerWallet, pool, poolWallet, asset, amount }: StakeMoved) => ({
  source: owner,
  source_jetton_wallet: ownerWallet,
  pool,
  pool_jetton_wallet: poolWallet,
  asset,
  amount: digits(amount),
})

interface StakeItem {
  readonly item: string | null
  readonly index: bigint | null
}

const COFFEE_STAKE = new Kind<StakeMoved & StakeItem>({
  type: 'coffee_staking_deposit',
  describe: ({ item, index, ...stake }) => ({
    roles: {
      source: stake.owner,
      sourceSecondary: stake.ownerWallet,
      destination: stake.pool,
      destinationSecondary: stake.poolWallet,
      asset: stake.asset,
    },
    details: { ...moved(stake), minted_item_address: item, minted_item_index: digits(index) },
  }),
})

const readLog = fieldsOf(coffeeStaking.deposit, 'itemIndex')

/** Invariant: the vault reports a transfer of jettons to it, and an item comes to life for it. */
export const coffeeStake: Rule = {
  name: 'coffee/stake',
  begins: isCall(coffeeStaking.deposit.opcode),
  match(request) {
    const picked = new Picked(request)
    const entry = request.previous
    const transfer = JETTON_TRANSFER.of(entry)
    if (entry === null || transfer === undefined || entry.failed) return null
    picked.blocks.add(entry)
    const log = picked.next(request, isCall(coffeeStaking.deposit.opcode))
    const birth = request.next.find((block) => NFT_MINT.is(block) || isCall(coffeeStaking.initialize.opcode)(block))
    if (birth === undefined || birth.failed) return null
    picked.blocks.add(birth)
    const index = log === null ? null : (readBody(log, readLog)?.itemIndex ?? null)
    const content = COFFEE_STAKE.content({
      owner: transfer.sender,
      ownerWallet: transfer.senderWallet,
      pool: destinationOf(request),
      poolWallet: transfer.receiverWallet,
      asset: transfer.asset,
      amount: transfer.amount,
      item: NFT_MINT.of(birth)?.item ?? destinationOf(birth),
      index,
    })
    return { blocks: picked.blocks, content, failed: request.failed }
  },
}

const COFFEE_UNSTAKE = new Kind<StakeMoved & StakeItem & { readonly points: bigint | null }>({
  type: 'coffee_staking_withdraw',
  describe: ({ item, index, points, ...stake }) => ({
    roles: {
      source: stake.owner,
      sourceSecondary: stake.ownerWallet,
      destination: item,
      destinationSecondary: stake.poolWallet,
      asset: stake.asset,
    },
    // Clients look for the item under both names.
    details: { ...moved(stake), pool: item, nft_address: item, nft_index: digits(index), points: digits(points) },
  }),
})

const readGivenUp = fieldsOf(coffeeStaking.withdraw, 'itemIndex', 'points')

/**
 * Invariant: an item is given up by its owner, reports to its master, and the vault that one calls transfers the
 * jettons back.
 */
export const coffeeUnstake: Rule = {
  name: 'coffee/unstake',
  begins: isCall(coffeeStaking.withdraw.opcode),
  match(request) {
    const picked = new Picked(request)
    const toMaster = picked.next(request, isCall(coffeeStaking.withdraw.opcode))
    if (toMaster === null) return null
    const from = envelopeOf(request)
    const isToOwner = (next: ActionBlock): boolean => JETTON_TRANSFER.of(next)?.receiver === from?.source
    // One is a log, the other a message to the vault.
    for (const call of picked.every(toMaster, isCall(coffeeStaking.withdraw.opcode))) {
      const transfer = JETTON_TRANSFER.of(picked.next(call, isToOwner))
      if (transfer === undefined) continue
      const given = readBody(toMaster, readGivenUp)
      const content = COFFEE_UNSTAKE.content({
        owner: from?.source ?? null,
        ownerWallet: transfer.receiverWallet,
        pool: destinationOf(toMaster),
        poolWallet: transfer.senderWallet,
        asset: transfer.asset,
        amount: transfer.amount,
        item: from?.destination ?? null,
        index: given?.itemIndex ?? null,
        points: given?.points ?? null,
      })
      return { blocks: picked.blocks, content, failed: request.failed || isUnpaidLeg(picked) }
    }
    return null
  },
}

const COFFEE_CLAIM = new Kind<StakeMoved>({
  type: 'coffee_staking_claim_rewards',
  describe: ({ owner, ownerWallet, pool, poolWallet, asset, amount }) => ({
    roles: {
      source: pool,
      sourceSecondary: poolWallet,
      destination: owner,
      destinationSecondary: ownerWallet,
      asset,
    },
    details: {
      pool,
      pool_jetton_wallet: poolWallet,
      recipient: owner,
      recipient_jetton_wallet: ownerWallet,
      asset,
      amount: digits(amount),
    },
  }),
})

/** Invariant: the master of the items, called by one, transfers the reward; the amount is what it transferred. */
export const coffeeClaim: Rule = {
  name: 'coffee/claim',
  begins: isCall(coffeeStaking.claim.opcode),
  match(request) {
    const picked = new Picked(request)
    picked.next(request, isCall(coffeeStaking.claim.opcode))
    const transfer = JETTON_TRANSFER.of(picked.next(request, isTransfer))
    if (transfer === undefined) return null
    const content = COFFEE_CLAIM.content({
      owner: transfer.receiver,
      ownerWallet: transfer.receiverWallet,
      pool: destinationOf(request),
      poolWallet: transfer.senderWallet,
      asset: transfer.asset,
      amount: transfer.amount,
    })
    return { blocks: picked.blocks, content, failed: request.failed || isUnpaidLeg(picked) }
  },
}
