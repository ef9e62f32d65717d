// Jettons, who holds them and what was done with them, over a filled database and against a model of it.

import { describe, expect, test } from 'vitest'
import { rawOfKey } from '../../server/methods/keyOfAccount.ts'
import type { AccountKey, JettonTransferRow, JettonWalletRow } from '../../server/store/index.ts'
import { toBase64 } from '../../shared/base64.ts'
import { assetsForAll, hexOf, overRpc, type Params, rowsIn, sortedBy } from '../setup/v3Assets.ts'

const running = assetsForAll({ rows: 300, people: 12 })

const raw = rawOfKey
const addresses = (rows: readonly Params[]) => rows.map(({ address }) => address)
/** The same of rows as they are stored. */
const byAddress = (rows: readonly { readonly account: AccountKey }[]) =>
  sortedBy(rows, ({ account }) => [hexOf(account)]).map(({ account }) => raw(account))
const hashes = (rows: readonly Params[]) => rows.map((row) => row.transaction_hash)

function most<T>(rows: readonly T[], of: (row: T) => AccountKey): AccountKey {
  const counts = new Map<string, { key: AccountKey; count: number }>()
  for (const row of rows) {
    const known = counts.get(hexOf(of(row))) ?? { key: of(row), count: 0 }
    counts.set(hexOf(of(row)), { ...known, count: known.count + 1 })
  }
  const [busiest] = [...counts.values()].sort((a, b) => b.count - a.count)
  if (!busiest) throw new Error('no rows')
  return busiest.key
}

const is = (a: AccountKey | null, b: AccountKey) => a !== null && hexOf(a) === hexOf(b)

describe('masters', () => {
  test('come by address, page by page', async () => {
    const { rows, all } = running()
    expect(addresses(await all('jetton/masters'))).toEqual(byAddress(rows.jettonMasters))
  })

  test('are found by address and by admin', async () => {
    const { rows, all } = running()
    const admin = most(
      rows.jettonMasters.filter((row) => row.admin !== null),
      (row) => row.admin ?? row.account,
    )
    const own = byAddress(rows.jettonMasters.filter((row) => is(row.admin, admin)))
    expect(addresses(await all('jetton/masters', { admin_address: raw(admin) }))).toEqual(own)
    const admins = [...new Set(rows.jettonMasters.flatMap((row) => (row.admin ? [raw(row.admin)] : [])))]
    const administered = byAddress(rows.jettonMasters.filter((row) => row.admin !== null))
    expect(addresses(await all('jetton/masters', { admin_address: admins }))).toEqual(administered)
    const some = byAddress(rows.jettonMasters.slice(2, 6))
    expect(addresses(await all('jetton/masters', { address: some.join() }))).toEqual(some)
    expect(addresses(await all('jetton/masters', { address: some, admin_address: raw(admin) }))).toEqual(
      some.filter((one) => own.includes(one)),
    )
  })

  test('say all that is known of them', async () => {
    const { rows, get } = running()
    const row = rows.jettonMasters[3]
    if (!row) throw new Error('no row')
    const { jetton_masters: found } = await get('jetton/masters', { address: raw(row.account) })
    expect(found).toEqual([
      {
        address: raw(row.account),
        total_supply: String(row.totalSupply),
        mintable: row.mintable,
        admin_address: row.admin && raw(row.admin),
        jetton_content: row.content,
        jetton_wallet_code_hash: toBase64(row.walletCodeHash),
        code_hash: toBase64(row.codeHash),
        data_hash: toBase64(row.dataHash),
        last_transaction_lt: String(row.lastTxLt),
      },
    ])
  })

  test('a sort is not looked at', async () => {
    const { get } = running()
    expect(await get('jetton/masters', { sort: 'sideways' })).toEqual(await get('jetton/masters'))
  })
})

