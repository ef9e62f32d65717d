// Names through the service: resolvers that say what resolvers say, in the real TVM.

import { describe, expect, test } from 'vitest'
import { createClient } from '../../client/index.ts'
import {
  beginCell,
  type Cell,
  Dict,
  openCell,
  readBoc,
  type StdAddress,
  stdAddress,
  writeBoc,
} from '../../server/cell/index.ts'
import { configKind } from '../../server/tlb/index.ts'
import { toFriendly } from '../../shared/address.ts'
import { toBase64 } from '../../shared/base64.ts'
import { type Api, registry } from '../../shared/registry.ts'
import { ask, queryOf } from '../setup/calls.ts'
import { doorsOf, resultIn } from '../setup/doors.ts'
import {
  adnlRecord,
  keyOf,
  namedCells,
  resolverRecord,
  smcRecord,
  storageRecord,
  textRecord,
} from '../setup/madeContents.ts'
import { type MadeMethod, madeAddress, madeCode, rawOf, type Value } from '../setup/madeContracts.ts'
import { forAllTests, serve } from '../setup/service.ts'

const client = () => createClient({ url: service().url, retry: false, timeoutMs: 300_000 })
const text = (cell: Cell) => toBase64(writeBoc(cell))
const friendly = ({ workchain, hash }: StdAddress) => toFriendly({ workchain, hash, bounceable: true, testOnly: false })
const account = (address: StdAddress) => ({ '@type': 'accountAddress', account_address: friendly(address) })

const ALL = 0n
const numberOf = (name: string): bigint => BigInt(`0x${Buffer.from(keyOf(name), 'latin1').toString('hex')}`)
const category = (name: string): string => Buffer.from(keyOf(name), 'latin1').toString('base64')
const slice = (bytes: string | Uint8Array): Value => ({ slice: beginCell().storeBytes(Buffer.from(bytes)).end() })

const owner = madeAddress(1)
const admin = madeAddress(2)
const root = stdAddress(-1, new Uint8Array(32).fill(0x44))
const collection = madeAddress(0x45)
const item = madeAddress(0x46)
const sub = madeAddress(0x47)

const records = {
  wallet: smcRecord(owner),
  dns_next_resolver: resolverRecord(sub),
  site: adnlRecord(new Uint8Array(32).fill(0xad)),
  storage: storageRecord(new Uint8Array(32).fill(0x57)),
  note: textRecord('снова и снова: '.repeat(20)),
  odd: beginCell().storeUint(0xbad, 16).end(),
}

async function deploy(address: StdAddress, dnsresolve: MadeMethod) {
  const code = text(madeCode({ dnsresolve }))
  const data = text(beginCell().end())
  await client().dev.setAccount({ address: rawOf(address), balance: '1000000000', code, data })
  await client().dev.mine({ blocks: 1 })
}

/** Names the root in the configuration: what its contract keeps is what the next key block says. */
async function nameRoot() {
  const address = `-1:${'55'.repeat(32)}`
  const { data } = await client().getAddressInformation({ address })
  const kept = openCell(readBoc(Buffer.from(data, 'base64')))
  const params = new Dict(configKind, kept.loadRef()).set(4, beginCell().storeBytes(root.hash).end())
  if (params.root === null) throw new Error('a configuration was expected')
  await client().dev.setAccount({ address, data: text(beginCell().storeRef(params.root).storeSlice(kept).end()) })
  await client().dev.mine({ blocks: 2 })
}

const service = forAllTests(() => serve({ config: { mining: 'manual' } }))

type DnsQuestion = Api['dnsResolve']['params']
const resolve = async (params: DnsQuestion) => (await client().dnsResolve(params)).entries
const refusalOf = async (params: Readonly<Record<string, unknown>>) => {
  const { status, body } = await ask(service(), `/api/v2/dnsResolve${queryOf(params)}`)
  return [status, body.error] as const
}
const entry = (name: string, of: string, data: object) => ({
  '@type': 'dns.entry',
  name,
  category: category(of),
  entry: data,
})

