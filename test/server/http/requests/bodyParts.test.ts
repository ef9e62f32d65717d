import { expect, test } from 'vitest'
import { BodyParts } from '../../../../server/http/requests/bodyParts.ts'

function partsOf(lengths: readonly number[]) {
  const parts = new BodyParts()
  const sent: Buffer[] = []
  for (const [i, length] of lengths.entries()) {
    const part = Buffer.alloc(length, i)
    sent.push(part)
    parts.add(part)
  }
  return { all: parts.all, sent: Buffer.concat(sent) }
}

test('behavior: a megabyte that comes byte by byte is held in few pieces', () => {
  const parts = new BodyParts()
  const byte = Buffer.from('x')
  for (let i = 0; i < 1 << 20; i++) parts.add(byte)
  const { all } = parts
  expect(all.length).toBeLessThan(200)
  expect(all.reduce((sum, { length }) => sum + length, 0)).toBe(1 << 20)
})

test.each([
  ['nothing', []],
  ['one small part', [3]],
  ['one large part', [70_000]],
  ['small ones around a large one', [1, 2, 5000, 3, 4]],
  ['a large one first', [5000, 1, 1023, 1024, 1]],
  ['more than fits into one piece', [1023, 1023, 1023, 1023, 1023, 1023, 1023, 1023, 1023, 9, 1023]],
  ['empty ones', [0, 1, 0, 5000, 0]],
])('behavior: %s, in order', (_, lengths) => {
  const { all, sent } = partsOf(lengths)
  expect(Buffer.concat(all).equals(sent)).toBe(true)
})

test('behavior: the only part of a body is not copied', () => {
  const part = Buffer.from('{}')
  const parts = new BodyParts()
  parts.add(part)
  expect(parts.all[0]).toBe(part)
})
