// One index is of one chain: whatever else is pointed at its database neither reads nor writes it, and says why.

import { expect, test, vi } from 'vitest'
import { type Database, forgetAllRows, SCHEMA_STEP, sql } from '../../../server/store/index.ts'
import { drivers } from '../../setup/database.ts'
import { cleanDigests, digests, headSeqno, index, openNode, openStore, upToDate } from './indexScene.ts'

type Node = Awaited<ReturnType<typeof openNode>>

async function indexed({ chain, node }: Node, database: Database): Promise<Record<string, string>> {
  const indexer = index({ node, database })
  await upToDate(indexer, chain)
  await indexer.close()
  return await digests(database.read)
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

async function genesisOf({ node }: Node): Promise<readonly [root: string, file: string]> {
  const { zerostate: init } = await node.head()
  return [base64(init.rootHash), base64(init.fileHash)]
}

test.each(drivers)(
  '%s: another chain is refused by both hashes, with two ways out, and changes nothing',
  async (driver) => {
    const one = await openNode()
    const other = await openNode()
    await other.chain.control.mine(3)
    const database = await openStore(driver)
    const before = await indexed(one, database)
    const stranger = index({ node: other.node, database })
    await expect.poll(() => stranger.status().state).toBe('stopped')
    const { trouble, isRefused, head } = stranger.status()
    for (const hash of [...(await genesisOf(one)), ...(await genesisOf(other))]) expect(trouble).toContain(hash)
    const elsewhere = driver === 'pglite' ? 'data folder with --data' : 'database with --database'
    expect(trouble).toMatch(new RegExp(`choose another ${elsewhere}, or .* --reindex-from 1`))
    expect([isRefused, head]).toEqual([true, null])
    await expect(stranger.readable()).rejects.toMatchObject({ code: 'mismatch', message: trouble })
    expect(await digests(database.read)).toEqual(before)
  },
)

test('a process that only reads refuses the index of another chain, and reads it once it is of its own', async () => {
  const one = await openNode()
  const other = await openNode()
  const database = await openStore()
  await indexed(one, database)
  const reader = index({ node: other.node, database, writes: false })
  await expect(reader.readable()).rejects.toMatchObject({ code: 'mismatch' })
  expect(reader.status()).toMatchObject({ isRefused: true, head: null })
  const writer = index({ node: other.node, database, reindexFrom: 1 })
  await upToDate(writer, other.chain)
  await upToDate(reader, other.chain)
  await reader.readable()
  expect(reader.status()).toMatchObject({ isRefused: false, trouble: null })
  expect(await digests(database.read)).toEqual(await cleanDigests(other.chain, other.node))
})

test('another chain can only be indexed again from its beginning', async () => {
  const one = await openNode()
  const other = await openNode()
  for (const { chain } of [one, other]) await chain.control.mine(4)
  const database = await openStore()
  const before = await indexed(one, database)
  const stranger = index({ node: other.node, database, reindexFrom: 3 })
  await expect.poll(() => stranger.status().state).toBe('stopped')
  expect(stranger.status().trouble).toMatch(/another chain/)
  expect(await digests(database.read)).toEqual(before)
})

test('an index made before identities were kept is adopted by its own chain and by no other', async () => {
  const one = await openNode()
  const other = await openNode()
  for (const { chain } of [one, other]) await chain.control.mine()
  const database = await openStore()
  const before = await indexed(one, database)
  await database.transaction((to) => to.query(sql`delete from chain_identity`))
  const stranger = index({ node: other.node, database })
  await expect.poll(() => stranger.status().state).toBe('stopped')
  expect(stranger.status().trouble).toMatch(/another chain: its masterchain block 1 has root hash/)
  expect(await database.read.query(sql`select * from chain_identity`)).toEqual([])
  const own = index({ node: one.node, database })
  await vi.waitFor(async () => expect(await digests(database.read)).toEqual(before), { timeout: 300_000 })
  await own.readable()
})

test('tables of a newer version are neither read nor written, until they are no more', async () => {
  const { chain, node } = await openNode()
  const database = await openStore()
  await indexed({ chain, node }, database)
  const newer = SCHEMA_STEP + 1
  await database.transaction((to) => to.query(sql`insert into tonrpc_migrations values (${newer}, 'newer', '', 0)`))
  const before = await digests(database.read)
  const reader = index({ node, database, writes: false })
  const writer = index({ node, database })
  await expect.poll(() => writer.status().state).toBe('stopped')
  for (const one of [reader, writer]) {
    await expect(one.readable()).rejects.toMatchObject({
      code: 'mismatch',
      message: expect.stringContaining(`${newer}`),
    })
    expect(one.status().trouble).toMatch(/newer version/)
  }
  expect(await digests(database.read)).toEqual(before)
  await database.transaction((to) => to.query(sql`delete from tonrpc_migrations where number = ${newer}`))
  await vi.waitFor(() => reader.readable(), 300_000)
})

test.each(drivers)(
  '%s: a leader writes no more once a newer version has changed the tables, and lets it lead',
  async (driver) => {
    const { chain, node } = await openNode()
    const database = await openStore(driver)
    const leader = index({ node, database })
    await upToDate(leader, chain)
    const newer = SCHEMA_STEP + 1
    await database.transaction((to) => to.query(sql`insert into tonrpc_migrations values (${newer}, 'newer', '', 0)`))
    const before = await digests(database.read)
    await chain.control.mine(1)
    await expect.poll(() => leader.status().state).toBe('stopped')
    expect(leader.status()).toMatchObject({
      leads: false,
      isRefused: true,
      trouble: expect.stringContaining(`${newer}`),
    })
    await expect(leader.readable()).rejects.toMatchObject({ code: 'mismatch' })
    expect(await digests(database.read)).toEqual(before)
    await (await database.lead(new AbortController().signal)).release()
    // Tests after this one use the same database.
    await database.transaction((to) => to.query(sql`delete from tonrpc_migrations where number = ${newer}`))
  },
)

test.each(drivers)('%s: a leader that misses a table says so, and goes on once it is back', async (driver) => {
  const { chain, node } = await openNode()
  const database = await openStore(driver)
  const leader = index({ node, database })
  await upToDate(leader, chain)
  await database.transaction((to) => to.query(sql`alter table messages rename to messages_away`))
  await chain.control.mine(1)
  await expect.poll(() => leader.status().trouble).toMatch(/"messages".*put back what was removed/)
  expect(leader.status().state).not.toBe('stopped')
  await database.transaction((to) => to.query(sql`alter table messages_away rename to messages`))
  await upToDate(leader, chain)
  expect(leader.status()).toMatchObject({ leads: true, isRefused: false, trouble: null })
  await leader.readable()
  expect(await digests(database.read)).toEqual(await cleanDigests(chain, node))
})

test('while the chain goes back a reader sees one head or the other, never none', async () => {
  const { chain, node } = await openNode()
  const short = await openStore()
  const long = await openStore()
  await indexed({ chain, node }, short)
  await chain.control.mine(3)
  await indexed({ chain, node }, long)
  // Each statement meets the index at another moment, before or after a rollback.
  let statements = 0
  const read: Database['read'] = { query: (...how) => (statements++ % 2 === 0 ? long : short).read.query(...how) }
  const reader = index({ node, database: { ...long, read }, writes: false, watchMs: 1 })
  const heard: (number | undefined)[] = []
  reader.onIndexed((head) => heard.push(head?.seqno))
  await vi.waitFor(() => expect(heard.length).toBeGreaterThan(5), { timeout: 300_000 })
  expect(new Set(heard)).toEqual(new Set([headSeqno(chain), headSeqno(chain) - 3]))
})

test('a leader that missed a table writes nothing into tables that are back and still empty, as while a dump is restored', async () => {
  const { chain, node } = await openNode()
  const database = await openStore('pglite')
  const leader = index({ node, database })
  await upToDate(leader, chain)
  await database.transaction((to) => to.query(sql`alter table messages rename to messages_away`))
  await chain.control.mine(1)
  await expect.poll(() => leader.status().trouble).toMatch(/"messages"/)
  await database.transaction(async (to) => {
    await to.query(sql`alter table messages_away rename to messages`)
    await forgetAllRows(to)
  })
  await expect.poll(() => leader.status().trouble).toMatch(/the index is empty, which had block/)
  expect(await database.transaction((to) => to.query(sql`select * from indexer_cursor`))).toEqual([])
})

test('an index that is emptied between the looks at its end and at its last block stops no leader', async () => {
  const { chain, node } = await openNode()
  const store = await openStore('pglite')
  let isEmptiedNext = false
  const transaction: Database['transaction'] = async (work, options) => {
    const result = await store.transaction(work, options)
    if (isEmptiedNext && typeof result === 'object' && result !== null && 'cursor' in result) {
      isEmptiedNext = false
      await store.transaction(async (to) => {
        await to.query(sql`alter table messages_away rename to messages`)
        await forgetAllRows(to)
      })
    }
    return result
  }
  const leader = index({ node, database: { ...store, transaction } })
  await upToDate(leader, chain)
  await store.transaction((to) => to.query(sql`alter table messages rename to messages_away`))
  await chain.control.mine(1)
  await expect.poll(() => leader.status().trouble).toMatch(/"messages"/)
  isEmptiedNext = true
  await expect.poll(() => leader.status().trouble).toMatch(/the index is empty, which had block/)
  expect(leader.status()).toMatchObject({ leads: true, isRefused: false })
})

test('an index that came back empty while this process did not lead is not begun anew in the tables of a dump', async () => {
  const { chain, node } = await openNode()
  const store = await openStore('pglite')
  let mayLead: Promise<void> = Promise.resolve()
  const lead: Database['lead'] = async (...how) => {
    await mayLead
    return await store.lead(...how)
  }
  const leader = index({ node, database: { ...store, lead } })
  await upToDate(leader, chain)
  let release: () => void = () => undefined
  mayLead = new Promise((resolve) => {
    release = resolve
  })
  store.depose()
  await expect.poll(() => leader.status().leads).toBe(false)
  await store.transaction(forgetAllRows)
  await expect.poll(() => leader.indexed()).toBeNull()
  release()
  await expect.poll(() => leader.status().trouble).toMatch(/the index is empty, which had block/)
  expect(await store.transaction((to) => to.query(sql`select * from indexer_cursor`))).toEqual([])
})

test('the primary key that a table lacks, as before the last step of a restore, is called something to put back', async () => {
  const { chain, node } = await openNode()
  const database = await openStore('pglite')
  const leader = index({ node, database })
  await upToDate(leader, chain)
  await database.transaction((to) => to.query(sql`alter table accounts drop constraint accounts_pkey`))
  await chain.control.mine(1)
  await expect
    .poll(() => leader.status().trouble)
    .toMatch(/no unique or exclusion constraint.*put back what was removed/)
  await database.transaction((to) => to.query(sql`alter table accounts add primary key (account)`))
  await upToDate(leader, chain)
})
