import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type SqlText, type SqlValue, sql } from '../../../server/store/index.ts'
import { drivers, freshDatabase, type TestDatabase } from '../../setup/database.ts'

describe.each(drivers)('%s', (driver) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await freshDatabase(driver, { migrations: [] })
  })
  afterAll(() => database[Symbol.asyncDispose]())

  const fetchValue = async (statement: SqlText): Promise<unknown> => {
    const [row] = await database.read.query(sql`select ${statement} as value`)
    return row?.value
  }
  const bytes = (...each: number[]) => Uint8Array.from(each)

  test.each<[type: string, value: SqlValue, title: string]>(
    (
      [
        ['bool', true],
        ['bool', false],
        ['int2', -32_768],
        ['int4', 2_147_483_647],
        ['int8', 0n],
        ['int8', 1n],
        ['int8', -9_223_372_036_854_775_808n],
        ['numeric', 123_456_789_012_345_678_901_234_567_890n],
        ['numeric', -1n],
        ['text', ''],
        ['text', 'NULL'],
        ['text', 'ä "\\ \' , {} \n €🙂'],
        ['bytea', bytes()],
        ['bytea', bytes(0, 1, 92, 255)],
        ['json', '{"b": 1,  "a": [9007199254740993]}'],
        ['float8', 1.5],
      ] as const
    ).map(([type, value]) => [type, value, String(value)]),
  )('a %s goes in and comes out: $2', async (type, value) => {
    const name = sql.identifier(type)
    expect(await fetchValue(sql`${value}::${name}`)).toStrictEqual(value)
    expect(await fetchValue(sql`${null}::${name}`)).toBe(null)
    const list = [value, null, value]
    expect(await fetchValue(sql`${list}::${sql.identifier(`${type}[]`)}`)).toStrictEqual(list)
    expect(await fetchValue(sql`${[]}::${sql.identifier(`${type}[]`)}`)).toStrictEqual([])
  })

  test('bytes are bytes of their own, and nothing more', async () => {
    const value = await fetchValue(sql`${bytes(1, 2, 3)}::bytea`)
    expect(Object.getPrototypeOf(value)).toBe(Uint8Array.prototype)
    expect((value as Uint8Array).buffer.byteLength).toBe(3)
  })

  test('jsonb comes as text, in the order the database keeps it', async () => {
    expect(await fetchValue(sql`'{"b": 1, "a": 2}'::jsonb`)).toBe('{"a": 2, "b": 1}')
  })

  test('lists of lists, and with other bounds', async () => {
    expect(await fetchValue(sql`${[[1, 2], [3, null]]}::int4[]`)).toEqual([
      [1, 2],
      [3, null],
    ])
    expect(await fetchValue(sql`'[0:1]={1,2}'::int8[]`)).toEqual([1n, 2n])
  })

  test('any text and bytes survive, alone and in lists', async () => {
    const text = fc.string({ unit: 'binary' }).map((each) => each.replaceAll('\0', ''))
    await fc.assert(
      fc.asyncProperty(fc.array(text), fc.array(fc.uint8Array()), async (texts, blobs) => {
        const [row] = await database.read.query(sql`select ${texts}::text[] as texts, ${blobs}::bytea[] as blobs`)
        expect(row).toStrictEqual({ texts, blobs: blobs.map((each) => Uint8Array.from(each)) })
      }),
      { numRuns: 50 },
    )
  })

  test('any whole numbers survive, alone and in lists', async () => {
    const long = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
    const amount = fc.bigInt(-(2n ** 256n), 2n ** 256n)
    const round = fc.tuple(fc.nat(70), fc.bigInt(-99n, 99n)).map(([zeros, digits]) => digits * 10n ** BigInt(zeros))
    const amounts = fc.array(fc.oneof(amount, round))
    await fc.assert(
      fc.asyncProperty(fc.array(long), amounts, long, amount, async (longs, amounts, long, amount) => {
        const [row] = await database.read.query(sql`select ${longs}::int8[] as longs, ${amounts}::numeric[] as amounts,
          ${long}::int8 as long, ${amount}::numeric as amount`)
        expect(row).toStrictEqual({ longs, amounts, long, amount })
      }),
      { numRuns: 50 },
    )
  })

  test.each([
    ['a fraction where whole numbers are', sql`1.5::numeric`],
    ['a type that is not listed', sql`now()`],
  ])('%s is refused, and the connection goes on', async (_, statement) => {
    await expect(fetchValue(statement)).rejects.toMatchObject({ name: 'StoreError', code: 'failed' })
    expect(await fetchValue(sql`1`)).toBe(1)
  })

  test.each<[string, SqlValue]>([
    ['a number that is none', Number.NaN],
    ['infinity', Number.POSITIVE_INFINITY],
  ])('%s is not sent', async (_, value) => {
    await expect(fetchValue(sql`${value}::int4`)).rejects.toMatchObject({ code: 'failed' })
    expect(await fetchValue(sql`2`)).toBe(2)
  })
})
