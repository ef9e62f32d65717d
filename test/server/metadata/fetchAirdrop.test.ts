// First amounts of jettons that no one mints, from a host that serves their dictionary into the answers of v3.

import { getEventListeners } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test, vi } from 'vitest'
import { beginCell, buildDict, type Cell, writeBoc } from '../../../server/cell/index.ts'
import { airdropKind, amountsOfAirdrop } from '../../../server/metadata/airdrop.ts'
import { startMetadata } from '../../../server/metadata/index.ts'
import { readAirdrop } from '../../../server/metadata/readAirdrop.ts'
import { createLog } from '../../../server/observe/index.ts'
import { type JettonMasterRow, type SqlRow, sql } from '../../../server/store/index.ts'
import { insertAssets } from '../../setup/assetTables.ts'
import { drivers } from '../../setup/database.ts'
import { openStore } from '../indexer/indexScene.ts'
import { CERTIFICATE, listen } from './tlsHost.ts'

const hash = new Uint8Array(32)
const account = (byte: number) => Buffer.concat([Buffer.of(128), Buffer.alloc(32, byte)])
const keyOf = (byte: number) => (0b100n << 264n) | BigInt(`0x${Buffer.alloc(32, byte).toString('hex')}`)

/** Ten times its number for each of these people. */
function dictionary(people: readonly number[], key = keyOf): Cell {
  const terms = (byte: number) => ({ amount: 10n * BigInt(byte), startFrom: 5n, expireAt: 9n })
  const { root } = buildDict(
    airdropKind,
    people.map((byte) => [key(byte), terms(byte)]),
  )
  if (root === null) throw new Error('people were expected')
  return root
}

const asBoc = (cell: Cell): Buffer => Buffer.from(writeBoc(cell))
const amountsIn = (bytes: Uint8Array, root: Cell) => [...amountsOfAirdrop(bytes, root.hashBytes())]

test('a dictionary says who can claim how much, and when', () => {
  const root = dictionary([1, 2, 3])
  expect(amountsIn(asBoc(root), root)).toEqual(
    [1, 2, 3].map((byte) => ({ owner: account(byte), amount: 10n * BigInt(byte), startFrom: 5n, expireAt: 9n })),
  )
})

