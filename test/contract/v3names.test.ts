// Names, auctions of names, wallets of several owners and locked ones, and their address book.

import { Address, beginCell, type Cell, Dictionary, internal, SendMode, storeMessageRelaxed, toNano } from '@ton/core'
import { describe, expect, test } from 'vitest'
import { rawOfKey } from '../../server/methods/keyOfAccount.ts'
import { type AccountKey, type DnsRecordRow, type MultisigOrderRow, sql } from '../../server/store/index.ts'
import { toBase64 } from '../../shared/base64.ts'
import { insertAssets } from '../setup/assetTables.ts'
import { keyOf } from '../setup/filledAccounts.ts'
import { assetsForAll, hexOf, overRpc, type Params, rowsIn, sortedBy } from '../setup/v3Assets.ts'

const NOW = 1_755_000_000
const running = assetsForAll({ rows: 240, people: 8 }, NOW)

const raw = rawOfKey
const rows = () => running().rows
const addresses = (found: readonly Params[]) => found.map(({ address }) => address)
const is = (a: AccountKey | null | undefined, b: AccountKey) => a != null && hexOf(a) === hexOf(b)
const given = <T>(value: T | null | undefined): T => {
  if (value == null) throw new Error('no row')
  return value
}

describe('names', () => {
  const wallet = () => given(rows().dnsRecords.find((one) => one.wallet && is(one.owner, one.wallet))?.wallet)

  test('that lead to a wallet, the shortest first', async () => {
    const own = rows().dnsRecords.filter((one) => is(one.wallet, wallet()))
    const sorted = sortedBy(own, ({ domain, account }) => [domain.length, domain, hexOf(account)])
    const found = await running().all('dns/records', { wallet: raw(wallet()) })
    expect(found.map(({ domain }) => domain)).toEqual(sorted.map(({ domain }) => domain))
    expect(sorted.length).toBeGreaterThan(3)
  })

  test('one of them, by all of its letters', async () => {
    const { get } = running()
    const record = given(rows().dnsRecords.find(({ siteAdnl, nextResolver }) => siteAdnl && nextResolver))
    const body = await get('dns/records', { domain: record.domain })
    expect(body.records).toEqual([
      {
        nft_item_address: raw(record.account),
        nft_item_owner: record.owner && raw(record.owner),
        domain: record.domain,
        dns_next_resolver: raw(given(record.nextResolver)),
        dns_wallet: record.wallet && raw(record.wallet),
        dns_site_adnl: toBase64(given(record.siteAdnl)),
        dns_storage_bag_id: record.storageBag && toBase64(record.storageBag),
      },
    ])
    const booked = [record.account, record.owner, record.wallet].filter((one) => one !== null).map(raw)
    expect(Object.keys(body.address_book as Params).sort()).toEqual([...new Set(booked)].sort())
    expect(body).not.toHaveProperty('metadata')
    expect((await get('dns/records', { domain: record.domain.toUpperCase() })).records).toEqual([])
  })

  test('are requested by one of the two', async () => {
    const { refused } = running()
    const neither = 'either wallet address or domain is required'
    expect(await refused('dns/records', {})).toEqual([422, neither])
    expect(await refused('dns/records', { domain: '' })).toEqual([422, neither])
    expect(await refused('dns/records', { domain: '', wallet: '' })).toEqual([422, neither])
    const both = 'provide either wallet address or domain, not both'
    expect(await refused('dns/records', { domain: 'a.ton', wallet: raw(wallet()) })).toEqual([422, both])
    expect(await refused('dns/records', { wallet: 'x' })).toEqual([422, expect.stringContaining('"wallet"')])
  })

  test('an account is called by the shortest name that is its own and leads to it', async () => {
    const { store, get } = running()
    const owner = keyOf(0, new Uint8Array(32).fill(0x61))
    const other = keyOf(0, new Uint8Array(32).fill(0x62))
    const named = (at: number, domain: string, ends: Partial<DnsRecordRow>): DnsRecordRow => ({
      ...given(rows().dnsRecords[0]),
      account: keyOf(0, new Uint8Array(32).fill(at)),
      domain,
      owner,
      wallet: owner,
      maxBidder: null,
      auctionEnd: null,
      ...ends,
    })
    const records = [
      named(1, 'longer-name.ton', {}),
      named(2, 'nameb.ton', {}),
      named(3, 'namea.ton', {}),
      named(4, 'a.ton', { owner: other }),
      named(5, 'b.ton', { wallet: other }),
    ]
    await store.transaction((to) => insertAssets(to, { dnsRecords: records }))
    const book = async () => ((await get('addressBook', { address: raw(owner) })) as Record<string, Params>)[raw(owner)]
    // An account has no name before it was seen.
    expect((await book())?.domain).toBe(null)
    const seen = sql`insert into accounts (account, hash, balance, extra, status, last_tx_hash, last_tx_lt, mc_seqno)
      values (${owner}, ${new Uint8Array(32)}, 0, '{}', 'uninit', ${new Uint8Array(32)}, 5, 5)`
    await store.transaction((to) => to.query(seen))
    expect((await book())?.domain).toBe('namea.ton')
  })
})

