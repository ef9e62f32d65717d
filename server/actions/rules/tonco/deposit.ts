// Liquidity given to a pool of TONCO: what comes in is kept by an account of the depositor until there is enough of
// both sides; then an NFT item is deployed that represents the position, and the excess is returned. Where no position can
// be made, such as one between ticks the pool does not have, everything is.

import { routerRequest, tonco } from '../../../bodies/index.ts'
import type { ActionBlock } from '../../actionBlock.ts'
import { destinationOf, isCall } from '../../base.ts'
import type { AccountsFacts } from '../../input.ts'
import { EXCESS } from '../../opcodes.ts'
import { fieldsOf, readBody } from '../../reading.ts'
import { Picked, type Rule } from '../../rule.ts'
import { type AssetAmount, type DepositedAsset, depositKind, type Position } from '../exchanges/deposit.ts'
import { hasNotArrived, type Leg, legBefore } from '../exchanges/legs.ts'
import { heldIn } from '../exchanges/routed.ts'
import { NFT_MINT } from '../nft/mint.ts'
import { legsTo } from './payTo.ts'

const TONCO_DEPOSIT = depositKind('tonco_deposit_liquidity')

const readFunding = fieldsOf(tonco.fund)
type Funding = ReturnType<typeof readFunding>

const readMinted = fieldsOf(tonco.mintAndRefund, 'liquidity')
const readPosition = fieldsOf(tonco.initPosition, 'place')
const readRequest = fieldsOf(routerRequest, 'tokenWallet')

interface Minted {
  readonly lpMinted: bigint | null
  readonly nftIndex: bigint | null
  readonly nftAddress: string | null
  readonly excesses: readonly AssetAmount[]
}

const isItem = (block: ActionBlock): boolean => NFT_MINT.is(block) || isCall(tonco.initPosition.opcode)(block)

/** A failed pool has taken nothing from the account, and a failed item is no share of it. */
const hasMinted = (block: ActionBlock): boolean =>
  isCall(tonco.mintAndRefund.opcode)(block) && !block.failed && block.next.some((next) => isItem(next) && !next.failed)

/** Whether the pool refused to make a position, and gives everything back. */
const hasRefused = (block: ActionBlock): boolean =>
  isCall(tonco.mintAndRefund.opcode)(block) && !block.failed && !block.first.isUnfinished && !block.next.some(isItem)

/** Picks what the pool made, or gave back. */
function mintedAfter(mint: ActionBlock, owner: string | null, picked: Picked): Minted {
  const item = picked.next(mint, isItem)
  for (const excess of mint.next.filter(isCall(EXCESS))) picked.absorb(excess)
  const excesses: AssetAmount[] = []
  for (const order of picked.every(mint, isCall(tonco.payTo.opcode)))
    for (const leg of legsTo(owner, order, picked))
      if (!hasNotArrived(leg.block)) excesses.push({ asset: leg.transfer.asset, amount: leg.transfer.amount })
  if (item === null) return { lpMinted: null, nftIndex: null, nftAddress: null, excesses }
  return {
    lpMinted: readBody(mint, readMinted)?.liquidity ?? null,
    nftIndex: NFT_MINT.of(item)?.index ?? readBody(item, readPosition)?.place.nftIndex ?? null,
    nftAddress: item.first.transaction.account,
    excesses,
  }
}

/** The amount comes first for either side; the wallet is on its own side. */
function givenOf({ transfer }: Leg, isFirst: boolean): [DepositedAsset, DepositedAsset] {
  const { asset, amount, sourceWallet } = transfer
  return [
    { asset, amount, wallet: isFirst ? sourceWallet : null },
    { asset: null, amount: null, wallet: isFirst ? null : sourceWallet },
  ]
}

interface Sides {
  readonly entry: Leg
  readonly funding: Funding
  readonly isFirst: boolean
}

/** Both sides; of a wallet of an unknown jetton nothing: an amount alone would look like TON. */
function targetsOf({ entry, funding, isFirst }: Sides, facts: AccountsFacts): [AssetAmount, AssetAmount] {
  const wallet = entry.payload === null ? null : readRequest(entry.payload.clone()).tokenWallet
  const held = heldIn(wallet, facts)
  const amounts = isFirst
    ? ([funding.enough0, funding.enough1] as const)
    : ([funding.enough1, funding.enough0] as const)
  const own = { asset: entry.transfer.asset, amount: amounts[0] }
  const other = held === undefined ? { asset: null, amount: null } : { ...held, amount: amounts[1] }
  return isFirst ? [own, other] : [other, own]
}

/**
 * Invariant: what came into the router makes the pool give it to the depositor's account; with enough of both the
 * pool mints and makes an item, or gives all of it back: then it has failed.
 */
export const toncoDeposit: Rule = {
  name: 'tonco/deposit',
  begins: isCall(tonco.fund.opcode),
  match(request, facts) {
    const picked = new Picked()
    picked.add(request)
    const entry = legBefore(request, picked)
    const funding = readBody(request, readFunding)
    const add = request.next.find(isCall(tonco.addLiquidity.opcode))
    if (entry === null || funding === null || add === undefined) return null
    picked.blocks.add(add)
    const refusal = add.next.find(hasRefused)
    const mint = refusal ?? add.next.find(hasMinted)
    if (mint !== undefined) picked.add(mint)
    const minted = mint === undefined ? null : mintedAfter(mint, entry.transfer.source, picked)
    const isFirst = funding.amount0 > 0n
    const { tickLower, tickUpper } = funding
    const position: Position = {
      tickLower,
      tickUpper,
      nftIndex: minted?.nftIndex ?? null,
      nftAddress: minted?.nftAddress ?? null,
    }
    const content = TONCO_DEPOSIT.content({
      dex: 'tonco',
      sender: entry.transfer.source,
      pool: destinationOf(request),
      collector: destinationOf(add),
      given: givenOf(entry, isFirst),
      targets: targetsOf({ entry, funding, isFirst }, facts),
      lpMinted: minted?.lpMinted ?? null,
      excesses: minted?.excesses ?? [],
      position,
    })
    return { blocks: picked.blocks, content, failed: refusal !== undefined }
  },
}
