// The definitions of tables, compared with what the migrations make on each engine.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Sql, type SqlRow, sql } from '../../../server/store/index.ts'
import { actions } from '../../../server/store/tables/actions.ts'
import { allTables } from '../../../server/store/tables/all.ts'
import {
  bytea,
  generated,
  int4,
  json,
  named,
  nullable,
  oneOf,
  search,
  uint32,
} from '../../../server/store/tables/column.ts'
import { group } from '../../../server/store/tables/fields.ts'
import { type AnyTable, table } from '../../../server/store/tables/table.ts'
import { insertRows } from '../../../server/store/write/bulk.ts'
import { drivers, freshDatabase, type TestDatabase } from '../../setup/database.ts'
import { keyOfTable } from '../../setup/distribution.ts'

/** Made by the migrations' own code, and what outlives an index. */
const NOT_OF_THE_INDEX = [
  'tonrpc_migrations',
  'api_keys',
  'api_plans',
  'api_key_version',
  'api_key_months',
  'api_usage',
  'api_usage_writers',
  'webhooks',
  'webhook_accounts',
  'webhook_opcodes',
  'webhook_deliveries',
]

const line = (name: string, type: string, isNullable: boolean, isGenerated: boolean): string =>
  `${name} ${type}${isNullable ? '' : ' not null'}${isGenerated ? ' generated' : ''}`

/** Each column of the database as one line. A default that no row overwrites counts as generated. */
async function databaseLines(from: Sql): Promise<string[]> {
  const rows =
    await from.query<SqlRow>(sql`select a.attname::text as name, c.relname::text as of, a.attnotnull as required,
      format_type(a.atttypid, null) as type, a.attgenerated::text <> '' or a.attname = 'only_row' as generated
    from pg_catalog.pg_attribute a join pg_catalog.pg_class c on c.oid = a.attrelid
    where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace and a.attnum > 0 and not a.attisdropped`)
  return rows
    .filter(({ of }) => !NOT_OF_THE_INDEX.includes(String(of)))
    .map(({ of, name, type, required, generated }) =>
      line(`${of}.${name}`, shortName(String(type)), required === false, generated === true),
    )
    .sort()
}

const SHORT_NAMES: Readonly<Record<string, string>> = {
  smallint: 'int2',
  integer: 'int4',
  bigint: 'int8',
  boolean: 'bool',
}

const shortName = (type: string): string =>
  type.replace(/^(.*?)(\[\])?$/, (_, element: string, list = '') => `${SHORT_NAMES[element] ?? element}${list}`)

const definedLines = (tables: readonly AnyTable[]): string[] =>
  tables
    .flatMap(({ name: of, columns }) =>
      columns.map(({ name, sqlType, isNullable, role }) =>
        line(`${of}.${name}`, sqlType, isNullable, role === 'generated'),
      ),
    )
    .sort()

/** `+` for what only the database has, `-` for what only the definitions have. */
async function differences(from: Sql, tables = allTables): Promise<string[]> {
  const there = await databaseLines(from)
  const defined = definedLines(tables)
  return [
    ...there.filter((one) => !defined.includes(one)).map((one) => `+ ${one}`),
    ...defined.filter((one) => !there.includes(one)).map((one) => `- ${one}`),
  ]
}

/** Tables whose rows name a masterchain block and stay, or go by a statement of their own, when it is undone. */
const NOT_UNDONE = ['traces', 'actions', 'indexer_cursor', 'text_progress']

test('each table that names a masterchain block says which rows go with it', () => {
  const naming = allTables.filter(({ columns }) => columns.some(({ name }) => /mc_seqno/.test(name)))
  expect(naming.filter(({ undo }) => undo === null).map(({ name }) => name)).toEqual(NOT_UNDONE)
  const undone = allTables.flatMap(({ name, columns, undo }) => {
    if (undo === null) return []
    const has = (table: AnyTable, column = '') => table.columns.some((one) => one.name === column)
    const isKnown =
      'above' in undo
        ? has({ name, columns, undo }, undo.above)
        : columns.some((one) => one.name === undo.by) && has(undo.with, undo.of) && 'above' in (undo.with.undo ?? {})
    return [{ name, isKnown }]
  })
  expect(undone.filter(({ isKnown }) => !isKnown)).toEqual([])
})

