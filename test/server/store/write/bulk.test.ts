import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type SqlValue, sql } from '../../../../server/store/index.ts'
import type { Insertable } from '../../../../server/store/tables/table.ts'
import { BinaryColumn } from '../../../../server/store/write/binaryColumn.ts'
import { insertRows } from '../../../../server/store/write/bulk.ts'
import { drivers, freshDatabase, type TestDatabase } from '../../../setup/database.ts'

const steps = [
  {
    number: 1,
    name: '0001_things',
    sql: `create table things (hash bytea primary key, lt int8 not null, now int4, small int2, fee numeric, is_open bool,
      word text, body json, index_body jsonb, parents bytea[], amounts numeric[], extra text default 'usual')`,
  },
]

interface Thing {
  readonly hash: Uint8Array
  readonly lt: bigint
  readonly now: number | null
  readonly fee: bigint | null
  readonly isOpen: boolean | null
  readonly word: string | null
  readonly body: string | null
  readonly parents: readonly (Uint8Array | null)[] | null
  readonly amounts: readonly bigint[]
}

const column = (name: string, sqlType: string, encode: (row: Thing) => SqlValue) => ({ name, sqlType, encode })

const things: Insertable<Thing> = {
  name: 'things',
  onConflict: sql.empty,
  written: [
    column('hash', 'bytea', ({ hash }) => hash),
    column('lt', 'int8', ({ lt }) => lt),
    column('now', 'int4', ({ now }) => now),
    column('small', 'int2', ({ now }) => (now === null ? null : now % 100)),
    column('fee', 'numeric', ({ fee }) => fee),
    column('is_open', 'bool', ({ isOpen }) => isOpen),
    column('word', 'text', ({ word }) => word),
    column('body', 'json', ({ body }) => body),
    column('index_body', 'jsonb', ({ body }) => body),
    column('parents', 'bytea[]', ({ parents }) => parents),
    column('amounts', 'numeric[]', ({ amounts }) => amounts),
  ],
}

const hashOf = (number: number): Uint8Array => {
  const hash = new Uint8Array(32)
  new DataView(hash.buffer).setUint32(28, number)
  return hash
}

const thing = (number: number): Thing => {
  const isEven = number % 2 === 0
  return {
    hash: hashOf(number),
    lt: BigInt(number) - 5n,
    now: isEven ? number : null,
    fee: isEven ? 2n ** 100n + BigInt(number) : null,
    isOpen: number % 3 === 0 ? null : isEven,
    word: isEven ? `"${number}" \\ €, {}` : null,
    body: isEven ? `{"a":  "${number}\\""}` : null,
    parents: isEven ? [hashOf(number), null] : null,
    amounts: Array.from({ length: number % 4 }, (_, i) => BigInt(i) * 10n ** 20n),
  }
}

/** The bytes of a column behind its head, without their lengths. */
function bytesOf(type: 'int8' | 'text', values: readonly SqlValue[]): Buffer[] {
  const column = new BinaryColumn(type, Buffer.alloc(20))
  for (const value of values) column.push(value)
  const bytes = Buffer.from(column.finish())
  const found: Buffer[] = []
  for (let at = 20; at < bytes.length; ) {
    const end = at + 4 + bytes.readInt32BE(at)
    found.push(bytes.subarray(at + 4, end))
    at = end
  }
  return found
}

describe('columns in binary form', () => {
  test('eight bytes are the same of a number and of a bigint', () => {
    const usual = [0, 1, -1, 2 ** 31, 2 ** 32 - 1, 2 ** 32, -(2 ** 32) - 5]
    const numbers = [...usual, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]
    const read = bytesOf('int8', [...numbers, ...numbers.map(BigInt)]).map((bytes) => bytes.readBigInt64BE())
    expect(read).toEqual([...numbers, ...numbers].map(BigInt))
  })

  test.each([2 ** 53, 0.5, Number.NaN, 2n ** 63n, -(2n ** 63n) - 1n])(
    '%s is refused where eight bytes are',
    (value) => {
      expect(() => bytesOf('int8', [value])).toThrow(RangeError)
    },
  )

  test('whole numbers of any length are written as their digits', () => {
    const sizes = [0n, 1n, 10n ** 9n, 2n ** 53n, 2n ** 64n - 1n, 2n ** 255n, 2n ** 256n - 1n, 2n ** 256n, 2n ** 900n]
    const numbers = sizes.flatMap((size) => [size, -size])
    // Many, so that they fill the room of a column.
    const many = Array.from({ length: 50 }, () => numbers).flat()
    expect(bytesOf('text', many).map(String)).toEqual(many.map(String))
  })

  test('texts of any length and alphabet are UTF-8', () => {
    const texts = ['', 'a', 'x'.repeat(24), 'x'.repeat(25), 'ä', 'words and €', `${'long '.repeat(50)}😀`]
    expect(bytesOf('text', texts).map(String)).toEqual(texts)
  })
})

describe.each(drivers)('%s', (driver) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await freshDatabase(driver, { migrations: steps })
  })
  afterAll(() => database[Symbol.asyncDispose]())
  beforeEach(() => database.transaction((to) => to.query(sql`delete from things`)))

  const add = (rows: readonly Thing[], table = things) => database.transaction((to) => insertRows(to, table, rows))

  test('every value arrives as it is, nulls and lists of any length among them', async () => {
    const rows = Array.from({ length: 50 }, (_, i) => thing(i))
    await add(rows)
    const found = await database.read.query(sql`
      select hash, lt, now, fee, is_open as "isOpen", word, body, parents, amounts from things order by hash`)
    expect(found).toStrictEqual(rows)
    const [row] = await database.read.query(sql`select small, index_body, extra from things where hash = ${hashOf(2)}`)
    expect(row).toEqual({ small: 2, index_body: '{"a": "2\\""}', extra: 'usual' })
  })

  test('more than fit into one statement', async () => {
    await add(Array.from({ length: 12_345 }, (_, i) => thing(i)))
    const [row] = await database.read.query(sql`select count(*) as n, max(lt) as top from things`)
    expect(row).toEqual({ n: 12_345n, top: 12_339n })
  })

  test('none', async () => {
    await add([])
    expect(await database.read.query(sql`select 1 from things`)).toEqual([])
  })

  test('a row that is there is a failure, or what the table says', async () => {
    await add([thing(1)])
    await expect(add([thing(1)])).rejects.toMatchObject({ code: 'failed', sqlState: '23505' })
    await add([thing(1), thing(2)], { ...things, onConflict: sql`on conflict do nothing` })
    const [row] = await database.read.query(sql`select count(*) as n from things`)
    expect(row).toEqual({ n: 2n })
  })

  test.each([
    ['a number that is too large', { lt: 2n ** 63n }],
    ['a number that is too large for four bytes', { now: 2 ** 31 }],
    ['a number that is none', { now: Number.NaN }],
    ['a text where bytes are', { hash: 'ff' as unknown as Uint8Array }],
  ])('%s is refused', async (_, change) => {
    await expect(add([{ ...thing(1), ...change }])).rejects.toThrow()
    expect(await database.read.query(sql`select 1 from things`)).toEqual([])
  })
})
