// A chain that was forked off another one: what it takes over, when, and that both go their own ways from then on.

import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { beginCell, writeBoc } from '../../../server/cell/index.ts'
import { createCast, messageOf } from '../../../server/demo/index.ts'
import { EXTRA_CURRENCY } from '../../../server/devchain/accounts/index.ts'
import { ChainPast } from '../../../server/devchain/chain/index.ts'
import { createEmbeddedChain, type Devchain, dataAt, ForkRefused } from '../../../server/devchain/index.ts'
import { packImports, RecordType } from '../../../server/devchain/journal/index.ts'
import { SEED_FILE } from '../../../server/devchain/seedFile.ts'
import type { AccountId, Chain } from '../../../server/node/index.ts'
import { treeOf } from '../../setup/cellTree.ts'
import { openChain, stillClock, temporaryFolder } from './devchains.ts'
import { arrived, balance, fork, idOf, network, ofLibraryCode, type Reached, reached } from './forks.ts'
import { checkChain } from './lightCheck.ts'
import { play } from './traffic.ts'
import { account, bornWallet, coins, external, transfer } from './wallets.ts'

const forkIn = (folder: string, to: Reached) =>
  fork(to, { folder: `${folder}/chain`, fork: { chain: async () => to.current as Chain, folder: `${folder}/read` } })

async function read(chain: Chain, of: AccountId) {
  return await chain.account((await chain.head()).id, of)
}

const hashOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

function accountsOf({ reader }: Devchain): AccountId[] {
  const { master, shard } = reader.moment()
  return [
    ...[...shard.accounts.keys()].map((hash) => ({ workchain: 0, hash })),
    ...[...master.accounts.keys()].map((hash) => ({ workchain: -1, hash })),
  ]
}

const nameOf = ({ workchain, hash }: AccountId): string => `${workchain}:${hashOf(hash)}`

