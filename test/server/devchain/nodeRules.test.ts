// Rules of the public node that only unusual messages and changes come near.

import { describe, expect, test } from 'vitest'
import { beginCell, buildDict, type Cell, openCell, writeBoc } from '../../../server/cell/index.ts'
import { createSigner } from '../../../server/devchain/accounts/signing.ts'
import {
  type AccountName,
  CONFIG_ACCOUNT,
  configOwnerKey,
  configRequest,
  type Devchain,
} from '../../../server/devchain/index.ts'
import {
  type ConfigParams,
  configParam,
  libraryKind,
  loadAccount,
  storeConfigParam,
  storeStateInit,
  toCell,
} from '../../../server/tlb/index.ts'
import { openChain } from './devchains.ts'
import { checkChain } from './lightCheck.ts'
import { account, bornWallet, coins, external, transfer } from './wallets.ts'

const balance = ({ reader }: Devchain, { workchain, id }: AccountName): bigint => {
  const { master, shard } = reader.moment()
  const found = (workchain === -1 ? master : shard).accounts.get(id)
  return found === undefined ? 0n : (loadAccount(openCell(found.account))?.storage.balance.grams ?? 0n)
}

describe('a block that made-up messages fill', () => {
  const limits = { maxTransactions: 8, maxMs: 60_000 }
  const fill = async (chain: Devchain, workchain: number): Promise<void> => {
    for (let i = 0; i < limits.maxTransactions; i++)
      await chain.control.sendInternal({
        from: account(9),
        to: account(0x20 + i, workchain),
        value: coins(1),
        bounce: false,
      })
  }

  test('behavior: what the masterchain has sent to the basechain waits for the next block', async () => {
    const { chain } = await openChain({ mining: 'manual', limits })
    const { address } = bornWallet(0)
    await chain.send(transfer(bornWallet(0), { to: account(0x30, -1), value: coins(3), bounce: true }))
    await chain.control.mine()
    const before = balance(chain, address)
    await fill(chain, 0)
    await chain.control.mine()
    expect(balance(chain, address)).toBe(before)
    await chain.control.mine()
    expect(balance(chain, address) - before).toBeGreaterThan(coins(2.9))
    await checkChain(chain)
  })

  test('behavior: what the basechain has sent to the masterchain waits for two', async () => {
    const { chain } = await openChain({ mining: 'manual', limits })
    const to = account(0x30, -1)
    await chain.send(transfer(bornWallet(0), { to, value: coins(3) }))
    for (const _ of [1, 2]) {
      await fill(chain, -1)
      await chain.control.mine()
      expect(balance(chain, to)).toBe(0n)
    }
    await chain.control.mine()
    expect(balance(chain, to)).toBe(coins(3))
    await checkChain(chain)
  })
})

test('behavior: what an account of the masterchain is deployed with under the key of another library is not public', async () => {
  const { chain } = await openChain()
  const empty = beginCell().end()
  const key = new Uint8Array(32).fill(7)
  const library = buildDict(libraryKind, [
    [key, { isPublic: true, root: beginCell().storeUint(0xf205, 16).end() }],
  ]).root
  const init = { fixedPrefixLength: null, special: null, code: empty, data: empty, library }
  const id = toCell(init, storeStateInit).hashBytes()
  await chain.control.sendInternal({
    from: account(9),
    to: { workchain: -1, id },
    value: coins(5),
    bounce: false,
    init,
  })
  const { accounts, details } = chain.reader.moment().master
  const found = accounts.get(id)
  const state = found === undefined ? undefined : loadAccount(openCell(found.account))?.storage.state
  expect(state?.kind === 'active' && state.init.library?.hash()).toBe(library?.hash())
  expect(details.libraries.isEmpty).toBe(true)
})

test('behavior: a message that waits for its block is tried with the blocks before, which its contract may read before it accepts', async () => {
  const { chain } = await openChain({ mining: 'manual' })
  const name = account(0x62)
  // SETCP0 PREVMCBLOCKS PREVKEYBLOCK PREVMCBLOCKS_100 ACCEPT
  const code = beginCell().storeBytes(Buffer.from('ff00f83400f83401f83402f800', 'hex')).end()
  await chain.control.setAccount({ ...name, balance: coins(10), code, data: beginCell().end() })
  await chain.control.mine()
  await chain.send(writeBoc(external(name, beginCell().end())))
  await chain.control.mine()
  expect(balance(chain, name)).toBeLessThan(coins(10))
})