describe('wallets', () => {
  const byBalance = (rows: readonly JettonWalletRow[], sort: 'asc' | 'desc') => {
    const ascending = sortedBy(rows, ({ balance, account }) => [balance, hexOf(account)])
    return (sort === 'asc' ? ascending : ascending.reverse()).map(({ account }) => raw(account))
  }

  test.each(['asc', 'desc'] as const)('come by balance, %s', async (sort) => {
    const { rows, all } = running()
    expect(addresses(await all('jetton/wallets', { sort }))).toEqual(byBalance(rows.jettonWallets, sort))
  })

  test('the largest first when nothing is said', async () => {
    const { rows, all } = running()
    const jetton = most(rows.jettonWallets, (row) => row.jetton)
    const holders = rows.jettonWallets.filter((row) => is(row.jetton, jetton))
    expect(addresses(await all('jetton/wallets', { jetton_address: raw(jetton) }))).toEqual(byBalance(holders, 'desc'))
    const rich = holders.filter(({ balance }) => balance > 0n)
    const params = { jetton_address: raw(jetton), exclude_zero_balance: true }
    expect(addresses(await all('jetton/wallets', params))).toEqual(byBalance(rich, 'desc'))
  })

  test('owner by owner when several are named, account by account when accounts are', async () => {
    const { rows, all } = running()
    const owners = [...new Set(rows.jettonWallets.map(({ owner }) => raw(owner)))].slice(0, 5)
    const held = rows.jettonWallets.filter(({ owner }) => owners.includes(raw(owner)))
    const sorted = sortedBy(held, ({ owner, balance, account }) => [hexOf(owner), -balance, hexOf(account)])
    const grouped = sorted.map(({ owner, balance }) => [raw(owner), String(balance)])
    const found = await all('jetton/wallets', { owner_address: owners })
    expect(found.map(({ owner, balance }) => [owner, balance])).toEqual(grouped)
    expect(new Set(addresses(found)).size).toBe(held.length)
    const some = rows.jettonWallets.slice(0, 60)
    expect(addresses(await all('jetton/wallets', { address: some.map(({ account }) => raw(account)) }))).toEqual(
      sortedBy(some, ({ account }) => [hexOf(account)]).map(({ account }) => raw(account)),
    )
  })

  test('several jettons of one owner', async () => {
    const { rows, all, refused } = running()
    const owner = most(rows.jettonWallets, (row) => row.owner)
    const jettons = rows.jettonMasters.slice(0, 3).map(({ account }) => raw(account))
    const held = rows.jettonWallets.filter((row) => is(row.owner, owner) && jettons.includes(raw(row.jetton)))
    const params = { owner_address: raw(owner), jetton_address: jettons }
    expect(addresses(await all('jetton/wallets', params))).toEqual(byBalance(held, 'desc'))
    const words = 'exact one owner_address required for multiple jetton_address'
    expect(await refused('jetton/wallets', { jetton_address: jettons })).toEqual([422, words])
    const two = { jetton_address: jettons, owner_address: [raw(owner), jettons[0]] }
    expect(await refused('jetton/wallets', two)).toEqual([422, words])
  })

  test('masters and holders come with their metadata', async () => {
    const { rows, get } = running()
    const row = rows.jettonWallets[0]
    const master = rows.jettonMasters.find(({ account }) => row && is(row.jetton, account))
    if (!row || !master) throw new Error('no row')
    const body = await get('jetton/wallets', { address: raw(row.account) })
    expect(rowsIn(body)[0]).not.toHaveProperty('mintless_info')
    const { address_book: book, metadata } = body as { address_book: Params; metadata: Params }
    expect(Object.keys(book).sort()).toEqual([row.account, row.owner, row.jetton].map(raw).sort())
    expect(Object.keys(metadata).sort()).toEqual([row.account, row.jetton].map(raw).sort())
    const extra = { owner: raw(row.owner), jetton: raw(row.jetton), balance: String(row.balance) }
    expect(metadata[raw(row.account)]).toEqual({
      is_indexed: true,
      token_info: [{ valid: true, type: 'jetton_wallets', extra }],
    })
    const bare = await get('jetton/wallets', { address: raw(row.account), x_no_metadata: 1, x_no_address_book: 1 })
    expect(bare).toEqual({ ...body, address_book: {}, metadata: {} })
  })
})