test('behavior: a dictionary that was read keeps no listener on a signal that lives on', async () => {
  const root = dictionary([1, 2, 3])
  const { signal } = new AbortController()
  const amounts = []
  for await (const part of readAirdrop(asBoc(root), root.hashBytes(), signal)) amounts.push(...part)
  expect(amounts).toHaveLength(3)
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

test('error: a thread that fails while it is stopped takes nothing with it', async () => {
  const { terminate } = Worker.prototype
  const stopped: Worker[] = []
  const called = vi.spyOn(Worker.prototype, 'postMessage')
  const stopping = vi.spyOn(Worker.prototype, 'terminate').mockImplementation(function (this: Worker) {
    // Threads that earlier tests of this process have left may end meanwhile.
    if (called.mock.contexts.includes(this)) {
      stopped.push(this)
      this.emit('error', new Error('out of memory'))
    }
    return terminate.call(this)
  })
  onTestFinished(() => {
    stopping.mockRestore()
    called.mockRestore()
  })
  const root = dictionary([1, 2, 3])
  const stop = new AbortController()
  stop.abort()
  const reading = readAirdrop(asBoc(root), root.hashBytes(), stop.signal)
  await expect(reading.next()).rejects.toThrow('reading the dictionary failed before its end')
  expect(stopped).toHaveLength(1)
})

/** Each level holds the one below twice: as many entries as anybody could ask for, in a few cells. */
function endless(): Cell {
  // `hml_same` of the last 17 bits is left out: it is the forks that count.
  let cell = beginCell().storeUint(0b00, 2).storeCoins(1n).storeUint(0, 96).end()
  for (let bits = 1; bits <= 264; bits++) cell = beginCell().storeUint(0b00, 2).storeRef(cell).storeRef(cell).end()
  // `hml_short` of the three bits all addresses begin with.
  return beginCell()
    .storeUint(0b0_1110_100, 8)
    .storeRef(cell.refs[0] ?? cell)
    .storeRef(cell.refs[0] ?? cell)
    .end()
}

/** Of an address with anycast. */
const otherKeys = dictionary([1], (byte) => keyOf(byte) | (1n << 264n))

test.each([
  ['another dictionary', asBoc(dictionary([1])), dictionary([2]), /not the one the contract names/],
  ['no bag of cells', Buffer.from('{}'), dictionary([2]), /not a dictionary/],
  ['cells that are no dictionary', asBoc(beginCell().end()), beginCell().end(), /not a dictionary/],
  ['one of other keys than accounts', asBoc(otherKeys), otherKeys, /something else than an account/],
  ['one without an end', asBoc(endless()), endless(), /over 100000 amounts/],
])('error: %s', (_, bytes, root, words) => {
  expect(() => amountsIn(bytes, root)).toThrow(words)
})

const master = (byte: number, root: Cell, uri: string): JettonMasterRow => ({
  account: account(byte),
  codeHash: hash,
  dataHash: hash,
  lastTxLt: 1n,
  content: { uri },
  totalSupply: 0n,
  mintable: false,
  admin: null,
  walletCodeHash: hash,
  airdropRoot: root.hashBytes(),
})

const until = <T>(look: () => T) => expect.poll(look)

test.each(drivers)(
  'it is fetched once, again when no host answers, and again when the contract names another: %s',
  async (driver) => {
    const database = await openStore(driver)
    const first = dictionary([1, 2])
    const second = dictionary([2, 3])
    const served = new Map([
      ['/first', asBoc(first)],
      ['/wrong', asBoc(second)],
    ])
    const requested: string[] = []
    const port = await listen(({ url = '' }, response) => {
      if (url.endsWith('.json')) {
        const json = { mintless_merkle_dump_uri: `https://token.test:${port}${url.replace('.json', '')}` }
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(json))
        return
      }
      requested.push(url)
      const boc = served.get(url)
      if (boc === undefined) response.destroy()
      else response.writeHead(200, { 'content-type': 'application/x-boc' }).end(boc)
    })
    const link = (name: string) => `https://token.test:${port}/${name}.json`
    const masters = [
      master(0x11, first, link('first')),
      master(0x12, first, link('wrong')),
      master(0x13, second, link('late')),
    ]
    let now = 1_000_000
    await database.transaction((to) => insertAssets(to, { jettonMasters: masters }))
    const metadata = startMetadata({
      database,
      log: createLog({ format: 'json', level: 'silent' }),
      ipfsGateway: 'https://gate.test',
      pollMs: 2,
      now: () => now * 1000,
      rules: {
        resolve: async () => [{ address: '127.0.0.1', family: 4 }],
        isAllowed: () => true,
        ports: [port],
        ca: CERTIFICATE,
        timeoutMs: 300_000,
      },
    })
    const known = async () => {
      const rows = await database.read.query<SqlRow & { root: Uint8Array; owner: Uint8Array; amount: bigint }>(
        sql`select root, owner, amount from airdrop_amounts order by root, owner`,
      )
      const of = (cell: Cell) => rows.filter(({ root }) => Buffer.compare(root, cell.hashBytes()) === 0)
      return [first, second].map((cell) => of(cell).map(({ owner, amount }) => [owner[1], amount]))
    }
    const waiting = async () =>
      (await database.read.query(sql`select 1 from airdrop_dumps where retry_at <= ${now}`)).length
    try {
      await until(() => requested.length).toBe(3)
      await until(waiting).toBe(0)
      const ofFirst = [
        [1, 10n],
        [2, 20n],
      ]
      expect(await known()).toEqual([ofFirst, []])

      served.set('/late', asBoc(second))
      now += 3_601
      const ofSecond = [
        [2, 20n],
        [3, 30n],
      ]
      await until(known).toEqual([ofFirst, ofSecond])
      // What was wrong is right as soon as the contract means it; what was read stays read.
      const renamed = master(0x12, second, link('wrong'))
      await database.transaction((to) => insertAssets(to, { jettonMasters: [masters[0] ?? renamed, renamed] }))
      await until(() => requested.length).toBe(5)
      await until(waiting).toBe(0)
      expect(requested.sort()).toEqual(['/first', '/late', '/late', '/wrong', '/wrong'])
    } finally {
      await metadata.close()
    }
  },
)
