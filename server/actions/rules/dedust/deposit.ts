// Liquidity given to a pool of DeDust, one asset at a time: a vault reports it to the factory, which has a contract of the
// depositor collect both sides. The second one completes the deposit.

import { dedust } from '../../../bodies/index.ts'
import type { ActionBlock } from '../../actionBlock.ts'
import { destinationOf, either, envelopeOf, isCall, TON_TRANSFER } from '../../base.ts'
import { fieldsOf, readBody } from '../../reading.ts'
import { Picked, type Rule } from '../../rule.ts'
import {
  type AssetAmount,
  type Deposit,
  depositKind,
  NOTHING_DEPOSITED,
  type Sent,
  sentJettons,
  sentTon,
} from '../exchanges/deposit.ts'
import { hasNotArrived, isTransfer } from '../exchanges/legs.ts'
import { plainAsset } from '../exchanges/swap.ts'
import { mintAfter, mintedAmount } from '../jettons/mint.ts'
import { forwardedAs, JETTON_TRANSFER } from '../jettons/transfer.ts'

/** Both sides are there. */
export const DEDUST_DEPOSIT = depositKind('dedust_deposit_liquidity')
/** One side waits for the other. */
export const DEDUST_DEPOSIT_PARTIAL = depositKind('dedust_deposit_liquidity_partial')

interface Entry extends Sent {
  readonly targets: BothSides
}

type BothSides = readonly [AssetAmount, AssetAmount]

interface Amounts {
  readonly amount1: bigint
  readonly amount2: bigint
}

interface Assets {
  readonly asset1: string | null
  readonly asset2: string | null
}

const sidesOf = ({ asset1, asset2 }: Assets, { amount1, amount2 }: Amounts): BothSides => [
  { asset: asset1, amount: amount1 },
  { asset: asset2, amount: amount2 },
]

const readDeposit = fieldsOf(dedust.deposit)
const readJettonDeposit = fieldsOf(dedust.jettonDeposit)
/** What the collector brings to the pool: all that it held, also of earlier traces. */
const readCollected = fieldsOf(dedust.depositAll, 'sides')

function entryOf(block: ActionBlock): Entry | null {
  const transfer = JETTON_TRANSFER.of(block)
  if (transfer !== undefined) {
    const payload = forwardedAs(block, dedust.jettonDeposit)
    if (payload === null) return null
    const requested = readJettonDeposit(payload)
    return { ...sentJettons(transfer), targets: sidesOf(requested, requested) }
  }
  const requested = readBody(block, readDeposit)
  const sent = requested === null ? null : sentTon(block, requested.amount)
  return requested === null || sent === null ? null : { ...sent, targets: sidesOf(requested, requested.targets) }
}

/** What vaults gave back of what the collector had left, the latest first; nothing for a payment that failed. */
function excessesAfter(end: ActionBlock, picked: Picked): AssetAmount[] {
  const excesses = picked.every(end, isCall(dedust.excessToVault.opcode)).flatMap((order): AssetAmount[] => {
    const payment = picked.next(order, isTransfer) ?? picked.next(order, isCall(dedust.payout.opcode))
    if (payment === null || hasNotArrived(payment)) return []
    const transfer = JETTON_TRANSFER.of(payment)
    return transfer === undefined
      ? [{ asset: null, amount: envelopeOf(payment)?.value ?? null }]
      : [{ asset: plainAsset(transfer.asset), amount: transfer.amount }]
  })
  return excesses.reverse()
}

interface Completion extends Pick<Deposit, 'pool' | 'lpMinted'> {
  readonly failed: boolean
  readonly excesses: readonly AssetAmount[]
  readonly collected: BothSides | null
}

/** What the pool made of both sides, picked; null while the collector waits, open while the pool has not answered. */
function completionAfter(topUp: ActionBlock, picked: Picked): Completion | 'open' | null {
  const deposit = topUp.next.find(isCall(dedust.depositAll.opcode))
  // One that the collector refuses does not wait in it.
  if (deposit === undefined) return topUp.next.some(isCall(dedust.reject.opcode)) ? 'open' : null
  picked.absorb(topUp)
  picked.blocks.add(deposit)
  picked.next(deposit, isCall(dedust.depositLog.opcode))
  const minted = mintAfter(deposit, picked)
  const end = picked.next(deposit, isCall(dedust.destroyCollector.opcode, dedust.reject.opcode))
  // The pool has neither taken nor refused.
  if (minted === null && (end === null || !isCall(dedust.reject.opcode)(end))) return 'open'
  const excesses = end === null ? [] : excessesAfter(end, picked)
  if (end !== null) picked.next(end, (block) => TON_TRANSFER.is(block))
  const lpMinted = minted === null ? null : mintedAmount(minted)
  const sides = readBody(deposit, readCollected)?.sides
  const collected = sides === undefined ? null : sidesOf(sides, sides)
  const failed = minted === null || minted.failed
  return { pool: destinationOf(deposit), lpMinted, excesses, collected, failed }
}

/**
 * Invariant: what came in makes a vault report to the factory, which tops up the depositor's collector; with both
 * sides that calls the pool, which mints or rejects.
 */
export const dedustDeposit: Rule = {
  name: 'dedust/deposit',
  begins: either(isCall(dedust.deposit.opcode), isTransfer),
  match(block) {
    const entry = entryOf(block)
    if (entry === null || block.failed) return null
    const picked = new Picked()
    picked.add(block)
    const report = picked.next(block, isCall(dedust.askFactory.opcode))
    if (report === null) return null
    picked.next(report, isCall(dedust.deployCollector.opcode))
    const topUp = report.next.find(isCall(dedust.topUpCollector.opcode))
    if (topUp === undefined) return null
    picked.blocks.add(topUp)
    const completion = completionAfter(topUp, picked)
    if (completion === 'open') return null
    const kind = completion === null ? DEDUST_DEPOSIT_PARTIAL : DEDUST_DEPOSIT
    const content = kind.content({
      dex: 'dedust',
      sender: entry.sender,
      collector: destinationOf(topUp),
      given: [entry.given, NOTHING_DEPOSITED],
      targets: completion?.collected ?? entry.targets,
      goesToCollector: true,
      pool: completion?.pool ?? null,
      lpMinted: completion?.lpMinted ?? null,
      excesses: completion?.excesses ?? [],
    })
    return { blocks: picked.blocks, content, failed: completion?.failed === true }
  },
}
