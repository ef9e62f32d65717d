// Pages of transfers and burns are written from the columns as the database sent them: the same text as from rows, whatever these have.

import { describe, expect, onTestFinished, test } from 'vitest'
import { assetHandlers } from '../../../server/methods/v3/assets/assets.ts'
import { createSideObjects } from '../../../server/methods/v3/names/sideObjects.ts'
import { decodePayload } from '../../../server/methods/view/v3/decoded.ts'
import {
  type JettonBurnRow,
  type JettonTransferRow,
  jettonBurnsRead,
  jettonTransfersRead,
  type NftTransferRow,
  nftTransfersRead,
  readPage,
} from '../../../server/store/index.ts'
import { assets } from '../../../shared/v3/assets/assets.ts'
import { insertAssets } from '../../setup/assetTables.ts'
import { ask } from '../../setup/calls.ts'
import { type Driver, drivers } from '../../setup/database.ts'
import { emptyStore } from '../../setup/emptiedStore.ts'
import { filledAssets } from '../../setup/filledAssets.ts'
import { serveMethods } from '../../setup/service.ts'

const filled = filledAssets({ rows: 60, people: 9 })
const [transfer] = filled.jettonTransfers
const [burn] = filled.jettonBurns
const [itemTransfer] = filled.nftTransfers
if (transfer === undefined || burn === undefined || itemTransfer === undefined) throw new Error('nothing was filled')

const master = new Uint8Array(33).fill(0xab).fill(127, 0, 1)
const NO_BAG = Buffer.from('no bag of cells: "\\ü"')

/** What events can have, from nothing to all; each is another transaction. */
const odd = [
  { responseDestination: null, customPayload: null, queryId: 0n, aborted: false },
  { queryId: 2n ** 64n - 1n, txLt: 2n ** 63n - 1n, txNow: 2 ** 32 - 1 },
  { customPayload: NO_BAG, responseDestination: master },
  { customPayload: Buffer.concat([NO_BAG, Buffer.alloc(2000, 7)]) },
].map((fields, i) => ({ ...fields, txHash: new Uint8Array(32).fill(i + 1) }))
const forwards = [
  { forwardPayload: null },
  { forwardPayload: NO_BAG },
  { forwardPayload: Buffer.alloc(0) },
  {
    forwardPayload:
      filled.jettonTransfers.find(({ forwardPayload }) => forwardPayload !== null)?.forwardPayload ?? null,
  },
]
const amounts = [{ amount: 0n }, { amount: 2n ** 256n - 1n }, {}, {}]

const rows = {
  ...filled,
  jettonTransfers: [
    ...filled.jettonTransfers,
    ...odd.map((fields, i) => ({
      ...transfer,
      ...fields,
      ...forwards[i],
      ...amounts[i],
      forwardTonAmount: i === 0 ? null : 2n ** 120n - 1n,
      ...(i === 1 ? { source: master } : {}),
    })),
  ],
  jettonBurns: [...filled.jettonBurns, ...odd.map((fields, i) => ({ ...burn, ...fields, ...amounts[i] }))],
  nftTransfers: [
    ...filled.nftTransfers,
    ...odd.map((fields, i) => ({
      ...itemTransfer,
      ...fields,
      ...forwards[i],
      forwardAmount: i === 0 ? null : 7n,
      collection: i === 1 ? null : itemTransfer.collection,
    })),
  ],
}

const raw = (key: Uint8Array): string =>
  `${(key[0] ?? 0) - 128}:${Buffer.from(key.subarray(1)).toString('hex').toUpperCase()}`
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
const orNull = <T, R>(value: T | null, of: (value: T) => R): R | null => (value === null ? null : of(value))

const eventOf = (row: JettonBurnRow | JettonTransferRow | NftTransferRow) => ({
  query_id: String(row.queryId),
  transaction_hash: base64(row.txHash),
  transaction_lt: String(row.txLt),
  transaction_now: row.txNow,
  transaction_aborted: row.aborted,
  response_destination: orNull(row.responseDestination, raw),
  custom_payload: orNull(row.customPayload, base64),
  decoded_custom_payload: decodePayload(row.customPayload),
  trace_id: base64(row.traceId),
})

const forwardOf = ({ forwardPayload }: JettonTransferRow | NftTransferRow) => ({
  forward_payload: orNull(forwardPayload, base64),
  decoded_forward_payload: decodePayload(forwardPayload),
})

const transferOf = (row: JettonTransferRow) => ({
  source: raw(row.source),
  destination: raw(row.destination),
  amount: String(row.amount),
  source_wallet: raw(row.sourceWallet),
  jetton_master: raw(row.jetton),
  forward_ton_amount: orNull(row.forwardTonAmount, String),
  ...eventOf(row),
  ...forwardOf(row),
})

const burnOf = (row: JettonBurnRow) => ({
  owner: raw(row.owner),
  jetton_wallet: raw(row.jettonWallet),
  jetton_master: raw(row.jetton),
  amount: String(row.amount),
  ...eventOf(row),
})

const itemTransferOf = (row: NftTransferRow) => ({
  nft_address: raw(row.nft),
  nft_collection: orNull(row.collection, raw),
  old_owner: raw(row.oldOwner),
  new_owner: raw(row.newOwner),
  forward_amount: orNull(row.forwardAmount, String),
  ...eventOf(row),
  ...forwardOf(row),
})

