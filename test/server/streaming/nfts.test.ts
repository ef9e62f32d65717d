// Owners of NFT items: who hears of a change, what it says, and that each comes once, whatever happens in between.

import { beginCell, type Cell, storeStateInit } from '@ton/core'
import { expect, test } from 'vitest'
import { createClient } from '../../../client/index.ts'
import { stream } from '../../../client/ws.ts'
import type { Cell as OwnCell } from '../../../server/cell/index.ts'
import {
  linkPart,
  nftCollectionInit,
  nftItemInit,
  nftMintBody,
  offChainContent,
  singleNft,
  soulboundDestroyBody,
} from '../../../server/demo/contracts/index.ts'
import type { AccountId } from '../../../server/node/index.ts'
import { ask } from '../../setup/calls.ts'
import { forAllTests, serve } from '../../setup/service.ts'
import { eventually, type Frame, openEvents, openSocket } from '../../setup/streams.ts'
import { openReceiver, webhooksOf } from '../../setup/webhooks.ts'
import { core } from '../devchain/actor.ts'
import { person as accountId } from '../devchain/contracts/network.ts'

const service = forAllTests(() => serve({ withIndex: true, config: { webhookPrivate: true } }))
const client = () => createClient({ url: service().url, retry: false, timeoutMs: 300_000 })

const person = (n: number) => `0:${n.toString(16).toUpperCase().padStart(2, '0').repeat(32)}`
const rawIn = ({ workchain, hash }: AccountId) => `${workchain}:${Buffer.from(hash).toString('hex').toUpperCase()}`
const bocOf = (cell: Cell) => cell.toBoc().toString('base64')
const types = ['nfts_change']
const TRANSFER = 0x5fcc3d14

/** Moves an item by its owner, as TEP-62 has it. */
async function move(item: string, from: string, to: string) {
  const owner = beginCell()
    .storeUint(4, 3)
    .storeInt(0, 8)
    .storeBuffer(Buffer.from(to.slice(2), 'hex'))
  const body = beginCell()
    .storeUint(TRANSFER, 32)
    .storeUint(1, 64)
    .storeBuilder(owner)
    .storeUint(0, 2 + 1 + 4 + 1)
    .endCell()
  const text = body.toBoc().toString('base64')
  return await client().dev.sendInternal({ from, to: item, value: '200000000', body: text, bounce: true })
}

/** A new item of an account, in the collection of all of them. */
async function mint(address: string) {
  const { item, collection } = await client().dev.nft({ address })
  return { item: item.toUpperCase(), collection: collection.toUpperCase() }
}

async function follow(addresses: readonly string[], more: Frame = {}) {
  const socket = await openSocket(service())
  expect(await socket.say('subscribe', { types, addresses, ...more })).toMatchObject({ status: 'subscribed' })
  return socket
}

const ownersIn = (notices: readonly Frame[]) =>
  notices.map(({ nft }) => [(nft as Frame).old_owner, (nft as Frame).new_owner])

test('the item, the owner before, the owner after and the collection hear of each change, and no other', async () => {
  const [alice, bob, carol, dave] = [person(0xa1), person(0xb1), person(0xc1), person(0xd1)]
  const all = await follow(['*'])
  const [ofAlice, ofBob, ofDave] = await Promise.all([follow([alice]), follow([bob]), follow([dave, carol])])
  const { item, collection } = await mint(alice)
  const [minted] = (await all.frames.count(2)).slice(1)
  const [ofItem, ofCollection] = await Promise.all([follow([item]), follow([collection])])
  const { nft_transfers: none = [] } = (await ask(service(), `/api/v3/nft/transfers?item_address=${item}`)).body
  expect(none).toEqual([])
  expect(minted).toEqual({
    type: 'nfts_change',
    finality: 'finalized',
    nft: {
      nft_address: item,
      nft_collection: collection,
      old_owner: null,
      new_owner: alice,
      transaction_hash: expect.any(String),
      transaction_lt: expect.stringMatching(/^\d+$/),
      transaction_now: expect.any(Number),
      trace_id: expect.any(String),
    },
    cursor: expect.any(String),
  })
  const { tx_hash: sent } = await move(item, alice, bob)
  const moved = (await all.frames.count(3)).at(-1) as Frame
  expect(ownersIn([moved])).toEqual([[alice, bob]])
  expect((moved.nft as Frame).transaction_hash).toBe(sent)
  const { nft_transfers: transfers } = (await ask(service(), `/api/v3/nft/transfers?item_address=${item}`)).body
  expect((transfers as Frame[])[0]).toMatchObject(moved.nft as Frame)

  await ofBob.frames.count(2)
  await ofItem.frames.count(2)
  await ofCollection.frames.count(2)
  await ofAlice.frames.count(3)
  expect([ofAlice, ofBob, ofItem, ofCollection, ofDave].map((one) => one.notices())).toEqual([
    [minted, moved],
    [moved],
    [moved],
    [moved],
    [],
  ])
})

test('of a change before it was final, and with names', async () => {
  const [dave, erin] = [person(0xa2), person(0xb2)]
  const early = await follow([dave], { min_finality: 'confirmed', include_address_book: true, include_metadata: true })
  const { item, collection } = await mint(dave)
  await move(item, dave, erin)
  const notices = await eventually(() => (early.notices().length >= 4 ? early.notices() : undefined))
  expect(notices.map(({ finality }) => finality)).toEqual(['confirmed', 'finalized', 'confirmed', 'finalized'])
  expect(ownersIn(notices)).toEqual([
    [null, dave],
    [null, dave],
    [dave, erin],
    [dave, erin],
  ])
  for (const { nft, address_book, metadata } of notices) {
    expect((nft as Frame).nft_collection).toBe(collection)
    expect(Object.keys(address_book as Frame)).toEqual(expect.arrayContaining([item, collection, dave]))
    expect(Object.keys(metadata as Frame)).toEqual(expect.arrayContaining([item, collection]))
  }
})

