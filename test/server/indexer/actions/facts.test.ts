// What the index knows of accounts when it classifies a trace: pools that are only named, and data where a rule needs it.

import { expect, test } from 'vitest'
import { accountsToKnow } from '../../../../server/actions/accountsToKnow.ts'
import {
  type Builder,
  beginCell,
  type Cell,
  type StdAddress,
  stdAddress,
  storeAddress,
} from '../../../../server/cell/index.ts'
import { readData, readFacts } from '../../../../server/facts/actions/accountFacts.ts'
import { FactsBook } from '../../../../server/indexer/actions/factsBook.ts'
import { candidateKinds } from '../../../../server/indexer/assets/candidates.ts'
import { type AccountRow, factRows, LONGEST_DATA } from '../../../../server/store/index.ts'
import { madeAddress, madeCode, type Value } from '../../../setup/madeContracts.ts'
import { message, trace, transaction } from '../../actions/madeTraces.ts'
import { AssetScene, keyOf } from '../assets/assetScene.ts'

const FACTORY = stdAddress(0, Buffer.from('5f0564fb5f604783db57031ce1cf668a88d4d4d6da6de4db222b4b920d6fd800', 'hex'))
const [pool, liar, jetton, wallet, someone] = [1, 2, 3, 4, 5].map(madeAddress) as [
  ...[StdAddress, StdAddress, StdAddress, StdAddress, StdAddress],
]
const raw = ({ hash }: StdAddress): string => `0:${Buffer.from(hash).toString('hex').toUpperCase()}`
const addressCell = (address: StdAddress): Cell => storeAddress(beginCell(), address).end()
const NATIVE = beginCell().storeUint(0, 4).end()
const asset = ({ hash }: StdAddress): Cell => beginCell().storeUint(1, 4).storeInt(0, 8).storeBytes(hash).end()

const sent = (to: StdAddress, body: Cell) =>
  trace(transaction({ account: raw(to), in: message({ source: raw(someone), destination: raw(to), body }) }))

/** A swap of TON by way of two pools. */
function swapOver(first: StdAddress, second: StdAddress): Cell {
  const step = (builder: Builder, of: StdAddress) => storeAddress(builder, of).storeBit(false).storeCoins(0n)
  const next = step(beginCell(), second).storeBit(false).end()
  const head = beginCell().storeUint(0xea06185d, 32).storeUint(0, 64).storeCoins(5n)
  return step(head, first).storeMaybeRef(next).end()
}

test('pools of DeDust that their factory knows, also when a trace only names them', async () => {
  const scene = await AssetScene.open()
  const assets = { results: [{ slice: NATIVE }, { slice: asset(jetton) }] }
  const methods = { get_assets: assets, is_stable: { results: [0n] } }
  await scene.place(
    FACTORY,
    madeCode({ get_pool_address: { args: [0n, { slice: NATIVE }, { slice: asset(jetton) }], results: [pool] } }),
    beginCell().end(),
  )
  await scene.place(pool, madeCode(methods), beginCell().end())
  await scene.place(liar, madeCode(methods), beginCell().storeBit(true).end())

  expect(await scene.rows('dedust_pools')).toMatchObject([
    { account: keyOf(pool), asset_1: null, asset_2: keyOf(jetton) },
  ])
  const swap = sent(someone, swapOver(liar, pool))
  expect([...accountsToKnow(swap)]).toContain(raw(pool))
  const facts = await readFacts(factRows(scene.database.read), [swap])
  expect(facts.get(raw(pool))?.dedustPool).toEqual({ assets: [null, raw(jetton)] })
  expect(facts.get(raw(liar))?.dedustPool).toBeUndefined()
})

test('pools of DeDust v2, of which no factory is asked', async () => {
  const scene = await AssetScene.open()
  const empty = beginCell().end()
  const data = (asset: Value) => ({ results: [0n, 0n, 7n, asset, jetton, empty, empty, null, 30n, 5n, 6n] })
  const none = { slice: beginCell().storeUint(0, 2).end() }
  await scene.place(pool, madeCode({ get_pool_data: data(none) }), beginCell().end())
  await scene.place(liar, madeCode({ get_pool_data: data({ slice: NATIVE }) }), beginCell().storeBit(true).end())
  await scene.place(wallet, madeCode({ get_pool_data: { results: [0n, none, none] } }), beginCell().end())

  expect(await scene.rows('dedust_pools')).toMatchObject([
    { account: keyOf(pool), asset_1: null, asset_2: keyOf(jetton) },
  ])
})

test('data of megabytes is left where it is', async () => {
  const scene = await AssetScene.open()
  const code = madeCode({ get_data: { results: [] } })
  const leaf = (i: number) => beginCell().storeUint(i, 32).storeBytes(new Uint8Array(120)).end()
  const large = (length: number) => {
    let cell = beginCell().end()
    for (let i = 0; i < length; i++)
      cell = [3 * i, 3 * i + 1, 3 * i + 2]
        .map(leaf)
        .reduce((b, ref) => b.storeRef(ref), beginCell().storeRef(cell))
        .end()
    return cell
  }
  await scene.place(pool, code, large(100))
  await scene.place(wallet, code, large(300))
  await scene.upToDate()
  const found = await readData(factRows(scene.database.read), new Set([raw(pool), raw(wallet)]))
  expect(found.map(([address]) => address)).toEqual([raw(pool)])
})

test.each([
  [LONGEST_DATA, 1],
  [LONGEST_DATA + 1, 0],
])('data of %i bytes is the same from the batch that wrote it as later', async (bytes, known) => {
  const scene = await AssetScene.open()
  const book = new FactsBook(scene.database)
  const row: AccountRow = {
    account: Buffer.concat([Buffer.from([0x80]), wallet.hash]),
    balance: 1n,
    hash: new Uint8Array(32),
    extra: {},
    status: 'active',
    codeHash: null,
    dataHash: null,
    frozenHash: null,
    data: new Uint8Array(bytes),
    lastTxLt: 1n,
    lastTxHash: new Uint8Array(32),
    mcSeqno: 1,
  }
  await book.take([], [{ accounts: [row], found: null, codes: [] }])
  const request = sent(wallet, beginCell().storeUint(0x499a9262, 32).storeUint(0, 64).storeCoins(5n).end())
  const facts = (await book.of([request]))(request)
  expect([...facts.values()].filter(({ data }) => data !== undefined)).toHaveLength(known)
})

test('on a network of strangers only the code of a pool makes one', () => {
  const code = madeCode({ get_assets: { results: [] } })
  expect(candidateKinds({ hash: code.hash(), code, isPublic: false })).toContain('dedustPool')
  expect(candidateKinds({ hash: code.hash(), code, isPublic: true })).not.toContain('dedustPool')
})

test('data of a stake wallet that is requested to return a stake, and of no other', async () => {
  const scene = await AssetScene.open()
  const code = madeCode({})
  await scene.place(wallet, code, addressCell(pool))
  await scene.place(someone, code, addressCell(pool))
  await scene.rows('accounts')
  const facts = await readFacts(factRows(scene.database.read), [
    sent(wallet, beginCell().storeUint(0x499a9262, 32).storeUint(0, 64).storeCoins(5n).end()),
  ])
  expect(facts.get(raw(wallet))?.data).toBeInstanceOf(Uint8Array)
  expect(facts.get(raw(someone))?.data).toBeUndefined()
})