describe('transfers', () => {
  const good = () => running().rows.jettonTransfers.filter(({ aborted }) => !aborted)
  const expected = (rows: readonly JettonTransferRow[], sort: 'asc' | 'desc' = 'desc') => {
    const ascending = sortedBy(rows, ({ txLt, txHash }) => [txLt, hexOf(txHash)])
    return (sort === 'asc' ? ascending : ascending.reverse()).map(({ txHash }) => toBase64(txHash))
  }

  test.each(['asc', 'desc'] as const)('come by logical time, %s, without those that failed', async (sort) => {
    expect(hashes(await running().all('jetton/transfers', { sort }))).toEqual(expected(good(), sort))
  })

  test.each([
    [
      'either end',
      undefined,
      (row: JettonTransferRow, who: AccountKey) => is(row.source, who) || is(row.destination, who),
    ],
    ['both', 'both', (row: JettonTransferRow, who: AccountKey) => is(row.source, who) || is(row.destination, who)],
    ['in', 'in', (row: JettonTransferRow, who: AccountKey) => is(row.destination, who)],
    ['out', 'out', (row: JettonTransferRow, who: AccountKey) => is(row.source, who)],
    ['anything else, which means out', 'backwards', (row: JettonTransferRow, who: AccountKey) => is(row.source, who)],
  ])('of an owner, direction %s', async (_, direction, fits) => {
    const owner = most(running().rows.jettonTransfers, (row) => row.source)
    const params = { owner_address: raw(owner), ...(direction === undefined ? {} : { direction }) }
    const wanted = good().filter((row) => fits(row, owner))
    expect(wanted.length).toBeGreaterThan(PAGE_AND_MORE)
    expect(hashes(await running().all('jetton/transfers', params))).toEqual(expected(wanted))
  })
  const PAGE_AND_MORE = 40

  test('of several owners each is reported once, even between two of them', async () => {
    const everybody = [...new Set(good().flatMap((row) => [raw(row.source), raw(row.destination)]))]
    expect(hashes(await running().all('jetton/transfers', { owner_address: everybody }))).toEqual(expected(good()))
  })

  test('filters hold together', async () => {
    const { rows, all } = running()
    const owner = most(rows.jettonTransfers, (row) => row.source)
    const wallet = most(
      good().filter((row) => is(row.source, owner)),
      (row) => row.sourceWallet,
    )
    const ofWallet = good().filter((row) => is(row.sourceWallet, wallet))
    const [jetton] = ofWallet.map((row) => row.jetton)
    if (!jetton) throw new Error('no row')
    expect(hashes(await all('jetton/transfers', { jetton_wallet: raw(wallet) }))).toEqual(expected(ofWallet))
    const ofJetton = good().filter((row) => is(row.jetton, jetton))
    expect(hashes(await all('jetton/transfers', { jetton_master: raw(jetton) }))).toEqual(expected(ofJetton))
    const both = ofJetton.filter((row) => is(row.source, owner) || is(row.destination, owner))
    const params = { jetton_master: raw(jetton), owner_address: raw(owner) }
    expect(hashes(await all('jetton/transfers', params))).toEqual(expected(both))
    const three = { ...params, jetton_wallet: raw(wallet), direction: 'out' }
    expect(hashes(await all('jetton/transfers', three))).toEqual(
      expected(ofWallet.filter((row) => is(row.source, owner))),
    )
  })

  test('bounds are included, and those in seconds put them in order of seconds', async () => {
    const { all } = running()
    const [, row] = sortedBy(good(), ({ txLt }) => [txLt]).slice(100)
    if (!row) throw new Error('no row')
    const later = good().filter(({ txLt }) => txLt >= row.txLt)
    expect(hashes(await all('jetton/transfers', { start_lt: row.txLt }))).toEqual(expected(later))
    const earlier = good().filter(({ txNow }) => txNow <= row.txNow)
    const byTime = sortedBy(earlier, ({ txNow, txLt, txHash }) => [txNow, txLt, hexOf(txHash)]).reverse()
    const found = await all('jetton/transfers', { end_utime: row.txNow })
    expect(hashes(found)).toEqual(byTime.map(({ txHash }) => toBase64(txHash)))
    const within = good().filter(({ txNow, txLt }) => txNow === row.txNow && txLt <= row.txLt)
    const params = { start_utime: row.txNow, end_utime: row.txNow, end_lt: row.txLt, sort: 'asc' }
    expect(hashes(await all('jetton/transfers', params))).toEqual(expected(within, 'asc'))
  })

  test('the older name of owner_address is ignored next to it, and not at all when it cannot be read', async () => {
    const { rows, get } = running()
    const owner = most(rows.jettonTransfers, (row) => row.source)
    const other = rows.jettonTransfers[0]?.destination
    if (!other) throw new Error('no row')
    const found = async (params: Params) => rowsIn(await get('jetton/transfers', params))
    const named = await found({ owner_address: raw(owner) })
    expect(await found({ address: raw(owner) })).toEqual(named)
    expect(await found({ owner_address: raw(owner), address: raw(other) })).toEqual(named)
    expect(await found({ address: 'nonsense' })).toEqual(await found({}))
  })

  test('say what was said with them', async () => {
    const row = good().find(({ forwardPayload, customPayload }) => forwardPayload !== null && customPayload !== null)
    if (!row?.forwardPayload || !row.customPayload) throw new Error('no row')
    const { jetton_transfers: found } = await running().get('jetton/transfers', {
      jetton_wallet: raw(row.sourceWallet),
      start_lt: row.txLt,
      end_lt: row.txLt,
    })
    expect(found).toContainEqual({
      query_id: String(row.queryId),
      source: raw(row.source),
      destination: raw(row.destination),
      amount: '5',
      source_wallet: raw(row.sourceWallet),
      jetton_master: raw(row.jetton),
      transaction_hash: toBase64(row.txHash),
      transaction_lt: String(row.txLt),
      transaction_now: row.txNow,
      transaction_aborted: false,
      response_destination: row.responseDestination && raw(row.responseDestination),
      custom_payload: toBase64(row.customPayload),
      decoded_custom_payload: null,
      forward_ton_amount: row.forwardTonAmount === null ? null : '1',
      forward_payload: toBase64(row.forwardPayload),
      decoded_forward_payload: { type: 'text_comment', '@type': 'text_comment', comment: 'for lunch' },
      trace_id: toBase64(row.traceId),
    })
  })
})

