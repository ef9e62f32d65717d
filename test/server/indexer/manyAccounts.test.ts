// A revert of blocks that changed very many accounts: other callers are answered while their earlier states are read.

import { expect, test } from 'vitest'
import { beginCell, writeBoc } from '../../../server/cell/index.ts'
import { accountKey } from '../../../server/facts/index.ts'
import { Slots } from '../../../server/indexer/chain/slots.ts'
import { StepReader } from '../../../server/indexer/chain/stepReader.ts'
import { accountRowsAt, withLastChanges } from '../../../server/indexer/lastChanges.ts'
import { MASTERCHAIN, WHOLE_SHARD } from '../../../server/node/index.ts'
import type { Database } from '../../../server/store/index.ts'
import { treeOf } from '../../setup/cellTree.ts'
import { turnsOf } from '../../setup/othersTurns.ts'
import { account, coins } from '../devchain/wallets.ts'
import { headSeqno, index, openNode, openStore, upToDate } from './indexScene.ts'

const ACCOUNTS = 200
const idOf = (number: number): Uint8Array => Uint8Array.of(number, ...new Uint8Array(31).fill(0x5a))
const numbers = Array.from({ length: ACCOUNTS }, (_, number) => number)

async function manyAccounts() {
  const { chain, node } = await openNode({ mining: 'manual' })
  await Promise.all(
    numbers.map((number) => chain.control.setAccount({ workchain: 0, id: idOf(number), balance: coins(1) })),
  )
  await chain.control.mine(2)
  const limits = { lanes: new Slots(1), timeoutMs: 300_000, signal: new AbortController().signal }
  const reads = { chain: node, ...limits }
  const ancestor = await node.idOf({ workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno: headSeqno(chain) })
  return {
    chain,
    parts: { ...reads, reader: new StepReader(reads) },
    ancestor,
    keys: numbers.map((number) => accountKey(0, idOf(number))),
  }
}

test('behavior: others have their turns while accounts of an earlier block are read', async () => {
  const { parts, ancestor, keys } = await manyAccounts()
  const { found, turns } = await turnsOf(() => accountRowsAt(parts, ancestor, keys))
  expect(found.map((row) => row?.balance)).toEqual(keys.map(() => coins(1)))
  expect(turns).toBeGreaterThan(ACCOUNTS / 2)
})

test('behavior: others have their turns while the block that changed each of them last is looked for', async () => {
  const { chain, parts, ancestor, keys } = await manyAccounts()
  const store = await openStore()
  await upToDate(index({ node: parts.chain, database: store }), chain)
  const rows = (await accountRowsAt(parts, ancestor, keys)).filter((row) => row !== null)
  const { found, turns } = await turnsOf((anew) => {
    const transaction: Database['transaction'] = (work, options) => store.transaction(work, options).finally(anew)
    return withLastChanges({ ...parts, database: { transaction } }, ancestor, rows)
  })
  expect(found).toHaveLength(ACCOUNTS)
  expect(turns).toBeGreaterThan(ACCOUNTS / 2)
})

test('behavior: others have their turns while the data of one with very many cells is read', async () => {
  const { chain, parts } = await manyAccounts()
  const data = treeOf(12_000)
  await chain.control.setAccount({ workchain: 0, id: idOf(0), code: beginCell().end(), data })
  await chain.control.mine()
  const ancestor = await parts.chain.idOf({ workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno: headSeqno(chain) })
  const { found, turns } = await turnsOf(() => accountRowsAt(parts, ancestor, [accountKey(0, idOf(0))]))
  expect(found[0]?.data).toEqual(writeBoc(data, 0))
  expect(turns).toBeGreaterThan(20)
})

test('what the last transactions of accounts left is not looked for in states of earlier blocks', async () => {
  const { chain, parts, keys } = await manyAccounts()
  const some = numbers.slice(0, 5)
  for (const number of some)
    await chain.control.sendInternal({ from: account(0x70), to: { workchain: 0, id: idOf(number) }, value: coins(1) })
  await chain.control.mine(5)
  const store = await openStore()
  await upToDate(index({ node: parts.chain, database: store }), chain)
  const ancestor = await parts.chain.idOf({ workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno: headSeqno(chain) })
  const rows = (await accountRowsAt(parts, ancestor, keys)).filter((row) => row !== null)
  let reads = 0
  const counting: typeof parts.chain.account = (id, name, options) => {
    reads++
    return parts.chain.account(id, name, options)
  }
  const find: typeof parts.chain.find = (...query) => parts.chain.find(...query)
  const near = { ...parts, chain: { traits: parts.chain.traits, find, account: counting }, database: store }
  const found = await withLastChanges(near, ancestor, rows.slice(0, some.length))
  expect(reads).toBe(0)
  const seqnos = found.map(({ mcSeqno }) => mcSeqno)
  expect(Math.max(...seqnos)).toBeLessThan(ancestor.seqno)
  expect(seqnos).toEqual(seqnos.toSorted((a, b) => a - b))
  // What was set has no transaction.
  await withLastChanges(near, ancestor, rows.slice(-1))
  expect(reads).toBeGreaterThan(0)
})
