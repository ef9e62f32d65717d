// Items, what sells them, wallets of jettons and orders of a multisig that the index knows only from the next block on: what is
// emulated and pending is said as it is then.

import { isDeepStrictEqual } from 'node:util'
import {
  Address,
  beginCell,
  Cell,
  external,
  internal,
  type MessageRelaxed,
  SendMode,
  storeMessage,
  toNano,
} from '@ton/core'
import { keyPairFromSeed } from '@ton/crypto'
import { type WalletContractV4, WalletContractV5R1 } from '@ton/ton'
import { beforeAll, expect, test } from 'vitest'
import { writeBoc } from '../../server/cell/index.ts'
import {
  fixedPriceSale,
  jettonMasterInit,
  jettonTransferBody,
  jettonWalletInit,
  listingPayload,
  marketplace,
  multisigWallet,
  newOrderBody,
  nftTransferBody,
  offChainContent,
  orderCell,
  saleAcceptCoinsBody,
  saleAuction,
  singleNft,
  topUpBody,
} from '../../server/demo/contracts/index.ts'
import type { AccountId, Deployment } from '../../server/devchain/index.ts'
import { ask, queryOf } from '../setup/calls.ts'
import { fundedWallet } from '../setup/fundedWallet.ts'
import { forAllTests, serve } from '../setup/service.ts'
import { openSocket } from '../setup/streams.ts'
import { createScene, type Fields, TRACE } from './emulationScene.ts'

const service = forAllTests(() => serve({ withIndex: true, config: { mining: 'manual' } }))
const { client, emulated, indexed } = createScene(service)

const ROOM = 600_000
const coin = toNano(1)

let wallet: WalletContractV4
let secretKey: Buffer
let owner: AccountId
let seqno = 0

beforeAll(async () => {
  ;({ wallet, secretKey } = await fundedWallet(client()))
  owner = { workchain: 0, hash: wallet.address.hash }
  await indexed()
}, ROOM)

const coreCell = (cell: Parameters<typeof writeBoc>[0]): Cell => Cell.fromBoc(Buffer.from(writeBoc(cell)))[0] as Cell
const addressOf = ({ workchain, hash }: AccountId): Address => new Address(workchain, Buffer.from(hash))

interface Sent {
  readonly value: bigint
  readonly body?: Parameters<typeof writeBoc>[0]
}

const toAccount = (to: AccountId, { value, body }: Sent, init?: Deployment): MessageRelaxed =>
  internal({
    to: addressOf(to),
    value,
    bounce: true,
    ...(body === undefined ? {} : { body: coreCell(body) }),
    ...(init === undefined ? {} : { init: { code: coreCell(init.code), data: coreCell(init.data) } }),
  })

const deploy = (contract: Deployment, sent: Sent): MessageRelaxed => toAccount(contract.address, sent, contract)

type Said = readonly (readonly unknown[])[]

/** What is told of an action, whatever its times. */
const said = (actions: unknown): Said =>
  (actions as readonly Fields[])
    .map(({ type, success, details }) => {
      const { nft_item, nft_item_index, nft_collection, price, asset, receiver, full_price, order_seqno } =
        details as Fields
      return [
        type,
        success,
        nft_item ?? asset,
        nft_item_index ?? receiver ?? order_seqno,
        nft_collection,
        price ?? full_price,
      ]
    })
    .sort((a, b) => String(a).localeCompare(String(b)))

/** What an order of the wallet is said to do: emulated, then while it is pending, then in a block. */
async function sayings(...messages: readonly MessageRelaxed[]): Promise<readonly [Said, Said, Said]> {
  const sendMode = SendMode.PAY_GAS_SEPARATELY
  const body = wallet.createTransfer({ seqno, secretKey, sendMode, messages: [...messages] })
  const message = beginCell()
    .store(storeMessage(external({ to: wallet.address, body })))
    .endCell()
  const boc = message.toBoc().toString('base64')
  const hash = message.hash().toString('base64')
  const foreseen = await emulated(TRACE, { boc, with_actions: true })
  await client().sendBoc({ boc })
  seqno++
  const pending = await ask(service(), `/api/v3/pendingActions${queryOf({ ext_msg_hash: hash })}`)
  for (let i = 0; i < 12; i++) {
    await client().dev.mine({})
    await indexed()
    const { traces } = (await ask(service(), `/api/v3/traces${queryOf({ msg_hash: [hash] })}`)).body
    const [trace] = traces as readonly Fields[]
    if (trace?.is_incomplete !== false) continue
    const query = queryOf({ trace_id: [trace.trace_id], supported_action_types: 'latest' })
    const { actions } = (await ask(service(), `/api/v3/actions${query}`)).body
    return [said(foreseen.actions), said(pending.body.actions), said(actions)]
  }
  throw new Error('the trace does not end')
}

