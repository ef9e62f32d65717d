// The index of a real chain against what the chain itself says, read by other means.

import { expect, test } from 'vitest'
import { beginCell } from '../../../server/cell/index.ts'
import type { Devchain } from '../../../server/devchain/index.ts'
import { accountIdOf } from '../../../server/indexer/accounts/accountIdOf.ts'
import type { Chain } from '../../../server/node/index.ts'
import { type MasterBlockRows, type Sql, sql } from '../../../server/store/index.ts'
import { drivers } from '../../setup/database.ts'
import { accepting, play, prepare, type Scene } from '../devchain/traffic.ts'
import { account, coins } from '../devchain/wallets.ts'
import { cleanDigests, digests, headSeqno, index, openNode, openStore, upToDate } from './indexScene.ts'
import { everyTransaction, type OtherTransaction, tracesOf } from './otherReading.ts'

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/** Transfers, deploys, bounces, contracts that throw, messages no one sent, and changes by hand. */
async function liveOn(chain: Devchain, scene: Scene, { seed, count }: { seed: number; count: number }): Promise<void> {
  await play(chain, scene, { count, seed })
  const from = account(0x51)
  const to = account(0x52, -1)
  const body = beginCell().storeUint(seed, 32).end()
  await chain.control.sendInternal({ from, to: account(0x53), value: coins(2), body })
  await chain.control.sendInternal({ from, to, value: coins(2), bounce: true })
  const [someone] = scene.wallets
  if (someone !== undefined) await chain.control.setAccount({ ...someone.address, balance: coins(77) })
  await chain.control.setAccount({ ...account(0x54), balance: coins(3), code: accepting, data: body })
  await chain.control.mine()
}

const nothingTwice = (texts: readonly string[]): void => expect(new Set(texts).size).toBe(texts.length)

async function checkTransactions(read: Sql, found: readonly OtherTransaction[]): Promise<void> {
  const rows = await read.query<{ hash: Uint8Array; account: Uint8Array; lt: bigint; mc_seqno: number; now: bigint }>(
    sql`select hash, account, lt, mc_seqno, now from transactions`,
  )
  const said = rows.map((row) => [hex(row.hash), hex(row.account), row.lt, row.mc_seqno, Number(row.now)].join(' '))
  const expected = found.map(({ id, workchain, mcSeqno, core }) => {
    const name = core.address.toString(16).padStart(64, '0')
    return [id, (workchain + 128).toString(16) + name, core.lt, mcSeqno, core.now].join(' ')
  })
  expect(said.sort()).toEqual(expected.sort())
}

async function checkMessages(read: Sql, found: readonly OtherTransaction[]): Promise<void> {
  const rows = await read.query<{ hash: Uint8Array; out_tx_hash: Uint8Array | null }>(
    sql`select hash, out_tx_hash from messages`,
  )
  const producers = new Map(rows.map(({ hash, out_tx_hash }) => [hex(hash), out_tx_hash && hex(out_tx_hash)]))
  nothingTwice(rows.map(({ hash }) => hex(hash)))
  const expected = new Map<string, string | null>()
  for (const { inMessage } of found) if (inMessage !== null) expected.set(inMessage, null)
  for (const { id, outMessages } of found) for (const { hash } of outMessages) expected.set(hash, id)
  expect([...producers].sort()).toEqual([...expected].sort())
}

async function checkTraces(read: Sql, found: readonly OtherTransaction[]): Promise<void> {
  const expected = tracesOf(found)
  const rows = await read.query<{ trace_id: Uint8Array; state: string; accounts: bigint }>(
    sql`select traces.*, (select count(*) from trace_accounts where trace_accounts.trace_id = traces.trace_id) as accounts
      from traces`,
  )
  expect(rows.map(({ trace_id }) => hex(trace_id)).sort()).toEqual([...expected.keys()].sort())
  for (const row of rows) {
    const { members = [], ...counts } = expected.get(hex(row.trace_id)) ?? {}
    expect(row).toMatchObject(counts)
    const accounts = new Set(members.map(({ workchain, core }) => `${workchain}:${core.address}`)).size
    expect(Number(row.accounts)).toBe(row.state === 'complete' ? accounts : 0)
  }
  const stamps = await read.query<{ hash: Uint8Array; trace_id: Uint8Array }>(
    sql`select hash, trace_id from transactions`,
  )
  const said = new Map(stamps.map(({ hash, trace_id }) => [hex(hash), hex(trace_id)]))
  for (const [id, { members }] of expected) for (const member of members) expect(said.get(member.id)).toBe(id)
}

