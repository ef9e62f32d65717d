// Contracts that become tokens, stop being tokens or become others at any moment, on chains that go back: the index is the same,
// whether each block was written by itself or many at once, and whether blocks were undone before.

import { expect, test } from 'vitest'
import { beginCell, type Cell, openCell, type StdAddress } from '../../../../server/cell/index.ts'
import { type SqlRow, sql } from '../../../../server/store/index.ts'
import { offchain, onchain } from '../../../setup/madeContents.ts'
import { addressCell, type MadeMethod, madeAddress, madeCode, type Value } from '../../../setup/madeContracts.ts'
import { Random } from '../../../setup/random.ts'
import { index, openStore, upToDate } from '../indexScene.ts'
import { AssetScene, transferTo } from './assetScene.ts'

type Methods = Readonly<Record<string, MadeMethod>>

const owner = madeAddress(1)
const stranger = madeAddress(2)
const jetton = madeAddress(0x21)
const otherJetton = madeAddress(0x22)
const collection = madeAddress(0x23)
const targets: readonly [StdAddress, ...StdAddress[]] = [madeAddress(0x31), madeAddress(0x32), madeAddress(0x33)]
const walletCode = beginCell().storeUint(0xc0de, 16).end()
const none: Value = { slice: addressCell(null) }

const walletOf = (master: StdAddress): Methods => ({ get_wallet_data: { results: [5n, owner, master, walletCode] } })
const itemOf = (parent: Value, itemOwner: StdAddress): Methods => ({
  get_nft_data: { results: [-1n, 7n, parent, itemOwner, onchain({ name: 'Made' })] },
})
const masterOf = (content: Cell, confirmed: StdAddress): Methods => ({
  get_jetton_data: { results: [1n, 0n, owner, content, walletCode] },
  get_wallet_address: { args: [owner], results: [confirmed] },
})
const collectionOf = (confirmed: StdAddress): Methods => ({
  get_collection_data: { results: [1n, offchain('https://made.test/'), owner] },
  get_nft_address_by_index: { args: [7n], results: [confirmed] },
  get_nft_content: { results: [onchain({ name: 'Made' })] },
})

const KINDS: readonly [Methods, ...Methods[]] = [
  {},
  walletOf(jetton),
  walletOf(otherJetton),
  itemOf(none, owner),
  itemOf(none, stranger),
  itemOf(collection, owner),
  { ...walletOf(jetton), ...itemOf(none, owner) },
]

const itemTransfer = (queryId: bigint): Cell =>
  beginCell()
    .storeUint(0x5fcc3d14, 32)
    .storeUint(queryId, 64)
    .storeSlice(openCell(addressCell(stranger)))
    .storeUint(0, 3)
    .storeCoins(0n)
    .storeBit(0)
    .end()
const burn = (queryId: bigint): Cell =>
  beginCell().storeUint(0x595f07bc, 32).storeUint(queryId, 64).storeCoins(3n).storeUint(0, 3).end()
/** With DUP, EQINT 0, IFRET before it: takes any message. */
const taking = (code: Cell): Cell => beginCell().storeUint(0x20c000dc, 32).storeSlice(openCell(code)).end()

async function step(scene: AssetScene, next: Random, queryId: bigint): Promise<void> {
  const target = next.pick(targets)
  const place = (address: StdAddress, methods: Methods) => {
    const code = madeCode(methods)
    return scene.place(address, next.chance(0.8) ? taking(code) : code, beginCell().storeUint(queryId, 64).end())
  }
  const kind = next.below(10)
  if (kind < 3) await place(target, next.pick(KINDS))
  else if (kind === 3) {
    const link = next.chance(0.5) ? 'https://made.test/a' : 'https://made.test/b'
    const methods = masterOf(next.chance(0.5) ? offchain(link) : onchain({ name: 'Made' }), next.pick(targets))
    await place(next.pick([jetton, otherJetton]), next.chance(0.8) ? methods : {})
  } else if (kind === 4) await place(collection, next.chance(0.8) ? collectionOf(next.pick(targets)) : {})
  else {
    const body = next.pick([transferTo(stranger, queryId), itemTransfer(queryId), burn(queryId), beginCell().end()])
    await scene.send({ from: next.pick([owner, stranger]), to: target, body, bounce: next.chance(0.5) })
  }
}

const CHANGING = ['jetton_masters', 'jetton_wallets', 'nft_collections', 'nft_items', 'token_names', 'metadata_queue']
const EVENTS = ['jetton_transfers', 'jetton_burns', 'nft_transfers', 'nft_owners']
const TABLES = [...CHANGING, ...EVENTS, 'traces', 'actions', 'action_accounts']

const plain = (_: string, value: unknown): unknown =>
  typeof value === 'bigint' ? String(value) : value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value

/** All rows of tables that say what contracts are and did, in the order of their text. */
async function said({ database: { read } }: Pick<AssetScene, 'database'>): Promise<Record<string, readonly string[]>> {
  const tables = TABLES.map(async (table) => {
    const rows = await read.query<SqlRow>(sql`select * from ${sql.identifier(table)}`)
    return [table, rows.map(({ id, ...row }) => JSON.stringify(row, plain)).sort()] as const
  })
  return Object.fromEntries(await Promise.all(tables))
}

async function indexedAnew({ chain, node, pool }: AssetScene, batchTransactions: number) {
  const database = await openStore()
  const indexer = index({ node, database, pool, batchTransactions })
  await upToDate(indexer, chain)
  await indexer.close()
  return said({ database })
}

test.each([1, 2, 3])('whatever contracts become, seed %i', async (seed) => {
  const scene = await AssetScene.open()
  const next = new Random(seed)
  const names: string[] = []
  for (let i = 1; i <= 60; i++) {
    if (next.chance(0.15)) names.push(await scene.chain.control.snapshot())
    await step(scene, next, BigInt(i))
    if (next.chance(0.7)) await scene.upToDate()
    const name = next.chance(0.1) ? names.pop() : undefined
    if (name !== undefined) await scene.chain.control.revert(name)
  }
  await scene.upToDate()
  const clean = await indexedAnew(scene, 1)
  expect(clean.actions?.length).toBeGreaterThan(5)
  expect(await indexedAnew(scene, 10_000)).toEqual(clean)
  expect(await said(scene)).toEqual(clean)
})