describe('from the root of the configuration', () => {
  test('error: a network without one', async () => {
    expect(await refusalOf({ name: 'alice.ton' })).toEqual([
      500,
      expect.stringMatching(/config parameter 4 names none/),
    ])
  })

  test('from resolver to resolver, each queried for what is left, through every door', async () => {
    await nameRoot()
    const wallet = numberOf('wallet')
    await deploy(root, { args: [slice('ton\0alice\0'), wallet], results: [24n, resolverRecord(collection)] })
    await deploy(collection, { args: [slice('\0alice\0'), wallet], results: [48n, resolverRecord(item)] })
    await deploy(item, { args: [slice('\0'), wallet], results: [8n, records.wallet] })
    const found = entry('alice.ton', 'wallet', { '@type': 'dns.entryDataSmcAddress', smc_address: account(owner) })
    for (const door of doorsOf(registry.dnsResolve)) {
      const { status, body } = await door.call(service(), 'dnsResolve', { name: 'alice.ton', category: 'wallet' })
      expect([door.name, status, resultIn(body)]).toEqual([
        door.name,
        200,
        { '@type': 'dns.resolved', entries: [found] },
      ])
    }
    // A category by its number, its hash in either spelling, its name.
    const hex = wallet.toString(16)
    for (const of of [`${wallet}`, hex, hex.toUpperCase(), category('wallet')])
      expect(await resolve({ name: 'alice.ton', category: of })).toEqual([found])
  })

  test('only so far as is allowed, then who knows the rest', async () => {
    const next = (name: string, resolver: StdAddress) =>
      entry(name, 'dns_next_resolver', { '@type': 'dns.entryDataNextResolver', resolver: account(resolver) })
    const requested = { name: 'alice.ton', category: 'wallet' }
    expect(await resolve({ ...requested, ttl: 0 })).toEqual([next('ton', collection)])
    expect(await resolve({ ...requested, ttl: 1 })).toEqual([next('alice.ton', item)])
    expect((await resolve({ ...requested, ttl: 2 }))[0]?.name).toBe('alice.ton')
  })

  test('as of an earlier block', async () => {
    const { last } = await client().getMasterchainInfo()
    await deploy(item, { results: [8n, smcRecord(admin)] })
    const requested = { name: 'alice.ton', category: 'wallet' }
    expect(await resolve(requested)).toMatchObject([{ entry: { smc_address: account(admin) } }])
    expect(await resolve({ ...requested, seqno: last.seqno })).toMatchObject([
      { entry: { smc_address: account(owner) } },
    ])
    expect((await refusalOf({ ...requested, seqno: 1 }))[1]).toMatch(/config parameter 4 names none/)
  })

  test('a name that is free: its resolver is not there yet', async () => {
    await deploy(root, { results: [24n, resolverRecord(madeAddress(0x66))] })
    expect(await resolve({ name: 'absent.ton' })).toEqual([])
  })
})