describe('a fork', () => {
  test('default: its accounts, their history and the prices are those of the network', async () => {
    const { chain: source } = await network()
    const { chain } = await fork(reached(source))
    const there = createEmbeddedChain(source)
    const here = createEmbeddedChain(chain)
    expect(chain.globalId).toBe(source.globalId)
    const own = new Set(accountsOf(chain).map(nameOf))
    const accounts = accountsOf(source).filter((one) => !own.has(nameOf(one)))
    expect(accounts.length).toBeGreaterThan(10)
    for (const one of accounts) {
      const wanted = await read(there, one)
      const found = await read(here, one)
      expect(found.shardAccount?.account.hash()).toBe(wanted.shardAccount?.account.hash())
      const { lastTransLt: lt = 0n, lastTransHash: hash = new Uint8Array(32) } = found.shardAccount ?? {}
      if (lt === 0n) continue
      const [before, after] = await Promise.all(
        [there, here].map((all) => all.transactions({ account: one, lt, hash, count: 5 })),
      )
      expect(after?.map(({ cell }) => cell.hash())).toEqual(before?.map(({ cell }) => cell.hash()))
    }
    // To read changes nothing.
    expect(chain.reader.moment().shard.accounts.has(account(0xa1).id)).toBe(false)
    for (const number of [18, 20, 21, 24, 25] as const) {
      const of = (all: Devchain) => all.reader.moment().master.extra.config.params.get(number)?.hash()
      expect(of(chain)).toBe(of(source))
    }
    await checkChain(chain)
  })

  test('behavior: accounts of the network act as there, and nothing of it reaches the network', async () => {
    const { chain: source, scene } = await network()
    const { chain, warnings } = await fork(reached(source))
    const before = source.head().master.id.seqno
    await play(chain, scene, { count: 40, seed: 9 })
    expect(warnings).toEqual([])
    expect(source.head().master.id.seqno).toBe(before)
    expect(chain.fork?.imported).toBeGreaterThan(6)
    await checkChain(chain)
  })

  test('behavior: the same message is taken on both', async () => {
    const { chain: source, scene } = await network()
    const { chain } = await fork(reached(source))
    const [wallet] = scene.wallets
    if (wallet === undefined) throw new Error('No wallet')
    const message = transfer(wallet, { to: account(0x77), value: coins(2) })
    await source.send(message)
    await chain.send(message)
    const to = idOf(account(0x77))
    await arrived(chain, to, coins(2))
    expect(balance(source, to)).toBe(coins(2))
  })

  test('behavior: a contract whose code is a library of the network runs', async () => {
    const { chain: source, scene } = await network()
    const name = await ofLibraryCode(source, scene)
    const { chain, warnings } = await fork(reached(source))
    await chain.send(writeBoc(external(name, beginCell().end())))
    expect(warnings).toEqual([])
    expect(balance(chain, idOf(name))).toBeLessThan(coins(3))
    await checkChain(chain)
  })

  test('behavior: extra currencies of its accounts count as money of the chain', async () => {
    const { chain: source } = await network()
    const by = createCast(source.globalId).wallet(7)
    const currencies = new Map([[EXTRA_CURRENCY, 700n]])
    const to = idOf(account(0x5b))
    const moment = source.reader.moment()
    const sends = [{ to, value: coins(1), currencies, bounce: false }]
    await source.send(messageOf({ by, sends }, { data: dataAt(moment, by.address), utime: moment.master.utime }))
    await arrived(source, to, coins(1))
    const { chain } = await fork(reached(source))
    const owned = () => chain.reader.moment().master.extra.globalBalance.other.get(EXTRA_CURRENCY) ?? 0n
    const before = owned()
    await chain.fork?.bring([account(0x5b)])
    expect(owned() - before).toBe(700n)
    await checkChain(chain)
  })

  test('behavior: a message between accounts reaches a contract whose code is a library of the network', async () => {
    const { chain: source, scene } = await network()
    const name = await ofLibraryCode(source, scene)
    const { chain, warnings } = await fork(reached(source))
    // Without its library it would fail, and come back.
    await chain.send(transfer(bornWallet(0), { to: name, value: coins(1), bounce: true }))
    await arrived(chain, idOf(name), coins(3.9))
    expect(warnings).toEqual([])
    await checkChain(chain)
  })

  test('behavior: by hand, the first block of dev.mine delivers to an account that was not read before', async () => {
    const { chain: source, scene } = await network()
    const there = createEmbeddedChain(source)
    const slow: typeof there.account = async (...of) => {
      await new Promise((resolve) => setTimeout(resolve, 30))
      return await there.account(...of)
    }
    const { chain, warnings } = await fork({ current: { ...there, account: slow } }, { mining: 'manual' })
    const [wallet] = scene.wallets
    if (wallet === undefined) throw new Error('No wallet')
    const before = balance(source, idOf(wallet.address)) ?? 0n
    await chain.send(transfer(bornWallet(0), { to: wallet.address, value: coins(3) }))
    const utime = chain.head().master.utime + 500
    await chain.control.setNextBlockTime(utime)
    await chain.control.mine()
    expect(balance(chain, idOf(wallet.address))).toBeGreaterThan(before)
    expect(chain.head().master.utime).toBe(utime)
    expect(warnings).toEqual([])
    await checkChain(chain)
  })

  test('behavior: new addresses are read together, and not in one block each', async () => {
    const { chain: source } = await network()
    const { chain } = await fork(reached(source))
    const { seqno } = chain.head().master.id
    const names = [1, 2, 3, 4].map((number) => account(0x90 + number))
    await chain.send(transfer(bornWallet(0), ...names.map((to) => ({ to, value: coins(1) }))))
    for (const name of names) await arrived(chain, idOf(name), coins(1))
    expect(chain.head().master.id.seqno).toBeLessThan(seqno + 1 + names.length)
  })

  test('behavior: a read does not take the time that was set for the next block', async () => {
    const { chain: source, scene } = await network()
    const { chain } = await fork(reached(source))
    const [wallet] = scene.wallets
    if (wallet === undefined) throw new Error('No wallet')
    const utime = chain.head().master.utime + 5_000
    await chain.control.setNextBlockTime(utime)
    await chain.fork?.bring([wallet.address])
    await chain.control.mine()
    expect(chain.head().master.utime).toBe(utime)
  })

  test('behavior: accounts of a block that a crash has cut off are not in the chain', () => {
    const past = new ChainPast()
    const payload = packImports({ seqno: 5, accounts: [account(1)] })
    past.take({ at: { segment: 1, offset: 0 }, type: RecordType.imports, payload: Buffer.from(payload) })
    expect(past.imports.has(account(1), 9)).toBe(false)
  })

  test('behavior: an account that was deleted does not come back, and one of an undone block does', async () => {
    const { chain: source, scene } = await network()
    const { chain } = await fork(reached(source))
    const [wallet] = scene.wallets
    if (wallet === undefined) throw new Error('No wallet')
    const at = idOf(wallet.address)
    const here = createEmbeddedChain(chain)
    const was = (await read(here, at)).shardAccount?.account.hash()
    const name = await chain.control.snapshot()
    await chain.send(transfer(wallet, { to: account(0x78), value: 0n, mode: 128 + 32 }))
    expect((await read(here, at)).shardAccount).toBeNull()
    await chain.control.faucet(wallet.address, coins(1))
    expect(balance(chain, at)).toBe(coins(1))
    await chain.control.revert(name)
    expect((await read(here, at)).shardAccount?.account.hash()).toBe(was)
    wallet.seqno--
    await chain.send(transfer(wallet, { to: account(0x78), value: coins(1) }))
    await arrived(chain, idOf(account(0x78)), coins(1))
    await checkChain(chain)
  })

  test('behavior: while the network is away its accounts wait, all else goes on, and nothing is lost', async () => {
    const { chain: source, scene } = await network()
    const away = reached(source)
    const { chain, warnings } = await fork(away)
    const there = away.current
    away.current = null
    const [first, second] = scene.wallets
    if (first === undefined || second === undefined) throw new Error('No wallets')
    await expect(chain.send(transfer(first, { to: account(1), value: coins(1) }))).rejects.toMatchObject({
      kind: 'timeout',
      message: 'the network of the fork cannot be read: no lite server answers',
    })
    first.seqno--
    const born = bornWallet(0)
    const before = balance(source, idOf(second.address)) ?? 0n
    await chain.send(transfer(born, { to: second.address, value: coins(4) }))
    await chain.send(transfer(born, { to: bornWallet(1).address, value: coins(4) }))
    expect(balance(chain, idOf(second.address))).toBeNull()
    expect(warnings).toEqual(['Messages wait for accounts of the forked network'])
    away.current = there
    await arrived(chain, idOf(second.address), before + 1n)
    await chain.send(transfer(first, { to: account(1), value: coins(1) }))
    await arrived(chain, idOf(account(1)), coins(1))
    await checkChain(chain)
  })

  test('behavior: a restart goes on at the same block without the network, with what was read', async () => {
    const { chain: source, scene } = await network()
    const folder = await temporaryFolder()
    const to = reached(source)
    const { chain } = await forkIn(folder, to)
    const [wallet, other] = scene.wallets
    if (wallet === undefined || other === undefined) throw new Error('No wallets')
    await chain.send(transfer(wallet, { to: account(9), value: coins(1) }))
    await arrived(chain, idOf(account(9)), coins(1))
    const seen = (await read(createEmbeddedChain(chain), idOf(other.address))).shardAccount?.account.hash()
    const point = chain.fork?.network.point
    await chain.close()
    await source.control.mine(3)
    to.current = null
    const { chain: again } = await forkIn(folder, to)
    expect(again.fork?.network.point).toEqual(point)
    expect(again.fork?.imported).toBe(1)
    await again.send(transfer(wallet, { to: account(9), value: coins(1) }))
    expect(balance(again, idOf(account(9)))).toBeGreaterThan(coins(1))
    expect((await read(createEmbeddedChain(again), idOf(other.address))).shardAccount?.account.hash()).toBe(seen)
    await checkChain(again)
  })

  test('behavior: another fork in the same folder has what is there by then', async () => {
    const { chain: source, scene } = await network()
    const folder = await temporaryFolder()
    const [wallet] = scene.wallets
    if (wallet === undefined) throw new Error('No wallet')
    const at = idOf(wallet.address)
    const { chain } = await forkIn(folder, reached(source))
    expect((await read(createEmbeddedChain(chain), at)).account?.storage.balance.grams).toBe(balance(source, at))
    await chain.close()
    await rm(join(folder, 'chain'), { recursive: true })
    await source.control.faucet(wallet.address, coins(5))
    const { chain: again } = await forkIn(folder, reached(source))
    expect((await read(createEmbeddedChain(again), at)).account?.storage.balance.grams).toBe(balance(source, at))
  })

  test('behavior: with nothing that can be kept accounts are read all the same', async () => {
    const { chain: source, scene } = await network()
    const folder = await temporaryFolder()
    await writeFile(folder, 'no folder')
    const { chain } = await fork(reached(source), { fork: { chain: async () => createEmbeddedChain(source), folder } })
    const [wallet] = scene.wallets
    if (wallet === undefined) throw new Error('No wallet')
    const found = await read(createEmbeddedChain(chain), idOf(wallet.address))
    expect(found.account?.storage.balance.grams).toBe(balance(source, idOf(wallet.address)))
  })

  test('behavior: accounts that are too large for one block come in several', async () => {
    const { chain: source } = await openChain()
    const large = [account(0x61), account(0x62)]
    for (const [number, name] of large.entries())
      await source.control.setAccount({ ...name, balance: coins(1), data: treeOf(300_000, number) })
    const { chain } = await fork(reached(source))
    const before = chain.head().master.id.seqno
    await chain.fork?.bring(large)
    expect(large.map((name) => balance(chain, idOf(name)))).toEqual([coins(1), coins(1)])
    expect(chain.head().master.id.seqno).toBeGreaterThan(before + 1)
  })

  test('behavior: an account the chain began with has no history of the network', async () => {
    const { chain: source } = await network()
    const { chain } = await fork(reached(source))
    const here = createEmbeddedChain(chain)
    const { shardAccount } = await read(here, idOf(bornWallet(2).address))
    const { lastTransLt: lt = 1n, lastTransHash: hash = new Uint8Array(32) } = shardAccount ?? {}
    expect(await here.transactions({ account: idOf(bornWallet(2).address), lt, hash, count: 5 })).toEqual([])
  })

  test('behavior: an older block is forked as it was', async () => {
    const { chain: source, scene } = await network()
    const { seqno } = source.head().master.id
    const [wallet] = scene.wallets
    if (wallet === undefined) throw new Error('No wallet')
    const was = balance(source, idOf(wallet.address))
    await source.control.faucet(wallet.address, coins(5))
    const { chain } = await fork(reached(source), { fork: { chain: async () => createEmbeddedChain(source), seqno } })
    const found = await read(createEmbeddedChain(chain), idOf(wallet.address))
    expect(found.account?.storage.balance.grams).toBe(was)
  })

  test('behavior: a fork of a fork has the accounts of both', async () => {
    const { chain: source, scene } = await network()
    const { chain: middle } = await fork(reached(source))
    const [wallet, other] = scene.wallets
    if (wallet === undefined || other === undefined) throw new Error('No wallets')
    await middle.send(transfer(wallet, { to: account(0x31), value: coins(3) }))
    await arrived(middle, idOf(account(0x31)), coins(3))
    const { chain } = await fork(reached(middle))
    await chain.send(transfer(wallet, { to: other.address, value: coins(1) }))
    const here = createEmbeddedChain(chain)
    expect((await read(here, idOf(account(0x31)))).account?.storage.balance.grams).toBe(coins(3))
    await checkChain(chain)
  })

  test('behavior: its time is not before that of the network', async () => {
    const { chain: source } = await openChain({ now: stillClock(1_950_000_000).now })
    const { chain } = await fork(reached(source), { now: stillClock(1_900_000_000).now })
    expect(chain.head().master.utime).toBeGreaterThanOrEqual(1_950_000_000)
    await checkChain(chain)
  })

  test('error: a block the network does not have, another block than before, and a chain of its own are refused', async () => {
    const { chain: source } = await openChain()
    const at = (seqno: number) => ({ fork: { chain: async () => createEmbeddedChain(source), seqno } })
    await expect(openChain(at(1_000))).rejects.toThrow(
      new ForkRefused('the network has no block 1000 yet: its newest is 1'),
    )
    const folder = await temporaryFolder()
    const { chain } = await openChain({ folder, ...at(1) })
    await chain.close()
    await source.control.mine(2)
    await expect(openChain({ folder, ...at(2) })).rejects.toThrow(
      new ForkRefused('the chain of this folder was forked at block 1, not at 2'),
    )
    await expect(openChain({ folder })).rejects.toMatchObject({ code: 'foreign' })
  })

  test('behavior: one that could not begin leaves its folder to a chain of its own', async () => {
    const folder = await temporaryFolder()
    const seed = `${randomBytes(32).toString('hex')}\n`
    await mkdir(folder)
    await writeFile(join(folder, SEED_FILE), seed, { mode: 0o600 })
    await expect(fork({ current: null }, { folder })).rejects.toThrow('no lite server answers')
    const { chain } = await openChain({ folder })
    expect(chain.fork).toBeNull()
    expect(await readFile(join(folder, SEED_FILE), 'utf8')).toBe(seed)
    await chain.close()
  })
})
