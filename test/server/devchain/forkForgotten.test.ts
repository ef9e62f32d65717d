// A fork of a block whose state the lite servers have forgotten: an account as it is now is taken only where nothing has happened to it
// since.

import { expect, test } from 'vitest'
import { beginCell } from '../../../server/cell/index.ts'
import { createEmbeddedChain, type Devchain } from '../../../server/devchain/index.ts'
import { type AccountId, type BlockIdExt, type Chain, LiteError } from '../../../server/node/index.ts'
import { hex } from './devchains.ts'
import { arrived, balance, fork, idOf, libraryCode, network, type Reached, reached } from './forks.ts'
import { account, bornWallet, coins, transfer, type Wallet } from './wallets.ts'

const gone = new LiteError('failed', 'cannot load state: not in db')

/** Servers without the states before a block. */
const without = (chain: Chain, isGone: (id: BlockIdExt) => boolean): Chain => ({
  ...chain,
  account: (id, of) => (isGone(id) ? Promise.reject(gone) : chain.account(id, of)),
})

async function read(chain: Devchain, of: AccountId) {
  const here = createEmbeddedChain(chain)
  return await here.account((await here.head()).id, of)
}

const twoOf = ([first, second]: readonly Wallet[]): readonly [Wallet, Wallet] => {
  if (first === undefined || second === undefined) throw new Error('No wallets')
  return [first, second]
}

/** Forks the newest block, which is forgotten then. */
async function forgotten(change: (there: Chain) => Chain = (there) => there) {
  const { chain: source, scene } = await network()
  const there = createEmbeddedChain(source)
  const to: Reached = { current: change(there) }
  const { chain, warnings } = await fork(to)
  const at = chain.fork?.network.point.block.seqno ?? 0
  const forget = (now: Chain = there) => {
    to.current = without(now, ({ seqno }) => seqno === at)
  }
  forget()
  return { source, there, chain, warnings, at, forget, wallets: twoOf(scene.wallets) }
}

test('behavior: accounts are read to which nothing has happened since', async () => {
  const { source, chain, wallets } = await forgotten()
  const [still, moved] = wallets
  await source.send(transfer(moved, { to: account(0x41), value: coins(1) }))
  const was = balance(source, idOf(still.address))
  expect((await read(chain, idOf(still.address))).account?.storage.balance.grams).toBe(was)
  expect((await read(chain, idOf(account(0x42)))).account).toBeNull()
  await expect(read(chain, idOf(moved.address))).rejects.toMatchObject({ kind: 'notReady' })
})

test('behavior: a newest block that is older than the fork says nothing of what was there', async () => {
  const { chain: source, scene } = await network()
  const there = createEmbeddedChain(source)
  const [moved] = twoOf(scene.wallets)
  const late = await there.head()
  await source.send(transfer(moved, { to: account(0x41), value: coins(1) }))
  const to = reached(source)
  const { chain } = await fork(to)
  const at = chain.fork?.network.point.block.seqno
  to.current = { ...without(there, ({ seqno }) => seqno === at), head: async () => late }
  await expect(read(chain, idOf(moved.address))).rejects.toMatchObject({ kind: 'notReady' })
  const words = `its newest block is ${late.id.seqno}, before that of the fork, ${at}; when it was reverted, begin another`
  await expect(read(chain, idOf(moved.address))).rejects.toThrow(words)
  await expect(read(chain, idOf(account(0x41)))).rejects.toMatchObject({ kind: 'notReady' })
})

test('behavior: nor does a network that was reverted since', async () => {
  const { chain: source, scene } = await network()
  const [moved] = twoOf(scene.wallets)
  const name = await source.control.snapshot()
  await source.send(transfer(moved, { to: account(0x41), value: coins(1) }))
  const { chain } = await fork(reached(source))
  await source.control.revert(name)
  await source.control.mine(9)
  await expect(read(chain, idOf(moved.address))).rejects.toMatchObject({ kind: 'notReady' })
  await expect(read(chain, idOf(moved.address))).rejects.toThrow(
    'than at the fork; when it was reverted, begin another',
  )
  await expect(read(chain, idOf(account(0x41)))).rejects.toMatchObject({ kind: 'notReady' })
})

test('behavior: what a shard did beside the block of the fork is no part of it', async () => {
  // Its masterchain block ends later than this shard, which has gone on meanwhile.
  const { source, chain, wallets } = await forgotten((there) => ({
    ...there,
    shards: async (id) =>
      (await there.shards(id)).map(({ id: top, description }) => ({
        id: top,
        description: { ...description, endLt: description.endLt - 1_000_000_000n },
      })),
  }))
  const [still] = wallets
  await source.control.mine()
  expect(balance(source, idOf(still.address))).not.toBeNull()
  await expect(read(chain, idOf(still.address))).rejects.toMatchObject({ kind: 'notReady' })
})

test('behavior: messages that wait for such an account go on with one that is put in its place', async () => {
  const { source, chain, wallets, warnings } = await forgotten()
  const [, moved] = wallets
  const to = idOf(moved.address)
  await source.send(transfer(moved, { to: account(0x41), value: coins(1) }))
  await chain.send(transfer(bornWallet(0), { to: moved.address, value: coins(4) }))
  await expect.poll(() => warnings).toEqual(['Messages wait for accounts of the forked network'])
  const name = `0:${hex(to.hash).toUpperCase()}`
  expect(chain.fork?.longestWaiting).toBe(name)
  await expect(read(chain, to)).rejects.toThrow(`forgotten what ${name} was at the fork, and it has changed since`)
  const cell = beginCell().end()
  await chain.control.setAccount({ ...moved.address, balance: coins(2), code: libraryCode, data: cell })
  await arrived(chain, to, coins(5))
  await expect.poll(() => chain.fork?.longestWaiting).toBeNull()
})
