// The search over a filled index: what fits, what is nearest, and names by strangers.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rawOfKey } from '../../server/methods/keyOfAccount.ts'
import { createSideObjects } from '../../server/methods/v3/names/sideObjects.ts'
import { searchHandlers } from '../../server/methods/v3/search/search.ts'
import {
  type ContentAttributes,
  type JettonMasterRow,
  type NftCollectionRow,
  sql,
  writeMasterBlocks,
  writeMetadata,
} from '../../server/store/index.ts'
import { names } from '../../server/store/migrations/0014_names.ts'
import { restoreContracts } from '../../server/store/write/assets.ts'
import { parseAddress, toFriendly } from '../../shared/address.ts'
import { searchV3 } from '../../shared/v3/search.ts'
import { type AssetRows, insertAssets } from '../setup/assetTables.ts'
import { ask, queryOf } from '../setup/calls.ts'
import { keyOf } from '../setup/filledAccounts.ts'
import { fillAssets } from '../setup/filledAssets.ts'
import { filledRows } from '../setup/filler.ts'
import { type MemoryStore, openMemoryStore } from '../setup/memoryStore.ts'
import { serveMethods, type TestService } from '../setup/service.ts'

let store: MemoryStore
let service: TestService
let rows: AssetRows
let made = 0
let block: { readonly rootHash: Uint8Array; readonly seqno: number }
let transaction: Uint8Array

beforeAll(async () => {
  store = await openMemoryStore()
  rows = await fillAssets(store, { rows: 60, people: 4 })
  for (const filled of filledRows({ transactions: 5 })) {
    await store.transaction((to) => writeMasterBlocks(to, filled))
    const [first] = filled.transactions
    if (first !== undefined) transaction = first.hash
    const master = filled.blocks.find(({ workchain }) => workchain === -1)
    if (master !== undefined) block = master
  }
  const side = createSideObjects({ store: store.read, testOnly: false })
  service = await serveMethods({
    registry: searchV3,
    handlers: () => searchHandlers({ store: store.read, testOnly: false }, side),
  })
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await store.close()
})

interface Hit {
  readonly type: string
  readonly match: string
  readonly name: string | null
  readonly symbol: string | null
  readonly account: string | null
  readonly hash: string | null
  readonly block: { readonly workchain: number; readonly seqno: number } | null
  readonly holders: number | null
}

interface Answer {
  readonly kind: string
  readonly results: readonly Hit[]
  readonly note: string | null
}

async function look(query: string, limit = 10): Promise<Answer> {
  const { status, body } = await ask(service, `/api/v3/search${queryOf({ query, limit })}`)
  if (status !== 200) throw new Error(`${query}: ${status} ${JSON.stringify(body)}`)
  return body as unknown as Answer
}

const refused = async (query: string) => {
  const { status, body } = await ask(service, `/api/v3/search${queryOf({ query })}`)
  return [status, body.error]
}

const nextKey = () => keyOf(0, new Uint8Array(32).fill(0xee).fill(++made, 2, 10))

function jetton(content: ContentAttributes, account = nextKey()): JettonMasterRow {
  const [like] = rows.jettonMasters
  if (like === undefined) throw new Error('no row')
  return { ...like, account, content }
}

function collection(content: ContentAttributes): NftCollectionRow {
  const [like] = rows.nftCollections
  if (like === undefined) throw new Error('no row')
  return { ...like, account: nextKey(), content }
}

const insert = (some: Partial<AssetRows>) => store.transaction((to) => insertAssets(to, some))

const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const accounts = ({ results }: Answer) => results.map(({ account }) => account)