describe('a configuration that the chain could not go on with', () => {
  const junk = beginCell().storeUint(1, 3).end()
  const withJunkBelow = beginCell().storeUint(1, 1).storeRef(junk).end()
  type Kept = (config: ConfigParams) => Cell
  const noShardValidators: Kept = (config) => {
    const catchain = configParam(config, 28)
    if (catchain === null) throw new Error('No catchain parameters')
    return storeConfigParam(28, { ...catchain, shardValidators: 0 })
  }
  const wrongWeight: Kept = (config) => {
    const set = configParam(config, 34)
    if (set === null) throw new Error('No validators')
    return storeConfigParam(34, { ...set, totalWeight: 5n })
  }

  /** 131,072 in 19 cells. */
  const tooManyAccounts: Kept = () => {
    let node = beginCell().storeUint(0b110, 3).storeUint(239, 8).end()
    for (let level = 0; level < 17; level++) node = beginCell().storeUint(0, 2).storeRef(node).storeRef(node).end()
    return beginCell().storeBit(1).storeRef(node).end()
  }

  test.each<[text: string, index: number, value: Kept]>([
    ['more special accounts than there are cells', 31, tooManyAccounts],
    ['a fee collector that is no account', 3, () => junk],
    ['workchains that cannot be read', 12, () => withJunkBelow],
    ['no validators for the basechain', 28, noShardValidators],
    ['special accounts that cannot be read', 31, () => withJunkBelow],
    ['validators whose weights do not add up', 34, wrongWeight],
    ['temporary validators that are none', 35, () => junk],
    ['limits of sizes that are none', 43, () => junk],
    ['precompiled contracts that are none', 45, () => junk],
  ])('error: %s: it is not installed, which is said once, and blocks are made', async (_, index, make) => {
    const { chain, warnings } = await openChain()
    const before = chain.reader.moment().master.extra.config
    const value = make(before)
    const sign = createSigner(Buffer.from(configOwnerKey.seed, 'hex'))
    const validUntil = chain.reader.moment().master.utime + 1000
    await chain.send(
      writeBoc(configRequest({ change: { kind: 'parameter', index, value }, seqno: 0, validUntil, sign })),
    )
    await chain.control.mine(2)
    await chain.send(transfer(bornWallet(0), { to: account(1), value: coins(1) }))
    expect(chain.reader.moment().master.extra.config.params.root?.hash()).toBe(before.params.root?.hash())
    expect(warnings).toEqual([expect.stringMatching(/^The config contract holds a configuration the chain could not/)])
  })
})

describe('the configuration contract', () => {
  const dataWith = ({ data }: { readonly data: Cell | null }, root: Cell): Cell => {
    if (data === null) throw new Error('No data')
    return beginCell().storeSlice(openCell(data).loadSlice(data.bits, 0)).storeRef(root).end()
  }
  const initOf = ({ reader }: Devchain, id: Uint8Array) => {
    const found = reader.moment().master.accounts.get(id)
    const state = found === undefined ? undefined : loadAccount(openCell(found.account))?.storage.state
    if (state?.kind !== 'active') throw new Error('No contract')
    return state.init
  }

  test('behavior: is another one after parameter 0 names it, once that one names itself', async () => {
    const { chain } = await openChain()
    const next = account(0x56, -1)
    const { code, data } = initOf(chain, CONFIG_ACCOUNT)
    if (code === null || data === null) throw new Error('No contract')
    const configNow = () => chain.reader.moment().master.extra.config
    const named = configNow().params.set(0, storeConfigParam(0, next.id))
    const sign = createSigner(Buffer.from(configOwnerKey.seed, 'hex'))
    const change = { kind: 'parameter', index: 0, value: storeConfigParam(0, next.id) } as const
    const validUntil = chain.reader.moment().master.utime + 1000
    await chain.send(writeBoc(configRequest({ change, seqno: 0, validUntil, sign })))
    expect(configNow().address).toEqual(CONFIG_ACCOUNT)
    const fees = { masterchain: 5n, basechain: 3n }
    const { root } = named.set(14, storeConfigParam(14, fees))
    if (root === null) throw new Error('No configuration')
    await chain.control.setAccount({ ...next, balance: coins(100), code, data: dataWith({ data }, root) })
    expect([configNow().address, chain.head().master.isKey]).toEqual([next.id, true])
    expect(configParam(configNow(), 14)).toEqual(fees)
    await chain.control.mine(2)
    expect(chain.head().master.isKey).toBe(false)
    await checkChain(chain)
  })

  test('error: a dictionary that is broken where no block looks is not installed', async () => {
    const { chain, warnings } = await openChain()
    const { params } = chain.reader.moment().master.extra.config
    const { root } = params.set(-5, beginCell().end())
    const [left] = root?.refs ?? []
    if (root == null || left === undefined) throw new Error('No configuration')
    const broken = beginCell()
      .storeSlice(openCell(root).loadSlice(root.bits, 0))
      .storeRef(left)
      .storeRef(beginCell().end())
    const data = dataWith(initOf(chain, CONFIG_ACCOUNT), broken.end())
    await chain.control.setAccount({ workchain: -1, id: CONFIG_ACCOUNT, data })
    await chain.control.mine(2)
    expect(chain.reader.moment().master.extra.config.params.root?.hash()).toBe(params.root?.hash())
    expect(warnings).toHaveLength(1)
  })
})
