// Contracts that met a bound, by a clock that is set by hand.

import { expect, test } from 'vitest'
import { beginCell } from '../../../../server/cell/index.ts'
import type { RunnableContract } from '../../../../server/contracts/index.ts'
import { RunLimits } from '../../../../server/indexer/assets/runLimits.ts'

const cell = (value: number) => beginCell().storeUint(value, 32).end()

const contract = (account: number, code: number, data: number): RunnableContract => ({
  workchain: 0,
  hash: new Uint8Array(32).fill(account),
  code: cell(code),
  data: cell(data),
  library: null,
  balance: 0n,
  extra: {},
  utime: 0,
})

function scene() {
  let clock = 0
  const limits = new RunLimits({ now: () => clock })
  return { limits, wait: (ms: number) => (clock += ms) }
}

const METHOD = 100_001

test('a contract that met a bound is left alone, twice as long each time, also when its data changes', () => {
  const { limits, wait } = scene()
  for (const pause of [10_000, 20_000, 40_000]) {
    expect(limits.allows(contract(1, 1, pause), METHOD)).toBe(true)
    limits.met(contract(1, 1, pause), METHOD, 600)
    expect(limits.allows(contract(1, 1, pause + 1), METHOD)).toBe(false)
    wait(pause - 1)
    expect(limits.allows(contract(1, 1, pause + 1), METHOD)).toBe(false)
    wait(1)
  }
  for (let i = 0; i < 30; i++) limits.met(contract(1, 1, i), METHOD, 600)
  wait(3_600_000)
  expect(limits.allows(contract(1, 1, 1), METHOD)).toBe(true)
})

test('so is another account with the same code and data; its other methods, other codes and other data are not', () => {
  const { limits } = scene()
  limits.met(contract(1, 1, 1), METHOD, 600)
  expect(limits.allows(contract(2, 1, 1), METHOD)).toBe(false)
  expect(limits.allows(contract(1, 1, 1), METHOD + 1)).toBe(true)
  expect(limits.allows(contract(2, 1, 2), METHOD)).toBe(true)
  expect(limits.allows(contract(1, 2, 1), METHOD)).toBe(true)
})

test('a code is left alone once enough contracts of it met a bound', () => {
  const { limits } = scene()
  for (let i = 0; i < 7; i++) limits.met(contract(i, 1, i), METHOD, 600)
  expect(limits.allows(contract(100, 1, 100), METHOD)).toBe(true)
  limits.met(contract(7, 1, 7), METHOD, 600)
  expect(limits.allows(contract(100, 1, 100), METHOD)).toBe(false)
  expect(limits.allows(contract(100, 2, 100), METHOD)).toBe(true)
})

test('while much time is wasted a run gets less of it, and less gas', () => {
  const { limits, wait } = scene()
  const full = { timeLimitMs: 2000, gasLimit: 1_000_000n }
  expect(limits.bounds()).toEqual(full)
  for (let i = 0; i < 4; i++) limits.met(contract(i, i, i), METHOD, 600)
  expect(limits.bounds()).toEqual({ timeLimitMs: 250, gasLimit: 100_000n })
  wait(10_000)
  expect(limits.bounds()).toEqual(full)
})

test('a run of much gas is waste, although it ends, and its contract is not left alone', () => {
  const { limits } = scene()
  for (let i = 0; i < 1000; i++) limits.ended(20_000)
  expect(limits.bounds().gasLimit).toBe(1_000_000n)
  for (let i = 0; i < 4; i++) limits.ended(990_000)
  expect(limits.bounds().gasLimit).toBe(100_000n)
  expect(limits.allows(contract(1, 1, 1), METHOD)).toBe(true)
})
