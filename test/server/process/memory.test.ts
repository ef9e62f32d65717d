// Sizes of heaps by what the machine or its container has, and that V8 keeps to them.

import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { availableMemory, growthPercentOf, planMemory } from '../../../server/process/index.ts'

const MB = 1 << 20

describe('what there is', () => {
  const machine = 24_000 * MB

  test("default: the container's limit, below that of the machine", () => {
    expect(availableMemory(512 * MB, machine)).toBe(512 * MB)
  })

  test.each([
    ['none', Number.POSITIVE_INFINITY],
    ['none, as cgroup v1 says it', 2 ** 63 - 4096],
    ['more than the machine has', 64_000 * MB],
  ])('%s: the machine', (_, limit) => {
    expect(availableMemory(limit, machine)).toBe(machine)
  })
})

describe('the plan', () => {
  test('small in a small container, bounded on a large machine', () => {
    expect(planMemory(0, 512 * MB)).toEqual({
      total: 512,
      growthPercent: 15,
      growth: 2,
      databaseHeap: 96,
      tvmHeap: 64,
      workerHeap: 192,
      youngHeap: 4,
      databasePages: 32,
      workerYoungHeap: 16,
      decodedTexts: 4,
    })
    expect(planMemory(0, 24_000 * MB)).toEqual({
      total: 24_000,
      growthPercent: 35,
      growth: 64,
      databaseHeap: 256,
      databasePages: 64,
      tvmHeap: 96,
      workerHeap: 1024,
      youngHeap: 12,
      workerYoungHeap: 64,
      decodedTexts: 16,
    })
  })

  test('what is said takes the place of what there is', () => {
    expect(planMemory(1000, 24_000 * MB)).toEqual(planMemory(0, 1000 * MB))
  })
})

describe('growth of a heap', () => {
  const plan = { growthPercent: 35, growth: 64 }

  test.each([
    ['a small one grows by as much as it may in any case', 64, 100],
    ['a tiny one, and threads next to it, not without end', 5, 150],
    ['a large one by its percent', 400, 35],
  ])('%s', (_, live, percent) => {
    expect(growthPercentOf(plan, live * MB)).toBe(percent)
  })
})

/**
 * Peak of the heap in megabytes, when 60 MB are alive and six times as much is replaced. Node 24 has 64 MB or more for what was just
 * made, which is no part of the plan.
 */
function peakOf(wantedMb: number | null): number {
  const room = new URL('../../../.build/server/process/index.js', import.meta.url).href
  const script = `
    import { applyMemoryPlan } from ${JSON.stringify(room)}
    ${wantedMb === null ? '' : `applyMemoryPlan(${wantedMb})`}
    const live = new Array(600)
    let peak = 0
    for (let i = 0; i < 4000; i++) {
      live[(i * 7919) % 600] = Array.from({ length: 1000 }, (_, k) => ({ k, of: [k] }))
      if (i % 20 === 0) peak = Math.max(peak, process.memoryUsage().heapTotal)
    }
    console.log(peak / 1e6)`
  const { stdout } = spawnSync(process.execPath, ['--max-semi-space-size=16', '--input-type=module', '-e', script], {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    encoding: 'utf8',
  })
  return Number(stdout)
}

test('what is no longer used is cleaned up long before V8 would by itself', () => {
  const planned = peakOf(1000)
  const own = peakOf(null)
  expect(planned).toBeGreaterThan(20)
  expect(planned).toBeLessThan(0.8 * own)
})

/** Megabytes that a call's own objects leave in the heap, once the code that makes them has made many that stayed. */
function leftByCalls(isPlanned: boolean): number {
  const room = new URL('../../../.build/server/process/index.js', import.meta.url).href
  const script = `
    import { applyMemoryPlan } from ${JSON.stringify(room)}
    ${isPlanned ? 'applyMemoryPlan(24_000)' : ''}
    const make = (one) => ({ refs: [one, [one]] })
    const kept = []
    for (let i = 0; i < 400_000; i++) kept.push(make(i))
    gc()
    const before = process.memoryUsage().heapUsed
    let last
    for (let i = 0; i < 400_000; i++) last = make(i)
    gc({ type: 'minor' })
    console.log((process.memoryUsage().heapUsed - before) / 1e6, kept.length, last.refs.length)`
  // V8 decides where things are made once what is young fills its heap.
  const flags = ['--expose-gc', '--max-semi-space-size=1', '--input-type=module']
  const { stdout } = spawnSync(process.execPath, [...flags, '-e', script], { encoding: 'utf8' })
  return Number.parseFloat(stdout)
}

test('what calls throw away is gone without a full collection, also where a start made what stays', () => {
  expect(leftByCalls(false)).toBeGreaterThan(10)
  expect(leftByCalls(true)).toBeLessThan(2)
})

test('the live heap is what a full collection leaves', () => {
  const room = new URL('../../../.build/server/process/index.js', import.meta.url).href
  const script = `
    import { setTimeout as pause } from 'node:timers/promises'
    import { liveHeapBytes } from ${JSON.stringify(room)}
    liveHeapBytes()
    const make = () => Array.from({ length: 400_000 }, (_, k) => ({ k }))
    const afterCollection = async () => {
      gc()
      const held = liveHeapBytes()
      for (let i = 0; i < 500 && liveHeapBytes() === held; i++) await pause(10)
      return liveHeapBytes() / 1e6
    }
    const empty = await afterCollection()
    let data = make()
    const full = await afterCollection()
    data = null
    const again = await afterCollection()
    console.log(JSON.stringify({ empty, full, again }))`
  const { stdout } = spawnSync(process.execPath, ['--expose-gc', '--input-type=module', '-e', script], {
    encoding: 'utf8',
  })
  const { empty, full, again } = JSON.parse(stdout) as Record<'empty' | 'full' | 'again', number>
  expect(full - empty).toBeGreaterThan(8)
  expect(again - empty).toBeLessThan(4)
})

test('the growth in force follows what is alive', () => {
  const room = new URL('../../../.build/server/process/index.js', import.meta.url).href
  const script = `
    import { setTimeout as pause } from 'node:timers/promises'
    import { applyMemoryPlan, heapGrowthPercent } from ${JSON.stringify(room)}
    applyMemoryPlan(24_000)
    const planned = heapGrowthPercent()
    const afterCollection = async () => {
      const before = heapGrowthPercent()
      gc()
      for (let i = 0; i < 500 && heapGrowthPercent() === before; i++) await pause(10)
      return heapGrowthPercent()
    }
    const small = await afterCollection()
    const data = Array.from({ length: 4_000_000 }, (_, k) => ({ k }))
    const large = await afterCollection()
    console.log(JSON.stringify({ planned, small, large, held: data.length }))`
  const { stdout } = spawnSync(process.execPath, ['--expose-gc', '--input-type=module', '-e', script], {
    encoding: 'utf8',
  })
  expect(JSON.parse(stdout)).toMatchObject({ planned: 35, small: 150, large: expect.toSatisfy((part) => part < 100) })
})
