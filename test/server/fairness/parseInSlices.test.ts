import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseInSlices } from '../../../server/fairness/index.ts'
import { longestJson } from '../../setup/longestJson.ts'
import { turnsOf } from '../../setup/othersTurns.ts'

/** The value or the name of the failure. */
async function outcome(read: () => unknown): Promise<unknown> {
  try {
    return { value: await read() }
  } catch (error) {
    return error instanceof Error ? error.name : error
  }
}

const LONG = 70_000

/** Values that are longer than what is read at once, in all places, and short ones between them. */
const long = fc.letrec((tie) => ({
  one: fc.oneof(
    { weight: 4, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
    { weight: 1, arbitrary: fc.constantFrom('x'.repeat(LONG), '\\"]}'.repeat(LONG / 4), ' ,'.repeat(LONG)) },
    { weight: 1, arbitrary: fc.array(tie('one'), { maxLength: 4 }) },
    {
      weight: 1,
      arbitrary: fc.dictionary(fc.oneof(fc.string(), fc.constant('__proto__')), tie('one'), { maxKeys: 4 }),
    },
    {
      weight: 1,
      arbitrary: fc.jsonValue({ maxDepth: 1 }).map((value) => Array.from({ length: 9000 }, (_, i) => [i, value])),
    },
  ),
})).one

const written = fc
  .tuple(fc.array(long, { minLength: 1, maxLength: 4 }), fc.constantFrom(undefined, 1, '\t'), fc.boolean())
  .map(([all, space, isList]) => JSON.stringify(isList ? all : Object.fromEntries(all.entries()), null, space))

describe('parseInSlices', () => {
  test('default: reads what JSON.parse reads', async () => {
    await fc.assert(
      fc.asyncProperty(written, async (text) => {
        expect(await parseInSlices(text)).toEqual(JSON.parse(text))
      }),
      { numRuns: 60 },
    )
  })

  test('behavior: between any two parts of a text there may be space', async () => {
    const fill = 'x'.repeat(LONG)
    const tokens = ['{', '"a"', ':', `"${fill}"`, ',', '"b"', ':', '[', '1', ',', `"${fill}"`, ',', '{', '}', ']', '}']
    for (const space of [' ', '\n', '\r\n', '\t\t']) {
      const text = space + tokens.join(space) + space
      expect(await parseInSlices(text)).toEqual(JSON.parse(text))
    }
  })

  test('behavior: names keep their order, the last of the same name wins, and none is special', async () => {
    const fill = 'x'.repeat(LONG)
    const text = `{"b":1,"__proto__":{"a":"${fill}"},"10":"${fill}","b":[2,"${fill}"],"a\\"":"${fill}","2":0}`
    const value = await parseInSlices(text)
    expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(text)))
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  })

  test('error: a text with a change in it is refused as JSON.parse refuses it', async () => {
    const changes = ['', ',', ',,', '[', ']', '{', '}', '"', ':', '\\', '1', ' ']
    const fill = 'y'.repeat(LONG)
    const rows = Array.from({ length: 1500 }, (_, i) => ({ i, a: [i], b: { c: 'd]}' } }))
    const texts = [
      JSON.stringify({ version: 1, rows, fill, none: [], nothing: {} }),
      JSON.stringify([{ fill }, [fill], rows, 0]),
    ]
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...texts),
        fc.oneof(
          fc.nat(300),
          fc.nat({ max: 150_000 }),
          fc.nat(60).map((back) => -1 - back),
        ),
        fc.nat(2),
        fc.constantFrom(...changes),
        async (text, place, cut, change) => {
          const at = place < 0 ? text.length + place : place % text.length
          const changed = text.slice(0, at) + change + text.slice(at + cut)
          expect(await outcome(() => parseInSlices(changed))).toEqual(await outcome(() => JSON.parse(changed)))
        },
      ),
      { numRuns: 200 },
    )
  })

  test('error: brackets without an end', async () => {
    for (const text of [
      '['.repeat(200_000),
      '{"a":'.repeat(50_000),
      `[${'[]'.repeat(50_000)}]`,
      `[${' '.repeat(LONG)},]`,
    ])
      await expect(parseInSlices(text)).rejects.toThrow(SyntaxError)
  })

  test('behavior: a long text is never read at once, however deep it is nested', async () => {
    const many = JSON.stringify(Array.from({ length: 50_000 }, (_, i) => ({ [i]: 0 })))
    const nested = (depth: number) => '['.repeat(depth) + many + ']'.repeat(depth)
    for (const depth of [1, 33, 500]) {
      let value: unknown
      const longest = await longestJson(async () => {
        value = await parseInSlices(nested(depth))
      })
      expect(longest).toBeLessThan(70_000)
      expect(value).toEqual(JSON.parse(nested(depth)))
    }
    await expect(parseInSlices(nested(600))).rejects.toThrow(/Nested over 512 deep/)
  })

  test('behavior: others are heard while a long text is read', async () => {
    const text = JSON.stringify({ rows: Array.from({ length: 20_000 }, (_, i) => ({ i, text: 'x'.repeat(40) })) })
    const { turns } = await turnsOf(() => parseInSlices(text, { sliceMs: 0 }))
    expect(turns).toBeGreaterThan(text.length / 65_536)
  })
})