/** Every account as the node proves it. */
async function checkAccounts(read: Sql, chain: Devchain, node: Chain): Promise<void> {
  const rows = await read.query<{
    account: Uint8Array
    hash: Uint8Array
    last_tx_lt: bigint
    data_hash: unknown
    data: unknown
  }>(sql`select account, hash, last_tx_lt, data_hash, data from accounts`)
  const { id } = chain.head().master
  expect(rows.length).toBeGreaterThan(15)
  for (const row of rows) {
    const name = accountIdOf(row.account)
    const { shardAccount } = await node.account(id, name)
    if (shardAccount === null) continue
    expect(hex(row.hash)).toBe(shardAccount.account.hashHex())
    expect(row.last_tx_lt).toBe(shardAccount.lastTransLt)
    expect(row.data === null).toBe(row.data_hash === null)
  }
}

test.each(drivers)(
  '%s: everything that happens on a chain stands in the index once, as the chain has it',
  async (driver) => {
    const { chain, node } = await openNode()
    const database = await openStore(driver)
    const indexer = index({ node, database })
    const scene = await prepare(chain, 5)
    await liveOn(chain, scene, { seed: 1, count: 50 })
    await upToDate(indexer, chain)
    await liveOn(chain, scene, { seed: 2, count: 50 })
    await upToDate(indexer, chain)
    const found = await everyTransaction(chain)
    expect(found.length).toBeGreaterThan(200)
    await checkTransactions(database.read, found)
    await checkMessages(database.read, found)
    await checkTraces(database.read, found)
    await checkAccounts(database.read, chain, node)
    // Followed block by block, in one go, or in batches of a few transactions, it is the same index.
    const inOneGo = await cleanDigests(chain, node)
    expect(await digests(database.read)).toEqual(inOneGo)
    const other = await openStore()
    await upToDate(index({ node, database: other, batchTransactions: 30 }), chain)
    expect(await digests(other.read)).toEqual(inOneGo)
  },
)

test('a message the chain made itself begins a complete trace', async () => {
  const { chain, node } = await openNode()
  const database = await openStore()
  const indexer = index({ node, database })
  await chain.control.sendInternal({ from: account(0x51), to: account(0x53), value: coins(2), bounce: false })
  await upToDate(indexer, chain)
  const states = await database.read.query(sql`select state, pending_edges, edges, nodes from traces
    where trace_id in (select hash from transactions where account = ${Uint8Array.of(128, ...account(0x53).id)})`)
  expect(states).toEqual([{ state: 'complete', pending_edges: 0, edges: 1, nodes: 1 }])
})

test('accounts the chain was born with are there though nothing ever happened to them', async () => {
  const { chain, node } = await openNode()
  const database = await openStore()
  await upToDate(index({ node, database }), chain)
  const { accounts } = chain.control.state()
  for (const { balance } of accounts) {
    const rows = await database.read.query(sql`select account from accounts where balance = ${BigInt(balance)}`)
    expect(rows.length).toBeGreaterThan(0)
  }
})

test('an index that begins later has what came later, and traces that began before it are broken', async () => {
  const { chain, node } = await openNode()
  const scene = await prepare(chain, 4)
  await liveOn(chain, scene, { seed: 5, count: 20 })
  const first = headSeqno(chain) - 3
  const database = await openStore()
  const indexer = index({ node, database, indexFrom: { seqno: first } })
  await liveOn(chain, scene, { seed: 6, count: 20 })
  await upToDate(indexer, chain)
  const found = (await everyTransaction(chain)).filter(({ mcSeqno }) => mcSeqno >= first)
  await checkTransactions(database.read, found)
  const sent = new Set(found.flatMap(({ outMessages }) => outMessages.map(({ hash }) => hash)))
  const isCut = ({ inMessage, core }: OtherTransaction): boolean =>
    inMessage !== null && core.inMessage?.info.type === 'internal' && !sent.has(inMessage)
  const rows = await database.read.query<{ state: string }>(
    sql`select state from traces where trace_id = any(${found
      .filter(isCut)
      .map(({ id }) => Buffer.from(id, 'hex'))}::bytea[])`,
  )
  // Of these, two were made by the chain itself.
  expect(rows.filter(({ state }) => state === 'complete').length).toBeGreaterThanOrEqual(2)
  const counts = await database.read.query(sql`select state from traces where state = 'broken' and pending_edges = 0`)
  expect(counts).toEqual([])
})

test('each batch names the block that it follows', async () => {
  const { chain, node } = await openNode()
  const database = await openStore()
  const named: unknown[] = []
  const onPrepared = ({ previous, previousRootHash }: MasterBlockRows): void =>
    void named.push({ seqno: previous, root_hash: previousRootHash })
  const indexer = index({ node, database, batchTransactions: 1, onPrepared })
  await upToDate(indexer, chain)
  await chain.control.mine(3)
  await upToDate(indexer, chain)
  const blocks = await database.read.query(
    sql`select seqno, root_hash from blocks where workchain = -1 and seqno < ${headSeqno(chain)} order by seqno`,
  )
  expect(named).toEqual([{ seqno: null, root_hash: undefined }, ...blocks])
})
