// Accounts that the chain was born with, in an index that reads them over a lite server.

import { expect, test } from 'vitest'
import { type BlockIdExt, type Chain, LiteError, MASTERCHAIN } from '../../../server/node/index.ts'
import { type Sql, sql } from '../../../server/store/index.ts'
import { account, coins } from '../devchain/wallets.ts'
import { cleanDigests, digests, index, openNode, openRemote, openStore, upToDate } from './indexScene.ts'

/** A chain of some blocks, and an index of it from its first block on, over a server whose states are read so. */
async function follow(state = (own: Chain['state']): Chain['state'] => own) {
  const { chain, node } = await openNode()
  await chain.control.faucet(account(0x61), coins(3))
  await chain.control.mine(3)
  const remote = await openRemote(chain)
  const database = await openStore()
  const warnings: object[] = []
  const log = { info: () => undefined, warn: (facts: object) => warnings.push(facts), error: () => undefined }
  const far: Chain = { ...remote, state: state(remote.state) }
  const indexer = index({ node: far, database, indexFrom: { seqno: 1 }, log })
  await upToDate(indexer, chain)
  return { chain, node, indexer, read: database.read, warnings }
}

const untouched = async (read: Sql): Promise<number[]> =>
  (await read.query(sql`select get_byte(account, 0) - 128 as workchain from accounts where mc_seqno = 0`))
    .map(({ workchain }) => Number(workchain))
    .sort((a, b) => a - b)

const gone = (): Promise<never> => Promise.reject(new LiteError(602, "state already gc'd"))

test('behavior: the index over a lite server is that of the chain itself', async () => {
  const { chain, node, indexer, read } = await follow()
  expect(indexer.status()).toMatchObject({ lacksFirstState: false, lacking: 0 })
  expect((await untouched(read)).length).toBeGreaterThan(5)
  expect(await digests(read)).toEqual(await cleanDigests(chain, node))
})

test('behavior: a server that has the states after a while is waited for', async () => {
  let left = 3
  const { chain, node, indexer, read } = await follow(
    (own) => async (id, options) => await (left-- > 0 ? gone() : own(id, options)),
  )
  expect(left).toBeLessThan(0)
  expect(indexer.status().lacksFirstState).toBe(false)
  expect(await digests(read)).toEqual(await cleanDigests(chain, node))
})

test('behavior: where a state is gone the index goes on with the accounts of the other, and says so once', async () => {
  const { indexer, read, warnings } = await follow(
    (own) => async (id: BlockIdExt, options) => await (id.workchain === MASTERCHAIN ? own(id, options) : gone()),
  )
  expect(indexer.status()).toMatchObject({ lacksFirstState: true, trouble: null, state: 'following' })
  const found = await untouched(read)
  expect([found.length > 0, new Set(found)]).toEqual([true, new Set([MASTERCHAIN])])
  expect(warnings.filter((facts) => 'block' in facts)).toEqual([
    { block: '0:8000000000000000:0', reason: "state already gc'd" },
  ])
})
