import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { qrOf } from '../../../client/explorer/qr/qr.ts'

const ADDRESS = 'kQD_rj3aM2B-A-6MQEJsyknKOAdmTD96aj5q8xpxG2-dGlCG'
const linesOf = (text: string) => qrOf(text).map((row) => row.map((isDark) => (isDark ? '#' : '.')).join(''))
const digest = (text: string) => createHash('sha256').update(linesOf(text).join('\n')).digest('hex').slice(0, 16)

test('codes are those that readers have read as the text', () => {
  // Each was read by jsQR 1.4.0 when its digest was written down.
  expect(digest(`ton://transfer/${ADDRESS}`)).toBe('f53a2dee64b33582')
  expect(digest('Привет')).toBe('bf5e42243e50c866')
  expect(digest('a'.repeat(84))).toBe('dd2421380e7177ff')
})

test('has its squares in three corners, and refuses what it does not hold', () => {
  const lines = linesOf(ADDRESS)
  expect(lines.map((line) => line.length)).toEqual(Array.from({ length: 37 }, () => 37))
  const square = ['#######', '#.....#', '#.###.#', '#.###.#', '#.###.#', '#.....#', '#######']
  for (const [top, left] of [
    [0, 0],
    [0, 30],
    [30, 0],
  ] as const)
    expect(lines.slice(top, top + 7).map((line) => line.slice(left, left + 7))).toEqual(square)
  expect(() => qrOf('a'.repeat(85))).toThrow('too long for a QR code')
})
