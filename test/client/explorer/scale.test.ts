import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  filled,
  linePath,
  scale,
  shownRange,
  stepPath,
  ticks,
  timeLabel,
  timeTicks,
  valueRange,
} from '../../../client/explorer/charts/scale.ts'
import { axisLabels, bytes, percent } from '../../../client/explorer/format/number.ts'

describe('the shown times of a line of steps', () => {
  const at = (...times: number[]) => times.map((one) => ({ at: one, value: 1 }))
  test('leave out most of a first value that held for longer than all others', () => {
    expect(shownRange(at(0, 1_000_000, 1_000_500), 1_001_000)).toEqual({ from: 999_950, to: 1_001_000 })
    expect(shownRange(at(0, 100, 900), 1_000)).toEqual({ from: 0, to: 1_000 })
  })
  test('have a length whatever there is', () => {
    expect(shownRange([], 5)).toEqual({ from: 0, to: 5 })
    expect(shownRange(at(7), 5)).toEqual({ from: 7, to: 8 })
    expect(shownRange(at(7, 8), 8)).toEqual({ from: 7, to: 9 })
  })
})

describe('ticks', () => {
  test('are few, within the range and evenly spaced, for any range', () => {
    const bound = fc.double({ min: -1e15, max: 1e15, noNaN: true })
    fc.assert(
      fc.property(
        bound,
        fc.double({ min: 1e-6, max: 1e15, noNaN: true }),
        fc.integer({ min: 2, max: 10 }),
        (from, span, wanted) => {
          const range = { from, to: from + span }
          const found = ticks(range, wanted)
          expect(found.length).toBeLessThanOrEqual(wanted + 1)
          const slack = Math.max(span, Math.abs(from)) * 1e-9
          for (const one of found) expect(one >= range.from - slack && one <= range.to + slack).toBe(true)
        },
      ),
    )
    expect(ticks({ from: 0, to: 100 })).toEqual([0, 50, 100])
    expect(ticks({ from: 5, to: 5 })).toEqual([5])
    expect(ticks({ from: 11, to: 14 }, 2)).toEqual([12, 14])
    expect(ticks({ from: 10.1, to: 10.4 }, 1)).toEqual([10.1])
  })

  test('of times are round', () => {
    const from = 1_795_219_200 - 100
    expect(timeTicks({ from, to: from + 3600 })).toEqual([0, 1, 2, 3].map((i) => 1_795_219_200 + i * 900))
    expect(timeLabel(1_795_219_200, { from, to: from + 3600 })).toBe('21 Nov')
    expect(timeLabel(1_795_219_200 + 900, { from, to: from + 3600 })).toBe('00:15')
    expect(timeLabel(1_795_219_200 + 5, { from: 1_795_219_200, to: 1_795_219_260 })).toBe('00:00:05')
    expect(timeTicks({ from: 0, to: 1e12 }).length).toBeLessThanOrEqual(10)
  })
})

test('amounts begin at 0, balances near the smallest', () => {
  expect(valueRange([3, 7], true)).toEqual({ from: 0, to: 7 })
  expect(valueRange([0, 0], true)).toEqual({ from: 0, to: 1 })
  expect(valueRange([], true)).toEqual({ from: 0, to: 1 })
  const { from, to } = valueRange([1000, 1001], false)
  expect(from > 999 && from < 1000 && to > 1001 && to < 1002).toBe(true)
})

test('what a list leaves out is 0', () => {
  const points = filled([{ at: 120, value: 5 }], 60, { from: 60, to: 240 })
  expect(points).toEqual([60, 120, 180, 240].map((at) => ({ at, value: at === 120 ? 5 : 0 })))
})

test('paths', () => {
  const points = [
    { at: 0, value: 0 },
    { at: 5, value: 10 },
  ]
  const x = scale({ from: 0, to: 10 }, { from: 0, to: 100 })
  const y = scale({ from: 0, to: 10 }, { from: 50, to: 0 })
  expect(linePath(points, x, y)).toBe('M0 50L50 0')
  expect(stepPath(points, x, y, 10)).toBe('M0 50H50V0H100')
  expect(stepPath([], x, y, 10)).toBe('')
})

test.each([
  [bytes(0), '0 B'],
  [bytes(999), '999 B'],
  [bytes(34_512), '34.5 kB'],
  [percent(0.12345), '12.3%'],
  [percent(Number.NaN), ''],
])('%s', (found, expected) => expect(found.replaceAll('\u202f', ' ')).toBe(expected))

describe('labels of an axis', () => {
  const shown = (values: readonly number[]) => axisLabels(values).map((text) => text.replaceAll('\u202f', ' '))
  test.each([
    [
      [0, 500_000, 1_000_000],
      ['0', '0.5M', '1M'],
    ],
    [
      [999_850, 999_900, 999_950],
      ['999.85k', '999.9k', '999.95k'],
    ],
    [
      [1_000_850, 1_000_900, 1_000_950],
      ['1 000 850', '1 000 900', '1 000 950'],
    ],
    [
      [0, 0.00002, 0.00004],
      ['0', '0.00002', '0.00004'],
    ],
    [
      [-2, -1, 0],
      ['−2', '−1', '0'],
    ],
    [[5], ['5']],
  ])('%j', (values, labels) => expect(shown(values)).toEqual(labels))

  test('are different for different values', () => {
    const from = fc.integer({ min: 0, max: 10 ** 9 })
    fc.assert(
      fc.property(from, fc.constantFrom(0.001, 0.02, 0.5, 1, 20, 5000, 10 ** 6), (start, step) => {
        const values = [0, 1, 2, 3].map((i) => Math.floor(start / step) * step + i * step)
        expect(new Set(axisLabels(values)).size).toBe(values.length)
      }),
    )
  })
})