test('what was missed comes from a cursor, for each who may want it: each change exactly once', async () => {
  const [fay, guy, hal] = [person(0xa3), person(0xb3), person(0xc3)]
  const receiver = await openReceiver()
  await webhooksOf(service()).add(receiver.url, { types, addresses: [fay] })
  const all = await follow(['*'])
  const { item, collection } = await mint(fay)
  await move(item, fay, guy)
  await move(item, guy, hal)
  await move(item, hal, fay)
  const [first, ...rest] = (await all.frames.count(5)).slice(1)
  expect(ownersIn(rest)).toEqual([
    [fay, guy],
    [guy, hal],
    [hal, fay],
  ])
  const wanted = {
    [fay]: [0, 2],
    [guy]: [0, 1],
    [hal]: [1, 2],
    [item]: [0, 1, 2],
    [collection]: [0, 1, 2],
    '*': [0, 1, 2],
  }
  for (const [address, places] of Object.entries(wanted)) {
    const later = await openEvents(service(), { types, addresses: [address], after: first?.cursor })
    await later.frames.count(1 + places.length)
    expect([address, later.notices()]).toEqual([address, places.map((place) => rest[place])])
  }
  const posted = await receiver.count(3)
  expect(posted.map(({ body }) => body)).toEqual([first, rest[0], rest[2]])
  const typed = stream({ url: service().url, types: ['nfts_change'], addresses: [fay], after: String(first?.cursor) })
  const { value } = await typed.next()
  expect(value?.type === 'nfts_change' && value.nft.new_owner).toBe(guy)
  await typed.return(undefined)
})

test('a block that is undone takes its change back: what comes then is of the owner that it has again', async () => {
  const [ida, jon, kim] = [person(0xa4), person(0xb4), person(0xc4)]
  const { item } = await mint(ida)
  const { id } = await client().dev.snapshot()
  const all = await follow([item])
  await move(item, ida, jon)
  await all.frames.count(2)
  await client().dev.revert({ id })
  await all.frames.first(({ type }) => type === 'chain_reverted')
  await move(item, ida, kim)
  await all.frames.count(4)
  expect(all.notices().map(({ type, nft }) => (nft === undefined ? type : ownersIn([{ nft }])[0]))).toEqual([
    [ida, jon],
    'chain_reverted',
    [ida, kim],
  ])
})

test('an item that says it is of a collection is not, unless the collection says so too', async () => {
  const [liam, mia] = [person(0xa5), person(0xb5)]
  const { item, collection } = await mint(liam)
  const { code, data } = await client().getAddressInformation({ address: item })
  const liar = person(0xe5)
  await client().dev.setAccount({ address: liar, balance: '1000000000', code: String(code), data: String(data) })
  const [ofCollection, ofLiar] = await Promise.all([follow([collection]), follow([liar])])
  await move(liar, liam, mia)
  await move(item, liam, mia)
  await ofCollection.frames.count(2)
  expect(ofCollection.notices().map(({ nft }) => (nft as Frame).nft_address)).toEqual([item])
  expect(ofLiar.notices().map(({ nft }) => (nft as Frame).nft_collection)).not.toContain(collection)
})

test('one that is destroyed has no owner any more; one of an unknown collection has none of these', async () => {
  const [school, owner] = [accountId(0xa6), accountId(0xb6)]
  const royalty = { numerator: 0, denominator: 1, destination: school }
  const link = offChainContent('https://sbt.test/')
  const parts = { owner: school, content: link, commonLink: 'https://sbt.test/', royalty }
  const made = nftCollectionInit({ ...parts, itemKind: 'nft/soulbound' })
  const [collection, item] = [made.address, nftItemInit(made.address, 0n, 'nft/soulbound').address].map(rawIn)
  const send = async (from: string, to: string, body: OwnCell, init?: Cell) =>
    await client().dev.sendInternal({
      from,
      to,
      value: '300000000',
      body: bocOf(core(body)),
      bounce: false,
      ...(init === undefined ? {} : { init: bocOf(init) }),
    })
  const all = await follow([person(0xb6)])
  const init = beginCell()
    .store(storeStateInit({ code: core(made.code), data: core(made.data) }))
    .endCell()
  const mintBody = nftMintBody(1n, 0n, { owner, content: linkPart('0.json'), value: 100_000_000n })
  await send(person(0xa6), collection ?? '', mintBody, init)
  await all.frames.count(2)
  await send(person(0xb6), item ?? '', soulboundDestroyBody(2n))
  await all.frames.count(3)
  expect(ownersIn(all.notices())).toEqual([
    [null, person(0xb6)],
    [person(0xb6), null],
  ])
  expect(all.notices().map(({ nft }) => (nft as Frame).nft_collection)).toEqual([collection, collection])

  const single = singleNft(7n, owner, offChainContent('https://one.test/'))
  const alone = rawIn(single.address)
  const data = { code: bocOf(core(single.code)), data: bocOf(core(single.data)) }
  await client().dev.setAccount({ address: alone, balance: '1000000000', ...data })
  await move(alone, person(0xb6), person(0xa6))
  const last = (await all.frames.count(4)).at(-1)
  expect(last?.nft).toMatchObject({
    nft_address: alone,
    nft_collection: null,
    old_owner: person(0xb6),
    new_owner: person(0xa6),
  })
})
