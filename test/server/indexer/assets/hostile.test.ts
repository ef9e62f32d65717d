// Contracts that lie, loop or leave garbage: they are not taken for anything, and no other is harmed.

import { describe, expect, test } from 'vitest'
import { beginCell, type Cell, type StdAddress } from '../../../../server/cell/index.ts'
import { offchain, onchain } from '../../../setup/madeContents.ts'
import { addressCell, type MadeMethod, madeAddress, madeCode, type Value } from '../../../setup/madeContracts.ts'
import { AssetScene, keyOf, transferTo } from './assetScene.ts'

type Methods = Readonly<Record<string, MadeMethod>>

const owner = madeAddress(1)
const stranger = madeAddress(2)
const target = madeAddress(0x31)
const authority = madeAddress(0x32)
const empty = beginCell().end()
const walletCode = beginCell().storeUint(0xc0de, 16).end()
const slice = (cell: Cell): Value => ({ slice: cell })
/** An endless loop: PUSHCONT of nothing, AGAIN. */
const FOREVER = '90ea'
const content = onchain({ name: 'Made' })
/** A tree that is small on the chain and endless written out. */
const bomb = (depth: number): Cell => {
  let cell = beginCell().storeUint(1, 8).end()
  for (let i = 0; i < depth; i++) cell = [1, 2, 3, 4].reduce((builder) => builder.storeRef(cell), beginCell()).end()
  return cell
}

let scene: AssetScene
const open = async (): Promise<void> => {
  scene = await AssetScene.open()
}
const place = (address: StdAddress, methods: Methods, data = empty) => scene.place(address, madeCode(methods), data)

const TABLES = [
  'jetton_masters',
  'jetton_wallets',
  'nft_collections',
  'nft_items',
  'nft_sales',
  'dns_records',
  'multisigs',
  'multisig_orders',
  'vestings',
  'dedust_pools',
]
async function filledTables(): Promise<string[]> {
  const found = await Promise.all(TABLES.map(async (table) => ((await scene.rows(table)).length > 0 ? table : null)))
  return found.filter((table) => table !== null)
}

const item = (collection: Value, individual: Value = content): readonly Value[] => [
  -1n,
  7n,
  collection,
  owner,
  individual,
]
const none = slice(addressCell(null))
const auction = (endTime: bigint): Value[] => [
  0x415543n,
  0n,
  endTime,
  owner,
  stranger,
  none,
  1n,
  none,
  5n,
  owner,
  5n,
  100n,
  owner,
  5n,
  100n,
  9n,
  1n,
  1n,
  0n,
  0n,
]