const EITHER = { direction: null } as const

/** A list with a filter, which the rows are read with as well. */
function listsOf() {
  const { source, destination, sourceWallet, jetton } = transfer as JettonTransferRow
  const { owner, jettonWallet, jetton: burnt } = burn as JettonBurnRow
  const { nft, collection, oldOwner } = itemTransfer as NftTransferRow
  const transfers = (filter: object) => jettonTransfersRead({ ...EITHER, ...filter }, PAGE, 'asc')
  const burns = (filter: object) => jettonBurnsRead(filter, PAGE, 'asc')
  const items = (filter: object) => nftTransfersRead({ ...EITHER, ...filter }, PAGE, 'asc')
  const of = (...keys: readonly Uint8Array[]): string => keys.map((key) => encodeURIComponent(raw(key))).join()
  return [
    ['jetton/transfers', '', transfers({}), transferOf],
    ['jetton/transfers', `owner_address=${of(source)}`, transfers({ owners: [source] }), transferOf],
    [
      ...(['jetton/transfers', `owner_address=${of(source)}&direction=out`] as const),
      ...([transfers({ owners: [source], direction: 'out' }), transferOf] as const),
    ],
    [
      'jetton/transfers',
      `owner_address=${of(source, destination)}`,
      transfers({ owners: [source, destination] }),
      transferOf,
    ],
    ['jetton/transfers', `jetton_wallet=${of(sourceWallet)}`, transfers({ wallets: [sourceWallet] }), transferOf],
    [
      ...(['jetton/transfers', `jetton_wallet=${of(sourceWallet)}&jetton_master=${of(jetton)}`] as const),
      ...([transfers({ wallets: [sourceWallet], jetton }), transferOf] as const),
    ],
    ['jetton/transfers', `start_utime=${2 ** 32 - 1}`, transfers({ startUtime: 2 ** 32 - 1 }), transferOf],
    ['jetton/burns', '', burns({}), burnOf],
    ['jetton/burns', `owner_address=${of(owner)}`, burns({ owners: [owner] }), burnOf],
    [
      'jetton/burns',
      `jetton_wallet=${of(jettonWallet)}&jetton_master=${of(burnt)}`,
      burns({ wallets: [jettonWallet], jetton: burnt }),
      burnOf,
    ],
    ['nft/transfers', '', items({}), itemTransferOf],
    ['nft/transfers', `item_address=${of(nft)}`, items({ items: [nft] }), itemTransferOf],
    [
      ...(['nft/transfers', `owner_address=${of(oldOwner)}&collection_address=${of(collection ?? master)}`] as const),
      ...([items({ owners: [oldOwner], collection: collection ?? master }), itemTransferOf] as const),
    ],
  ] as const
}

const PAGE = { limit: 1000, offset: 0, after: null }

async function setUp(driver: Driver) {
  const store = await emptyStore(driver)
  onTestFinished(() => store[Symbol.asyncDispose]())
  await store.transaction((to) => insertAssets(to, rows))
  let statements = 0
  const counted: typeof store.read = {
    query(statement, options) {
      statements++
      return store.read.query(statement, options)
    },
  }
  const side = createSideObjects({ store: counted, testOnly: true })
  const service = await serveMethods({ registry: assets, handlers: () => assetHandlers(counted, side) })
  onTestFinished(() => service[Symbol.asyncDispose]())
  const taken = (): number => {
    const now = statements
    statements = 0
    return now
  }
  return { store, service, side, taken }
}

describe.each(drivers)('%s', (driver) => {
  test('pages are the text of their rows, with the names and tokens of the accounts in them', async () => {
    const { store, service, side } = await setUp(driver)
    for (const [name, query, read, of] of listsOf()) {
      const found = await readPage<object>(store.read, read)
      // The cast: rows of a list go with what is made of them.
      const expected = JSON.stringify(found.rows.map(of as (row: object) => object))
      const { text, body } = await ask(service, `/api/v3/${name}?${query}&sort=asc&limit=1000`)
      expect(found.rows.length, `${name} ${query}`).toBeGreaterThan(0)
      expect(text.slice(text.indexOf('['), text.indexOf('[') + expected.length), `${name} ${query}`).toBe(expected)
      const accounts = found.rows.flatMap((row) =>
        Object.entries(row).flatMap(([field, value]) =>
          value instanceof Uint8Array && value.length === 33 && !field.endsWith('Payload') ? [value] : [],
        ),
      )
      expect(body.address_book).toEqual(await side.addressBook(accounts))
      expect(body.metadata).toEqual(await side.metadata(accounts))
    }
  })

  test('a list along one index takes one statement, and what a caller switched off is not written', async () => {
    const { service, taken } = await setUp(driver)
    for (const list of ['jetton/transfers', 'jetton/burns', 'nft/transfers']) {
      const whole = await ask(service, `/api/v3/${list}?limit=20`)
      expect(taken()).toBe(1)
      expect(Object.keys(whole.body.address_book as object).length).toBeGreaterThan(5)
      const off = { address_book: { 'x-no-address-book': 'true' }, metadata: { 'x-no-metadata': 'true' } }
      for (const [field, headers] of Object.entries(off)) {
        const { body } = await ask(service, `/api/v3/${list}?limit=20`, { headers })
        expect(body).toEqual({ ...whole.body, [field]: {} })
        expect(taken()).toBe(1)
      }
    }
  })
})
