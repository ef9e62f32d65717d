// Contracts stay read between get-methods: no run may see anything of another one.

import { Cell as CoreCell, serializeTuple } from '@ton/core'
import { defaultConfig } from '@ton/sandbox'
import { beforeAll, expect, test } from 'vitest'
import { beginCell, writeBoc } from '../../../server/cell/index.ts'
import { writeStackValue } from '../../../server/contracts/stack/stackCells.ts'
import { intValue, tupleValue } from '../../../server/contracts/stack/stackValue.ts'
import { ContractCache } from '../../../server/tvm/contractCache.ts'
import {
  createConfig,
  createExecutor,
  type Emulator,
  type GetMethodResult,
  type GetMethodRun,
  preparePlain,
  TvmError,
} from '../../../server/tvm/index.ts'
import { type Machine, noText } from '../../../server/tvm/machine.ts'
import { treeOf } from '../../setup/cellTree.ts'
import * as lib from './contracts.ts'
import { now } from './corpus.ts'

const { alice, boc, bob, code } = lib
const config = createConfig(defaultConfig)
const RUN: GetMethodRun = {
  code: boc(code.context),
  data: boc(CoreCell.EMPTY),
  stack: boc(serializeTuple([])),
  address: alice.toRawString(),
  methodId: 5,
  balance: 7n,
  now,
}
let quick: Emulator
let plain: Emulator

const settled = (executor: Emulator, run: GetMethodRun): GetMethodResult | string => {
  try {
    return executor.runGetMethod(run)
  } catch (cause) {
    if (cause instanceof TvmError) return `${cause.code}: ${cause.message}`
    throw cause
  }
}

beforeAll(async () => {
  quick = await createExecutor()
  plain = await createExecutor(await preparePlain())
  for (const executor of [quick, plain]) executor.setConfig(config)
})

const prevBlocks = writeBoc(writeStackValue(tupleValue([tupleValue([intValue(3n)]), intValue(4n), intValue(5n)])))
const ofLibrary = { code: boc(lib.libraryCell(code.echo)), libs: boc(lib.publicLibrary(code.echo)) }
/** SETCP0 DROP c4 PUSHCTR CTOS SBITS: the length of the data. */
const ofData = boc(lib.assemble('FF00 30 ED44 D0 D749'))

/** SETCP0 { NOP } AGAIN, which the gas ends. */
const endless = boc(lib.assemble('FF00 9100 EA'))

/** Each differs from another one in one part only. */
const RUNS: readonly GetMethodRun[] = [
  RUN,
  { ...RUN, now: now + 1 },
  { ...RUN, balance: 8n },
  { ...RUN, balance: 2n ** 63n - 1n },
  { ...RUN, address: bob.toRawString() },
  { ...RUN, randSeed: Buffer.alloc(32, 9) },
  { ...RUN, gasLimit: 60n },
  { ...RUN, gasLimit: 0n },
  { ...RUN, extraCurrencies: { 5: 10n } },
  { ...RUN, verbosity: 1 },
  { ...RUN, code: boc(code.echo) },
  { ...RUN, code: boc(code.echo), methodId: 6 },
  { ...RUN, code: boc(code.echo), stack: boc(serializeTuple([{ type: 'int', value: 1n }])) },
  { ...RUN, code: ofData },
  { ...RUN, code: ofData, data: writeBoc(beginCell().storeUint(1, 9).end()) },
  { ...RUN, ...ofLibrary },
  { ...RUN, ...ofLibrary, libs: null },
  { ...RUN, code: boc(code.prevBlocks), prevBlocks: '' },
  { ...RUN, code: boc(code.prevBlocks) },
  { ...RUN, code: boc(code.prevBlocks), prevBlocks },
  { ...RUN, code: boc(code.config), stack: boc(serializeTuple([{ type: 'int', value: 34n }])) },
  { ...RUN, code: boc(code.throwing) },
  { ...RUN, code: endless, gasLimit: 5000n },
  { ...RUN, stack: 'AAAA' },
  { ...RUN, code: 'AAAA' },
  { ...RUN, data: 'AAAA' },
  { ...RUN, address: 'nowhere' },
  { ...RUN, libs: 'AAAA' },
  { ...RUN, code: boc(code.prevBlocks), prevBlocks: 'AAAA' },
]

test('in any order, and again, each run gives what the emulator as shipped gives', async () => {
  const expected = []
  for (const run of RUNS) {
    if (plain.broken) await plain.restart()
    expected.push(settled(plain, run))
  }

  // The parts a result shows are seen in it: the first six are all different.
  const first = expected.slice(0, 6).map((each) => (typeof each === 'string' ? each : each.stack))
  expect(new Set(first).size).toBe(6)
  const order = RUNS.map((_, i) => i)
  for (const indexes of [order, order, order.toReversed(), order])
    for (const i of indexes) expect([i, settled(quick, RUNS[i] ?? RUN)]).toEqual([i, expected[i]])
  expect(quick.broken).toBe(false)
})

test('memory of the emulator stays bounded over many large contracts', async () => {
  const executor = await createExecutor()
  executor.setConfig(config)
  for (let salt = 0; salt < 120; salt++) {
    const run = { ...RUN, code: ofData, data: writeBoc(treeOf(4000, salt)) }
    expect([executor.runGetMethod(run).exitCode, executor.runGetMethod(run).exitCode]).toEqual([0, 0])
  }
  expect(executor.memoryBytes).toBeLessThan(32 << 20)
})

test('a large contract is read once for runs that follow each other, and is gone before the next one is read', () => {
  const events: string[] = []
  let count = 0
  const machine = {
    broken: false,
    createContract() {
      events.push(`read ${++count}`)
      return count
    },
    runMethod(contract: number) {
      events.push(`run ${contract}`)
      return ''
    },
    destroyContract: (contract: number) => events.push(`destroy ${contract}`),
  }
  // The cast: nothing else of it is used.
  const cache = new ContractCache(machine as unknown as Machine)
  const setting = { code: '', libs: '', address: '', now, balance: 0n, randSeed: '', gasLimit: 0n, prevBlocks: null }
  const run = (data: string) => cache.run({ ...setting, data }, { name: 'config', text: noText }, 1, '')
  for (const letter of ['a', 'a', 'b']) run(letter.repeat(200_000))
  run('small')
  run('b'.repeat(200_000))
  expect(events).toEqual(['read 1', 'run 1', 'run 1', 'destroy 1', 'read 2', 'run 2', 'read 3', 'run 3', 'run 2'])
})