test('burns are reported with those that failed', async () => {
  const { rows, all } = running()
  const ordered = (some: typeof rows.jettonBurns) =>
    sortedBy(some, ({ txLt, txHash }) => [txLt, hexOf(txHash)])
      .reverse()
      .map(({ txHash, aborted, owner }) => [toBase64(txHash), aborted, raw(owner)])
  const rowsOf = (found: readonly Params[]) =>
    found.map(({ transaction_hash, transaction_aborted, owner }) => [transaction_hash, transaction_aborted, owner])
  expect(rowsOf(await all('jetton/burns'))).toEqual(ordered(rows.jettonBurns))
  const owner = most(rows.jettonBurns, (row) => row.owner)
  const own = rows.jettonBurns.filter((row) => is(row.owner, owner))
  expect(rowsOf(await all('jetton/burns', { owner_address: raw(owner) }))).toEqual(ordered(own))
  expect(rowsOf(await all('jetton/burns', { address: raw(owner) }))).toEqual(ordered(own))
  const [one] = own
  if (!one) throw new Error('no row')
  const ofWallet = own.filter((row) => is(row.jettonWallet, one.jettonWallet) && is(row.jetton, one.jetton))
  const params = { owner_address: raw(owner), jetton_wallet: raw(one.jettonWallet), jetton_master: raw(one.jetton) }
  expect(rowsOf(await all('jetton/burns', params))).toEqual(ordered(ofWallet))
})

test('JSON-RPC says the same as REST', async () => {
  const { get, rows } = running()
  const owner_address = [raw(most(rows.jettonWallets, (row) => row.owner))]
  for (const name of ['jetton/masters', 'jetton/wallets', 'jetton/transfers', 'jetton/burns']) {
    const params = name === 'jetton/masters' ? {} : { owner_address }
    expect(await overRpc(running(), name, params)).toEqual(await get(name, params))
  }
})

const UNREAD = 'failed to decode: schema: error converting value for'

test.each([
  ['jetton/masters', { address: 'x' }, `${UNREAD} index 0 of "address"`],
  ['jetton/masters', { admin_address: [`0:${'0'.repeat(64)}`, 'x'] }, `${UNREAD} index 1 of "admin_address"`],
  ['jetton/masters', { limit: 1001 }, 'limit is not allowed: 1001 > 1000'],
  ['jetton/masters', { limit: 'many' }, `${UNREAD} "limit"`],
  ['jetton/masters', { offset: -1 }, 'offset is not allowed'],
  ['jetton/masters', { cursor: 'x' }, 'cursor is not one of this method'],
  ['jetton/wallets', { sort: 'up' }, 'wrong value for sort parameter'],
  ['jetton/wallets', { owner_address: 'x' }, `${UNREAD} index 0 of "owner_address"`],
  ['jetton/wallets', { jetton_address: 'x' }, `${UNREAD} index 0 of "jetton_address"`],
  ['jetton/wallets', { exclude_zero_balance: 'perhaps' }, `${UNREAD} "exclude_zero_balance"`],
  ['jetton/transfers', { jetton_master: 'x' }, `${UNREAD} "jetton_master"`],
  ['jetton/transfers', { jetton_wallet: 'x' }, `${UNREAD} index 0 of "jetton_wallet"`],
  ['jetton/transfers', { start_utime: 'x' }, `${UNREAD} "start_utime"`],
  ['jetton/transfers', { end_lt: '-1' }, `${UNREAD} "end_lt"`],
  ['jetton/burns', { end_utime: '-1' }, `${UNREAD} "end_utime"`],
])('%s refuses %j', async (name, params, words) => {
  expect(await running().refused(name, params)).toEqual([422, expect.stringContaining(words)])
})
