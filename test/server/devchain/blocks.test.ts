// Blocks of random traffic, checked by an independent reader.

import { Cell as CoreCell, loadShardStateUnsplit } from '@ton/core'
import { describe, expect, test } from 'vitest'
import { beginCell, openCell, writeBoc } from '../../../server/cell/index.ts'
import { createCast, messageOf } from '../../../server/demo/index.ts'
import { type AccountName, type Devchain, dataAt } from '../../../server/devchain/index.ts'
import { loadTransaction } from '../../../server/tlb/index.ts'
import { openChain } from './devchains.ts'
import { checkChain } from './lightCheck.ts'
import { play, prepare } from './traffic.ts'
import { account, bornWallet, coins, transfer } from './wallets.ts'

describe('every block of a chain', () => {
  test('default: empty blocks and one transfer hold together', async () => {
    const { chain } = await openChain()
    await chain.send(transfer(bornWallet(0), { to: account(1), value: coins(3) }))
    await chain.control.mine(3)
    expect(chain.reader.moment().shard.accounts.get(account(1).id)).toBeDefined()
    expect(await checkChain(chain)).toBeGreaterThan(2)
  })

  test.each([1, 2, 3])('behavior: random traffic %i balances in every block', async (seed) => {
    const { chain, warnings } = await openChain()
    const scene = await prepare(chain, 12)
    await play(chain, scene, { count: 60, seed })
    await chain.control.mine(2)
    expect(await checkChain(chain)).toBeGreaterThan(150)
    expect(warnings).toEqual([])
  })

  test.each([
    { maxTransactions: 7, maxMs: 60_000 },
    { maxTransactions: 1000, maxMs: 0 },
  ])('behavior: a full block leaves the rest for the next, in order: %j', async (limits) => {
    const { chain } = await openChain({ limits })
    const scene = await prepare(chain, 12)
    await play(chain, scene, { count: 40, seed: 9 })
    await chain.control.mine(3)
    await checkChain(chain)
  })

  test('behavior: a block imports no more than it has room for', async () => {
    const { chain } = await openChain({ limits: { maxTransactions: 5, maxMs: 60_000 }, mining: 'manual' })
    const owner = createCast(-3).wallet(8)
    const to = Array.from({ length: 20 }, (_, i) => ({ workchain: 0, hash: account(0x20 + i).id }))
    const sends = to.map((one) => ({ to: one, value: coins(1), bounce: false }))
    const { reader } = chain
    const facts = { data: dataAt(reader.moment(), owner.address), utime: reader.moment().shard.utime }
    await chain.send(messageOf({ by: owner, sends }, facts))
    const start = reader.moment().shard.id.seqno
    await chain.control.mine(6)
    const counts = [1, 2, 3, 4, 5, 6].map((i) => reader.bySeqno(0, start + i)?.transactions)
    expect(counts.filter((count) => count !== 0)).toEqual([5, 5, 5, 5, 1])
    await checkChain(chain)
  })

  test.each([
    [9, 1n],
    [10, 0n],
  ])('behavior: whether a block of %i transactions counts as nearly empty', async (count, bit) => {
    const { chain } = await openChain({ mining: 'manual' })
    await chain.control.mine(2)
    for (let i = 0; i < count; i++)
      await chain.control.sendInternal({ from: account(1), to: account(0x20 + i), value: coins(1), bounce: false })
    await chain.control.mine()
    const { shard } = chain.reader.moment()
    expect(chain.reader.bySeqno(0, shard.id.seqno)?.transactions).toBe(count)
    expect(shard.details.underloadHistory & 1n).toBe(bit)
  })

  test('behavior: an account that is not there sends back all that reaches it in one block', async () => {
    const { chain, warnings } = await openChain({ limits: { maxTransactions: 3, maxMs: 60_000 } })
    const absent = { to: account(0x77), value: coins(1), bounce: true }
    const wallets = [bornWallet(0), bornWallet(1), bornWallet(2)]
    await Promise.all(wallets.map((wallet) => chain.send(transfer(wallet, absent, absent))))
    await chain.control.mine(8)
    expect(warnings).toEqual([])
    // Three external messages, six to missing accounts and their six bounces, besides the system's own.
    expect(await checkChain(chain)).toBeGreaterThanOrEqual(15)
    for (const { address } of wallets) {
      const { workchain, id } = address
      const { lastTransLt: lt, lastTransHash: hash } = chain.reader.moment().shard.accounts.get(id) ?? {}
      if (lt === undefined || hash === undefined) throw new Error('the wallet is gone')
      const last = await chain.reader.transactions({ workchain, account: id, lt, hash, count: 3 })
      expect(last).toHaveLength(3)
    }
  })
})