describe('what is reported, in one index', () => {
  test('lies, garbage and loops are nothing; what is right next to them is found', async () => {
    await open()
    const wrong: Record<string, Methods> = {
      'a wallet of a jetton that is not there': {
        get_wallet_data: { results: [5n, owner, madeAddress(0x99), walletCode] },
      },
      'a wallet its jetton does not know': { get_wallet_data: { results: [5n, owner, authority, walletCode] } },
      'an item its collection does not know': { get_nft_data: { results: item(authority) } },
      'an order its multisig does not know': {
        get_order_data: { results: [authority, 1n, 1n, 0n, empty, 0n, 0n, 1n, empty] },
      },
      'content of an unknown form': {
        get_jetton_data: { results: [1n, 0n, owner, beginCell().storeUint(7, 8).end(), walletCode] },
      },
      'a link not in UTF-8': {
        get_collection_data: { results: [1n, beginCell().storeUint(0x01ff, 16).end(), owner] },
      },
      'values of other kinds': { get_jetton_data: { results: [owner, owner, 1n, 1n, 1n] } },
      'too few values': { get_nft_data: { results: [1n] } },
      'a method that never ends': { get_jetton_data: { code: FOREVER }, get_nft_data: { code: FOREVER } },
      'a method that throws': { get_wallet_data: { code: 'f22a' } },
      'half an address': { get_collection_data: { results: [1n, content, slice(beginCell().storeUint(2, 2).end())] } },
      'an auction that ends beyond all numbers': { get_sale_data: { results: auction(2n ** 80n) } },
      'a sale of nothing': {
        get_sale_data: { results: [0x46495850n, 0n, 1n, owner, none, owner, 1n, owner, 1n, owner, 1n] },
      },
      'a name of a sale that is no text': {
        get_telemint_token_name: { results: [slice(beginCell().storeUint(255, 8).end())] },
      },
      'members that are a tree without an end': { get_multisig_data: { results: [1n, 1n, bomb(200), null] } },
      'a multisig that never counts': { get_multisig_data: { results: [1n, 2n ** 90n, null, null] } },
      'one that counts beyond the numbers of JSON': { get_multisig_data: { results: [1n, 2n ** 53n, null, null] } },
      'a sale from beyond all times': {
        get_sale_data: { results: [0x46495850n, 0n, 2n ** 63n - 1n, owner, target, owner, 1n, owner, 1n, owner, 1n] },
      },
      'a vesting from beyond all times': {
        get_vesting_data: { results: [2n ** 63n - 1n, 1n, 1n, 0n, 5n, owner, stranger, null] },
      },
    }
    for (const [i, methods] of Object.values(wrong).entries()) await place(madeAddress(0x40 + i), methods)
    expect(await filledTables()).toEqual([])
    expect(scene.indexer.status().trouble).toBeNull()

    const right = madeAddress(0x80)
    // Zero bytes in a text, a supply of 256 bits, a tree written out nowhere, values behind those that are requested.
    const wild = [2n ** 255n, 0n, none, onchain({ name: 'a\0b', decimals: '9' }), bomb(200), 1n, null]
    await place(right, { get_jetton_data: { results: wild } })
    expect(await scene.rows('jetton_masters')).toMatchObject([
      { account: keyOf(right), total_supply: 2n ** 255n, admin: null, content: '{"name":"ab","decimals":"9"}' },
    ])
  })

  test('what stops being a token vanishes, whatever it becomes', async () => {
    await open()
    await place(authority, { get_wallet_address: { args: [owner], results: [target] } })
    const wallet = { get_wallet_data: { results: [5n, owner, authority, walletCode] } }
    await place(target, wallet)
    expect(await filledTables()).toEqual(['jetton_wallets'])
    // With its jetton's word for it withdrawn, as soon as it changes.
    await place(authority, { get_wallet_address: { args: [owner], results: [stranger] } })
    await place(target, wallet, beginCell().storeUint(1, 8).end())
    expect(await filledTables()).toEqual([])
    await place(authority, { get_wallet_address: { args: [owner], results: [target] } })
    await place(target, wallet, beginCell().storeUint(2, 8).end())
    expect(await filledTables()).toEqual(['jetton_wallets'])
    // A contract of several kinds, then one of none.
    await place(target, { ...wallet, get_nft_data: { results: item(none, offchain('https://made.test/')) } })
    expect(await filledTables()).toEqual(['jetton_wallets', 'nft_items'])
    await place(target, {})
    expect(await filledTables()).toEqual([])
    expect(scene.indexer.status().trouble).toBeNull()
  })

  test('transfers of a wallet that is confirmed late are not lost', async () => {
    await open()
    await place(target, { recv: {}, get_wallet_data: { results: [5n, owner, authority, walletCode] } })
    await scene.send({ from: owner, to: target, body: transferTo(stranger, 3n), bounce: false })
    expect(await scene.events('jetton_transfers')).toEqual([])
    await place(authority, { get_wallet_address: { args: [owner], results: [target] } })
    expect(await filledTables()).toEqual([])
    await scene.send({ from: owner, to: target, bounce: false })
    expect(await filledTables()).toEqual(['jetton_wallets'])
    expect(await scene.events('jetton_transfers')).toMatchObject([
      { source: keyOf(owner), destination: keyOf(stranger), amount: 40n, jetton: keyOf(authority), query_id: 3n },
    ])
  })
})