describe('from a resolver that is named', () => {
  const at = { address: rawOf(item) }

  test('all records, of every kind', async () => {
    await deploy(item, { args: [slice('\0'), ALL], results: [8n, namedCells(records)] })
    const adnl = 'ww23lnnvww23lnnvww23lnnvww23lnnvww23lnnvww23lnnvww22cha'
    const expected = [
      entry('.', 'wallet', { '@type': 'dns.entryDataSmcAddress', smc_address: account(owner) }),
      entry('.', 'dns_next_resolver', { '@type': 'dns.entryDataNextResolver', resolver: account(sub) }),
      entry('.', 'site', {
        '@type': 'dns.entryDataAdnlAddress',
        adnl_address: { '@type': 'adnlAddress', adnl_address: adnl },
      }),
      entry('.', 'storage', {
        '@type': 'dns.entryDataStorageAddress',
        bag_id: Buffer.alloc(32, 0x57).toString('base64'),
      }),
      entry('.', 'note', { '@type': 'dns.entryDataText', text: 'снова и снова: '.repeat(20) }),
      entry('.', 'odd', { '@type': 'dns.entryDataUnknown', bytes: text(records.odd) }),
    ]
    for (const of of [undefined, 'all', '', 0, '0']) {
      const entries = await resolve({ name: '.', ...at, ...(of === undefined ? {} : { category: of }) })
      expect(entries).toHaveLength(expected.length)
      expect(entries).toEqual(expect.arrayContaining(expected))
    }
  })

  test('nothing known: no bits, or no cell', async () => {
    for (const results of [
      [0n, null],
      [8n, null],
      [0n, records.wallet],
    ]) {
      await deploy(item, { results })
      expect(await resolve({ name: 'sub', ...at })).toEqual([])
    }
  })

  test('a record that is not one is shown as it is', async () => {
    await deploy(item, { results: [8n, records.odd] })
    expect(await resolve({ name: '.', category: 'wallet', ...at })).toEqual([
      entry('.', 'wallet', { '@type': 'dns.entryDataUnknown', bytes: text(records.odd) }),
    ])
  })

  test('resolvers that lead in a circle come to the end of the name', async () => {
    const name = Array.from({ length: 60 }, () => 'a').join('.')
    await deploy(item, { results: [8n, resolverRecord(item)] })
    expect(await resolve({ name, ...at, ttl: 3 })).toMatchObject([{ entry: { resolver: account(item) } }])
    // The last of them knows the last byte: what it has in place of records is no dictionary.
    expect((await refusalOf({ name, ...at, ttl: 126 }))[0]).toBe(500)
    expect(await resolve({ name, category: 'dns_next_resolver', ...at, ttl: 126 })).toMatchObject([{ name }])
  })

  test('error: resolvers that take much to lead on', async () => {
    // A thousand cells in each other, thrown away.
    await deploy(item, { results: [8n, resolverRecord(item)], code: 'c8c98103e893c8ccc9e430' })
    expect((await refusalOf({ name: 'a'.repeat(60), ...at, ttl: 126 }))[1]).toMatch(/over 5000000 gas/)
  })

  test.each([
    ['a method that throws', { code: 'f2c064' }, /exit code 100/],
    ['a method that never ends', { code: '90ea' }, /exit code -14/],
    ['nothing', { results: [] }, /something else than a number of bits and a cell/],
    ['a text for the cell', { results: [8n, slice('x')] }, /something else than a number of bits and a cell/],
    ['more bits than there are', { results: [40n, records.wallet] }, /resolved 40 bits of 32/],
    ['part of a byte', { results: [12n, records.wallet] }, /resolved 12 bits of 32/],
    ['less than none', { results: [-8n, records.wallet] }, /resolved -8 bits of 32/],
    ['a wallet for the rest', { results: [8n, records.wallet] }, /named no resolver for the rest/],
    ['no records', { results: [32n, records.wallet] }, /left no dictionary of records/],
  ] satisfies [string, MadeMethod, RegExp][])('error: a resolver that leaves %s', async (_, method, words) => {
    await deploy(item, method)
    expect(await refusalOf({ name: 'sub', ...at })).toEqual([500, expect.stringMatching(words)])
  })

  test('error: records by the million', async () => {
    let node = beginCell().storeUint(0, 2).storeRef(records.wallet).end()
    for (let bit = 0; bit < 256; bit++) node = beginCell().storeUint(0, 2).storeRef(node).storeRef(node).end()
    await deploy(item, { results: [8n, node] })
    expect((await refusalOf({ name: '.', ...at }))[1]).toMatch(/no dictionary of records/)
  })

  test('error: records too large to be shown', async () => {
    const big = Array.from({ length: 400 }).reduce<Cell>((below, _, i) => {
      return beginCell().storeUint(i, 16).storeBytes(new Uint8Array(120)).storeRef(below).end()
    }, beginCell().end())
    const many = namedCells(Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`big ${i}`, big])))
    await deploy(item, { results: [8n, many] })
    expect((await refusalOf({ name: '.', ...at }))[1]).toMatch(/over 1048576 bytes/)
  })

  test('error: nothing is there', async () => {
    expect((await refusalOf({ name: '.', address: rawOf(madeAddress(0x66)) }))[1]).toMatch(/exit code -13/)
  })
})

test.each([
  ['a name with a space', { name: 'a b' }],
  ['an empty label', { name: 'a..b' }],
  ['an empty name', { name: '' }],
  ['a name too long', { name: 'ё'.repeat(64) }],
  ['a category too large', { name: '.', category: '9'.repeat(80) }],
  ['more resolvers than bytes', { name: '.', ttl: 127 }],
  ['no block', { name: '.', seqno: 0 }],
])('error: %s is refused', async (_, params) => {
  expect((await refusalOf(params))[0]).toBe(422)
})
