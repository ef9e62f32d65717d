// Descriptions on their way from the tables of tokens to their own: fetched once, again when no host answered, and again
// when a token points elsewhere.

import { expect, test } from 'vitest'
import { startMetadata } from '../../../server/metadata/index.ts'
import { createLog } from '../../../server/observe/index.ts'
import { type JettonMasterRow, type SqlRow, sql } from '../../../server/store/index.ts'
import { DESCRIBED, decodeDescribed } from '../../../server/store/read/assets/tokens.ts'
import { writeContracts } from '../../../server/store/write/assets.ts'
import { writeMetadata } from '../../../server/store/write/metadata.ts'
import { NO_CONTRACTS } from '../../setup/assetTables.ts'
import { openStore } from '../indexer/indexScene.ts'
import { CERTIFICATE, listen } from './tlsHost.ts'

/** For a host on a busy machine. */
const PATIENCE_MS = 300_000

/** Options of all tests; one has a log of its own, which it reads. */
const QUIETLY = { log: createLog({ format: 'json', level: 'silent' }), ipfsGateway: 'https://gate.test', pollMs: 5 }

const hash = new Uint8Array(32)
const account = (byte: number) => new Uint8Array(33).fill(byte)
const master = (byte: number, uri: string, lastTxLt = 1n): JettonMasterRow => ({
  account: account(byte),
  codeHash: hash,
  dataHash: hash,
  lastTxLt,
  content: { uri },
  totalSupply: 1n,
  mintable: true,
  admin: null,
  walletCodeHash: hash,
  airdropRoot: null,
})
const found = (jettonMasters: readonly JettonMasterRow[]) => ({
  checked: [],
  found: { ...NO_CONTRACTS, jettonMasters },
})

test('what hosts answer is kept; who does not answer, or answers nonsense, is retried later', async () => {
  const database = await openStore()
  const requested: string[] = []
  let isUp = false
  const port = await listen(({ url = '' }, response) => {
    requested.push(url)
    if (url === '/late' && !isUp) response.destroy()
    else if (url === '/page' && !isUp)
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Try later</h1>')
    else {
      // As a file with a comma too many, which is mended later.
      const comma = url === '/odd' && !isUp ? ',' : ''
      response.writeHead(200, { 'content-type': 'application/json' }).end(`{"at":"${url}"${comma}}`)
    }
  })
  let now = 1_000_000
  let isLeading = false
  const metadata = startMetadata({
    ...QUIETLY,
    database,
    now: () => now * 1000,
    isOurs: () => isLeading,
    rules: {
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
      isAllowed: () => true,
      ports: [port],
      ca: CERTIFICATE,
      timeoutMs: PATIENCE_MS,
    },
  })
  const at = (path: string) => `https://token.test:${port}/${path}`
  const kept = async () => {
    const rows = await database.read.query<SqlRow & { account: Uint8Array; json: string | null }>(
      sql`select account, json from token_metadata order by account`,
    )
    return rows.map((row) => [row.account[0], row.json])
  }
  try {
    const rows = [master(1, at('good')), master(2, at('odd')), master(3, at('late')), master(4, 'data:,{"b":2}')]
    rows.push(master(5, 'data:,[]'), master(6, at('page')))
    await database.transaction((to) => writeContracts(to, found(rows)))
    const first = [
      [1, '{"at":"/good"}'],
      [2, null],
      [3, null],
      [4, '{"b":2}'],
      [5, null],
      [6, null],
    ]
    // Another process sees to it, for now.
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(await kept()).toEqual([])
    isLeading = true
    await expect.poll(kept).toEqual(first)
    // Another transaction of the same tokens asks no one anything.
    await database.transaction((to) => writeContracts(to, found(rows.map((row) => ({ ...row, lastTxLt: 2n })))))
    isUp = true
    now += 3_601
    const later = new Map([
      [2, '{"at":"/odd"}'],
      [3, '{"at":"/late"}'],
      [6, '{"at":"/page"}'],
    ])
    const second = first.map(([byte, json]) => [byte, later.get(Number(byte)) ?? json])
    await expect.poll(kept).toEqual(second)
    await database.transaction((to) => writeContracts(to, found([master(1, at('moved'), 3n)])))
    await expect.poll(kept).toEqual(second.map((row) => (row[0] === 1 ? [1, '{"at":"/moved"}'] : row)))
    expect(requested.sort()).toEqual(['/good', '/late', '/late', '/moved', '/odd', '/odd', '/page', '/page'])
    expect(await database.read.query(sql`select * from metadata_queue`)).toEqual([])
  } finally {
    await metadata.close()
  }
})

test('of a token whose description moves from a link onto the chain nothing of the link is left', async () => {
  const database = await openStore()
  let isLeading = true
  const metadata = startMetadata({ ...QUIETLY, database, isOurs: () => isLeading, rules: {} })
  const write = (rows: readonly JettonMasterRow[]) => database.transaction((to) => writeContracts(to, found(rows)))
  const names = () => database.read.query(sql`select account, word from token_names order by account, word`)
  try {
    await write([master(1, 'data:,{"name":"There"}')])
    await expect.poll(names).toEqual([{ account: account(1), word: 'there' }])
    isLeading = false
    await write([master(2, 'data:,{"name":"Nowhere"}')])
    await write([1, 2].map((byte) => ({ ...master(byte, '', 2n), content: { name: `Here ${byte}` } })))
    isLeading = true
    await write([master(3, 'data:,{"name":"Last"}')])
    await expect
      .poll(() => database.read.query(sql`select account from token_metadata`))
      .toContainEqual({
        account: account(3),
      })
    expect(await database.read.query(sql`select * from metadata_queue`)).toEqual([])
    expect(await database.read.query(sql`select account from token_metadata`)).toEqual([{ account: account(3) }])
    const words = (await names()).map(({ word }) => word)
    expect(words.filter((word) => typeof word === 'string' && word.includes('there'))).toEqual([])
    expect(words).toContain('here 1')
  } finally {
    await metadata.close()
  }
})