test(
  'an item that a wallet deploys, and one that is sold at once for the most an auction takes',
  async () => {
    const stream = await openSocket(service())
    const addresses = [wallet.address.toRawString()]
    await stream.say('subscribe', { types: ['actions'], addresses, min_finality: 'pending' })
    const foretold = (action: unknown) =>
      stream.frames.first(
        ({ type, finality, actions }) =>
          type === 'actions' && finality === 'pending' && said(actions).some((one) => isDeepStrictEqual(one, action)),
      )
    const nft = singleNft(7n, owner, offChainContent('https://nft.test/7.json'))
    const item = addressOf(nft.address).toRawString().toUpperCase()
    const [foreseen, pending, real] = await sayings(deploy(nft, { value: coin, body: topUpBody(0n) }))
    const minted = ['nft_mint', true, item, '7', null, undefined]
    expect(real).toContainEqual(minted)
    expect(foreseen).toEqual(real)
    expect(pending).toEqual(real)
    await foretold(minted)

    const { utime } = await client().dev.state()
    const share = { to: { workchain: 0, hash: new Uint8Array(32).fill(5) }, factor: 5, base: 100 }
    const seller: AccountId = { workchain: 0, hash: new Uint8Array(32).fill(6) }
    const auction = saleAuction({
      marketplace: { workchain: 0, hash: new Uint8Array(32).fill(7) },
      item: nft.address,
      owner: seller,
      minBid: 2n * coin,
      maxBid: 10n * coin,
      minStep: 10,
      endsAt: utime + 36_000,
      stepTime: 300,
      fee: share,
      royalty: share,
      createdAt: utime,
    })
    const body = nftTransferBody({ queryId: 1n, to: auction.address, responseTo: owner, forwardAmount: coin / 20n })
    await sayings(
      deploy(auction, { value: coin, body: saleAcceptCoinsBody(1n) }),
      toAccount(nft.address, { value: coin, body }),
    )
    const [bid, pendingBid, sold] = await sayings(toAccount(auction.address, { value: 11n * coin }))
    const bought = ['nft_transfer', true, item, '7', null, String(11n * coin)]
    expect(sold).toContainEqual(bought)
    expect(bid).toEqual(sold)
    expect(pendingBid).toEqual(sold)
    await foretold(bought)
  },
  ROOM,
)

test(
  'the first order to a wallet of jettons is what deploys it, as where a claim comes with it',
  async () => {
    const receiver: AccountId = { workchain: 0, hash: new Uint8Array(32).fill(8) }
    const master = jettonMasterInit({ admin: owner, content: offChainContent('https://jetton.test/j.json') })
    await sayings(deploy(master, { value: coin, body: topUpBody(0n) }))
    const [jetton, to] = [master.address, receiver].map((id) => addressOf(id).toRawString().toUpperCase())

    const body = jettonTransferBody({ queryId: 1n, amount: 0n, to: receiver, responseTo: owner })
    const [foreseen, pending, real] = await sayings(
      deploy(jettonWalletInit(master.address, owner), { value: coin, body }),
    )
    expect(real).toContainEqual(['jetton_transfer', true, jetton, to, undefined, undefined])
    expect(foreseen).toEqual(real)
    expect(pending).toEqual(real)
  },
  ROOM,
)

test(
  'a sale that a marketplace deploys for the item it is sent',
  async () => {
    const nft = singleNft(9n, owner, offChainContent('https://nft.test/9.json'))
    const market = marketplace(9)
    await sayings(
      deploy(nft, { value: coin, body: topUpBody(0n) }),
      deploy(market, { value: coin, body: topUpBody(0n) }),
    )
    const item = addressOf(nft.address).toRawString().toUpperCase()
    const { utime } = await client().dev.state()
    const sold = { marketplace: market.address, item: nft.address, owner, createdAt: utime }
    const fees = { feeTo: owner, fee: coin, royaltyTo: owner, royalty: coin }
    const forwardPayload = listingPayload(fixedPriceSale({ ...sold, ...fees, price: 30n * coin }))
    const forward = { forwardAmount: coin / 3n, forwardPayload }
    const body = nftTransferBody({ queryId: 1n, to: market.address, responseTo: owner, ...forward })
    const [foreseen, pending, real] = await sayings(toAccount(nft.address, { value: coin, body }))
    expect(real).toContainEqual(['nft_put_on_sale', true, item, '9', null, String(30n * coin)])
    expect(foreseen).toEqual(real)
    expect(pending).toEqual(real)
  },
  ROOM,
)

test(
  'a new order of a multisig, which its creator alone can have executed',
  async () => {
    const multisig = multisigWallet({ threshold: 1, signers: [owner], proposers: [] })
    await sayings(deploy(multisig, { value: coin, body: topUpBody(0n) }))
    const { utime } = await client().dev.state()
    const order = orderCell([{ kind: 'update', threshold: 1, signers: [owner], proposers: [owner] }])
    const by = { role: 'signer', index: 0 } as const
    const body = newOrderBody({ queryId: 1n, seqno: 0n, by, expiresAt: utime + 3600, order })
    const [foreseen, pending, real] = await sayings(toAccount(multisig.address, { value: coin, body }))
    expect(real).toContainEqual(['multisig_create_order', true, undefined, '0', undefined, undefined])
    expect(real).toContainEqual(['multisig_execute', true, undefined, '0', undefined, undefined])
    expect(foreseen).toEqual(real)
    expect(pending).toEqual(real)
  },
  ROOM,
)

test(
  'a request that another account brings to the wallet it deploys by it',
  async () => {
    const key = keyPairFromSeed(Buffer.alloc(32, 5))
    const relayed = WalletContractV5R1.create({ publicKey: key.publicKey })
    const paid = internal({ to: wallet.address, value: coin / 10n, bounce: false })
    const body = relayed.createTransfer({
      seqno: 0,
      authType: 'internal',
      secretKey: key.secretKey,
      timeout: 4_000_000_000,
      sendMode: SendMode.PAY_GAS_SEPARATELY | SendMode.IGNORE_ERRORS,
      messages: [paid],
    })
    const [foreseen, pending, real] = await sayings(
      internal({ to: relayed.address, value: coin, init: relayed.init, body, bounce: false }),
    )
    expect(real.map(([type]) => type)).toContain('gasless_request')
    expect(foreseen).toEqual(real)
    expect(pending).toEqual(real)
  },
  ROOM,
)
