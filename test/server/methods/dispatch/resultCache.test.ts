import { expect, test } from 'vitest'
import { createResultCache } from '../../../../server/methods/index.ts'

test('default: what is fixed stays, what is true of a block goes with it, what is live is never kept', () => {
  const memory = createResultCache(100_000)
  for (const freshness of ['fixed', 'block', 'live'] as const) memory.set(freshness, 'key', freshness, memory.moment)
  expect([memory.get('fixed', 'key'), memory.get('block', 'key'), memory.get('live', 'key')]).toEqual([
    'fixed',
    'block',
    undefined,
  ])
  memory.newBlock()
  expect([memory.get('fixed', 'key'), memory.get('block', 'key')]).toEqual(['fixed', undefined])
})

test('behavior: an answer that was begun before the newest block is not kept as if it were true of it', () => {
  const memory = createResultCache(100_000)
  const began = memory.moment
  memory.newBlock()
  memory.set('block', 'key', 'old', began)
  memory.set('fixed', 'key', 'true for ever', began)
  expect([memory.get('block', 'key'), memory.get('fixed', 'key')]).toEqual([undefined, 'true for ever'])
})

test('behavior: answers out of the index are kept only while the index reports when it takes in more', () => {
  const memory = createResultCache(100_000)
  memory.set('index', 'key', 'too early', memory.moment)
  expect(memory.get('index', 'key')).toBeUndefined()
  memory.newIndexed()
  memory.set('index', 'key', 'kept', memory.moment)
  expect(memory.get('index', 'key')).toBe('kept')
  memory.newBlock()
  expect(memory.get('index', 'key')).toBe('kept')
  memory.newIndexed()
  expect(memory.get('index', 'key')).toBeUndefined()
  memory.set('index', 'key', 'again', memory.moment)
  memory.leaveIndex()
  memory.set('index', 'other', 'never forgotten', memory.moment)
  expect([memory.get('index', 'key'), memory.get('index', 'other')]).toEqual([undefined, undefined])
})

test('behavior: bounded by bytes, the least used go first', () => {
  const memory = createResultCache(20_000)
  for (let i = 0; i < 100; i++) memory.set('fixed', `key ${i}`, 'x'.repeat(500), 0)
  expect(memory.get('fixed', 'key 99')).toBe('x'.repeat(500))
  expect(memory.get('fixed', 'key 0')).toBeUndefined()
})

test('behavior: an answer larger than everything, or with a key out of proportion, is not kept', () => {
  const memory = createResultCache(20_000)
  memory.set('fixed', 'small', 'small', 0)
  memory.set('fixed', 'large', 'x'.repeat(50_000), 0)
  memory.set('fixed', 'k'.repeat(5000), 'text', 0)
  expect([memory.get('fixed', 'large'), memory.get('fixed', 'k'.repeat(5000)), memory.get('fixed', 'small')]).toEqual([
    undefined,
    undefined,
    'small',
  ])
})

test('behavior: an answer of bytes comes back as it is, and counts as many', () => {
  const memory = createResultCache(20_000)
  const bytes = (fill: number) => [Buffer.alloc(1000, fill), Buffer.alloc(1000, fill)]
  for (let i = 0; i < 4; i++) memory.set('fixed', `key ${i}`, bytes(i), 0)
  expect(memory.get('fixed', 'key 0')).toBeUndefined()
  expect(memory.get('fixed', 'key 3')).toEqual(bytes(3))
  expect(memory.stats.bytes).toBeGreaterThan(4000)
  memory.set('fixed', 'large', [Buffer.alloc(7000)], 0)
  expect(memory.get('fixed', 'large')).toBeUndefined()
})

test('behavior: of a buffer that pieces of others are in, only what is kept stays', () => {
  const memory = createResultCache(100_000)
  const shared = Buffer.alloc(50_000, 'x')
  const whole = Buffer.from(new Uint8Array(600).fill(65).buffer)
  memory.set('fixed', 'key', [shared.subarray(100, 200), whole], 0)
  const kept = memory.get('fixed', 'key')
  if (typeof kept !== 'object') throw new Error('no bytes are kept')
  expect(kept.map((piece) => [String(piece), piece.buffer.byteLength])).toEqual([
    ['x'.repeat(100), 100],
    ['A'.repeat(600), 600],
  ])
  // A long one is not copied for nothing.
  expect(kept[1]).toBe(whole)
})

test('attack: long pages that nobody asks for twice do not push out what is asked for again', () => {
  const memory = createResultCache(300_000)
  const small = 'x'.repeat(500)
  for (const key of ['first', 'second']) {
    memory.set('fixed', key, small, 0)
    expect(memory.get('fixed', key)).toBe(small)
  }
  memory.set('fixed', 'asked once', small, 0)
  for (let i = 0; i < 1_000; i++) memory.set('fixed', `page ${i}`, 'y'.repeat(10_000), 0)
  expect(['first', 'second', 'asked once'].map((key) => memory.get('fixed', key))).toEqual([small, small, undefined])
  expect(memory.get('fixed', 'page 999')).toHaveLength(10_000)
  expect(memory.stats.bytes).toBeLessThanOrEqual(100_000)
})

test('attack: pages that are all asked for twice leave what is asked for all the time, within the bytes', () => {
  const memory = createResultCache(300_000)
  memory.set('fixed', 'all the time', 'x', 0)
  for (let i = 0; i < 1_000; i++) {
    memory.set('fixed', `page ${i}`, 'y'.repeat(10_000), 0)
    expect(memory.get('fixed', `page ${i}`)).toHaveLength(10_000)
    expect(memory.get('fixed', 'all the time')).toBe('x')
    expect(memory.stats.bytes).toBeLessThanOrEqual(100_000)
  }
})

test('edge: a page that takes more than half of the bytes is kept, also when it is asked for again', () => {
  const memory = createResultCache(300_000)
  memory.set('fixed', 'large', 'x'.repeat(40_000), 0)
  for (let i = 0; i < 3; i++) expect(memory.get('fixed', 'large')).toHaveLength(40_000)
})
