// Histories of accounts that a service reads again.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { readBoc, writeBocText } from '../../../../server/cell/index.ts'
import {
  type HistoryQuery,
  LiteError,
  type LiteServer,
  ProofError,
  type ReadOptions,
} from '../../../../server/node/index.ts'
import { BlockFinder } from '../../../../server/node/remote/blockFinder.ts'
import { GivenHeads } from '../../../../server/node/remote/givenHeads.ts'
import { RemoteTransactions } from '../../../../server/node/remote/remoteTransactions.ts'
import { type LiteScene, openScene } from '../../devchain/lite/liteScene.ts'
import { madeWallet } from '../../devchain/wallets.ts'

const account = { workchain: 0, hash: madeWallet(0).address.id }

let scene: LiteScene
let newest: HistoryQuery
beforeAll(async () => {
  scene = await openScene({ messages: 24, seed: 3 })
  const found = scene.chain.reader.moment().shard.accounts.get(account.hash)
  if (found === undefined) throw new Error('the wallet is not there')
  newest = { account, lt: found.lastTransLt, hash: found.lastTransHash, count: 3 }
})
afterAll(() => scene.close())

type Answer = (...query: Parameters<LiteServer['transactions']>) => ReturnType<LiteServer['transactions']>

/** What a service reads of the scene's chain, from a server that can be another from one call to the next. */
function reading() {
  const calls: HistoryQuery[] = []
  const state = { answer: ((...query) => scene.lite.transactions(...query)) as Answer }
  const server: LiteServer = {
    ...scene.lite,
    transactions: (query, options) => {
      calls.push(query)
      return state.answer(query, options)
    },
  }
  const heads = new GivenHeads(server, 'full')
  const give = (branch: number) => {
    const { id, utime, root } = scene.chain.reader.moment().master
    const zerostate = scene.chain.reader.zerostates.master.id
    heads.give({ id, utime, stateHash: root.hashBytes(), zerostate, branch, keyBlock: null })
  }
  const finder = new BlockFinder(server, heads)
  return { calls, state, give, transactions: new RemoteTransactions({ server, trust: heads, finder }) }
}

const hashesOf = (found: Awaited<ReturnType<RemoteTransactions['read']>>) => found.map(({ cell }) => cell.hashHex())

test('behavior: a history that has not grown takes no call', async () => {
  const { calls, give, transactions } = reading()
  give(0)
  const first = await transactions.read(newest)
  expect(hashesOf(first)).toHaveLength(3)
  expect(hashesOf(await transactions.read({ ...newest }))).toEqual(hashesOf(first))
  expect(calls).toHaveLength(1)
  const [, second] = first
  if (second === undefined) throw new Error('the wallet has one transaction')
  const older = { ...newest, lt: second.transaction.lt, hash: second.cell.hashBytes(), count: 2 }
  expect(hashesOf(await transactions.read(older))).toEqual(hashesOf(first).slice(1))
  expect(hashesOf(await transactions.read({ ...newest, count: 2 }))).toEqual(hashesOf(first).slice(0, 2))
  expect(calls).toHaveLength(3)
})

test('behavior: what is read again is the same to the last bit, whatever becomes of the bytes it came in', async () => {
  const { calls, state, give, transactions } = reading()
  give(0)
  const { answer } = state
  const came: Uint8Array[] = []
  state.answer = async (...query) => {
    const found = await answer(...query)
    const bytes = new Uint8Array(found.transactions)
    came.push(bytes)
    return { ...found, transactions: bytes }
  }
  const shown = (found: Awaited<ReturnType<RemoteTransactions['read']>>) =>
    found.map(({ cell, transaction }) => ({ bag: writeBocText(cell), hash: cell.hashHex(), lt: transaction.lt }))
  const first = shown(await transactions.read(newest))
  for (const bytes of came) bytes.fill(0)
  for (let i = 0; i < 2; i++) {
    const again = shown(await transactions.read(newest))
    expect(again).toEqual(first)
    for (const { bag, hash } of again) expect(readBoc(Buffer.from(bag, 'base64')).hashHex()).toBe(hash)
  }
  expect(calls).toHaveLength(1)
})

test('behavior: many callers at a time cost one call', async () => {
  const { calls, give, transactions } = reading()
  give(0)
  const found = await Promise.all(Array.from({ length: 20 }, () => transactions.read(newest)))
  for (const one of found) expect(hashesOf(one)).toEqual(hashesOf(found[0] ?? []))
  expect(calls).toHaveLength(1)
})

