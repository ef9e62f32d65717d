// Liquidity given to a pool of DeDust, one asset at a time: a vault reports it to the factory, which has a contract of the
// depositor collect both sides. The second one completes the deposit.

import { openCell, type Slice } from '../../../cell/index.ts'
import { CALL, envelopeOf, isCall, TON_TRANSFER } from '../../base.ts'
import type { Block } from '../../block.ts'
import { JETTON_INTERNAL_TRANSFER, JETTON_NOTIFY } from '../../opcodes.ts'
import { readBody } from '../../reading.ts'
import { Picked, type Rule } from '../../rule.ts'
import {
  type AssetAmount,
  type Deposit,
  type DepositedAsset,
  depositKind,
  NOTHING_DEPOSITED,
} from '../exchanges/deposit.ts'
import { isTransfer } from '../exchanges/legs.ts'
import { plainAsset } from '../exchanges/swap.ts'
import { mintedAmount } from '../jettons/mint.ts'
import { JETTON_TRANSFER } from '../jettons/transfer.ts'
import { PAYOUT, readAsset } from './asset.ts'

const DEPOSIT_TON = 0xd55e4686
const DEPOSIT_PAYLOAD = 0x40e108d6
const ASK_FACTORY = 0xf04ec526
const DEPLOY_COLLECTOR = 0x9b3aa3fa
const TOP_UP_COLLECTOR = 0x54240fe5
const DEPOSIT_ALL = 0xb56b9598
const DEPOSIT_LOG = 0xb544f4a4
const DESTROY_COLLECTOR = 0xaae79256
const REJECT = 0xe1a36cd4
const EXCESS_TO_VAULT = 0x6b0b787f

/** Both sides are there. */
export const DEDUST_DEPOSIT = depositKind('dedust_deposit_liquidity')
/** One side waits for the other. */
export const DEDUST_DEPOSIT_PARTIAL = depositKind('dedust_deposit_liquidity_partial')

interface Entry {
  readonly sender: string | null
  readonly given: DepositedAsset
  readonly targets: BothSides
}

/** Whether the pool is stable, then its assets. */
const readAssets = (slice: Slice): [string | null, string | null] => {
  slice.skip(1)
  return [readAsset(slice), readAsset(slice)]
}

type BothSides = readonly [AssetAmount, AssetAmount]

function targetsOf([asset1, asset2]: [string | null, string | null], slice: Slice): BothSides {
  slice.loadCoins()
  const amount1 = slice.loadCoins()
  return [
    { asset: asset1, amount: amount1 },
    { asset: asset2, amount: slice.loadCoins() },
  ]
}

/** What the collector brings to the pool: all that it held, also of earlier traces. */
const readCollected = (body: Slice): BothSides => {
  body.loadRef()
  const sides = openCell(body.loadRef())
  const one = { asset: readAsset(sides), amount: sides.loadCoins() }
  return [one, { asset: readAsset(sides), amount: sides.loadCoins() }]
}

const readTonDeposit = (body: Slice) => {
  const amount = body.skip(64).loadCoins()
  const assets = readAssets(body)
  return { amount, targets: targetsOf(assets, openCell(body.loadRef())) }
}

function entryOf(block: Block): Entry | null {
  const transfer = JETTON_TRANSFER.of(block)
  if (transfer !== undefined) {
    const payload = transfer.forwardPayload?.clone()
    if (payload === undefined || payload.loadUint(32) !== DEPOSIT_PAYLOAD) return null
    const { asset, amount, sender, senderWallet } = transfer
    return { sender, given: { asset, amount, wallet: senderWallet }, targets: targetsOf(readAssets(payload), payload) }
  }
  const requested = readBody(block, readTonDeposit)
  const sender = envelopeOf(block)?.source ?? null
  return requested === null
    ? null
    : { sender, given: { asset: null, amount: requested.amount, wallet: null }, targets: requested.targets }
}

/** What vaults gave back of what the collector had left, the latest first. */
function excessesAfter(end: Block, picked: Picked): AssetAmount[] {
  const excesses = picked.every(end, isCall(EXCESS_TO_VAULT)).flatMap((order): AssetAmount[] => {
    const transfer = JETTON_TRANSFER.of(picked.next(order, isTransfer))
    if (transfer !== undefined) return [{ asset: plainAsset(transfer.asset), amount: transfer.amount }]
    const paid = envelopeOf(picked.next(order, isCall(PAYOUT)))
    return paid === undefined ? [] : [{ asset: null, amount: paid.value }]
  })
  return excesses.reverse()
}

interface Completion extends Pick<Deposit, 'pool' | 'lpMinted'> {
  readonly excesses: readonly AssetAmount[]
  readonly collected: BothSides | null
}

/** What the pool made of both sides, picked; null while the collector waits, open while the pool has not answered. */
function completionAfter(topUp: Block, picked: Picked): Completion | 'open' | null {
  const deposit = topUp.next.find(isCall(DEPOSIT_ALL))
  if (deposit === undefined) return null
  picked.absorb(topUp)
  picked.blocks.add(deposit)
  picked.next(deposit, isCall(DEPOSIT_LOG))
  const minted = picked.next(deposit, isCall(JETTON_INTERNAL_TRANSFER))
  if (minted !== null) picked.next(minted, isCall(JETTON_NOTIFY))
  const end = picked.next(deposit, isCall(DESTROY_COLLECTOR, REJECT))
  // The pool has neither taken nor refused.
  if (minted === null && (end === null || !isCall(REJECT)(end))) return 'open'
  const excesses = end === null ? [] : excessesAfter(end, picked)
  if (end !== null) picked.next(end, (block) => TON_TRANSFER.is(block))
  const lpMinted = minted === null ? null : mintedAmount(minted)
  const collected = readBody(deposit, readCollected)
  return { pool: envelopeOf(deposit)?.destination ?? null, lpMinted, excesses, collected }
}

export const dedustDeposit: Rule = {
  name: 'dedust/deposit',
  begins: (block) => (CALL.is(block) ? isCall(DEPOSIT_TON)(block) : isTransfer(block)),
  match(block) {
    const entry = entryOf(block)
    if (entry === null) return null
    const picked = new Picked()
    picked.add(block)
    const report = picked.next(block, isCall(ASK_FACTORY))
    if (report === null) return null
    picked.next(report, isCall(DEPLOY_COLLECTOR))
    const topUp = report.next.find(isCall(TOP_UP_COLLECTOR))
    if (topUp === undefined) return null
    picked.blocks.add(topUp)
    const completion = completionAfter(topUp, picked)
    if (completion === 'open') return null
    const kind = completion === null ? DEDUST_DEPOSIT_PARTIAL : DEDUST_DEPOSIT
    const content = kind.content({
      dex: 'dedust',
      sender: entry.sender,
      collector: envelopeOf(topUp)?.destination ?? null,
      given: [entry.given, NOTHING_DEPOSITED],
      targets: completion?.collected ?? entry.targets,
      goesToCollector: true,
      pool: completion?.pool ?? null,
      lpMinted: completion?.lpMinted ?? null,
      excesses: completion?.excesses ?? [],
    })
    return { blocks: picked.blocks, content, failed: completion !== null && completion.lpMinted === null }
  },
}