describe('what contracts see of the chain', () => {
  /** `DROP LDREF 8 LDU DROP SETLIBCODE`: keeps a library as its message says. */
  const keeping = beginCell().storeBytes(Buffer.from('30d4d30730fb06', 'hex')).end()
  const library = beginCell().storeUint(0xf205, 16).storeRef(beginCell().end()).end()
  const inLibrary = beginCell().storeUint(2, 8).storeHash(library.hash()).end(true)
  const exitCode = async (chain: Devchain, name: AccountName): Promise<number | null> => {
    const { master, shard } = chain.reader.moment()
    const found = (name.workchain === -1 ? master : shard).accounts.get(name.id)
    if (found === undefined) throw new Error('No such account')
    const { lastTransLt: lt, lastTransHash: hash } = found
    const [last] = await chain.reader.transactions({ workchain: name.workchain, account: name.id, lt, hash, count: 1 })
    if (last === undefined) throw new Error('No transaction')
    const { description } = loadTransaction(openCell(last.transaction))
    if (description.kind !== 'ordinary') throw new Error('Not an ordinary transaction')
    return description.compute.kind === 'vm' ? description.compute.exitCode : null
  }

  test('behavior: libraries are there from the block after they were published until they are withdrawn', async () => {
    const { chain, warnings } = await openChain()
    const keepers = [account(0x51, -1), account(0x52, -1)]
    const user = account(0x53)
    const data = beginCell().end()
    for (const keeper of keepers) await chain.control.setAccount({ ...keeper, balance: coins(10), code: keeping, data })
    await chain.control.setAccount({ ...user, balance: coins(10), code: inLibrary, data })
    const ask = (to: AccountName, mode: number) => ({
      from: account(1),
      to,
      value: coins(1),
      bounce: false,
      body: beginCell().storeUint(mode, 8).storeRef(library).end(),
    })
    const call = async () => {
      await chain.control.sendInternal({ from: account(1), to: user, value: coins(1), bounce: false })
      return await exitCode(chain, user)
    }
    const published = () => chain.reader.moment().master.details.libraries
    expect(await call()).toBe(9)
    for (const keeper of keepers) await chain.control.sendInternal(ask(keeper, 2))
    expect(published().get(library.hashBytes())?.publishers.count()).toBe(2)
    expect(await call()).toBe(5)
    for (const keeper of keepers) await chain.control.sendInternal(ask(keeper, 0))
    expect(published().isEmpty).toBe(true)
    expect(await call()).toBe(9)
    await checkChain(chain)
    expect(warnings).toEqual([])
  })

  test('behavior: PREVMCBLOCKS, PREVKEYBLOCK and the hundreds name the blocks there were', async () => {
    const { chain } = await openChain()
    await chain.control.mine(7)
    /** Throws the seqno (third of five) of a block, which is found with the opcodes given. */
    const seqnoOf = async (opcodes: string): Promise<number | null> => {
      const code = beginCell()
        .storeBytes(Buffer.from(`${opcodes}6f12f2f0`, 'hex'))
        .end()
      const name = account(0x61)
      await chain.control.setAccount({ ...name, balance: coins(10), code, data: beginCell().end() })
      await chain.control.sendInternal({ from: account(1), to: name, value: coins(1), bounce: false })
      return await exitCode(chain, name)
    }
    const before = chain.head().master.id.seqno
    // It asks in the second step from there, which refers to the block of the first.
    expect(await seqnoOf('f834006f10')).toBe(before + 1)
    expect(await seqnoOf('f834006f13')).toBe(before)
    expect(await seqnoOf('f83401')).toBe(1)
    expect(await seqnoOf('f834026f10')).toBe(0)
  })
})

test('behavior: @ton/core reads states and finds the configuration in them, from the first on', async () => {
  const { chain } = await openChain()
  await chain.control.mine(2)
  await chain.control.faucet(account(1), coins(5))
  for (const seqno of [0, 1, 3, 4]) {
    const { master, shard } = await chain.reader.momentAt(seqno)
    const [cell] = CoreCell.fromBoc(Buffer.from(writeBoc(master.root)))
    const read = cell === undefined ? undefined : loadShardStateUnsplit(cell.beginParse())
    expect(read?.seqno).toBe(seqno)
    expect(read?.extras?.config.has(34)).toBe(true)
    const [base] = CoreCell.fromBoc(Buffer.from(writeBoc(shard.root)))
    expect(base === undefined ? 0 : loadShardStateUnsplit(base.beginParse()).genLt).toBe(shard.lt)
  }
})
