// The older of the usual libraries, which builds messages and reads get-methods in a way of its own, against our contracts.

import { createRequire } from 'node:module'
import { Address, Cell, type TupleItem } from '@ton/core'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  jettonMasterInit,
  jettonWalletInit,
  linkPart,
  nftCollectionInit,
  nftItemInit,
  nftMintBody,
  offChainContent,
} from '../../../../server/demo/contracts/index.ts'
import type { AccountId } from '../../../../server/node/index.ts'
import type { Emulator } from '../../../../server/tvm/index.ts'
import { startTvm } from '../../devchain/actor.ts'
import { coin, Network, ownAddress, person, raw, stepsOf } from '../../devchain/contracts/network.ts'

interface Amount {
  toString(): string
}
interface WebAddress {
  toString(isFriendly: boolean): string
}
interface WebCell {
  toBoc(hasIndex: boolean): Promise<Uint8Array>
}
type Call = (address: string, method: string, params?: [string, string][]) => Promise<unknown>
interface Provider {
  call2: Call
}
type Make<T> = new (provider: Provider, options: { address: string; royalty?: number }) => T

/** The part of the library that is used here: what it declares of itself differs from what it does. */
interface Library {
  readonly boc: { Cell: { oneFromBoc(boc: Uint8Array): WebCell } }
  readonly utils: { BN: new (digits: string) => Amount; Address: new (text: string) => WebAddress }
  readonly token: {
    readonly jetton: {
      readonly JettonMinter: Make<{
        getJettonData(): Promise<{
          totalSupply: Amount
          isMutable: boolean
          adminAddress: WebAddress
          jettonContentUri: string
        }>
        getJettonWalletAddress(owner: WebAddress): Promise<WebAddress>
        createMintBody(mint: { jettonAmount: Amount; destination: WebAddress; amount: Amount }): WebCell
      }>
      readonly JettonWallet: Make<{
        getData(): Promise<{ balance: Amount; ownerAddress: WebAddress; jettonMinterAddress: WebAddress }>
        createTransferBody(transfer: Record<string, unknown>): Promise<WebCell>
        createBurnBody(burn: Record<string, unknown>): Promise<WebCell>
      }>
    }
    readonly nft: {
      readonly NftCollection: Make<{
        getCollectionData(): Promise<{ nextItemIndex: number; ownerAddress: WebAddress; collectionContentUri: string }>
        getNftItemAddressByIndex(index: number): Promise<WebAddress>
        getRoyaltyParams(): Promise<{ royalty: number; royaltyAddress: WebAddress }>
        getNftItemContent(item: object): Promise<{ contentUri: string }>
      }>
      readonly NftItem: Make<{
        getData(): Promise<{ isInitialized: boolean; index: number; ownerAddress: WebAddress }>
        createTransferBody(transfer: Record<string, unknown>): Promise<WebCell>
      }>
    }
  }
}
const web: Library = createRequire(import.meta.url)('tonweb')

const admin = person(1)
const alice = person(2)
const bob = person(3)
const master = jettonMasterInit({ admin, content: offChainContent('https://jetton.test/info.json') })
const wallet = (owner: AccountId) => jettonWalletInit(master.address, owner).address
const collection = nftCollectionInit({
  owner: admin,
  content: offChainContent('https://nft.test/collection.json'),
  commonLink: 'https://nft.test/',
  royalty: { numerator: 1, denominator: 20, destination: alice },
})
const item = nftItemInit(collection.address, 0n).address

let executor: Emulator
let network: Network
beforeAll(async () => {
  executor = await startTvm()
})
beforeEach(() => {
  network = new Network(executor)
  network.send({ from: admin, to: master })
  network.send({ from: admin, to: collection })
  const first = { owner: alice, content: linkPart('0.json'), value: coin / 10n }
  network.send({ from: admin, to: collection.address, body: nftMintBody(1n, 0n, first) })
})

const toWeb = (cell: Cell): WebCell => web.boc.Cell.oneFromBoc(new Uint8Array(cell.toBoc()))
const fromWeb = async (cell: WebCell): Promise<Cell> =>
  Cell.fromBoc(Buffer.from(await cell.toBoc(false)))[0] ?? Cell.EMPTY