describe('auctions', () => {
  const auctions = (bidder: AccountKey) =>
    sortedBy(
      rows().dnsRecords.filter(({ maxBidder, auctionEnd }) => is(maxBidder, bidder) && auctionEnd !== null),
      ({ auctionEnd, account }) => [auctionEnd ?? 0n, raw(account)],
    )
  const bidder = () =>
    given(rows().dnsRecords.find(({ maxBidder }) => maxBidder && auctions(maxBidder).length > 12)?.maxBidder)
  const items = (found: readonly Params[]) => found.map(({ nft_item_address }) => nft_item_address)
  const all = (some: readonly DnsRecordRow[]) => some.map(({ account }) => raw(account))

  test('by when they end, all of them or those that have', async () => {
    const own = auctions(bidder())
    const over = own.filter(({ auctionEnd }) => given(auctionEnd) <= BigInt(NOW))
    expect(over.length).toBeGreaterThan(0)
    expect(over.length).toBeLessThan(own.length)
    const found = async (state?: string) =>
      items(
        await running().all('dns/activeAuctions', { bidder: raw(bidder()), ...(state === undefined ? {} : { state }) }),
      )
    expect(await found()).toEqual(all(own))
    expect(await found('')).toEqual(all(own))
    expect(await found('won')).toEqual(all(over))
    expect(await found('bidding')).toEqual(all(own.filter((one) => !over.includes(one))))
  })

  test('go on behind the last one of a page', async () => {
    const seen: Params[] = []
    let after: unknown
    for (let page = 0; page < 20; page++) {
      const params = { bidder: raw(bidder()), limit: 5, ...(after === undefined ? {} : { after }) }
      const body = await running().get('dns/activeAuctions', params)
      seen.push(...rowsIn(body))
      if (body.next_cursor === null) break
      after = body.next_cursor
      const [, time, address] = given(/^(\d{20}):(.+)$/.exec(Buffer.from(String(after), 'base64url').toString()))
      expect([String(BigInt(given(time))), address]).toEqual([
        seen.at(-1)?.auction_end_time,
        seen.at(-1)?.nft_item_address,
      ])
    }
    expect(items(seen)).toEqual(all(auctions(bidder())))
  })

  test('say what is bid, and what for', async () => {
    const record = given(auctions(bidder())[0])
    const params = { bidder: raw(bidder()), limit: 1, include_nft_items: true }
    const body = await running().get('dns/activeAuctions', params)
    expect(rowsIn(body)[0]).toEqual({
      nft_item_address: raw(record.account),
      domain: record.domain,
      max_bid_address: raw(bidder()),
      max_bid_amount: String(record.maxBid),
      auction_end_time: String(record.auctionEnd),
      last_fill_up_time: String(record.lastFillUp),
      finished: given(record.auctionEnd) <= BigInt(NOW),
      nft_item: expect.objectContaining({ address: raw(record.account) }),
    })
    expect(Object.keys(body.metadata as Params)).toContain(raw(record.account))
    const bare = await running().get('dns/activeAuctions', { bidder: raw(bidder()), limit: 1 })
    expect(rowsIn(bare)[0]).not.toHaveProperty('nft_item')
  })

  test.each([
    [{}, 'bidder address is required'],
    [{ bidder: '' }, 'bidder address is required'],
    [{ bidder: 'x' }, '"bidder"'],
    [{ bidder: `0:${'0'.repeat(64)}`, state: 'lost' }, 'state must be one of: all, won, bidding'],
    [{ bidder: `0:${'0'.repeat(64)}`, after: 'x' }, 'invalid after cursor'],
    [
      {
        bidder: `0:${'0'.repeat(64)}`,
        after: Buffer.from(`${'9'.repeat(20)}:0:${'0'.repeat(64)}`).toString('base64url'),
      },
      'invalid after cursor',
    ],
    [{ bidder: `0:${'0'.repeat(64)}`, after: 'x', offset: 1 }, 'use either after or offset, not both'],
    [{ bidder: `0:${'0'.repeat(64)}`, limit: 1001 }, 'limit is not allowed'],
  ])('refuse %j', async (params, words) => {
    expect(await running().refused('dns/activeAuctions', params)).toEqual([422, expect.stringContaining(words)])
  })
})

