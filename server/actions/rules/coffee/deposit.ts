// Liquidity given to a pool of swap.coffee, one asset at a time: a vault reports it to the factory, which has a depository
// of the depositor collect both sides. The second one completes the deposit.

import { openCell, type Slice } from '../../../cell/index.ts'
import { envelopeOf, isCall } from '../../base.ts'
import type { Block } from '../../block.ts'
import { JETTON_INTERNAL_TRANSFER, JETTON_NOTIFY } from '../../opcodes.ts'
import { readBody } from '../../reading.ts'
import { Picked, type Rule } from '../../rule.ts'
import { type AssetAmount, type DepositedAsset, depositKind, NOTHING_DEPOSITED } from '../exchanges/deposit.ts'
import { isTransfer } from '../exchanges/legs.ts'
import { mintedAmount } from '../jettons/mint.ts'
import { JETTON_TRANSFER } from '../jettons/transfer.ts'
import { DEPLOY, DEPOSIT_LOG, PAYOUT_ORDER, payloadOf, payoutAfter, readPoolAssets } from './asset.ts'

const DEPOSIT_TON = 0xc0ffee04
const DEPOSIT_PAYLOAD = 0xc0ffee12
const ASK_FACTORY = 0xc0ffee27
const DEPOSIT_BOTH = 0xc0ffee29
const FAILED_LOG = 0xc0ffee34

const COFFEE_DEPOSIT = depositKind('coffee_deposit_liquidity')

interface Entry {
  readonly sender: string | null
  readonly given: DepositedAsset
  /** Of the pool. */
  readonly assets: readonly [string | null, string | null]
}

/** Parameters of the deposit, then those of the pool. */
const assetsOf = (slice: Slice): [string | null, string | null] => readPoolAssets(openCell(slice.skipRefs(1).loadRef()))

const readTonDeposit = (body: Slice) => ({ amount: body.skip(64).loadCoins(), assets: assetsOf(body) })

function entryOf(block: Block): Entry | null {
  const transfer = JETTON_TRANSFER.of(block)
  if (transfer !== undefined) {
    const payload = payloadOf(block, DEPOSIT_PAYLOAD)
    const { asset, amount, sender, senderWallet } = transfer
    return payload && { sender, given: { asset, amount, wallet: senderWallet }, assets: assetsOf(payload) }
  }
  const requested = readBody(block, readTonDeposit)
  const sender = envelopeOf(block)?.source ?? null
  return (
    requested && { sender, given: { asset: null, amount: requested.amount, wallet: null }, assets: requested.assets }
  )
}

interface Completion {
  readonly pool: string | null
  readonly lpMinted: bigint | null
  readonly excesses: readonly AssetAmount[]
}

/** What the pool made of both sides, picked; null while the depository waits. */
function completionAfter(deploy: Block, picked: Picked): Completion | null {
  const deposit = deploy.next.find(isCall(DEPOSIT_BOTH))
  // A pool that failed has taken nothing of what waits.
  if (deposit === undefined || deposit.failed) return null
  picked.add(deposit)
  picked.next(deposit, isCall(DEPOSIT_LOG, FAILED_LOG))
  const minted = picked.next(deposit, isCall(JETTON_INTERNAL_TRANSFER))
  if (minted !== null) picked.next(minted, isCall(JETTON_NOTIFY))
  const excesses = picked.every(deposit, isCall(PAYOUT_ORDER)).flatMap((order) => {
    const paid = payoutAfter(order, picked)
    return paid === null ? [] : [{ asset: paid.asset, amount: paid.amount }]
  })
  const lpMinted = minted === null ? null : mintedAmount(minted)
  return { pool: envelopeOf(deposit)?.destination ?? null, lpMinted, excesses }
}

export const coffeeDeposit: Rule = {
  name: 'coffee/deposit',
  begins: (block) => isCall(DEPOSIT_TON)(block) || isTransfer(block),
  match(block) {
    const report = block.next.find(isCall(ASK_FACTORY))
    const entry = report === undefined ? null : entryOf(block)
    if (report === undefined || entry === null) return null
    const picked = new Picked(block)
    picked.add(report)
    const deploy = picked.next(report, isCall(DEPLOY))
    if (deploy === null) return null
    const completion = completionAfter(deploy, picked)
    const { given, assets, sender } = entry
    const isFirst = assets[0] === given.asset
    const other = isFirst ? assets[1] : assets[0]
    const content = COFFEE_DEPOSIT.content({
      dex: 'coffee',
      sender,
      collector: envelopeOf(deploy)?.destination ?? null,
      given: isFirst ? [given, NOTHING_DEPOSITED] : [NOTHING_DEPOSITED, given],
      // How much of the other asset there is to be was not said.
      targets: [
        { asset: given.asset, amount: null },
        { asset: other, amount: null },
      ],
      ...{ pool: null, lpMinted: null, ...completion },
    })
    return { blocks: picked.blocks, content, failed: completion !== null && completion.lpMinted === null }
  },
}