const webAddress = (account: AccountId): WebAddress => new web.utils.Address(raw(account))
const amount = (value: bigint): Amount => new web.utils.BN(String(value))
const plain = (address: WebAddress | undefined): string | undefined => address?.toString(false)

function value(entry: TupleItem): unknown {
  if (entry.type === 'int') return amount(entry.value)
  return 'cell' in entry ? toWeb(entry.cell) : null
}
const provider: Provider = {
  call2: async (address, method, params = []) => {
    const args = params.map(([kind, text]): TupleItem => {
      if (kind === 'num') return { type: 'int', value: BigInt(text) }
      return { type: kind === 'tvm.Slice' ? 'slice' : 'cell', cell: Cell.fromBase64(text) }
    })
    const stack = network.get(ownAddress(Address.parse(address)), method, args)
    const values = Array.from({ length: stack.remaining }, () => value(stack.pop()))
    return values.length === 1 ? values[0] : values
  },
}
const at = (account: AccountId) => ({ address: raw(account) })
const { JettonMinter, JettonWallet } = web.token.jetton
const { NftCollection, NftItem } = web.token.nft

describe('tonweb', () => {
  test('default: mints, transfers and burns jettons, and reads what there is of them', async () => {
    const minter = new JettonMinter(provider, at(master.address))
    const mint = minter.createMintBody({
      jettonAmount: amount(500n),
      destination: webAddress(alice),
      amount: amount(coin / 5n),
    })
    network.send({ from: admin, to: master.address, body: await fromWeb(mint) })
    const purse = new JettonWallet(provider, at(wallet(alice)))
    const common = { queryId: 3, responseAddress: webAddress(alice) }
    const transfer = { ...common, jettonAmount: amount(200n), toAddress: webAddress(bob), forwardAmount: amount(1n) }
    const body = await fromWeb(await purse.createTransferBody(transfer))
    expect(stepsOf(network.send({ from: alice, to: wallet(alice), body })).slice(1)).toEqual([
      '0x178d4519',
      '0x7362d09c',
      '0xd53276db',
    ])
    const burn = await fromWeb(await purse.createBurnBody({ ...common, jettonAmount: amount(50n) }))
    expect(stepsOf(network.send({ from: alice, to: wallet(alice), body: burn }))).toEqual([
      '0x595f07bc',
      '0x7bdd97de',
      '0xd53276db',
    ])

    const data = await minter.getJettonData()
    expect([String(data.totalSupply), data.isMutable, data.jettonContentUri]).toEqual([
      '450',
      true,
      'https://jetton.test/info.json',
    ])
    expect(plain(data.adminAddress)).toBe(raw(admin))
    expect(plain(await minter.getJettonWalletAddress(webAddress(bob)))).toBe(raw(wallet(bob)))
    const held = await purse.getData()
    expect([String(held.balance), plain(held.ownerAddress), plain(held.jettonMinterAddress)]).toEqual([
      '250',
      raw(alice),
      raw(master.address),
    ])
  })

  test('default: reads a collection, and reads and transfers its items', async () => {
    const place = new NftCollection(provider, { ...at(collection.address), royalty: 0 })
    const data = await place.getCollectionData()
    expect([data.nextItemIndex, data.collectionContentUri]).toEqual([1, 'https://nft.test/collection.json'])
    expect(plain(data.ownerAddress)).toBe(raw(admin))
    expect(plain(await place.getNftItemAddressByIndex(0))).toBe(raw(item))
    const share = await place.getRoyaltyParams()
    expect([share.royalty, plain(share.royaltyAddress)]).toEqual([0.05, raw(alice)])

    const thing = new NftItem(provider, at(item))
    const found = await thing.getData()
    expect([found.isInitialized, found.index, plain(found.ownerAddress)]).toEqual([true, 0, raw(alice)])
    expect((await place.getNftItemContent(thing)).contentUri).toBe('https://nft.test/0.json')
    const transfer = { newOwnerAddress: webAddress(bob), responseAddress: webAddress(alice), forwardAmount: amount(1n) }
    network.send({ from: alice, to: item, body: await fromWeb(await thing.createTransferBody(transfer)) })
    expect(plain((await thing.getData()).ownerAddress)).toBe(raw(bob))
  })
})