describe('names', () => {
  test('by the beginning of any word, by symbol, in any case and width', async () => {
    const row = jetton({ name: 'Quill  Ünique Coin', symbol: '$QLL' })
    await insert({ jettonMasters: [row] })
    const raw = rawOfKey(row.account)
    for (const query of ['quill', 'QUILL ünique', 'ünique', 'coin', 'qll', '$qll', 'ＱＵＩＬＬ'])
      expect({ query, found: accounts(await look(query, 50)) }).toEqual({ query, found: expect.arrayContaining([raw]) })
    const [hit] = (await look('quill')).results
    expect(hit).toMatchObject({
      type: 'jetton',
      match: 'prefix',
      name: 'Quill  Ünique Coin',
      symbol: '$QLL',
      holders: 0,
    })
    expect((await look('qll')).results[0]).toMatchObject({ match: 'exact' })
  })

  test('the jetton with most holders before its copies', async () => {
    const [like] = rows.jettonWallets
    if (like === undefined) throw new Error('no row')
    const inFront = (i: number) =>
      keyOf(
        0,
        new Uint8Array(32)
          .fill(0xdd)
          .fill(i >> 8, 2, 6)
          .fill(i, 6, 10),
      )
    const copies = Array.from({ length: 500 }, (_, i) => jetton({ name: 'Real Gold', symbol: 'RGLD' }, inFront(i)))
    const real = jetton({ name: 'Real Gold', symbol: 'RGLD' })
    const jettonWallets = [1, 2, 3].map(() => ({ ...like, account: nextKey(), jetton: real.account, balance: 5n }))
    await insert({ jettonMasters: [...copies, real], jettonWallets })
    expect((await look('real gold', 5)).results[0]).toMatchObject({ account: rawOfKey(real.account), holders: 3 })
  })

  test('of a token that was renamed, and of one that is none any more', async () => {
    const row = jetton({ name: 'Oldwick' })
    await insert({ jettonMasters: [row] })
    expect(accounts(await look('oldwick'))).toEqual([rawOfKey(row.account)])
    await insert({ jettonMasters: [{ ...row, content: { name: 'Newwick' } }] })
    expect((await look('oldwick')).results.filter(({ match }) => match !== 'nearest')).toEqual([])
    expect(accounts(await look('newwick'))).toEqual([rawOfKey(row.account)])
    const { jettonMasters, ...others } = rows
    const none = Object.fromEntries(Object.keys({ jettonMasters, ...others }).map((kind) => [kind, []]))
    const found = { ...none, dedustPools: [] } as unknown as AssetRows
    await store.transaction((to) => restoreContracts(to, { found, checked: [row.account] }))
    expect((await look('newwick')).results).toEqual([])
  })

  test('from a description that was fetched', async () => {
    const row = collection({ uri: 'https://example.com/a.json' })
    await insert({ nftCollections: [row] })
    const json = JSON.stringify({ name: 'Velvet Worms' })
    const result = { account: row.account, uri: 'https://example.com/a.json', json, fetchedAt: 5, retryAt: null }
    await store.transaction((to) => writeMetadata(to, [result]))
    expect((await look('worms')).results[0]).toMatchObject({ type: 'nft_collection', name: 'Velvet Worms' })
  })

  test('error: hostile ones are text, and neither stop the index nor a search', async () => {
    const hostile = [
      '<img src=x onerror=alert(1)>',
      '\u202Eevil gold',
      `mega${'x'.repeat(10_000)}`,
      'nul\0byte',
      '\ud800 lone',
    ]
    await insert({ jettonMasters: hostile.map((name) => jetton({ name })) })
    expect((await look('<img src')).results[0]).toMatchObject({ name: hostile[0] })
    expect((await look('evil')).results).toHaveLength(1)
    expect((await look('megax')).results).toHaveLength(1)
    expect((await look('nul byte')).results).toHaveLength(1)
    for (const query of ['%', '_', "'; drop table token_names;--", '\\', '\u202e', 'a\tb', '(.*)+$'])
      expect((await look(query)).results.length).toBeLessThanOrEqual(10)
  })

  test('the nearest when none fits', async () => {
    await insert({ jettonMasters: [jetton({ name: 'Zyxwvu' })] })
    const { results, note } = await look('zyxzzz')
    expect(results).toMatchObject([{ name: 'Zyxwvu', match: 'nearest' }])
    expect(note).toBe('Nothing is known under “zyxzzz”. These begin with “zyx”.')
    expect(await look('~~~~')).toMatchObject({ results: [], note: 'Nothing is known under “~~~~”.' })
  })

  test('of domains: whole with the wallet, in part, and the nearest', async () => {
    const record = rows.dnsRecords.find(({ wallet, domain }) => wallet !== null && domain.endsWith('.ton'))
    if (record?.wallet == null) throw new Error('no record')
    const { domain, account, wallet } = record
    expect((await look(domain.toUpperCase())).results).toMatchObject([
      { type: 'account', match: 'exact', account: rawOfKey(wallet), name: domain },
      { type: 'domain', match: 'exact', account: rawOfKey(account), name: domain },
    ])
    expect((await look(domain.slice(0, -5), 50)).results.map(({ name }) => name)).toContain(domain)
    const near = await look(`${domain.slice(0, -5)}~.ton`)
    expect(near.results.length).toBeGreaterThan(0)
    expect(near.results.every(({ match }) => match === 'nearest')).toBe(true)
    const below = await look(`www.sub.${domain}`)
    expect(below.note).toBe(`Nothing is known under “www.sub.${domain}”, but “${domain}” is.`)
    expect(below.results).toMatchObject([
      { type: 'account', match: 'nearest', account: rawOfKey(wallet), name: domain },
      { type: 'domain', match: 'nearest', account: rawOfKey(account), name: domain },
    ])
  })
})

