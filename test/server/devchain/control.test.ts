// What a developer may do to a chain of their own.

import { once } from 'node:events'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { beginCell, Dict, openCell } from '../../../server/cell/index.ts'
import { CONFIG_ACCOUNT } from '../../../server/devchain/contracts/index.ts'
import type { AccountName, Devchain, HeadEvent } from '../../../server/devchain/index.ts'
import { ChangeDropped } from '../../../server/node/index.ts'
import { configParam, depthBalanceOf, loadAccount, storeConfigParam } from '../../../server/tlb/index.ts'
import { treeOf } from '../../setup/cellTree.ts'
import { openChain, stillClock } from './devchains.ts'
import { checkChain } from './lightCheck.ts'
import { accepting } from './traffic.ts'
import { account, bornWallet, coins, transfer } from './wallets.ts'

const balance = (chain: Devchain, { workchain, id }: AccountName): bigint => {
  const { master, shard } = chain.reader.moment()
  const found = (workchain === -1 ? master : shard).accounts.get(id)
  return found === undefined ? 0n : depthBalanceOf(found.account).balance.grams
}

describe('control', () => {
  test.each([0, -1])('behavior: the faucet pays an account of workchain %i at once', async (workchain) => {
    const { chain } = await openChain()
    await chain.control.faucet(account(5, workchain), coins(12))
    expect(balance(chain, account(5, workchain))).toBe(coins(12))
    await checkChain(chain)
  })

  test('behavior: time moves on, and stays there', async () => {
    const clock = stillClock()
    const { chain } = await openChain({ now: clock.now })
    const start = chain.head().master.utime
    await chain.control.increaseTime(3600)
    await chain.control.mine()
    expect(chain.head().master.utime).toBe(start + 3600)
    await chain.control.setNextBlockTime(start + 10_000)
    await chain.control.mine()
    expect(chain.head().master.utime).toBe(start + 10_000)
    clock.move(7)
    await chain.control.mine()
    expect([chain.head().master.utime, chain.head().shard?.utime]).toEqual([start + 10_007, start + 10_007])
    await checkChain(chain)
  })

  test('error: a block that could not be read again is not made, and the next ones are', async () => {
    const { chain } = await openChain()
    const before = chain.head().master.id.seqno
    const large = chain.control.setAccount({ workchain: 0, id: account(7).id, data: treeOf(400_000) })
    await expect(large).rejects.toThrow(/^A block of \d+ cells and \d+ bytes is not made: up to 524288 cells/)
    expect(chain.head().master.id.seqno).toBe(before)
    await chain.control.faucet(account(5), coins(12))
    expect(balance(chain, account(5))).toBe(coins(12))
    await checkChain(chain)
  })

  test('error: time does not go back, nor beyond its end', async () => {
    const { chain } = await openChain()
    const { utime } = chain.head().master
    for (const seconds of [-1, 1.5, Number.NaN, 2 ** 32]) {
      await expect(chain.control.increaseTime(seconds)).rejects.toBeInstanceOf(RangeError)
    }
    await expect(chain.control.setNextBlockTime(utime - 1)).rejects.toBeInstanceOf(RangeError)
    for (const time of [2 ** 32, 2 ** 32 - 1, 2 ** 32 - 366 * 86_400])
      await expect(chain.control.setNextBlockTime(time)).rejects.toBeInstanceOf(RangeError)
  })

  test('behavior: from its latest time the clock runs on, and at the end of time blocks are still made', async () => {
    const clock = stillClock()
    const { chain } = await openChain({ now: clock.now })
    const latest = 2 ** 32 - 1 - 366 * 86_400
    await chain.control.setNextBlockTime(latest)
    await chain.control.mine()
    await chain.send(transfer(bornWallet(0), { to: account(1), value: coins(1) }))
    expect(chain.head().master.utime).toBe(latest)
    clock.move(366 * 86_400 + 5)
    await chain.control.mine()
    await chain.control.mine()
    expect(chain.head().master.utime).toBe(2 ** 32 - 1)
    await checkChain(chain)
  })

  test('behavior: the faucet pays until the last second, in which it says why it cannot', async () => {
    const clock = stillClock()
    const { chain } = await openChain({ now: clock.now })
    const latest = 2 ** 32 - 1 - 366 * 86_400
    await chain.control.setNextBlockTime(latest)
    await chain.control.mine()
    clock.move(366 * 86_400 - 1)
    await chain.control.faucet(account(1), coins(1))
    expect(chain.head().master.utime).toBe(2 ** 32 - 2)
    expect(balance(chain, account(1))).toBe(coins(1))
    clock.move(1)
    await expect(chain.control.faucet(account(1), coins(1))).rejects.toThrow(
      new RangeError(
        'The chain is at 2106-02-07T06:28:15.000Z, the last second it can have: no message is valid any more. dev.revert goes back to a snapshot; --reset begins again',
      ),
    )
  })

  test('error: a payment for which the clock is moved before it is in a block is not made, and the same call again is', async () => {
    const { chain } = await openChain()
    const paying = chain.control.faucet(account(1), coins(1))
    await chain.control.increaseTime(86_400)
    await expect(paying).rejects.toThrow(new ChangeDropped("Not done: the chain's clock was moved meanwhile"))
    await chain.control.faucet(account(1), coins(1))
    expect(balance(chain, account(1))).toBe(coins(1))
  })

  test('behavior: a year ahead costs storage, and validators rotate once', async () => {
    const { chain } = await openChain()
    const wallet = bornWallet(0)
    const start = balance(chain, wallet.address)
    await chain.send(transfer(wallet, { to: account(1), value: coins(1) }))
    const usual = start - balance(chain, wallet.address)
    const seqnoBefore = chain.reader.moment().master.master.validatorInfo.catchainSeqno
    await chain.control.increaseTime(365 * 86_400)
    await chain.control.mine()
    expect(chain.reader.moment().master.master.validatorInfo.catchainSeqno).toBe(seqnoBefore + 1)
    const before = balance(chain, wallet.address)
    await chain.send(transfer(wallet, { to: account(1), value: coins(1) }))
    expect(before - balance(chain, wallet.address)).toBeGreaterThan(usual + coins(0.001))
    await checkChain(chain)
  })

  test('behavior: a snapshot brings everything back, once', async () => {
    const { chain } = await openChain()
    const wallet = bornWallet(0)
    const heads: HeadEvent[] = []
    await chain.control.mine()
    // The time of the next block is this computer's.
    const state = () => ({ ...chain.control.state(), upcomingUtime: 0 })
    const before = { state: state(), money: balance(chain, wallet.address) }
    const outer = await chain.control.snapshot()
    chain.onHead((head) => heads.push(head))
    const boc = transfer(wallet, { to: account(1), value: coins(1) })
    await chain.send(boc)
    const { id: undone } = chain.head().master
    const inner = await chain.control.snapshot()
    await chain.control.increaseTime(100)
    await chain.control.revert(outer)
    expect({ state: state(), money: balance(chain, wallet.address) }).toEqual({
      ...before,
      state: { ...before.state, epoch: 1 },
    })
    expect(heads.at(-1)?.reorg).toEqual({ from: undone, to: before.state.head.master })
    expect(chain.reader.byId(undone)).toBeUndefined()
    await expect(chain.control.revert(inner)).rejects.toThrow(/no snapshot/)
    await expect(chain.control.revert(outer)).rejects.toThrow(/no snapshot/)
    await chain.send(boc)
    expect(balance(chain, account(1))).toBe(coins(1))
    await checkChain(chain)
  })

  test('behavior: messages that waited at a snapshot wait again', async () => {
    const { chain } = await openChain({ mining: 'manual' })
    await chain.send(transfer(bornWallet(0), { to: account(1), value: coins(1) }))
    const name = await chain.control.snapshot()
    await chain.control.mine()
    await chain.control.revert(name)
    expect(chain.control.state().pending).toBe(1)
    await chain.control.mine()
    expect(balance(chain, account(1))).toBe(coins(1))
  })

  test('behavior: what waits again after a revert is in a block at once where those are made at once', async () => {
    const { chain } = await openChain({ mining: 'manual' })
    await chain.send(transfer(bornWallet(0), { to: account(1), value: coins(1) }))
    const name = await chain.control.snapshot()
    await chain.control.mine()
    chain.control.setMining('auto')
    // It looks for work first.
    await nextTurn()
    await chain.control.revert(name)
    await nextTurn()
    await chain.control.snapshot()
    expect([chain.control.state().pending, balance(chain, account(1))]).toEqual([0, coins(1)])
  })

  test('behavior: a revert takes back the time that was set for the next block', async () => {
    const clock = stillClock()
    const { chain } = await openChain({ now: clock.now })
    const { utime } = chain.head().master
    const name = await chain.control.snapshot()
    await chain.control.setNextBlockTime(utime + 10_000)
    await chain.control.revert(name)
    await chain.control.mine()
    expect(chain.head().master.utime).toBe(utime)
  })

  test.each([0, 1])(
    'behavior: changes that waited at a snapshot wait again, after %i blocks, and later ones do not',
    async (blocks) => {
      const { chain } = await openChain({ mining: 'manual' })
      const send = { from: account(0x11, -1), to: account(0x79), value: coins(2), bounce: false }
      await chain.control.setAccount({ ...account(1), balance: coins(5) })
      await chain.control.sendInternal(send)
      const name = await chain.control.snapshot()
      await chain.control.setAccount({ ...account(2), balance: coins(5) })
      if (blocks > 0) await chain.control.mine(blocks)
      await chain.control.sendInternal(send)
      await chain.control.revert(name)
      expect(chain.control.state().pending).toBe(1)
      await chain.control.mine()
      expect([1, 2, 0x79].map((id) => balance(chain, account(id)))).toEqual([coins(5), 0n, coins(2)])
      await checkChain(chain)
    },
  )

  test('behavior: accounts can be made up, changed and emptied', async () => {
    const { chain } = await openChain()
    const name = account(0x77)
    await chain.control.setAccount({ ...name, balance: coins(5) })
    expect(balance(chain, name)).toBe(coins(5))
    await chain.control.setAccount({ ...name, code: accepting, data: beginCell().storeUint(1, 8).end() })
    const found = chain.reader.moment().shard.accounts.get(name.id)
    const read = found === undefined ? null : loadAccount(openCell(found.account))
    expect(read?.storage.state.kind).toBe('active')
    await chain.control.setAccount({ ...name, balance: 1n })
    await chain.control.setAccount({ ...account(0x78, -1), balance: coins(7) })
    await chain.send(transfer(bornWallet(0), { to: name, value: coins(1) }))
    expect(balance(chain, name)).toBeGreaterThan(coins(0.9))
    await checkChain(chain)
  })

  test('behavior: a message can have any sender', async () => {
    const { chain } = await openChain()
    const to = account(0x79)
    const send = { from: account(0x11, -1), to, value: coins(2), bounce: false }
    const there = account(0x79, -1)
    const sendings = [send, send, { ...send, to: there }].map((one) => chain.control.sendInternal(one))
    const traces = await Promise.all(sendings)
    // Each with a transaction of its own, which is known.
    expect(traces.map(({ pending }) => pending)).toEqual([0, 0, 0])
    expect(new Set(traces.map(({ txHash }) => Buffer.from(txHash ?? []).toString('hex'))).size).toBe(3)
    const [, second, third] = traces
    expect(chain.reader.moment().shard.accounts.get(to.id)?.lastTransHash).toEqual(second?.txHash)
    expect(chain.reader.moment().master.accounts.get(there.id)?.lastTransHash).toEqual(third?.txHash)
    expect(balance(chain, to)).toBe(coins(4))
    // One that comes back, from there.
    const from = account(0x11)
    const back = await chain.control.sendInternal({ ...send, from, to: account(0x7a, -1), bounce: true })
    expect([back.pending, balance(chain, from) > 0n]).toEqual([0, true])
    await checkChain(chain)
  })

  test('behavior: a made-up message waits for a block as one that was sent, until a block has it or it is taken back', async () => {
    const { chain } = await openChain({ mining: 'manual' })
    const counts: number[] = []
    chain.pending.onChange(() => counts.push(chain.pending.pending))
    const pending = () => chain.control.state().pending
    const send = { from: account(0x11, -1), to: account(0x79), value: coins(2), bounce: false }
    const before = await chain.control.snapshot()
    for (let i = 0; i < 2; i++) await chain.control.sendInternal(send)
    await chain.send(transfer(bornWallet(0), { to: account(1), value: coins(1) }))
    expect(pending()).toBe(3)
    await chain.control.mine()
    expect([pending(), counts]).toEqual([0, [1, 2, 3, ...counts.slice(3)]])
    expect(counts.at(-1)).toBe(0)
    await chain.control.sendInternal(send)
    await chain.control.revert(before)
    expect([pending(), counts.at(-1)]).toEqual([0, 0])
  })

  test('behavior: another configuration makes a key block; one the chain cannot live with is ignored', async () => {
    const { chain, warnings } = await openChain()
    const { config } = chain.reader.moment().master.extra
    const install = async (params: typeof config.params) => {
      const found = chain.reader.moment().master.accounts.get(CONFIG_ACCOUNT)
      const state = found === undefined ? undefined : loadAccount(openCell(found.account))?.storage.state
      const data = state?.kind === 'active' ? state.init.data : null
      if (data === null || data === undefined || params.root === null) throw new Error('No configuration')
      const changed = beginCell().storeSlice(openCell(data).loadSlice(data.bits, 0)).storeRef(params.root).end()
      await chain.control.setAccount({ workchain: -1, id: CONFIG_ACCOUNT, data: changed })
    }
    const fees = { masterchain: 5n, basechain: 3n }
    await install(config.params.set(14, storeConfigParam(14, fees)))
    expect(chain.head().master.isKey).toBe(true)
    expect(configParam(chain.reader.moment().master.extra.config, 14)).toEqual(fees)
    await chain.send(transfer(bornWallet(0), { to: account(1), value: coins(1) }))
    expect(chain.head().master.isKey).toBe(false)
    await install(new Dict(config.params.kind, config.params.delete(34).root))
    expect(chain.head().master.isKey).toBe(false)
    expect(warnings.length).toBeGreaterThan(0)
    await chain.control.mine(2)
    await checkChain(chain)
  })

  test('args: mining by interval and by hand', async () => {
    const { chain } = await openChain({ mining: 'manual' })
    const start = chain.head().master.id.seqno
    await sleep(30)
    expect(chain.head().master.id.seqno).toBe(start)
    const signal = new EventTarget()
    chain.onHead(() => signal.dispatchEvent(new Event('head')))
    const waits = once(signal, 'head')
    chain.control.setMining({ everyMs: 10 })
    await waits
    expect(chain.head().master.id.seqno).toBeGreaterThan(start)
    expect(() => chain.control.setMining({ everyMs: 0 })).toThrow(RangeError)
    await expect(chain.control.mine(0)).rejects.toBeInstanceOf(RangeError)
    await expect(chain.control.mine(1e9)).rejects.toBeInstanceOf(RangeError)
  })

  test('args: idleBlockMs lets time move where nothing happens', async () => {
    const { chain } = await openChain({ idleBlockMs: 20 })
    const signal = new EventTarget()
    chain.onHead(() => signal.dispatchEvent(new Event('head')))
    await once(signal, 'head')
    await once(signal, 'head')
    expect(chain.head().master.id.seqno).toBeGreaterThan(2)
  })

  test('error: amounts, addresses and trees that cannot be', async () => {
    const { chain } = await openChain()
    await expect(chain.control.faucet(account(1), -1n)).rejects.toBeInstanceOf(RangeError)
    await expect(chain.control.faucet(account(1, 3), 1n)).rejects.toBeInstanceOf(RangeError)
    await expect(chain.control.setAccount({ workchain: 0, id: new Uint8Array(3) })).rejects.toBeInstanceOf(RangeError)
    let deep = beginCell().end()
    for (let depth = 0; depth < 600; depth++) deep = beginCell().storeRef(deep).end()
    await expect(chain.control.setAccount({ ...account(1), data: deep })).rejects.toBeInstanceOf(RangeError)
    const message = { from: account(1), to: account(2), value: 1n, body: deep }
    await expect(chain.control.sendInternal(message)).rejects.toBeInstanceOf(RangeError)
  })

  test('error: a message with libraries that are none is refused, as no block could deliver it', async () => {
    const { chain } = await openChain()
    const library = beginCell().end()
    const init = { fixedPrefixLength: null, special: null, code: accepting, data: null, library }
    const message = { from: account(1), to: account(2), value: coins(1), init }
    await expect(chain.control.sendInternal(message)).rejects.toThrow(
      /^The libraries of a state init are a dictionary: /,
    )
    expect(chain.control.state().pending).toBe(0)
  })
})

describe('changes by hand that wait for a block', () => {
  test('error: more than a thousand are refused until there is a block', async () => {
    const { chain } = await openChain({ mining: 'manual' })
    for (let at = 0; at < 1000; at++) await chain.control.setAccount({ ...account(0x55), balance: BigInt(at) })
    const more = chain.control.setAccount({ ...account(0x56), balance: coins(1) })
    await expect(more).rejects.toMatchObject({
      name: 'ChangeDropped',
      message: 'Not done: 1000 changes wait for the next block already; dev.mine makes it',
    })
    await chain.control.mine(1)
    expect(balance(chain, account(0x55))).toBe(999n)
    await chain.control.setAccount({ ...account(0x56), balance: coins(1) })
    await chain.control.mine(1)
    expect(balance(chain, account(0x56))).toBe(coins(1))
  })

  test('error: a change after the chain was closed is refused instead of waiting for ever', async () => {
    const { chain } = await openChain()
    await chain.close()
    await expect(chain.control.setAccount({ ...account(0x57), balance: 1n })).rejects.toThrow('the chain is closing')
  })
})
