// What holds of all families: they are taken for what they are, and strangers get nothing out of them.

import { generateKeyPairSync } from 'node:crypto'
import { beginCell, Cell } from '@ton/core'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { hashFromBytes, inOnePiece, openCell } from '../../../../server/cell/index.ts'
import {
  contractCode,
  type DemoContract,
  dnsAccountRecord,
  dnsAdnlRecord,
  dnsDomain,
  dnsOpenAuctionBody,
  dnsResolverRecord,
  dnsRoot,
  dnsStorageRecord,
  dnsTextRecord,
  dnsZone,
  fixedPriceSale,
  jettonMasterInit,
  jettonWalletInit,
  marketplace,
  multisigOrderOf,
  multisigWallet,
  nameItem,
  nftCollectionInit,
  nftItemInit,
  nftMintBody,
  offChainContent,
  onChainContent,
  saleAuction,
  singleNft,
  vestingWallet,
} from '../../../../server/demo/contracts/index.ts'
import { faucetAccount, walletAccounts, walletOfKind } from '../../../../server/devchain/accounts/index.ts'
import type { Deployment } from '../../../../server/devchain/contracts/index.ts'
import { detectInterfaces, methodIdsOf } from '../../../../server/interfaces/index.ts'
import { loadDnsRecord, loadingTokenContent } from '../../../../server/tlb/index.ts'
import type { Emulator } from '../../../../server/tvm/index.ts'
import { genesisTime, startTvm } from '../../devchain/actor.ts'
import { coin, Network, person } from '../../devchain/contracts/network.ts'

const owner = person(1)
const stranger = person(9)

test.each<[DemoContract, string[]]>([
  ['jetton/master', ['jetton_master']],
  ['jetton/wallet', ['jetton_wallet']],
  ['nft/collection', ['nft_collection']],
  ['nft/item', ['nft_item']],
  ['nft/soulbound', ['nft_item', 'sbt']],
  ['sale/fixedPrice', ['nft_auction_v1', 'nft_sale']],
  ['sale/auction', ['nft_auction_v1', 'nft_sale']],
  ['sale/nameItem', ['nft_item', 'teleitem']],
  ['dns/root', ['dns']],
  ['dns/collection', ['dns', 'nft_collection']],
  ['dns/item', ['dns', 'editable', 'nft_item']],
  ['multisig/multisig', ['multisig_v2']],
  ['multisig/order', ['multisig_order_v2']],
  ['staking/pool', ['daolama_vault', 'tv_pool']],
])('%s is taken for %j', (name, interfaces) => {
  const code = contractCode(name)
  expect(detectInterfaces(code.hash(), methodIdsOf(code))).toEqual(interfaces)
})

test('a vesting wallet is taken for a wallet, among others', () => {
  const code = contractCode('vesting/wallet')
  expect(detectInterfaces(code.hash(), methodIdsOf(code))).toContain('wallet_vesting')
})

describe('what is written is read again', () => {
  test('content of tokens', () => {
    const values = { name: 'Jetton', symbol: 'JTN', decimals: '9', description: 'long '.repeat(100) }
    expect(inOnePiece(loadingTokenContent(openCell(onChainContent(values))))).toEqual({ kind: 'onchain', values })
    const uri = `https://jetton.test/${'deep/'.repeat(50)}`
    expect(inOnePiece(loadingTokenContent(openCell(offChainContent(uri))))).toEqual({ kind: 'offchain', uri })
  })

  test('records of domains', () => {
    const read = (record: ReturnType<typeof dnsTextRecord>) => loadDnsRecord(openCell(record))
    const bytes = new Uint8Array(32).fill(7)
    expect(read(dnsAccountRecord(owner))).toMatchObject({ kind: 'smcAddress', address: owner, flags: 0 })
    expect(read(dnsResolverRecord(owner))).toMatchObject({ kind: 'nextResolver', address: owner })
    expect(read(dnsAdnlRecord(bytes))).toMatchObject({ kind: 'adnlAddress', adnl: bytes })
    expect(read(dnsStorageRecord(bytes))).toMatchObject({ kind: 'storageAddress', bagId: bytes })
    for (const text of ['', 'short', 'x'.repeat(123), 'x'.repeat(124), 'ü'.repeat(2000)])
      expect(read(dnsTextRecord(text))).toEqual({ kind: 'text', text })
    expect(() => dnsTextRecord('x'.repeat(40_000))).toThrow(RangeError)
  })
})

