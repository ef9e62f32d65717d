// What contracts are and answer is cached by its size: they decide themselves how large it is.

import { expect, onTestFinished, test } from 'vitest'
import { beginCell, type Cell, CellKind, stdAddress, writeBoc } from '../../../../server/cell/index.ts'
import { MOST_GAS, type RunnableContract, RunSettings } from '../../../../server/contracts/index.ts'
import { accountKey } from '../../../../server/facts/index.ts'
import { ContractStates, type ContractStatesParts } from '../../../../server/indexer/assets/contractStates.ts'
import { RunLimits } from '../../../../server/indexer/assets/runLimits.ts'
import { Slots } from '../../../../server/indexer/chain/slots.ts'
import { methodId } from '../../../../server/interfaces/index.ts'
import type { AccountId, VerifiedAccount } from '../../../../server/node/index.ts'
import type { AccountRow } from '../../../../server/store/index.ts'
import { gramsOnly } from '../../../../server/tlb/index.ts'
import { createTvmPool, TvmTimeout } from '../../../../server/tvm/index.ts'
import { madeCode } from '../../../setup/madeContracts.ts'
import { turnsOf } from '../../../setup/othersTurns.ts'
import { openNode } from '../indexScene.ts'
import { coin, person } from './assetScene.ts'

const signal = new AbortController().signal
/** PUSH c4: the answer is the contract's data. */
const code = madeCode({ get_wallet_address: { code: 'ed44' } })
const ask = (name: string) => ({ methodId: methodId(name), stack: [] })
const call = ask('get_wallet_address')

/** A tree of some `4 ** depth` cells with a kilobit each, all different. */
function tree(depth: number, name: bigint): Cell {
  const builder = beginCell().storeUint(name, 256).storeBytes(new Uint8Array(92))
  if (depth === 0) return builder.end()
  for (let i = 1n; i <= 4n; i++) builder.storeRef(tree(depth - 1, name * 8n + i))
  return builder.end()
}

const contract = (byte: number, data: Cell): RunnableContract => ({
  ...person(byte),
  code,
  data,
  library: null,
  balance: coin,
  extra: {},
  utime: 1,
})

function verified({ workchain, hash }: AccountId, data: Cell, library: Cell | null): VerifiedAccount {
  const init = { fixedPrefixLength: null, special: null, code, data, library }
  const used = { cells: 1, bits: 1 }
  const account = {
    address: stdAddress(workchain, hash),
    storageStat: { used, dictHash: null, lastPaid: 0, duePayment: null },
    storage: { lastTransLt: 1n, balance: gramsOnly(coin), state: { kind: 'active' as const, init } },
  }
  return { block: null, utime: 1, lt: 1n, shardAccount: null, account }
}

/** Contracts of a chain in which every account has this data; counts what is run and read, by account. */
async function openStates(data: Cell, library: Cell | null = null, limits?: RunLimits) {
  const published = new Map<string, Cell>()
  const { node } = await openNode()
  const pool = await createTvmPool({ workers: 1 })
  onTestFinished(() => pool.close())
  const counted = { runs: 0, reads: 0, configs: 0, late: 0 }
  const parts: ContractStatesParts = {
    settings: new RunSettings({
      ...node,
      config: (...args) => {
        counted.configs++
        return node.config(...args)
      },
    }),
    lanes: new Slots(8),
    timeoutMs: 60_000,
    signal,
    chain: {
      head: node.head,
      libraries: async () => published,
      traits: node.traits,
      account: async (_, account) => {
        counted.reads++
        return verified(account, data, library)
      },
    },
    pool: {
      runGetMethod: (...args) => {
        counted.runs++
        return counted.late-- > 0 ? Promise.reject(new TvmTimeout(1)) : pool.runGetMethod(...args)
      },
    },
  }
  const { id } = await node.head()
  const codes = new Map([[code.hash(), { cell: code, kinds: [] }]])
  const states = new ContractStates(parts, limits)
  const after = (accounts: readonly AccountRow[], isKey = false) => states.at({ id, utime: 1, isKey, accounts, codes })
  return { counted, published, source: () => after([]), after }
}

const rowOf = ({ workchain, hash }: AccountId, data: Cell): AccountRow => ({
  account: accountKey(workchain, hash),
  hash: new Uint8Array(32),
  balance: 2n * coin,
  extra: {},
  status: 'active',
  frozenHash: null,
  codeHash: code.hashBytes(),
  dataHash: data.hashBytes(),
  data: writeBoc(data, 0),
  lastTxHash: new Uint8Array(32),
  lastTxLt: 2n,
  mcSeqno: 2,
})

test('answers are cached up to so many bytes, the newest ones', async () => {
  const { counted, source } = await openStates(beginCell().end())
  const run = async (byte: number, depth: number) => {
    const { exitCode } = await source().run(contract(byte, tree(depth, BigInt(byte))), call)
    expect(exitCode).toBe(0)
  }
  for (let i = 0; i < 3; i++) await run(1, 1)
  expect(counted.runs).toBe(1)
  // Each takes some 2 MB.
  for (let byte = 2; byte <= 11; byte++) await run(byte, 6)
  expect(counted.runs).toBe(11)
  await run(11, 6)
  expect(counted.runs).toBe(11)
  await run(1, 1)
  expect(counted.runs).toBe(12)
})

