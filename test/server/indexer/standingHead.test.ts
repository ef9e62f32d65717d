// A process that only reads, beside an index that stopped or was left behind on blocks the chain does not have any more.

import { expect, test, vi } from 'vitest'
import type { Chain } from '../../../server/node/index.ts'
import type { Database } from '../../../server/store/index.ts'
import { headSeqno, index, openNode, openRemote, openStore, upToDate } from './indexScene.ts'

/** Counts how often the index is looked at. */
function counted(database: Database): { database: Database; looks: () => number } {
  let looks = 0
  const read: Database['read'] = {
    query(statement, how) {
      looks++
      return database.read.query(statement, how)
    },
  }
  const { kind, transaction, lead, close } = database
  return { database: { kind, read, transaction, lead, close }, looks: () => looks }
}

const soon = { timeout: 300_000 }

const unreported = (node: Chain): Chain => ({ ...node, onHead: () => () => undefined })

async function scene() {
  const { chain } = await openNode()
  const database = await openStore()
  const writer = index({ node: await openRemote(chain), database })
  // It begins with the newest block: what is mined from now on is indexed whole.
  await upToDate(writer, chain)
  const read = async (from: Database = database, seen = (node: Chain): Chain => node) =>
    index({ node: seen(await openRemote(chain)), database: from, writes: false, watchMs: 1 })
  return { chain, database, writer, read }
}

test('says so when the chain was reverted, however near the numbers are', async () => {
  const { chain, writer, read } = await scene()
  const reader = await read()
  const name = await chain.control.snapshot()
  await chain.control.mine(5)
  await Promise.all([upToDate(writer, chain), upToDate(reader, chain)])
  const seqno = headSeqno(chain)
  await chain.control.revert(name)
  await chain.control.mine(7)
  await vi.waitFor(() => expect(writer.status().state).toBe('stopped'), soon)
  await vi.waitFor(() => expect(reader.status()).toMatchObject({ isApart: true, lag: 2 }), soon)
  expect(reader.status().trouble).toMatch(new RegExp(`^block ${seqno} in the index is not that of the chain`))
})

test('says so where the chain is not as far as the index either', async () => {
  const { chain, writer, read } = await scene()
  const name = await chain.control.snapshot()
  await chain.control.mine(9)
  await upToDate(writer, chain)
  await writer.close()
  await chain.control.revert(name)
  const reader = await read()
  await chain.control.mine(2)
  await vi.waitFor(() => expect(reader.status()).toMatchObject({ isApart: true, lag: 0 }), soon)
  expect(reader.status().trouble).toMatch(new RegExp(`^block ${headSeqno(chain)} in the index`))
})

test('says so where no block is reported to it', async () => {
  const { chain, database, writer, read } = await scene()
  const name = await chain.control.snapshot()
  await chain.control.mine(3)
  await upToDate(writer, chain)
  await writer.close()
  const reader = await read(database, unreported)
  await vi.waitFor(() => expect(reader.status()).toMatchObject({ isApart: false, lag: 0 }), soon)
  await chain.control.revert(name)
  await chain.control.mine(5)
  await vi.waitFor(() => expect(reader.status()).toMatchObject({ isApart: true, lag: 2 }), soon)
})

test('has no complaint about an index that is behind the chain, or with it', async () => {
  const { chain, database, writer, read } = await scene()
  const { database: from, looks } = counted(database)
  const reader = await read(from)
  await chain.control.mine(3)
  await Promise.all([upToDate(writer, chain), upToDate(reader, chain)])
  const enough = async () => {
    const before = looks()
    await vi.waitFor(() => expect(looks()).toBeGreaterThan(before + 100), soon)
    return reader.status()
  }
  expect(await enough()).toMatchObject({ isApart: false, trouble: null, lag: 0 })
  await writer.close()
  await chain.control.mine(3)
  expect(await enough()).toMatchObject({ isApart: false, trouble: null, lag: 3 })
})
