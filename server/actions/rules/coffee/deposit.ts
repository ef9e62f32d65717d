// Liquidity given to a pool of swap.coffee, one asset at a time: a vault reports it to the factory, which has a depository
// of the depositor collect both sides. The second one completes the deposit.

import { coffee } from '../../../bodies/index.ts'
import type { ActionBlock } from '../../actionBlock.ts'
import { destinationOf, either, isCall } from '../../base.ts'
import { fieldsOf, readBody } from '../../reading.ts'
import { Picked, type Rule } from '../../rule.ts'
import {
  type AssetAmount,
  depositKind,
  NOTHING_DEPOSITED,
  type Sent,
  sentJettons,
  sentTon,
} from '../exchanges/deposit.ts'
import { isTransfer } from '../exchanges/legs.ts'
import { mintAfter, mintedAmount } from '../jettons/mint.ts'
import { forwardedAs, JETTON_TRANSFER } from '../jettons/transfer.ts'
import { coffeeReturnsAfter, hasRefusedSide } from './payout.ts'

const COFFEE_DEPOSIT = depositKind('coffee_deposit_liquidity')

interface Entry extends Sent {
  /** Of the pool. */
  readonly assets: readonly [string | null, string | null]
}

const readTonDeposit = fieldsOf(coffee.deposit, 'amount', 'pool')
const readJettonDeposit = fieldsOf(coffee.jettonDeposit, 'pool')
const readReport = fieldsOf(coffee.depositAskFactory, 'pool')

function entryOf(block: ActionBlock): Entry | null {
  const transfer = JETTON_TRANSFER.of(block)
  if (transfer !== undefined) {
    const payload = forwardedAs(block, coffee.jettonDeposit)
    if (payload === null) return null
    const { pool } = readJettonDeposit(payload)
    return { ...sentJettons(transfer), assets: [pool.asset1, pool.asset2] }
  }
  const requested = readBody(block, readTonDeposit)
  const sent = requested === null ? null : sentTon(block, requested.amount)
  if (requested === null || sent === null) return null
  const { pool } = requested
  return { ...sent, assets: [pool.asset1, pool.asset2] }
}

interface Completion {
  readonly failed: boolean
  readonly pool: string | null
  readonly lpMinted: bigint | null
  readonly excesses: readonly AssetAmount[]
}

/** What the pool made of both sides, or the depository did with one it had already, picked; null while that one waits. */
function completionAfter(deploy: ActionBlock, picked: Picked): Completion | null {
  const deposit = deploy.next.find(isCall(coffee.depositBoth.opcode))
  if (deposit === undefined && hasRefusedSide(deploy))
    return { pool: null, lpMinted: null, excesses: coffeeReturnsAfter(deploy, picked), failed: true }
  // A pool that failed has taken nothing of what waits.
  if (deposit === undefined || deposit.failed) return null
  picked.add(deposit)
  picked.next(deposit, isCall(coffee.depositLog.opcode, coffee.depositFailedLog.opcode))
  const minted = mintAfter(deposit, picked)
  const excesses = coffeeReturnsAfter(deposit, picked)
  const lpMinted = minted === null ? null : mintedAmount(minted)
  const failed = minted === null || minted.failed
  return { pool: destinationOf(deposit), lpMinted, excesses, failed }
}

/**
 * Invariant: what came in makes a vault report to the factory, which calls the depository; amounts are those that
 * came, were minted and went back.
 */
export const coffeeDeposit: Rule = {
  name: 'coffee/deposit',
  begins: either(isCall(coffee.deposit.opcode), isTransfer),
  match(block) {
    const report = block.next.find(isCall(coffee.depositAskFactory.opcode))
    const entry = report === undefined ? null : entryOf(block)
    // What failed brought nothing in.
    if (report === undefined || entry === null || block.failed) return null
    const picked = new Picked(block)
    picked.blocks.add(report)
    const deploy = picked.next(report, isCall(coffee.deploy.opcode))
    if (deploy === null) return null
    const completion = completionAfter(deploy, picked)
    const { given, sender } = entry
    const ordered = readBody(report, readReport)?.pool
    const assets = ordered === undefined ? entry.assets : [ordered.asset1, ordered.asset2]
    if (!assets.includes(given.asset)) return null
    const isFirst = assets[0] === given.asset
    const other = (isFirst ? assets[1] : assets[0]) ?? null
    const content = COFFEE_DEPOSIT.content({
      dex: 'coffee',
      sender,
      collector: destinationOf(deploy),
      given: isFirst ? [given, NOTHING_DEPOSITED] : [NOTHING_DEPOSITED, given],
      // How much of the other asset there is to be was not said.
      targets: [
        { asset: given.asset, amount: null },
        { asset: other, amount: null },
      ],
      pool: null,
      lpMinted: null,
      ...completion,
    })
    return { blocks: picked.blocks, content, failed: completion?.failed === true }
  },
}