test('of a token that was undone no link is fetched, and with the same one as before it is found by its name again', async () => {
  const database = await openStore()
  let isLeading = false
  const metadata = startMetadata({ ...QUIETLY, database, isOurs: () => isLeading, rules: {} })
  const write = (bytes: readonly number[], checked: readonly number[] = []) =>
    database.transaction((to) =>
      writeContracts(to, {
        ...found(bytes.map((byte) => master(byte, `data:,{"name":"Token ${byte}"}`))),
        checked: checked.map(account),
      }),
    )
  const names = () =>
    database.read.query(sql`select account from token_names where word like 'token %' order by account`)
  const queued = () => database.read.query(sql`select account from metadata_queue order by account`)
  try {
    await write([1, 2])
    await write([], [2])
    expect(await queued()).toEqual([{ account: account(1) }])
    isLeading = true
    await expect.poll(names).toEqual([{ account: account(1) }])
    await write([], [1, 3])
    expect(await database.read.query(sql`select account from token_metadata`)).toEqual([])
    await write([1], [1])
    await expect.poll(names).toEqual([{ account: account(1) }])
  } finally {
    await metadata.close()
  }
})

test('an error of this program at one token keeps no other from being read, and is named in the log', async () => {
  const database = await openStore()
  const port = await listen((_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'))
  const lines: object[] = []
  const metadata = startMetadata({
    ...QUIETLY,
    database,
    log: { warn: (facts: object) => void lines.push(facts) },
    rules: {
      resolve: async (host) => [{ address: host === 'broken.test' ? '127.0.0.2' : '127.0.0.1', family: 4 }],
      isAllowed(address) {
        if (address === '127.0.0.2') throw new TypeError('a mistake')
        return true
      },
      ports: [port],
      ca: CERTIFICATE,
      timeoutMs: PATIENCE_MS,
    },
  })
  try {
    const rows = [master(1, `https://broken.test:${port}/`), master(2, `https://token.test:${port}/`)]
    await database.transaction((to) => writeContracts(to, found(rows)))
    const kept = () =>
      database.read.query(sql`select json, retry_at is null as ended from token_metadata t
      left join metadata_queue q using (account) order by t.account`)
    await expect.poll(kept).toEqual([
      { json: null, ended: false },
      { json: '{}', ended: true },
    ])
    expect(lines).toMatchObject([{ err: { message: 'a mistake' }, uri: `https://broken.test:${port}/` }])
  } finally {
    await metadata.close()
  }
})

test('of an account that is two tokens none has the description of the other, and it is fetched once', async () => {
  const database = await openStore()
  const jetton = 'data:,{"jetton":1}'
  const item = 'data:,{"item":1}'
  const nftItem = { account: account(1), codeHash: hash, dataHash: hash, lastTxLt: 1n, init: true, index: 7n }
  const nftItems = [{ ...nftItem, collection: null, owner: null, content: { uri: item } }]
  const both = { checked: [], found: { ...found([master(1, jetton)]).found, nftItems } }
  const write = () => database.transaction((to) => writeContracts(to, both))
  const described = async () => {
    const rows = await database.read.query<SqlRow>(
      sql`with named as (select ${account(1)}::bytea as account) ${DESCRIBED}`,
    )
    return rows.map(decodeDescribed).map(({ kind, fetched }) => [kind, fetched?.json ?? null])
  }
  await write()
  expect(await database.read.query(sql`select uri from metadata_queue`)).toEqual([{ uri: jetton }])
  const result = { account: account(1), uri: jetton, json: '{"jetton":1}', fetchedAt: 1, retryAt: null }
  await database.transaction((to) => writeMetadata(to, [result]))
  const expected = [
    ['nft_items', null],
    ['jetton_masters', '{"jetton":1}'],
  ]
  expect(await described()).toEqual(expected)
  // Its next transaction fetches nothing again.
  await write()
  expect(await database.read.query(sql`select uri from metadata_queue`)).toEqual([])
  expect(await described()).toEqual(expected)
})

test('a link that changes after a fetch failed is due at once, and what comes late of the old one changes nothing', async () => {
  const database = await openStore()
  const write = (uri: string, lastTxLt: bigint) =>
    database.transaction((to) => writeContracts(to, found([master(1, uri, lastTxLt)])))
  const failed = (uri: string, retryAt: number) =>
    database.transaction((to) => writeMetadata(to, [{ account: account(1), uri, json: null, fetchedAt: 1, retryAt }]))
  const queued = () => database.read.query(sql`select uri, attempts, retry_at::int4 from metadata_queue`)
  const old = 'https://token.test/old'
  const moved = 'https://token.test/moved'
  await write(old, 1n)
  await failed(old, 5_000)
  expect(await queued()).toEqual([{ uri: old, attempts: 1, retry_at: 5_000 }])
  await write(moved, 2n)
  expect(await queued()).toEqual([{ uri: moved, attempts: 0, retry_at: 0 }])
  await failed(old, 9_000)
  expect(await queued()).toEqual([{ uri: moved, attempts: 0, retry_at: 0 }])
  expect(await database.read.query(sql`select uri from token_metadata`)).toEqual([])
})