test('behavior: what is requested under another name is not what was read', async () => {
  const { give, transactions } = reading()
  give(0)
  await transactions.read(newest)
  const { lt, hash } = newest
  const joined = Buffer.concat([hash, account.hash])
  const others: readonly Partial<HistoryQuery>[] = [
    { lt: lt + 1n },
    { hash: hash.with(31, (hash[31] ?? 0) ^ 1) },
    { account: { workchain: -1, hash: account.hash } },
    { account: { workchain: 0, hash: account.hash.with(0, (account.hash[0] ?? 0) ^ 1) } },
    { hash: joined.subarray(0, 31), account: { workchain: 0, hash: joined.subarray(31) } },
  ]
  for (const other of others)
    await expect(transactions.read({ ...newest, ...other })).rejects.toSatisfy(
      (error) => error instanceof LiteError || error instanceof ProofError,
    )
})

test('behavior: after a revert of the chain what was read of it is looked for again', async () => {
  const { calls, state, give, transactions } = reading()
  give(0)
  await transactions.read(newest)
  state.answer = () => Promise.reject(new LiteError('badQuery', 'cannot locate transaction'))
  expect(hashesOf(await transactions.read(newest))).toHaveLength(3)
  give(1)
  await expect(transactions.read(newest)).rejects.toThrow('cannot locate transaction')
  expect(calls).toHaveLength(2)
})

test('error: what is not proven is not passed on, and not kept', async () => {
  const { state, give, transactions } = reading()
  give(0)
  const { answer } = state
  state.answer = async (...query) => {
    const found = await answer(...query)
    return { ...found, transactions: found.transactions.with(found.transactions.length >> 1, 7) }
  }
  await expect(transactions.read(newest)).rejects.toThrow(ProofError)
  state.answer = answer
  expect(hashesOf(await transactions.read(newest))).toHaveLength(3)
})

test('behavior: a page that breaks off is requested again, one that ends with the first transaction is not', async () => {
  const { calls, state, give, transactions } = reading()
  give(0)
  const { answer } = state
  state.answer = (query, options) => answer({ ...query, count: 1 }, options)
  expect(hashesOf(await transactions.read(newest))).toHaveLength(1)
  state.answer = answer
  expect(hashesOf(await transactions.read(newest))).toHaveLength(3)
  expect(calls).toHaveLength(2)
  let last = (await transactions.read({ ...newest, count: 16 })).at(-1)
  while (last !== undefined && last.transaction.prevLt > 0n) {
    const { prevLt: lt, prevHash: hash } = last.transaction
    last = (await transactions.read({ ...newest, lt, hash, count: 1 })).at(-1)
  }
  if (last === undefined) throw new Error('the wallet has no first transaction')
  const first = { ...newest, lt: last.transaction.lt, hash: last.cell.hashBytes(), count: 5 }
  expect(hashesOf(await transactions.read(first))).toHaveLength(1)
  const before = calls.length
  expect(hashesOf(await transactions.read(first))).toHaveLength(1)
  expect(calls).toHaveLength(before)
})

test('behavior: a read of what is known to exist does not fail with a read of what may not', async () => {
  const { state, give, transactions } = reading()
  give(0)
  const { answer } = state
  state.answer = (query, options) =>
    (options as ReadOptions | undefined)?.exists === true
      ? answer(query, options)
      : Promise.reject(new LiteError('badQuery', 'cannot locate transaction'))
  const one = transactions.read(newest)
  const other = transactions.read(newest, { exists: true })
  await expect(one).rejects.toThrow('cannot locate transaction')
  expect(hashesOf(await other)).toHaveLength(3)
})

test('behavior: before the first head, and after a caller has disconnected, others have their answers', async () => {
  const { calls, state, give, transactions } = reading()
  expect(hashesOf(await transactions.read(newest))).toHaveLength(3)
  expect(hashesOf(await transactions.read(newest))).toHaveLength(3)
  expect(calls).toHaveLength(2)
  give(0)
  const { answer } = state
  const leaving = new AbortController()
  state.answer = (_, options) =>
    new Promise((_resolve, reject) => {
      options?.signal?.addEventListener('abort', () => reject(new LiteError('cancelled', 'the caller has gone')))
    })
  const first = transactions.read(newest, { signal: leaving.signal })
  const second = transactions.read(newest)
  state.answer = answer
  leaving.abort()
  await expect(first).rejects.toThrow('the caller has gone')
  expect(hashesOf(await second)).toHaveLength(3)
})