describe('accounts and hashes', () => {
  const someAccount = async () => {
    const [row] = await store.read.query<{ readonly account: Uint8Array }>(sql`select account from accounts
      where account >= '\\x80'::bytea limit 1`)
    if (row === undefined) throw new Error('no account')
    return rawOfKey(row.account)
  }
  const friendly = (raw: string, testOnly = false) => {
    const address = parseAddress(raw)
    if (address === null) throw new Error('no address')
    return toFriendly({ ...address, testOnly })
  }

  test('an address in any form, whole and in part', async () => {
    const raw = await someAccount()
    for (const query of [raw, raw.toLowerCase(), friendly(raw), ` ${friendly(raw)} `])
      expect((await look(query)).results[0]).toMatchObject({ type: 'account', match: 'exact', account: raw })
    for (const query of [raw.slice(0, 20), friendly(raw).slice(0, 14), raw.slice(2, 14)])
      expect(accounts(await look(query, 50))).toContain(raw)
  })

  test('error: an address of another network, one with a wrong letter, one that was never seen', async () => {
    const raw = await someAccount()
    const other = await look(friendly(raw, true))
    expect(other.note).toMatch(/^This form is for test networks/)
    const text = friendly(raw)
    const wrong = `${text.slice(0, 44)}${text[44] === 'A' ? 'B' : 'A'}${text.slice(45)}`
    const damaged = await look(wrong)
    expect(damaged).toMatchObject({ kind: 'wrong', note: expect.stringMatching(/checksum/) })
    expect(damaged.results[0]).toMatchObject({ account: raw, match: 'nearest' })
    const unseen = await look(`0:${'AB'.repeat(32)}`)
    expect(unseen).toMatchObject({
      results: [{ match: 'exact' }],
      note: expect.stringMatching(/nothing at this address/),
    })
  })

  test('a hash in any form, whole, in part and with a wrong end', async () => {
    const hash = Buffer.from(transaction)
    const wanted = { type: 'transaction', hash: hash.toString('base64') }
    for (const query of [
      hexOf(hash),
      `0x${hexOf(hash).toUpperCase()}`,
      hash.toString('base64'),
      hash.toString('base64url'),
    ])
      expect((await look(query)).results[0]).toMatchObject({ ...wanted, match: 'exact' })
    expect((await look(hexOf(hash).slice(0, 20))).results).toContainEqual(expect.objectContaining(wanted))
    const near = await look(`${hexOf(hash).slice(0, 40)}${'f'.repeat(24)}`)
    expect(near.results).toContainEqual(expect.objectContaining({ ...wanted, match: 'nearest' }))
    expect(await look('ab'.repeat(32))).toMatchObject({
      kind: 'hash',
      results: [],
      note: expect.stringMatching(/another network/),
    })
  })

  test('a transaction within a trace: its hash whole, and what is said of a part', async () => {
    const [row] = await store.read.query<{ readonly hash: Uint8Array }>(
      sql`select hash from transactions where hash <> trace_id limit 1`,
    )
    if (row === undefined) throw new Error('every transaction begins a trace')
    const wanted = { type: 'transaction', match: 'exact', hash: Buffer.from(row.hash).toString('base64') }
    expect((await look(hexOf(row.hash))).results).toMatchObject([wanted])
    const part = await look(hexOf(row.hash).slice(0, 20))
    expect(part.note).toMatch(/^Nothing is known .* found by its whole hash alone\./)
    expect(part.results).not.toContainEqual(expect.objectContaining({ type: 'transaction' }))
  })

  test('a block by number and by hash, else the nearest', async () => {
    const { seqno } = block
    expect((await look(String(seqno))).results[0]).toMatchObject({ type: 'block', match: 'exact', block: { seqno } })
    expect((await look(hexOf(block.rootHash))).results[0]).toMatchObject({ type: 'block', block: { seqno } })
    const far = await look('2147483647')
    expect(far).toMatchObject({ note: expect.stringMatching(new RegExp(`nearest one is ${seqno}`)) })
    expect(far.results[0]).toMatchObject({ match: 'nearest', block: { workchain: -1, seqno } })
  })

  test('an opcode, and a bag of cells', async () => {
    expect((await look('0x0F8A7EA5')).results).toMatchObject([{ type: 'opcode', name: 'jetton_transfer' }])
    expect(await look('te6cckEBAQEADAAAFAAAAABIZWxsbyGVgYQo')).toMatchObject({ kind: 'boc', results: [] })
  })

  test('error: no text, and too much', async () => {
    expect(await refused('')).toEqual([422, 'query is empty'])
    expect(await refused('a'.repeat(257))).toEqual([422, expect.stringMatching(/longer than 256/)])
  })
})

test('names of an index that was there before are searched too', async () => {
  const bad = jetton({ name: 'kept' })
  await insert({ jettonMasters: [jetton({ name: 'Before Times', symbol: 'BFT' }), bad] })
  // As an older program stored it: PostgreSQL refuses to read that name.
  await store.transaction(async (to) => {
    await to.query(
      sql`update jetton_masters set content = ${'{"name":"a\\u0000b"}'}::json where account = ${bad.account}`,
    )
    await to.query(sql`drop table token_names`)
    for (const statement of splitStatements(names)) await to.query(sql.raw(statement))
  })
  expect((await look('before times')).results[0]).toMatchObject({ match: 'exact', name: 'Before Times' })
  expect((await look('bft')).results[0]).toMatchObject({ match: 'exact' })
})

/** Statements of a step; bodies of functions have semicolons of their own. */
const splitStatements = (text: string): readonly string[] =>
  text.split(/;\n(?=\n|create|insert|drop|--)/).filter((one) => one.trim() !== '')
