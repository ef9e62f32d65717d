// Items and auctions that the index knows only from the next block on: what is emulated and pending is said as it is then.

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
import type { WalletContractV4 } from '@ton/ton'
import { beforeAll, expect, test } from 'vitest'
import { writeBoc } from '../../server/cell/index.ts'
import {
  nftTransferBody,
  offChainContent,
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
    ...{ to: addressOf(to), value, bounce: true },
    ...(body === undefined ? {} : { body: coreCell(body) }),
    ...(init === undefined ? {} : { init: { code: coreCell(init.code), data: coreCell(init.data) } }),
  })

const deploy = (contract: Deployment, sent: Sent): MessageRelaxed => toAccount(contract.address, sent, contract)

type Said = readonly (readonly unknown[])[]

/** What is told of an action, whatever its times. */
const said = (actions: unknown): Said =>
  (actions as readonly Fields[])
    .map(({ type, success, details }) => {
      const { nft_item, nft_item_index, nft_collection, price } = details as Fields
      return [type, success, nft_item, nft_item_index, nft_collection, price]
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
      ...{ marketplace: { workchain: 0, hash: new Uint8Array(32).fill(7) }, item: nft.address, owner: seller },
      ...{ minBid: 2n * coin, maxBid: 10n * coin, minStep: 10, endsAt: utime + 36_000, stepTime: 300 },
      ...{ fee: share, royalty: share, createdAt: utime },
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
