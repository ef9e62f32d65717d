// Finding what has been.

import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { beginCell, openCell } from '../../../server/cell/index.ts'
import { Steps } from '../../../server/devchain/history/index.ts'
import { BASECHAIN, MASTERCHAIN } from '../../../server/devchain/index.ts'
import { createEmbeddedChain } from '../../../server/devchain/lite/index.ts'
import { WHOLE_SHARD } from '../../../server/node/index.ts'
import { loadTransaction } from '../../../server/tlb/index.ts'
import { openChain, stillClock } from './devchains.ts'
import { random } from './traffic.ts'
import { account, bornWallet, coins, transfer } from './wallets.ts'

describe('the reader', () => {
  test('behavior: blocks by number, hash, logical time and time', async () => {
    const clock = stillClock()
    const { chain } = await openChain({ now: clock.now })
    for (let round = 0; round < 6; round++) {
      clock.move(10)
      await chain.control.mine(1)
    }
    const { reader } = chain
    for (const workchain of [BASECHAIN, MASTERCHAIN])
      for (let seqno = 1; ; seqno++) {
        const facts = reader.bySeqno(workchain, seqno)
        if (facts === undefined) {
          expect(seqno).toBeGreaterThan(6)
          break
        }
        expect(reader.byId(facts.id)).toEqual(facts)
        expect(reader.byLt(workchain, facts.startLt)).toEqual(facts)
        expect(reader.byLt(workchain, facts.endLt)).toEqual(facts)
        expect(reader.byUtime(workchain, facts.utime)).toEqual(facts)
        expect(reader.byUtime(workchain, facts.utime - 9)).toEqual(facts)
        expect(reader.byId({ ...facts.id, fileHash: facts.id.rootHash })).toBeUndefined()
      }
    expect(reader.byLt(BASECHAIN, 10n ** 15n)).toBeUndefined()
    expect(reader.bySeqno(7, 1)).toBeUndefined()
    expect(reader.bySeqno(BASECHAIN, 0)).toBeUndefined()
    expect(reader.registeredBy(3)?.id.seqno).toBe(4)
  })

  test.each([BASECHAIN, MASTERCHAIN])(
    'behavior: transactions of an account in workchain %i, backwards',
    async (workchain) => {
      const { chain } = await openChain()
      const wallet = bornWallet(0)
      const to = account(3, workchain)
      for (let round = 0; round < 5; round++) {
        await chain.send(transfer(wallet, { to, value: coins(1) }))
        await chain.control.mine(1)
      }
      const { master, shard } = chain.reader.moment()
      const found = (workchain === MASTERCHAIN ? master : shard).accounts.get(to.id)
      if (found === undefined) throw new Error('No such account')
      const query = { workchain, account: to.id, lt: found.lastTransLt, hash: found.lastTransHash }
      const all = await chain.reader.transactions({ ...query, count: 100 })
      expect(all.length).toBe(5)
      const links = all.map(({ transaction }) => loadTransaction(openCell(transaction)))
      expect(links.at(-1)?.prevLt).toBe(0n)
      for (const [index, { prevLt }] of links.slice(0, -1).entries()) expect(links[index + 1]?.lt).toBe(prevLt)
      expect(await chain.reader.transactions({ ...query, count: 2 })).toEqual(all.slice(0, 2))
      expect(await chain.reader.transactions({ ...query, lt: query.lt + 1n, count: 2 })).toEqual([])
      expect(await chain.reader.transactions({ ...query, hash: to.id, count: 2 })).toEqual([])
    },
  )

  test('behavior: cells of older blocks are dropped, and parsed again on demand', async () => {
    const { chain } = await openChain()
    const { reader } = chain
    const rootOf = async (seqno: number) => {
      const facts = reader.bySeqno(BASECHAIN, seqno)
      if (facts === undefined) throw new Error(`There is no block ${seqno}`)
      return await (await reader.block(facts)).root()
    }
    const next = random(1)
    const step = () => {
      let body = beginCell().end()
      for (let i = 0; i < 400; i++) {
        const cell = beginCell()
        for (let word = 0; word < 31; word++) cell.storeUint(Math.floor(next() * 2 ** 32), 32)
        body = cell.storeRef(body).end()
      }
      return chain.control.sendInternal({ from: account(1), to: account(2), value: coins(100), bounce: false, body })
    }
    await step()
    let first = 1
    while (reader.bySeqno(BASECHAIN, first + 1) !== undefined) first++
    const root = await rootOf(first)
    expect(await rootOf(first)).toBe(root)
    for (let i = 0; i < 12; i++) await step()
    const again = await rootOf(first)
    expect(again).not.toBe(root)
    expect(again.hash()).toBe(root.hash())
    // Cells of one that is read twice are cached.
    const third = await rootOf(first)
    expect(third).not.toBe(again)
    expect(await rootOf(first)).toBe(third)
  })

  test('behavior: states far apart are made from near ones, however many were read between', async () => {
    const { chain } = await openChain({ keptStates: 1 })
    const blocks = 1_150
    await chain.control.mine(blocks)
    const { reader } = chain
    await reader.momentAt(blocks - 1)
    const load = vi.spyOn(Steps.prototype, 'load')
    onTestFinished(() => load.mockRestore())
    for (let seqno = blocks - 30; seqno > 0; seqno -= 50) {
      load.mockClear()
      const { master } = await reader.momentAt(seqno)
      expect(master.id).toEqual(reader.bySeqno(MASTERCHAIN, seqno)?.id)
      expect(load.mock.calls.length).toBeLessThan(64)
    }
  })

  test('behavior: an old state of the masterchain is made of its own blocks, whatever the shard did meanwhile', async () => {
    const { chain } = await openChain({ keptStates: 1 })
    const wallet = bornWallet(0)
    for (let round = 0; round < 20; round++) {
      await chain.send(transfer(wallet, { to: account(1), value: coins(0.1) }))
      await chain.control.mine(1)
    }
    await chain.control.mine(20)
    const { reader } = chain
    const load = vi.spyOn(Steps.prototype, 'load')
    onTestFinished(() => load.mockRestore())
    const alone = await Promise.all([19, 11, 12].map((seqno) => reader.masterState(seqno)))
    expect(load).not.toHaveBeenCalled()
    for (const { id, root } of alone) {
      const { master } = await reader.momentAt(id.seqno)
      expect([master.id, master.root.hash()]).toEqual([reader.bySeqno(MASTERCHAIN, id.seqno)?.id, root.hash()])
    }
    // What both were made for is at hand for either.
    expect((await reader.masterState(12)).root).toBe((await reader.momentAt(12)).master.root)
  })

  test('behavior: an old state is made for as long as somebody waits for it, and no longer', async () => {
    const { chain } = await openChain({ keptStates: 1 })
    await chain.control.mine(400)
    const { reader } = chain
    const embedded = createEmbeddedChain(chain)
    const idOf = (seqno: number) => embedded.idOf({ workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno })
    let onLoad = (): void => undefined
    let loads = 0
    const { load, loadMaster } = Steps.prototype
    const loading = vi.spyOn(Steps.prototype, 'load').mockImplementation(function (this: Steps, seqno: number) {
      if (++loads === 20) onLoad()
      return load.call(this, seqno)
    })
    const ofMaster = vi.spyOn(Steps.prototype, 'loadMaster').mockImplementation(function (this: Steps, seqno: number) {
      if (++loads === 20) onLoad()
      return loadMaster.call(this, seqno)
    })
    onTestFinished(() => loading.mockRestore())
    onTestFinished(() => ofMaster.mockRestore())
    const alone = new AbortController()
    const first = new AbortController()
    const second = new AbortController()
    onLoad = () => alone.abort()
    const id = await idOf(300)
    loads = 0
    await expect(embedded.config(id, [0], { signal: alone.signal })).rejects.toMatchObject({ kind: 'cancelled' })
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(loads).toBeLessThan(100)
    // Of two who wait for one state, and a third whose state is made from it, the last one decides.
    loads = 0
    onLoad = () => first.abort()
    const [one, two, near] = await Promise.allSettled([
      reader.momentAt(300, first.signal),
      reader.momentAt(300, second.signal),
      reader.momentAt(310, new AbortController().signal),
    ])
    expect(one.status).toBe('rejected')
    expect(two).toMatchObject({ value: { master: { id: await idOf(300) } } })
    expect(near).toMatchObject({ value: { master: { id: await idOf(310) } } })
    expect((await reader.momentAt(300, second.signal)).master.id).toEqual(id)
  })

  test('behavior: messages sent the moment a block is done are not forgotten', async () => {
    const { chain } = await openChain()
    const wallets = [bornWallet(0), bornWallet(1)]
    for (let round = 0; round < 40; round++)
      await Promise.all(wallets.map((wallet) => chain.send(transfer(wallet, { to: account(1), value: coins(0.1) }))))
    expect(chain.control.state().pending).toBe(0)
  })
})