describe.each(drivers)('%s', (driver) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await freshDatabase(driver)
  })
  afterAll(() => database[Symbol.asyncDispose]())

  test('every table and column is defined as the migrations make it', async () => {
    expect((await databaseLines(database.read)).length).toBeGreaterThan(200)
    expect(await differences(database.read)).toEqual([])
  })

  test('has a key by which each table is split over servers, which is in all that has to be unique', async () => {
    const rows = await database.read.query<{
      name: string
      columns: string
      uniques: string
    }>(sql`select c.relname::text as name,
        (select string_agg(attname::text, ' ') from pg_attribute where attrelid = c.oid and attnum > 0) as columns,
        (select json_agg(array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum = any(i.indkey)))::text
          from pg_index i where i.indrelid = c.oid and i.indisunique) as uniques
      from pg_class c where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace`)
    expect(
      rows.map(({ name }) => name).filter((name) => name !== 'tonrpc_migrations' && !keyOfTable.has(name)),
    ).toEqual([])
    const names = rows.map(({ name }) => name)
    expect([...keyOfTable.keys()].filter((name) => !names.includes(name))).toEqual([])
    const wrong = rows.filter(({ name, columns, uniques }) => {
      const key = keyOfTable.get(name) ?? null
      if (key === null) return false
      const all: readonly (readonly string[])[] = JSON.parse(uniques ?? '[]')
      return !columns.split(' ').includes(key) || all.some((unique) => !unique.includes(key))
    })
    expect(wrong.map(({ name }) => name)).toEqual([])
    expect([...keyOfTable.values()].filter((key) => key !== null).length).toBeGreaterThan(15)
  })

  test.each([
    ['a column in a migration only', 'alter table traces add column depth int4', ['+ traces.depth int4']],
    ['a column in the definition only', 'alter table traces drop column nodes', ['- traces.nodes int4 not null']],
    [
      'another type',
      'alter table codes alter column methods type int8[]',
      ['+ codes.methods int8[]', '- codes.methods int4[]'],
    ],
    [
      'another nullability',
      'alter table accounts alter column balance drop not null',
      ['+ accounts.balance numeric', '- accounts.balance numeric not null'],
    ],
    ['a table in a migration only', 'create table gifts (hash bytea primary key)', ['+ gifts.hash bytea not null']],
  ])('%s is found', async (_, change, found) => {
    const undone = new Error('undone')
    const changed = database.transaction(async (to) => {
      await to.query(sql.raw(change))
      expect(await differences(to)).toEqual(found)
      throw undone
    })
    await expect(changed).rejects.toBe(undone)
  })

  test('a row comes back as it was written', async () => {
    const state = oneOf('open', 'closed')
    const things = table('things', {
      hash: bytea,
      block: group({ workchain: int4, seqno: uint32 }),
      state,
      body: named('thing_body', nullable(json)),
      opcode: search(nullable(int4)),
      size: generated(int4),
    })
    await using other = await freshDatabase(driver, {
      migrations: [
        {
          number: 1,
          name: '0001_things',
          sql: `create table things (hash bytea primary key, workchain int4 not null, seqno int8 not null, state text not null,
            thing_body json, opcode int4, size int4 not null generated always as (length(hash)) stored)`,
        },
      ],
    })
    expect(await differences(other.read, [things])).toEqual([])
    const rows = [
      { hash: Uint8Array.of(1), block: { workchain: -1, seqno: 4_294_967_295 }, state: 'open' as const, body: null },
      { hash: Uint8Array.of(2, 3), block: { workchain: 0, seqno: 0 }, state: 'closed' as const, body: '{"a":  1}' },
    ]
    await other.transaction((to) =>
      insertRows(
        to,
        things,
        rows.map((row) => ({ ...row, opcode: 7 })),
      ),
    )
    const found = await other.read.query(sql`select ${things.select('t')} from things t order by t.hash`)
    expect(found.map(things.decode)).toStrictEqual(rows)
    expect(found.map(({ size, opcode }) => [size, opcode])).toEqual([
      [1, undefined],
      [2, undefined],
    ])
  })
})

describe('a value that is not of its column', () => {
  const things = table('things', { hash: bytea, seqno: int4, state: nullable(oneOf('open', 'closed')) })
  const row = { hash: new Uint8Array(), seqno: 1, state: null }

  test.each([
    ['is missing', { ...row, seqno: undefined }, /column seqno: .*undefined where the column is int4/],
    ['is null', { ...row, hash: null }, /column hash: .*null where the column is bytea/],
    ['has another type', { ...row, hash: 'ff' }, /column hash: .*string where the column is bytea/],
    ['is another word', { ...row, state: 'ajar' }, /column state: .*one of open, closed/],
  ])('%s: the decoder names the column', (_, wrong, message) => {
    expect(things.decode(row)).toStrictEqual(row)
    expect(() => things.decode(wrong)).toThrow(message)
  })

  test('of a group: the decoder names the column too', () => {
    const grouped = table('things', { block: group({ seqno: int4, shard: nullable(bytea) }) })
    expect(grouped.decode({ seqno: 1, shard: null })).toStrictEqual({ block: { seqno: 1, shard: null } })
    expect(() => grouped.decode({ seqno: '1', shard: null })).toThrow(/column seqno: .*string where the column is int4/)
  })

  test('details of actions come back as they were, also those an older version wrote', () => {
    const accounts = [Uint8Array.of(127, ...new Uint8Array(32).fill(0xab)), Uint8Array.of(128, ...new Uint8Array(32))]
    const raw = [`-1:${'AB'.repeat(32)}`, `0:${'00'.repeat(32)}`]
    const details = JSON.stringify({
      source: raw[0],
      destination: raw[1],
      value: '1',
      comment: 'пиво\n',
      encrypted: false,
    })
    const [column] = actions.written.filter(({ name }) => name === 'details')
    const hash = Uint8Array.of(1)
    const lt = 1n
    const list = [] as string[]
    const row = {
      traceId: hash,
      actionId: hash,
      type: 'ton_transfer',
      success: true,
      accounts,
      details,
      transactions: [hash],
      startLt: lt,
      endLt: lt,
      traceEndLt: lt,
      startUtime: 1,
      endUtime: 1,
      traceEndUtime: 1,
      traceMcSeqnoEnd: 1,
      traceExternalHash: null,
      traceExternalHashNorm: null,
      parentActionId: null,
      parentGaslessAction: null,
      ancestorTypes: list,
      isSystem: false,
    }
    const stored = (text: unknown) =>
      Object.fromEntries([
        ...actions.written.map(({ name, encode }) => [name, name.endsWith('utime') ? 1n : encode(row)]),
        ['details', text],
      ])
    const packed = column?.encode(row)
    expect(String(packed).length).toBeLessThan(40)
    expect(actions.decode(stored(packed)).details).toBe(details)
    expect(actions.decode(stored(details)).details).toBe(details)
  })
})
