// Liquidity given to a pool of TONCO: what comes in is kept by an account of the depositor until there is enough of
// both sides; then an NFT item is deployed that represents the position, and the excess is returned.

import { openCell, type Slice } from '../../../cell/index.ts'
import { envelopeOf, isCall } from '../../base.ts'
import type { Block } from '../../block.ts'
import type { Facts } from '../../input.ts'
import { EXCESS } from '../../opcodes.ts'
import { readAddress, readBody } from '../../reading.ts'
import { Picked, type Rule } from '../../rule.ts'
import { type AssetAmount, type DepositedAsset, depositKind, type Position } from '../exchanges/deposit.ts'
import { type Leg, legAfter, legBefore } from '../exchanges/legs.ts'
import { plainAsset } from '../exchanges/swap.ts'
import { NFT_MINT } from '../nft/mint.ts'
import { PAY_TO } from './payTo.ts'

const FUND = 0x4468de77
const ADD_LIQUIDITY = 0x3ebe5431
const MINT_AND_REFUND = 0x81702ef8
const INIT_POSITION = 0xd5ecca2a

const TONCO_DEPOSIT = depositKind('tonco_deposit_liquidity')

interface Funding {
  /** One of them is none. */
  readonly amounts: readonly [bigint, bigint]
  readonly enough: readonly [bigint, bigint]
  readonly tickLower: number
  readonly tickUpper: number
}

const readFunding = (body: Slice): Funding => {
  readAddress(body.skip(64))
  const amounts = [body.loadVarUint(16), body.loadVarUint(16)] as const
  const enough = [body.loadVarUint(16), body.loadVarUint(16)] as const
  return { amounts, enough, tickLower: body.skip(128).loadInt(24), tickUpper: body.loadInt(24) }
}

/** From the account, what it has minted. */
const readLiquidity = (body: Slice): bigint => {
  body.skip(64).loadVarUint(16)
  body.loadVarUint(16)
  readAddress(body)
  return body.loadUintBig(128)
}

const readItemIndex = (body: Slice): bigint => {
  readAddress(body.skip(64))
  return openCell(body.loadRef())
    .skip(2 * 256)
    .loadUintBig(64)
}

/** The request names the router's wallet of the other side. */
const readOtherWallet = (payload: Slice): string | null => readAddress(payload.clone().skip(32))

interface Minted {
  readonly lpMinted: bigint | null
  readonly nftIndex: bigint | null
  readonly nftAddress: string | null
  readonly excesses: readonly AssetAmount[]
}

/** What the pool made when the account had enough, picked. */
function mintedAfter(mint: Block, picked: Picked): Minted {
  const item = picked.next(mint, (block) => NFT_MINT.is(block) || isCall(INIT_POSITION)(block))
  picked.next(mint, isCall(EXCESS))
  const excesses: AssetAmount[] = []
  for (const order of picked.every(mint, isCall(PAY_TO)))
    for (let leg = legAfter(order, picked); leg !== null; leg = legAfter(order, picked))
      excesses.push({ asset: leg.transfer.asset, amount: leg.transfer.amount })
  return {
    lpMinted: readBody(mint, readLiquidity),
    nftIndex: NFT_MINT.of(item)?.index ?? (item === null ? null : readBody(item, readItemIndex)),
    nftAddress: item === null ? null : item.first.transaction.account,
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

function targetsOf({ entry, funding, isFirst }: Sides, facts: Facts): [AssetAmount, AssetAmount] {
  const wallet = entry.payload === null ? null : readOtherWallet(entry.payload)
  const other = plainAsset(facts.get(wallet ?? '')?.jettonWallet?.jetton ?? null)
  const own = entry.transfer.asset
  return [
    { asset: isFirst ? own : other, amount: funding.enough[0] },
    { asset: isFirst ? other : own, amount: funding.enough[1] },
  ]
}

export const toncoDeposit: Rule = {
  name: 'tonco/deposit',
  begins: isCall(FUND),
  match(request, facts) {
    const picked = new Picked()
    picked.add(request)
    const entry = legBefore(request, picked)
    const funding = readBody(request, readFunding)
    const add = request.next.find(isCall(ADD_LIQUIDITY))
    if (entry === null || funding === null || add === undefined) return null
    picked.blocks.add(add)
    // A pool that failed has taken nothing of what the account has.
    const mint = add.next.find((next) => isCall(MINT_AND_REFUND)(next) && !next.failed)
    if (mint !== undefined) picked.add(mint)
    const minted = mint === undefined ? null : mintedAfter(mint, picked)
    const isFirst = funding.amounts[0] > 0n
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
      pool: envelopeOf(request)?.destination ?? null,
      collector: envelopeOf(add)?.destination ?? null,
      given: givenOf(entry, isFirst),
      targets: targetsOf({ entry, funding, isFirst }, facts),
      lpMinted: minted?.lpMinted ?? null,
      excesses: minted?.excesses ?? [],
      position,
    })
    return { blocks: picked.blocks, content, failed: minted !== null && minted.nftAddress === null }
  },
}
