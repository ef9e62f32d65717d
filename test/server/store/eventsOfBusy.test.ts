// Transfers and burns of an account that has thousands, among many that have one or two: one plan serves them all.

import { describe, expect, test } from 'vitest'
import {
  type AccountKey,
  jettonBurnsRead,
  jettonTransfersRead,
  nftTransfersRead,
  type PagedRead,
  type PageRequest,
  readPage,
  type SortDirection,
  sql,
} from '../../../server/store/index.ts'
import { type AssetRows, insertAssets } from '../../setup/assetTables.ts'
import { drivers, freshDatabase } from '../../setup/database.ts'
import { keyOf } from '../../setup/filledAccounts.ts'
import { planOf, rowsRead } from '../../setup/plans.ts'
import { Random } from '../../setup/random.ts'

const BUSY = 3000
const OTHERS = 4000
const LIMIT = 10
const random = new Random(3)
const key = (): AccountKey => keyOf(0, random.hash())
const busy = key()
const wallet = key()

const event = (at: number) => ({
  txHash: random.hash(),
  // Two events share a logical time, a hundred share a second.
  txLt: BigInt(at >> 1),
  txNow: Math.floor(at / 100),
  aborted: false,
  lateMcSeqno: null,
  traceId: random.hash(),
  queryId: 1n,
  responseDestination: null,
  customPayload: null,
})

const rowsOf = <T>(make: (owner: AccountKey, wallet: AccountKey, at: number) => T): T[] => [
  ...Array.from({ length: OTHERS }, (_, at) => make(key(), key(), at)),
  ...Array.from({ length: BUSY }, (_, at) => make(busy, wallet, at)),
]

const sent = { amount: 1n, forwardTonAmount: null, forwardPayload: null }
const rows: Pick<AssetRows, 'jettonTransfers' | 'jettonBurns' | 'nftTransfers'> = {
  jettonTransfers: rowsOf((source, sourceWallet, at) => {
    return { ...event(at), ...sent, source, sourceWallet, destination: key(), jetton: key() }
  }),
  jettonBurns: rowsOf((owner, jettonWallet, at) => {
    return { ...event(at), owner, jettonWallet, jetton: key(), amount: 1n }
  }),
  nftTransfers: rowsOf((oldOwner, nft, at) => {
    return { ...event(at), nft, collection: null, oldOwner, newOwner: key(), forwardAmount: null, forwardPayload: null }
  }),
}

interface Bounds {
  readonly startUtime?: number
  readonly endUtime?: number
  readonly startLt?: bigint
  readonly endLt?: bigint
}

type Read = (bounds: Bounds, ask: PageRequest, sort: SortDirection) => PagedRead<{ readonly txHash: Uint8Array }>

const LISTS: Readonly<Record<string, Read>> = {
  'transfers of a sender': (bounds, ask, sort) =>
    jettonTransfersRead({ ...bounds, owners: [busy], direction: 'out' }, ask, sort),
  'transfers of a wallet': (bounds, ask, sort) =>
    jettonTransfersRead({ ...bounds, wallets: [wallet], direction: null }, ask, sort),
  'burns of an owner': (bounds, ask, sort) => jettonBurnsRead({ ...bounds, owners: [busy] }, ask, sort),
  'burns of a wallet': (bounds, ask, sort) => jettonBurnsRead({ ...bounds, wallets: [wallet] }, ask, sort),
  'transfers of an item': (bounds, ask, sort) =>
    nftTransfersRead({ ...bounds, items: [wallet], direction: null }, ask, sort),
}

const BOUNDS: readonly Bounds[] = [
  {},
  { endLt: BigInt(BUSY / 3) },
  { startLt: BigInt(BUSY / 8) },
  { startUtime: 10 },
  { endUtime: 20 },
]

const hex = ({ txHash }: { readonly txHash: Uint8Array }): string => Buffer.from(txHash).toString('hex')

describe.each(drivers)('%s', (driver) => {
  test('no page of them is cut from all there are, and none repeats or loses a row', async () => {
    await using database = await freshDatabase(driver)
    await database.transaction((to) => insertAssets(to, rows))
    await database.transaction((to) => to.query(sql`analyze`, { timeoutMs: 300_000 }))
    for (const [name, read] of Object.entries(LISTS))
      for (const bounds of BOUNDS)
        for (const sort of ['asc', 'desc'] as const) {
          const found: string[] = []
          let after: PageRequest['after'] = null
          for (let page = 0; page < 4; page++) {
            const list = read(bounds, { limit: LIMIT, offset: 0, after }, sort)
            const looked = rowsRead(await planOf(database.read, list.statement, driver))
            expect(looked, `${name}, ${sort}, page ${page}`).toBeLessThan(500)
            const { rows: listed, next } = await readPage(database.read, list)
            found.push(...listed.map(hex))
            after = next
          }
          const whole = read(bounds, { limit: 4 * LIMIT, offset: 0, after: null }, sort)
          expect(found).toEqual((await readPage(database.read, whole)).rows.map(hex))
          const behind = read(bounds, { limit: LIMIT, offset: 2 * LIMIT, after: null }, sort)
          expect((await readPage(database.read, behind)).rows.map(hex)).toEqual(found.slice(2 * LIMIT, 3 * LIMIT))
        }
  })
})