describe('multisigs', () => {
  const newest = <T extends { readonly lastTxLt: bigint; readonly account: AccountKey }>(some: readonly T[]) =>
    sortedBy(some, ({ lastTxLt, account }) => [lastTxLt, hexOf(account)]).reverse()
  const named = (some: readonly { readonly account: AccountKey }[]) => some.map(({ account }) => raw(account))
  const one = () =>
    given(
      rows().multisigs.find(({ account }) => rows().multisigOrders.filter((o) => is(o.multisig, account)).length > 1),
    )

  test('of the account that may sign or propose, those that did something last first', async () => {
    const { all } = running()
    const who = given(one().signers[0])
    const own = rows().multisigs.filter(({ signers, proposers }) =>
      [...signers, ...proposers].some((key) => is(key, who)),
    )
    expect(addresses(await all('multisig/wallets', { wallet_address: raw(who) }))).toEqual(named(newest(own)))
    const ascending = await all('multisig/wallets', { wallet_address: raw(who), sort: 'asc' })
    expect(addresses(ascending)).toEqual(named(newest(own)).reverse())
    const both = { wallet_address: raw(who), address: named([one(), given(own.at(-1))]) }
    expect(addresses(await all('multisig/wallets', both))).toEqual(
      named(newest([...new Set([one(), given(own.at(-1))])])),
    )
  })

  test('with their orders by seqno, unless left out', async () => {
    const { get } = running()
    const orders = sortedBy(
      rows().multisigOrders.filter(({ multisig }) => is(multisig, one().account)),
      ({ orderSeqno, account }) => [orderSeqno, hexOf(account)],
    )
    const body = await get('multisig/wallets', { address: raw(one().account) })
    const [found] = rowsIn(body)
    expect(found).toMatchObject({
      address: raw(one().account),
      next_order_seqno: String(one().nextOrderSeqno),
      threshold: 2,
      signers: one().signers.map(raw),
      proposers: one().proposers.map(raw),
    })
    expect(addresses(given(found).orders as Params[])).toEqual(named(orders))
    expect(given(found).orders).toContainEqual(expect.objectContaining({ actions: null }))
    expect(Object.keys(body.address_book as Params)).toEqual(expect.arrayContaining(named(orders)))
    const bare = await get('multisig/wallets', { address: raw(one().account), include_orders: false })
    expect(rowsIn(bare)[0]).toEqual({ ...found, orders: [] })
  })

  test('orders of one, and some by name', async () => {
    const { all, refused } = running()
    const orders = rows().multisigOrders.filter(({ multisig }) => is(multisig, one().account))
    const params = { multisig_address: raw(one().account) }
    expect(addresses(await all('multisig/orders', params))).toEqual(named(newest(orders)))
    const some = rows().multisigOrders.slice(0, 20)
    expect(addresses(await all('multisig/orders', { address: named(some) }))).toEqual(named(newest(some)))
    expect(await refused('multisig/orders', {})).toEqual([
      422,
      'At least one of address or multisig_address should be specified',
    ])
    expect(await refused('multisig/wallets', {})).toEqual([
      422,
      'At least one of address or wallet_address should be specified',
    ])
    expect(await refused('multisig/wallets', { address: raw(one().account), limit: 1001 })).toEqual([
      422,
      'limit is not allowed: 1001 > 1000',
    ])
  })

  test('an order says what it would do', async () => {
    const { store, get } = running()
    const to = new Address(0, Buffer.alloc(32, 0x71))
    const send = (body: Cell) => {
      const message = beginCell().store(storeMessageRelaxed(internal({ to, value: toNano('1.5'), bounce: true, body })))
      return beginCell()
        .storeUint(0xf1381e5b, 32)
        .storeUint(SendMode.PAY_GAS_SEPARATELY, 8)
        .storeRef(message.endCell())
        .endCell()
    }
    const owners = Dictionary.empty(Dictionary.Keys.Uint(8), Dictionary.Values.Address()).set(0, to)
    const update = beginCell().storeUint(0x1d0cfbd3, 32).storeUint(1, 8)
    const transfer = beginCell()
      .storeUint(0x0f8a7ea5, 32)
      .storeUint(7, 64)
      .storeCoins(5n)
      .storeAddress(to)
      .storeAddress(null)
    const lunch = beginCell().storeUint(0, 32).storeStringTail('for lunch').endCell()
    const actions = Dictionary.empty(Dictionary.Keys.Uint(8), Dictionary.Values.Cell())
      .set(0, send(lunch))
      .set(1, send(transfer.storeBit(0).storeCoins(1n).storeBit(1).storeRef(lunch).endCell()))
      .set(2, send(beginCell().storeUint(0xdeadbeef, 32).endCell()))
      .set(3, update.storeRef(beginCell().storeDictDirect(owners).endCell()).storeBit(0).endCell())
      .set(4, beginCell().storeUint(5, 32).endCell())
    const order: MultisigOrderRow = {
      ...given(rows().multisigOrders[0]),
      account: keyOf(0, new Uint8Array(32).fill(0x72)),
      order: beginCell().storeDictDirect(actions).endCell().toBoc(),
    }
    await store.transaction((into) => insertAssets(into, { multisigOrders: [order] }))
    const params = { address: raw(order.account), parse_actions: true }
    const body = await get('multisig/orders', params)
    const found = rowsIn(body)[0]?.actions as Params[]
    const destination = to.toRawString().replace(/[a-f]/g, (letter) => letter.toUpperCase())
    expect(found.map(({ parsed_body_type: type, parsed }) => [type, parsed])).toEqual([
      ['ton_transfer', true],
      ['jetton_transfer', true],
      ['unknown', true],
      ['multisig_update_params', true],
      ['unknown', false],
    ])
    expect(found[0]).toEqual({
      destination,
      value: '1500000000',
      body_raw: lunch.toBoc().toString('base64'),
      parsed: true,
      error: null,
      parsed_body: { comment: 'for lunch', encrypted: false },
      parsed_body_type: 'ton_transfer',
      send_mode: 1,
    })
    expect(found[1]?.parsed_body).toMatchObject({
      query_id: 7,
      amount: '5',
      destination,
      response: null,
      custom_payload: null,
      forward_amount: '1',
      comment: 'for lunch',
      payload_sum_type: 'TextComment',
    })
    expect(found[2]?.parsed_body).toMatchObject({ opcode: 0xdeadbeef })
    expect(found[3]?.parsed_body).toEqual({ new_threshold: 1, new_signers: [destination], new_proposers: null })
    expect(found[3]?.send_mode).toBe(0)
    expect(found[4]).toMatchObject({
      error: 'failed to parse order action: unknown order action type: 5',
      send_mode: 0,
    })
    expect(Object.keys(body.address_book as Params)).toContain(destination)
    expect(await overRpc(running(), 'multisig/orders', { ...params, address: [params.address] })).toEqual(body)
    expect(rowsIn(await get('multisig/orders', { ...params, parse_actions: false }))[0]?.actions).toBe(null)
  })

  test('an order that is none has no actions, and one out of proportion neither', async () => {
    const { store, get } = running()
    let large = beginCell().endCell()
    for (let depth = 0; depth < 400; depth++)
      large = beginCell().storeBuffer(Buffer.alloc(120, depth)).storeRef(large).endCell()
    const message = beginCell().store(
      storeMessageRelaxed(internal({ to: new Address(0, Buffer.alloc(32)), value: 1n, body: large })),
    )
    const send = beginCell().storeUint(0xf1381e5b, 32).storeUint(0, 8).storeRef(message.endCell()).endCell()
    const actions = Dictionary.empty(Dictionary.Keys.Uint(8), Dictionary.Values.Cell())
    for (let at = 0; at < 200; at++) actions.set(at, send)
    const [some] = rows().multisigOrders
    const orders = [beginCell().storeDictDirect(actions).endCell().toBoc(), new Uint8Array([1, 2, 3])].map(
      (order, i) => ({
        ...given(some),
        account: keyOf(0, new Uint8Array(32).fill(0x81 + i)),
        order,
      }),
    )
    await store.transaction((into) => insertAssets(into, { multisigOrders: orders }))
    const found = rowsIn(await get('multisig/orders', { address: named(orders), parse_actions: true }))
    expect(found.map((row) => row.actions)).toEqual([null, null])
  })
})