test('contracts that no block changes are cached up to so many bytes, the newest ones', async () => {
  const { counted, source } = await openStates(tree(7, 1n))
  const read = async (byte: number) => expect(await source().contract(person(byte))).not.toBeNull()
  for (let i = 0; i < 3; i++) await read(1)
  expect(counted.reads).toBe(1)
  // Each takes some 7 MB.
  for (let byte = 2; byte <= 6; byte++) await read(byte)
  expect(counted.reads).toBe(6)
  await read(6)
  expect(counted.reads).toBe(6)
  await read(1)
  expect(counted.reads).toBe(7)
})

test('a contract that a block changes after it was read is known by its row, and not read again', async () => {
  const { counted, source, after } = await openStates(tree(1, 1n))
  expect((await source().contract(person(1)))?.balance).toBe(coin)
  const data = tree(1, 2n)
  after([rowOf(person(1), data), rowOf(person(2), data)])
  for (let i = 0; i < 2; i++)
    expect(await source().contract(person(1))).toMatchObject({ ...person(1), balance: 2n * coin, library: null })
  expect((await source().contract(person(1)))?.data?.hash()).toBe(data.hash())
  expect(counted.reads).toBe(1)
  // One that was never read may have a library of its own, which no row has.
  await source().contract(person(2))
  expect(counted.reads).toBe(2)
  after([{ ...rowOf(person(1), data), status: 'frozen', codeHash: null, dataHash: null, data: null }])
  await source().contract(person(1))
  expect(counted.reads).toBe(3)
})

test('a changed contract is read again when its row lacks its data, or it had a library of its own', async () => {
  const lacking = await openStates(tree(1, 1n))
  const owning = await openStates(tree(1, 1n), beginCell().end())
  for (const { counted, source, after } of [lacking, owning]) {
    await source().contract(person(1))
    const row = rowOf(person(1), tree(1, 2n))
    after([counted === lacking.counted ? { ...row, data: null } : row])
    await source().contract(person(1))
    expect(counted.reads).toBe(2)
  }
})

test('a run that a bound ended is no answer to cache: once its contract may be run again it has one', async () => {
  let clock = 0
  const { counted, source } = await openStates(beginCell().end(), null, new RunLimits({ now: () => clock }))
  const exitCodes = async () => (await source().run(contract(1, tree(0, 1n)), call)).exitCode
  counted.late = 1
  expect([await exitCodes(), await exitCodes()]).toEqual([-1, -1])
  expect(counted.runs).toBe(1)
  clock = 10_000
  expect([await exitCodes(), await exitCodes()]).toEqual([0, 0])
  expect(counted.runs).toBe(2)
})

test('contracts whose methods end just within their gas take much of it for a moment only, and others are run as before', async () => {
  const { source } = await openStates(beginCell().end(), null, new RunLimits({ now: () => 0 }))
  // Nothing, 2 ** 17 times, for some 660,000 gas; THROW 42.
  const costly = madeCode({ get_nft_data: { code: '831090e4f22a' } })
  const gasOf = async (name: string, made: RunnableContract) =>
    (await source().run(made, { methodId: methodId(name), stack: [] })).gasUsed
  const cut: boolean[] = []
  for (let byte = 1; byte <= 12; byte++) {
    const made = { ...contract(byte, tree(0, BigInt(byte))), code: costly }
    cut.push((await gasOf('get_nft_data', made)) > MOST_GAS)
  }
  expect(cut.slice(0, 5)).toEqual([false, false, false, false, false])
  expect(cut.slice(6)).toEqual([true, true, true, true, true, true])
  expect(await gasOf('get_wallet_address', contract(1, tree(0, 1n)))).toBeLessThan(10_000)
})

test('others have their turns while large data of a changed contract is read', async () => {
  const { after } = await openStates(beginCell().end())
  const data = tree(6, 1n)
  const { found, turns } = await turnsOf(() => after([rowOf(person(1), data)]).contract(person(1)))
  expect(found?.data?.hash()).toBe(data.hash())
  expect(turns).toBeGreaterThan(20)
})

test('an answer that lacked a library is asked for again: it may be published, or back', async () => {
  const { counted, published, source } = await openStates(beginCell().end())
  const inLibrary = {
    ...contract(1, beginCell().end()),
    code: beginCell().storeUint(CellKind.library, 8).storeBytes(code.hashBytes()).end(true),
  }
  const run = async () => (await source().run(inLibrary, call)).exitCode
  expect(await run()).toBe(9)
  published.set(code.hashHex(), code)
  expect([await run(), await run()]).toEqual([0, 0])
  expect(counted.runs).toBe(2)
})

test('a name is asked for each time, but for those of the masterchain: others may answer by the time', async () => {
  const { counted, source } = await openStates(beginCell().end())
  const named = madeCode({ dnsresolve: { code: 'ed44' } })
  const runs = async (workchain: number): Promise<number> => {
    counted.runs = 0
    const made = { ...contract(1, tree(0, 1n)), workchain, code: named }
    for (let i = 0; i < 3; i++) expect((await source().run(made, ask('dnsresolve'))).exitCode).toBe(0)
    return counted.runs
  }
  expect([await runs(0), await runs(-1)]).toEqual([3, 1])
})

test('a key block brings another configuration', async () => {
  const { counted, after } = await openStates(beginCell().end())
  const read = async (isKey: boolean): Promise<number> => {
    await after([], isKey).setting()
    return counted.configs
  }
  expect([await read(false), await read(false), await read(true), await read(false)]).toEqual([1, 1, 2, 2])
})