const content = offChainContent('https://tokens.test/')
const royalty = { numerator: 1, denominator: 10, destination: owner }
const collection = nftCollectionInit({ owner, content, commonLink: 'https://tokens.test/', royalty })
const badges = nftCollectionInit({ owner, content, commonLink: '', royalty, itemKind: 'nft/soulbound' })
const zone = dnsZone(content)
const master = jettonMasterInit({ admin: owner, content })
const lone = singleNft(1n, owner, content)
const share = { to: owner, factor: 1, base: 10 }
const multisig = multisigWallet({ threshold: 1, signers: [owner], proposers: [] })
const key = generateKeyPairSync('ed25519').publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
const listed = { marketplace: owner, item: lone.address, owner, createdAt: genesisTime }
const price = { price: coin, feeTo: owner, fee: 0n, royaltyTo: owner, royalty: 0n }
const bids = { minBid: coin, minStep: 5, endsAt: genesisTime + 99, stepTime: 9, fee: share, royalty: share }
const terms = { beneficiary: owner, initialMinBid: coin, minBidStep: 5, minExtendTime: 60, duration: 99 }
const [payer = faucetAccount()] = walletAccounts(-3)
const times = { start: genesisTime, totalDuration: 100, unlockPeriod: 10, cliffDuration: 0, totalAmount: coin }

const contracts: Readonly<Record<string, Deployment>> = {
  master,
  wallet: jettonWalletInit(master.address, owner),
  collection,
  item: nftItemInit(collection.address, 0n),
  single: lone,
  badge: nftItemInit(badges.address, 0n, 'nft/soulbound'),
  sale: fixedPriceSale({ ...listed, ...price }),
  auction: saleAuction({ ...listed, ...bids }),
  saleV4: fixedPriceSale({ ...listed, ...price }, 4),
  auctionV4: saleAuction({ ...listed, ...bids }, 4),
  name: nameItem({ name: 'durov', content, royalty, terms, endsAt: genesisTime + 99 }),
  highload: { ...walletOfKind(payer, 'highload', { globalId: -3 }) },
  marketplace: marketplace(),
  root: dnsRoot(owner, { ton: zone.address }),
  zone,
  domain: dnsDomain(zone.address, 'alice'),
  multisig,
  order: multisigOrderOf(multisig.address, 0n),
  vesting: vestingWallet({ subwalletId: 1, publicKey: key, ...times, sender: owner, owner }),
}

const ops = [
  0, 1, 2, 3, 4, 0x15, 0x0f8a7ea5, 0x178d4519, 0x595f07bc, 0x7bdd97de, 0x642b7d07, 0x6501f354, 0xfb88e119, 0x7431f221,
  0xcb862902, 0x61688dae, 0x2c76b973, 0x5fcc3d14, 0x05138d91, 0x2fcb26a2, 0x693d3950, 0x04ded148, 0xd0c3bfea,
  0x1f04537a, 0x6f89f5e3, 0xd136d3b3, 0x6c6c2080, 0x5616c572, 0x20c9eb18, 0xb95616b6, 0x4eb1f0f9, 0x4ed14b65,
  0x370fec51, 0xf718510f, 0x75097f5d, 0xa32c59bf, 0x9c73fba2, 0xa762230f, 0xa7733acd, 0x7258a69b, 0xd53276db,
]
const body = fc
  .record({ op: fc.constantFrom(...ops), tail: fc.uint8Array({ maxLength: 100 }), refs: fc.nat(3), spare: fc.nat(7) })
  .map(({ op, tail, refs, spare }) => {
    const builder = beginCell().storeUint(op, 32).storeBuffer(Buffer.from(tail)).storeUint(0, spare)
    for (let count = 0; count < refs; count++) builder.storeRef(beginCell().storeBuffer(Buffer.from(tail)).endCell())
    return builder.endCell()
  })

describe('strangers', () => {
  let executor: Emulator
  let network: Network
  beforeAll(async () => {
    executor = await startTvm()
    network = new Network(executor)
    for (const contract of Object.values(contracts)) network.place(contract, 10n * coin)
    for (const [place, kind] of [
      [collection, {}],
      [badges, { authority: owner }],
    ] as const) {
      network.place(place, 10n * coin)
      const item = { owner, content, value: coin, ...kind }
      network.send({ from: owner, to: place.address, value: 5n * coin, body: nftMintBody(1n, 0n, item) })
    }
    network.send({ from: owner, to: zone.address, value: 60n * coin, body: dnsOpenAuctionBody('alice') })
  })

  test.each(Object.keys(contracts))('get no coins out of a %s, and cannot stop it', (name) => {
    const contract = contracts[name] as Deployment
    const code = hashFromBytes(contract.code.hashBytes())
    fc.assert(
      fc.property(body, fc.bigInt(0n, 2n * coin), (message, value) => {
        const before = network.balance(contract.address)
        network.send({ from: stranger, to: contract.address, value, body: message })
        expect(network.balance(contract.address)).toBeGreaterThanOrEqual(before)
        const now = network.state(contract.address)?.state.code ?? Cell.EMPTY
        expect(hashFromBytes(now.hash())).toBe(code)
        expect(network.external(contract.address, message)).toHaveProperty('refused')
      }),
      { numRuns: 12 },
    )
  })
})
