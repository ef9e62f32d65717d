import { describe, expect, test } from 'vitest'
import { createDedupe, stableJson } from '../../client/dedupe.ts'

describe('stableJson', () => {
  test('default: the order of keys does not matter, at any depth', () => {
    const one = stableJson({ b: 1, a: { d: [{ y: 1, x: 2 }], c: 3 } })
    const other = stableJson({ a: { c: 3, d: [{ x: 2, y: 1 }] }, b: 1 })
    expect(one).toBe(other)
    expect(JSON.parse(one)).toEqual({ b: 1, a: { d: [{ y: 1, x: 2 }], c: 3 } })
  })

  test('behavior: the order of lists, and what is left out, do matter', () => {
    expect(stableJson({ a: [1, 2] })).not.toBe(stableJson({ a: [2, 1] }))
    expect(stableJson({ a: undefined })).toBe('{}')
    expect(stableJson({ a: null })).not.toBe('{}')
  })

  test('args: hostile keys stay keys', () => {
    expect(stableJson(JSON.parse('{"__proto__":{"b":1},"a":1}'))).toBe('{"__proto__":{"b":1},"a":1}')
  })

  test('error: no JSON form', () => {
    for (const lt of [1n, Number.NaN, Number.POSITIVE_INFINITY]) expect(() => stableJson({ lt })).toThrow(TypeError)
  })
})

const work = <T>(promise: Promise<T>) => ({ promise, stop: () => {} })

describe('createDedupe', () => {
  const setUp = () => {
    const started: (() => void)[] = []
    const dedupe = createDedupe<{ n: number }>()
    const join = (key: string | null) =>
      dedupe.join(key, () => work(new Promise((resolve) => started.push(() => resolve({ n: 1 }))))).promise
    return { started, join, forget: dedupe.forget }
  }

  test('default: one start for one key', async () => {
    const { started, join } = setUp()
    const answers = [join('a'), join('b'), join('a')]
    expect(started).toHaveLength(2)
    for (const land of started) land()
    expect(await Promise.all(answers)).toEqual([{ n: 1 }, { n: 1 }, { n: 1 }])
  })

  test('behavior: only while it is in flight', async () => {
    const { started, join } = setUp()
    const first = join('a')
    started[0]?.()
    await first
    const second = join('a')
    expect(started).toHaveLength(2)
    started[1]?.()
    await second
  })

  test('behavior: results are not shared', async () => {
    const { started, join } = setUp()
    const answers = [join('a'), join('a')]
    started[0]?.()
    const [one, other] = await Promise.all(answers)
    if (one) one.n = 99
    expect(other).toEqual({ n: 1 })
  })

  test('behavior: a call from before `forget` that ends leaves the next one to be joined', async () => {
    const { started, join, forget } = setUp()
    const first = join('a')
    forget()
    const second = join('a')
    started[0]?.()
    await first
    const third = join('a')
    expect(started).toHaveLength(2)
    started[1]?.()
    expect(await Promise.all([second, third])).toEqual([{ n: 1 }, { n: 1 }])
  })

  test('args: no key, no sharing', () => {
    const { started, join } = setUp()
    for (const _ of [1, 2]) join(null).catch(() => {})
    expect(started).toHaveLength(2)
  })

  test('behavior: a flight all have left is not joined', async () => {
    const dedupe = createDedupe<number>()
    const gone = dedupe.join('a', () => work(new Promise(() => {})))
    gone.leave('bye')
    await expect(gone.promise).rejects.toBe('bye')
    await expect(dedupe.join('a', () => work(Promise.resolve(2))).promise).resolves.toBe(2)
  })
})
