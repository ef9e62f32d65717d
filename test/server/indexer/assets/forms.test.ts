// Newer forms of sales and auctions, names that sell themselves, wallets whose first amount is claimed, code in a library.

import { expect, test } from 'vitest'
import { beginCell, type Cell, type StdAddress } from '../../../../server/cell/index.ts'
import { contractCode, onChainContent } from '../../../../server/demo/contracts/index.ts'
import { contractCode as chainCode } from '../../../../server/devchain/contracts/index.ts'
import { candidateKinds } from '../../../../server/indexer/assets/candidates.ts'
import { addressCell, type MadeMethod, madeAddress, madeCode, type Value } from '../../../setup/madeContracts.ts'
import { AssetScene, keyOf } from './assetScene.ts'

const [shop, item, owner, feeTo, artist] = [1, 2, 3, 4, 5].map(madeAddress) as [
  ...[StdAddress, StdAddress, StdAddress, StdAddress, StdAddress],
]
const raw = ({ hash }: StdAddress): string => `0:${Buffer.from(hash).toString('hex').toUpperCase()}`
const slice = (cell: Cell): Value => ({ slice: cell })
const none = slice(addressCell(null))
const text = (words: string): Value => slice(beginCell().storeBytes(Buffer.from(words)).end())

test('sales and auctions of version 4, a name that sells itself, a wallet with a claim', async () => {
  const scene = await AssetScene.open()
  const place = async (address: StdAddress, methods: Readonly<Record<string, MadeMethod>>) =>
    scene.place(address, madeCode(methods), beginCell().end())
  const fixed = [0n, 7n, shop, item, owner, 100n, feeTo, 5n, artist, 6n]
  await place(madeAddress(0x11), { get_fix_price_data_v4: { results: [...fixed, 0n, 0n, null] } })
  const bids = [0n, 99n, shop, item, none, 20n, owner, 5n, feeTo, 1n, 100n, artist, 2n, 100n, 50n, 10n, 7n, 8n, 0n]
  await place(madeAddress(0x12), {
    get_auction_data_v4: { results: [-1n, ...bids, 300n, 0n, none, none, 0n, 0n] },
  })
  await place(madeAddress(0x13), {
    get_telemint_token_name: { results: [text('durov')] },
    get_telemint_auction_config: { results: [owner, 10n, 0n, 5n, 3600n, 86_400n] },
    royalty_params: { results: [5n, 100n, artist] },
  })
  const wallet = madeAddress(0x14)
  const master = madeAddress(0x15)
  await place(master, {
    get_wallet_address: { args: [owner], results: [wallet] },
    get_jetton_data: { results: [0n, 0n, none, onChainContent({ name: 'Not minted' }), beginCell().end()] },
    get_mintless_airdrop_hashmap_root: { results: [0xabcn] },
  })
  await place(wallet, {
    get_wallet_data: { results: [0n, owner, master, beginCell().end()] },
    is_claimed: { results: [0n] },
  })
  // What names no dictionary is a jetton like any other.
  const plain = [none, onChainContent({ name: 'Odd' }), beginCell().end()]
  for (const [at, root] of [-1n, null, none].entries())
    await place(madeAddress(0x51 + at), {
      get_jetton_data: { results: [0n, 0n, ...plain] },
      get_mintless_airdrop_hashmap_root: { results: [root] },
    })

  const [first, second, third] = await scene.rows('nft_sales', 'account')
  expect(first).toMatchObject({ kind: 'sale', nft: keyOf(item), nft_owner: keyOf(owner), created_at: 7n })
  expect(JSON.parse(String(first?.details))).toMatchObject({ full_price: '100', royalty_address: raw(artist) })
  expect(second).toMatchObject({ kind: 'auction', nft: keyOf(item), nft_owner: null, created_at: 7n })
  expect(JSON.parse(String(second?.details))).toEqual({
    end_flag: false,
    end_time: 99,
    last_bid: '20',
    last_member: raw(owner),
    min_step: 5,
    mp_fee_address: raw(feeTo),
    mp_fee_factor: 1,
    mp_fee_base: 100,
    royalty_fee_address: raw(artist),
    royalty_fee_factor: 2,
    royalty_fee_base: 100,
    max_bid: '50',
    min_bid: '10',
    last_bid_at: 8,
    is_canceled: false,
  })
  expect(third).toMatchObject({ kind: 'telemint', nft: third?.account, nft_owner: null, created_at: null })
  expect(JSON.parse(String(third?.details))).toEqual({
    token_name: 'durov',
    bid: '0',
    bid_ts: '0',
    min_bid: '0',
    end_time: 0,
    beneficiary_address: raw(owner),
    initial_min_bid: '10',
    max_bid: '0',
    min_bid_step: '5',
    min_extend_time: '3600',
    duration: '86400',
    royalty_numerator: 5,
    royalty_denominator: 100,
    royalty_destination: raw(artist),
  })
  expect(await scene.rows('jetton_wallets')).toMatchObject([{ account: keyOf(wallet), balance: 0n, claimed: false }])
  const root = 'abc'.padStart(64, '0')
  const odd = [0x51, 0x52, 0x53].map((at) => ({ account: keyOf(madeAddress(at)), airdrop_root: null }))
  expect(await scene.rows('jetton_masters', 'account')).toMatchObject([
    { account: keyOf(master), airdrop_root: root },
    ...odd,
  ])
})

test('what only resembles a newer form is none: a value too few, or one of another kind', async () => {
  const scene = await AssetScene.open()
  const place = async (at: number, methods: Readonly<Record<string, MadeMethod>>) =>
    scene.place(madeAddress(at), madeCode(methods), beginCell().end())
  const fixed = [0n, 7n, shop, item, owner, 100n, feeTo, 5n, artist, 6n]
  const bids = [0n, 99n, shop, item, none, 20n, owner, 5n, feeTo, 1n, 100n, artist, 2n, 100n, 50n, 10n, 7n, 8n, 0n]
  for (const [at, rest] of [
    [0n, 0n],
    [0n, 0n, 0n],
    [none, 0n, null],
  ].entries())
    await place(0x21 + at, { get_fix_price_data_v4: { results: [...fixed, ...rest] } })
  for (const [at, rest] of [
    [300n, 0n, none, none, 0n],
    [300n, 0n, 5n, none, 0n, 0n],
    [300n, none, none, none, 0n, 0n],
  ].entries())
    await place(0x31 + at, { get_auction_data_v4: { results: [-1n, ...bids, ...rest] } })
  // What reports itself in both forms, and wrongly in the newer, is one of the older.
  await place(0x41, {
    get_fix_price_data_v4: { results: [0n] },
    get_sale_data: { results: [0x46495850n, ...fixed] },
  })
  expect(await scene.rows('nft_sales')).toMatchObject([{ account: keyOf(madeAddress(0x41)), kind: 'sale' }])
})

test('the code alone says what a contract may be', () => {
  const of = (code: Cell, isPublic = true) => candidateKinds({ hash: code.hash(), code, isPublic })
  expect(of(contractCode('jetton/wallet'))).toEqual(['jettonWallet'])
  expect(of(contractCode('sale/auction'))).toEqual(['sale', 'auction'])
  for (const name of ['walletV3R2', 'walletV4R2', 'walletV5R1'] as const) expect(of(chainCode(name))).toEqual([])
  // Any contract can claim when coins become free: get-methods run only on the public code.
  expect([of(contractCode('vesting/wallet')), of(contractCode('vesting/wallet'), false)]).toEqual([[], ['vesting']])
  // Without a table of methods it may be anything.
  expect(of(madeCode({}))).toHaveLength(9)
})
