// A pool of swap.coffee comes to life once both sides of its first liquidity are there: each goes through a vault to the
// factory, which keeps the first with a creator and makes the pool when that one has the second.

import { coffee } from '../../../bodies/index.ts'
import type { ActionBlock } from '../../actionBlock.ts'
import { Kind } from '../../actionKind.ts'
import { carries, destinationOf, either, isCall, sourceOf } from '../../base.ts'
import { digits } from '../../details.ts'
import { JETTON_INTERNAL_TRANSFER } from '../../opcodes.ts'
import { fieldsOf, readBody } from '../../reading.ts'
import { Picked, type Rule } from '../../rule.ts'
import { isTransfer } from '../exchanges/legs.ts'
import { mintedAmount } from '../jettons/mint.ts'
import { forwardedAs, JETTON_TRANSFER } from '../jettons/transfer.ts'
import { coffeeReturnsAfter, hasRefusedSide } from './payout.ts'

interface Side {
  readonly source: string | null
  readonly sourceWallet: string | null
  readonly asset: string | null
  readonly amount: bigint | null
  readonly assets: readonly [string | null, string | null]
  /** Recipient of the jettons of the pool. */
  readonly recipient: string | null
}

const readTonSide = fieldsOf(coffee.createPool, 'amount', 'asset1', 'asset2', 'recipient')
const readJettonSide = fieldsOf(coffee.jettonCreatePool, 'asset1', 'asset2', 'recipient')

function sideOf(block: ActionBlock): Side | null {
  const transfer = JETTON_TRANSFER.of(block)
  if (transfer !== undefined) {
    const payload = forwardedAs(block, coffee.jettonCreatePool)
    if (payload === null) return null
    const { asset, amount, sender: source, senderWallet: sourceWallet } = transfer
    const { asset1, asset2, recipient } = readJettonSide(payload)
    return { source, sourceWallet, asset, amount, assets: [asset1, asset2], recipient }
  }
  const requested = readBody(block, readTonSide)
  if (requested === null || !carries(block, requested.amount)) return null
  const { amount, asset1, asset2, recipient } = requested
  return { source: sourceOf(block), sourceWallet: null, asset: null, amount, assets: [asset1, asset2], recipient }
}

interface PoolCreator extends Side {
  readonly creator: string | null
  /** Whether the asset is the first of the pool, which need not have them in the order of the request. */
  readonly isFirst: boolean
}

const readReport = fieldsOf(coffee.poolAskFactory, 'asset1')

function isFirstOf({ asset, assets }: Side, report: ActionBlock): boolean {
  const read = readBody(report, readReport)
  return (read === null ? assets[0] : read.asset1) === asset
}

const COFFEE_CREATE_POOL_CREATOR = new Kind<PoolCreator>({
  type: 'coffee_create_pool_creator',
  describe: ({ source, sourceWallet, recipient, creator, asset, assets, amount }) => ({
    roles: {
      source,
      sourceSecondary: sourceWallet,
      destination: recipient,
      destinationSecondary: creator,
      asset,
      asset2: assets[0],
      asset2Secondary: assets[1],
    },
    details: {
      source,
      source_jetton_wallet: sourceWallet,
      deposit_recipient: recipient,
      pool_creator_contract: creator,
      provided_asset: asset,
      asset_1: assets[0],
      asset_2: assets[1],
      amount: digits(amount),
    },
  }),
})

interface NewPool extends Side {
  readonly pool: string | null
  readonly creator: string | null
  readonly initiator: string | null
  readonly otherAsset: string | null
  readonly otherAmount: bigint | null
  readonly lpMinted: bigint | null
}

const COFFEE_CREATE_POOL = new Kind<NewPool>({
  type: 'coffee_create_pool',
  describe: ({ source, sourceWallet, initiator, pool, creator, ...given }) => ({
    roles: {
      source,
      sourceSecondary: sourceWallet,
      destination: pool,
      destinationSecondary: creator,
      asset: given.asset,
      asset2: given.otherAsset,
    },
    details: {
      source,
      source_jetton_wallet: sourceWallet,
      initiator_1: source,
      initiator_2: initiator,
      pool,
      pool_creator_contract: creator,
      provided_asset: given.asset,
      amount: digits(given.amount),
      asset_1: given.asset,
      asset_2: given.otherAsset,
      amount_1: digits(given.amount),
      amount_2: digits(given.otherAmount),
      lp_tokens_minted: digits(given.lpMinted),
    },
  }),
})

const readBothSides = fieldsOf(coffee.poolBothSides, 'amount1', 'amount2', 'initiator')

/** The pool that a creator had made, picked. */
function poolAfter(both: ActionBlock, picked: Picked): Pick<NewPool, 'pool' | 'lpMinted'> {
  const deploy = picked.next(both, isCall(coffee.deploy.opcode))
  if (deploy === null) return { pool: null, lpMinted: null }
  picked.next(deploy, isCall(coffee.depositLog.opcode))
  // A contract that created the pool for somebody else gets a notification, and may write a log about it.
  const told = picked.next(deploy, isCall(coffee.notification.opcode))
  if (told !== null) picked.next(told, isCall(coffee.notifiedLog.opcode))
  const minted = picked.next(deploy, isCall(JETTON_INTERNAL_TRANSFER))
  return {
    pool: destinationOf(deploy),
    lpMinted: minted === null || minted.failed ? null : mintedAmount(minted),
  }
}

/** Invariant: what came in makes a vault report to the factory, which deploys a creator. */
export const coffeePoolCreator: Rule = {
  name: 'coffee/poolCreator',
  begins: either(isCall(coffee.createPool.opcode), isTransfer),
  match(block) {
    const report = block.next.find(isCall(coffee.poolAskFactory.opcode))
    const side = report === undefined ? null : sideOf(block)
    if (report === undefined || side === null || block.failed) return null
    const picked = new Picked(block)
    picked.add(report)
    const deploy = picked.next(report, isCall(coffee.deploy.opcode))
    if (deploy === null) return null
    const isRefused = hasRefusedSide(deploy)
    if (isRefused) coffeeReturnsAfter(deploy, picked)
    const creator = destinationOf(deploy)
    const content = COFFEE_CREATE_POOL_CREATOR.content({ creator, isFirst: isFirstOf(side, report), ...side })
    return { blocks: picked.blocks, content, failed: report.failed || deploy.failed || isRefused }
  },
}

/** Invariant: the creator that has both sides deploys the pool, and the pool mints for them. */
export const coffeeCreatePool: Rule = {
  name: 'coffee/pools',
  begins: (block) => COFFEE_CREATE_POOL_CREATOR.is(block),
  match(block) {
    const side = COFFEE_CREATE_POOL_CREATOR.of(block)
    const picked = new Picked(block)
    const both = picked.next(block, isCall(coffee.poolBothSides.opcode))
    if (side === undefined || both === null) return null
    const said = readBody(both, readBothSides)
    const made = poolAfter(both, picked)
    if (made.lpMinted === null) return null
    const content = COFFEE_CREATE_POOL.content({
      initiator: said?.initiator ?? null,
      otherAsset: side.assets[side.assets[0] === side.asset ? 1 : 0],
      otherAmount: (side.isFirst ? said?.amount2 : said?.amount1) ?? null,
      ...side,
      ...made,
    })
    return { blocks: picked.blocks, content, failed: false }
  },
}