describe('vestings', () => {
  const sorted = () => sortedBy(rows().vestings, ({ account }) => [hexOf(account)])
  const named = () => sorted().map(({ account }) => raw(account))

  test('by contract, by who sent and who gets, and by where coins may go', async () => {
    const { all, get } = running()
    expect(addresses(await all('vesting', { contract_address: named().reverse() }))).toEqual(named())
    const who = given(rows().vestings.find(({ whitelist }) => whitelist.length > 0)?.whitelist[0])
    const own = sorted().filter(({ sender, owner }) => is(sender, who) || is(owner, who))
    expect(addresses(await all('vesting', { wallet_address: raw(who) }))).toEqual(
      own.map(({ account }) => raw(account)),
    )
    const wide = sorted().filter((row) => own.includes(row) || row.whitelist.some((one) => is(one, who)))
    expect(wide.length).toBeGreaterThan(own.length)
    const found = await all('vesting', { wallet_address: raw(who), check_whitelist: true })
    expect(addresses(found)).toEqual(wide.map(({ account }) => raw(account)))
    const row = given(rows().vestings.find(({ whitelist }) => whitelist.length > 1))
    const body = await get('vesting', { contract_address: raw(row.account) })
    expect(rowsIn(body)).toEqual([
      {
        address: raw(row.account),
        start_time: NOW,
        total_duration: 1000,
        unlock_period: 10,
        cliff_duration: 100,
        sender_address: raw(row.sender),
        owner_address: raw(row.owner),
        total_amount: '1000000000000',
        whitelist: row.whitelist.map(raw).sort(),
      },
    ])
  })

  test('are requested by one of the two', async () => {
    const { refused } = running()
    const neither = 'at least one of contract_address or wallet_address is required'
    expect(await refused('vesting', {})).toEqual([422, neither])
    const both = 'only one of contract_address or wallet_address should be specified'
    const [address] = named()
    expect(await refused('vesting', { contract_address: address, wallet_address: address })).toEqual([422, both])
  })
})
