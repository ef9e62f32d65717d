import { describe, expect, test } from 'vitest'
import { type SqlValue, sql } from '../../../server/store/index.ts'

describe('the tag', () => {
  test('a value becomes a parameter', () => {
    const { text, values } = sql`select ${1} where a = ${'x; drop table t'}`
    expect({ text, values }).toEqual({ text: 'select $1 where a = $2', values: [1, 'x; drop table t'] })
  })

  test('a statement becomes part of the text, its parameters numbered again', () => {
    const inner = sql`b = ${2} and c in (${3}, ${null})`
    const { text, values } = sql`select ${1} where ${inner} or ${inner} limit ${4n}`
    expect(text).toBe('select $1 where b = $2 and c in ($3, $4) or b = $5 and c in ($6, $7) limit $8')
    expect(values).toEqual([1, 2, 3, null, 2, 3, null, 4n])
  })

  test('what looks like a parameter in the text stays as it is', () => {
    expect(sql`select '$1', ${1}, ${sql`'$2', ${2}`}`.text).toBe("select '$1', $1, '$2', $2")
  })

  test('a list is one parameter', () => {
    const list = [new Uint8Array(2), null]
    expect(sql`select ${list}::bytea[]`.values).toEqual([list])
  })

  test('join, empty', () => {
    const parts = [1, 2].map((value) => sql`a > ${value}`)
    expect(sql`where ${sql.join(parts, ' and ')}`.text).toBe('where a > $1 and a > $2')
    expect(sql.join([]).text).toBe('')
    expect(sql`a${sql.empty}b`.text).toBe('ab')
  })

  test('the same statement with other values', () => {
    const first = sql.steady(sql`select ${1} where ${sql`a = ${'x'}`}`)
    const other = sql.refill(first, [2, 'y'])
    expect(other.text).toBe(first.text)
    expect([first.values, other.values]).toEqual([
      [1, 'x'],
      [2, 'y'],
    ])
    expect([first.isSteady, other.isSteady, sql`select 1`.isSteady]).toEqual([true, true, false])
    expect(() => sql.refill(first, [2])).toThrow(TypeError)
    for (const foreign of [sql.refill, sql.steady])
      expect(() => foreign({ text: 'drop table t', values: [] }, [])).toThrow(TypeError)
  })

  test('names are small letters, nothing that could be anything else', () => {
    expect(sql.identifier('jetton_wallets').text).toBe('jetton_wallets')
    expect(sql.identifier('int8[]').text).toBe('int8[]')
    for (const name of ['', 'a b', 'a;', 'A', '"a"', 'a.b', '1a', 'a[', 'a[][]']) {
      expect(() => sql.identifier(name), name).toThrow(TypeError)
    }
  })

  test.each([[{ text: 'drop table t', values: [] }], [undefined], [new Date()], [{}]])(
    'what is neither a value nor made by the tag is refused: %j',
    (part) => {
      expect(() => sql`select ${part as SqlValue}`).toThrow(TypeError)
    },
  )
})

describe('a statement that is written again', () => {
  const read = (conditions: readonly string[], value: SqlValue) =>
    sql`select a from ${sql.identifier('t')} where ${sql.join(
      conditions.map((name) => sql`${sql.identifier(name)} = ${value}`),
      ' and ',
    )}`

  test('has the same name and its own values; one with other parts has another', () => {
    const first = read(['b', 'c'], 1)
    const again = read(['b', 'c'], 2)
    const other = read(['c', 'b'], 1)
    expect(sql.nameOf(again)).toBe(sql.nameOf(first))
    expect(sql.nameOf(other)).not.toBe(sql.nameOf(first))
    expect([first.text, other.text]).toEqual([
      'select a from t where b = $1 and c = $2',
      'select a from t where c = $1 and b = $2',
    ])
    expect([first.values, again.values]).toEqual([
      [1, 1],
      [2, 2],
    ])
  })

  test('with a value where another has a part', () => {
    const either = (part: SqlValue | ReturnType<typeof sql.raw>) => sql`select ${part}, ${1}`
    const texts = [sql.raw('now()'), 7, sql`b + ${2}`, null].map((part) => either(part).text)
    expect(texts).toEqual(['select now(), $1', 'select $1, $2', 'select b + $1, $2', 'select $1, $2'])
  })

  test('is right for any number of parts, however many lists there were', () => {
    for (let count = 1; count <= 600; count += 7) {
      const names = Array.from(
        { length: count },
        (_, i) => `column_${'x'.repeat(i % 50)}_${String.fromCharCode(97 + (i % 26))}`,
      )
      const { text, values } = read(names, count)
      expect(text.endsWith(` = $${count}`)).toBe(true)
      expect(text.split(' and ').length).toBe(count)
      expect(values).toEqual(names.map(() => count))
    }
  })
  test('is made anew once too much is kept, also where that was noticed', () => {
    const long = sql.raw('x'.repeat(20_000))
    const bits = [sql.raw('a'), sql.raw('b')] as const
    const shape = (number: number) =>
      sql.join([long, ...Array.from({ length: 10 }, (_, i) => bits[(number >> i) & 1 ? 1 : 0])])
    const first = sql.nameOf(shape(0))
    expect(sql.nameOf(shape(0))).toBe(first)
    for (let number = 1; number < 1000; number++) shape(number)
    expect(sql.nameOf(shape(0))).not.toBe(first)
  })
})
