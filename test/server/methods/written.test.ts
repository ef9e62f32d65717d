// Results as text: however they are cut into slices, the text is the one JSON.stringify makes.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  isLongResult,
  sizeOfText,
  Written,
  write,
  writeInSlices,
  writeList,
  writeObject,
} from '../../../server/methods/written.ts'
import { turnsOf } from '../../setup/othersTurns.ts'

const value = fc.oneof(fc.string({ unit: 'binary' }), fc.integer(), fc.constant(null), fc.record({ a: fc.string() }))
const entry = fc.oneof(value, fc.constant(undefined))
const record = fc.dictionary(fc.string(), entry, { maxKeys: 200, size: 'max', noNullPrototype: true })
const member = fc.oneof(value, fc.constant(undefined), fc.array(value, { maxLength: 200, size: 'max' }), record)

test('a result with long lists and records has the text of one without slices', async () => {
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.string(), member, { maxKeys: 5, noNullPrototype: true }), async (result) => {
      expect((await writeInSlices(result, {})).json).toBe(JSON.stringify(result))
    }),
    { numRuns: 50 },
  )
  const logs = { 'a "log"': '"\n'.repeat(100_000), none: undefined, other: 'ö'.repeat(100_000) }
  expect((await writeInSlices({ logs }, { sliceMs: 0 })).json).toBe(JSON.stringify({ logs }))
})

test('a result that is a long list or record itself has the same text', async () => {
  const list = fc.array(value, { minLength: 60, maxLength: 200, size: 'max' })
  await fc.assert(
    fc.asyncProperty(fc.oneof(list, record), async (result) => {
      expect((await writeInSlices(result, { sliceMs: 0 })).json).toBe(JSON.stringify(result))
    }),
    { numRuns: 50 },
  )
})

test('a list of megabytes is joined as a short one is', async () => {
  const items = Array.from({ length: 1000 }, (_, i) => ({ i, text: 'ö'.repeat(2000) }))
  expect((await writeList(items.map(write), { sliceMs: 0 })).json).toBe(JSON.stringify(items))
  expect((await writeList([], {})).json).toBe('[]')
})

test('of many megabytes it is bytes, so that nobody has to put it together', async () => {
  const items = Array.from({ length: 4000 }, (_, i) => ({ i, text: 'ö'.repeat(1000) }))
  const list = await writeList(items.map(write), { sliceMs: 0 })
  expect([typeof list.text, list.json === JSON.stringify(items)]).toEqual(['object', true])
  const record = Object.fromEntries(items.map(({ i, text }) => [`log ${i}`, text]))
  const object = await writeInSlices({ record, few: [1] }, { sliceMs: 0 })
  expect([typeof object.text, object.json === JSON.stringify({ record, few: [1] })]).toEqual(['object', true])
})

test('items of bytes stay as they are in a list, and have a turn each', async () => {
  const [text, other] = ['zwölf '.repeat(20_000), 'ö'].map((one) => JSON.stringify(one))
  if (text === undefined || other === undefined) throw new Error('no text')
  const long = [Buffer.from(text.slice(0, 7)), Buffer.from(text.slice(7))]
  const items = [new Written(other), new Written(long), new Written(other), new Written(text), new Written(long)]
  const { found, turns } = await turnsOf(() => writeList(items, { sliceMs: 0 }))
  expect(found.json).toBe(`[${[other, text, other, text, text].join()}]`)
  expect(long.filter((piece) => found.text.includes(piece as never))).toHaveLength(2)
  expect(turns).toBeGreaterThanOrEqual(3)
})

test('only a long list or record is worth it, or one in an object', () => {
  const long = Array.from({ length: 1000 }, () => 1)
  const record = { ...long }
  const logs = { log: '"'.repeat(100_000), other: 1 }
  expect([{ long }, { record }, { logs }, long, record, logs].every(isLongResult)).toBe(true)
  expect([{ list: [1] }, [long], null, 'text', { deep: { long } }, write({ long })].some(isLongResult)).toBe(false)
})

test('an object with members of bytes has the text of one without', () => {
  const long: readonly Written<unknown>[] = [write({ i: 1, text: 'zwölf' }), write('ö')]
  fc.assert(
    fc.property(fc.array(fc.boolean()), (kinds) => {
      const members = kinds.map((isBytes, i) => {
        const [one = write<unknown>(null)] = long.slice(i % 2)
        const pieces = [Buffer.from(one.json.slice(0, 3)), Buffer.from(one.json.slice(3))]
        return [`m ${i}`, isBytes ? new Written(pieces) : one]
      })
      const plain = writeObject<object>(Object.fromEntries(kinds.map((_, i) => [`m ${i}`, long[i % 2]])))
      const made = writeObject<object>(Object.fromEntries(members))
      expect(typeof made.text === 'string').toBe(!kinds.includes(true))
      expect(made.json).toBe(plain.json)
      expect(sizeOfText(made.text)).toBe(Buffer.byteLength(plain.json))
    }),
  )
})
