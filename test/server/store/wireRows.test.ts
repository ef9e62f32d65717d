// Rows are read from what the server sends, however it is cut into pieces.

import { EventEmitter } from 'node:events'
import fc from 'fast-check'
import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { ByteSpan, spanOf } from '../../../server/store/span.ts'
import { RowPlaces } from '../../../server/store/wire/rowPlaces.ts'
import { askOnWire, runOnWire } from '../../../server/store/wire/rowQuery.ts'
import { handRowsOver } from '../../../server/store/wire/serverMessages.ts'

const int16 = (value: number): Buffer => {
  const bytes = Buffer.alloc(2)
  bytes.writeInt16BE(value)
  return bytes
}
const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}
const message = (code: string, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts)
  return Buffer.concat([Buffer.from(code), int32(4 + body.length), body])
}

interface Column {
  readonly name: string
  readonly oid: number
}

const BOOL = 16
const INT8 = 20
const INT4 = 23
const BYTEA = 17
const TEXT = 25
const COLUMNS: readonly Column[] = [
  { name: 'position', oid: INT4 },
  { name: 'bag', oid: BYTEA },
  { name: '?column?', oid: TEXT },
]

const description = (columns: readonly Column[], form: 0 | 1): Buffer =>
  message(
    'T',
    int16(columns.length),
    ...columns.flatMap(({ name, oid }) => [
      Buffer.from(`${name}\0`),
      int32(0),
      int16(0),
      int32(oid),
      int16(-1),
      int32(-1),
      int16(form),
    ]),
  )

const rowOf = (...values: readonly (Buffer | null)[]): Buffer =>
  message(
    'D',
    int16(values.length),
    ...values.flatMap((value) => (value === null ? [int32(-1)] : [int32(value.length), value])),
  )

const NOTHING = Buffer.alloc(0)
const SYNC = message('S')
const READY = message('Z', Buffer.from('I'))
const done = (count: number): Buffer => message('C', Buffer.from(`SELECT ${count}\0`))

/** A server that answers each request with the next of these, a piece at a time. */
class Wire extends EventEmitter {
  readonly writable = true
  readonly #answers: (readonly Buffer[])[]
  /** All that was sent. */
  readonly sent: Buffer[] = []

  constructor(answers: readonly (readonly Buffer[])[]) {
    super()
    this.#answers = [...answers]
  }

  connect(): this {
    queueMicrotask(() => this.emit('connect'))
    return this
  }

  write(bytes: Buffer): boolean {
    this.sent.push(bytes)
    // The start, and the end of each statement: a query, or a sync.
    const isAsked = bytes[0] === 0 || bytes[0] === 0x51 || bytes.subarray(-SYNC.length).equals(SYNC)
    if (isAsked) {
      const pieces = this.#answers.shift() ?? []
      queueMicrotask(() => {
        for (const piece of pieces) this.emit('data', piece)
      })
    }
    return true
  }

  cork(): void {}
  uncork(): void {}
  end(): void {}
  destroy(): void {
    this.emit('close')
  }
  ref(): void {}
  unref(): void {}
  setNoDelay(): void {}
  setKeepAlive(): void {}
}

const AUTHENTICATED = [message('R', int32(0)), READY]

const clientOf = (...answers: (readonly Buffer[])[]): Promise<pg.Client> =>
  clientOn(new Wire([AUTHENTICATED, ...answers]))

async function clientOn(wire: Wire, more: pg.ClientConfig = {}): Promise<pg.Client> {
  // The cast: as much of a stream as the driver uses.
  const client = new pg.Client({ stream: () => wire as never, ssl: false, user: 'x', database: 'x', ...more })
  handRowsOver(client)
  await client.connect()
  return client
}

function cut(bytes: Buffer, at: readonly number[]): Buffer[] {
  const ends = [...new Set(at.map((place) => place % bytes.length))].sort((a, b) => a - b)
  return [...ends, bytes.length]
    .map((end, i) => bytes.subarray(ends[i - 1] ?? 0, end))
    .filter(({ length }) => length > 0)
}

const STATEMENT = { text: 'select $1', values: ['1'], name: null }

test('rows are the same wherever what was received is cut', async () => {
  const value = fc.record({
    position: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
    bag: fc.option(fc.uint8Array({ maxLength: 300 })),
    text: fc.option(fc.string({ unit: 'binary' })),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(value), fc.array(fc.nat(5000)), async (values, places) => {
      const rows = values.map(({ position, bag, text }) =>
        rowOf(int32(position), bag === null ? null : Buffer.from(bag), text === null ? null : Buffer.from(text)),
      )
      const answer = Buffer.concat([message('2'), description(COLUMNS, 1), ...rows, done(rows.length), READY])
      const found = await runOnWire(await clientOf(cut(answer, places)), STATEMENT)
      expect(found).toEqual({
        command: 'SELECT',
        rows: values.map(({ position, bag, text }) => ({
          position,
          bag: bag === null ? null : Uint8Array.from(bag),
          '?column?': text === null ? null : Buffer.from(text).toString(),
        })),
      })
    }),
    { numRuns: 100 },
  )
})

test('columns of bytes and text come as they were received where a statement says so', async () => {
  const bag = Buffer.from('a bag')
  const text = Buffer.from('zwölf')
  const rows = [rowOf(int32(1), bag, text), rowOf(int32(2), null, null), rowOf(int32(3), NOTHING, NOTHING)]
  const answer = Buffer.concat([description(COLUMNS, 1), ...rows, done(rows.length), READY])
  const spans = ['bag', '?column?', 'position']
  for (const places of [[], [answer.indexOf(bag) + 2], [answer.indexOf(text) + 4, answer.length - 3]]) {
    const client = await clientOf(cut(answer, places), [answer])
    const found = await runOnWire(client, { ...STATEMENT, form: { spans } })
    const shown = found.rows.map((row) =>
      Object.values(row).map((one) =>
        one instanceof ByteSpan ? Buffer.from(one.source.slice(one.at, one.end)).toString() : one,
      ),
    )
    expect(shown).toEqual([
      [1, 'a bag', 'zwölf'],
      [2, null, null],
      [3, '', ''],
    ])
    expect((await runOnWire(client, STATEMENT)).rows[0]).toEqual({
      position: 1,
      bag: Uint8Array.from(bag),
      '?column?': 'zwölf',
    })
  }
})

test('rows come whole where a statement says so, with the columns that it names', async () => {
  const columns = [
    ...[INT4, BOOL, INT8, INT8, INT8].map((oid, i) => ({ name: `n${i}`, oid })),
    ...[TEXT, BYTEA].map((oid, i) => ({ name: `t${i}`, oid })),
  ]
  const long = (value: bigint): Buffer => {
    const bytes = Buffer.alloc(8)
    bytes.writeBigInt64BE(value)
    return bytes
  }
  const numbers = [int32(-7), Buffer.from([1]), long(2n ** 53n - 1n), long(-(2n ** 63n)), long(-5n)]
  const rows = [
    rowOf(...numbers, Buffer.from('ä'), null),
    rowOf(...numbers.reverse().map(() => null), NOTHING, NOTHING),
  ]
  const client = await clientOf([description(columns, 1), ...rows, done(2), READY])
  const form = { besideWhole: ['n2', 't0'] }
  const [first, second] = (await runOnWire(client, { text: 'select', values: [], name: null, form })).rows
  expect(first).toMatchObject({ n2: 2n ** 53n - 1n, t0: 'ä' })
  expect(Object.keys(first ?? {})).toEqual(['n2', 't0', 'whole'])
  const places = new RowPlaces(columns.length)
  places.open(spanOf(first?.whole))
  expect([places.int4(0), places.bool(1), places.exact(2), places.exact(4)]).toEqual([-7, true, 2 ** 53 - 1, -5])
  expect([places.exact(3), places.int8(3), places.int8(4)]).toEqual([Number.NaN, -(2n ** 63n), -5n])
  expect(Buffer.from(places.source.slice(places.at(5), places.end(5))).toString()).toBe('ä')
  expect(places.end(6) - places.at(6)).toBe(0)
  places.open(spanOf(second?.whole))
  expect(columns.map((_, i) => places.end(i) - places.at(i))).toEqual(columns.map(() => 0))
  expect(() => new RowPlaces(3).open(spanOf(first?.whole))).toThrow('not as they were described')
})

test('of a column that comes with its whole row the size is looked at', async () => {
  const lie = [one(INT4), rowOf(int16(7)), done(1), READY]
  const client = await clientOf(lie)
  const whole = { ...STATEMENT, form: { besideWhole: [] } }
  await expect(runOnWire(client, whole)).rejects.toThrow('not as they were described')
})

test('what another driver reads is a span as well', () => {
  const shown = ['zwölf', Buffer.from('xzwölf').subarray(1)].map(spanOf).map(({ source, at, end, length }) => {
    expect(length).toBe(end - at)
    return Buffer.from(source.slice(at, end)).toString()
  })
  expect(shown).toEqual(['zwölf', 'zwölf'])
  expect(() => spanOf(7)).toThrow(TypeError)
})

test("the driver's own statements get their rows as texts", async () => {
  const answer = [description(COLUMNS.slice(2), 0), rowOf(Buffer.from('ä')), rowOf(null), done(2), READY]
  const client = await clientOf(answer)
  expect((await client.query('select 1')).rows).toEqual([{ '?column?': 'ä' }, { '?column?': null }])
})

test('a row that cannot be read fails its statement, and not the next one', async () => {
  const unknown = [description([{ name: 'a', oid: 1184 }], 1), rowOf(Buffer.alloc(8)), rowOf(null), done(2), READY]
  const known = [description(COLUMNS.slice(0, 1), 1), rowOf(int32(7)), done(1), READY]
  const client = await clientOf(unknown, known)
  await expect(runOnWire(client, STATEMENT)).rejects.toThrow('unknown type 1184')
  expect((await runOnWire(client, STATEMENT)).rows).toEqual([{ position: 7 }])
})

const INT4S = 1007
/** An array of one dimension that says it has so many elements. */
const arrayOf = (count: number, ...elements: readonly Buffer[]): Buffer =>
  Buffer.concat([int32(1), int32(0), int32(INT4), int32(count), int32(1), ...elements])
const ELEMENT = Buffer.concat([int32(4), int32(7)])

const one = (oid: number): Buffer => description([{ name: 'a', oid }], 1)
const LIES: readonly (readonly [string, readonly Buffer[]])[] = [
  ['fewer values than columns', [description(COLUMNS, 1), rowOf(int32(1))]],
  ['more values than columns', [one(INT4), rowOf(int32(1), int32(2))]],
  ['a value that is longer than its row', [one(BYTEA), message('D', int16(1), int32(0x7fff_fff0), Buffer.from('ab'))]],
  ['bytes behind the last value', [one(INT4), message('D', int16(1), int32(4), int32(7), int32(8))]],
  ['a row without values', [one(INT4), message('D')]],
  ['a number of another size', [one(INT4), rowOf(int16(7))]],
  ['an array of more elements than there is room for', [one(INT4S), rowOf(arrayOf(1_000_000, ELEMENT))]],
  ['an array of fewer elements than it has', [one(INT4S), rowOf(arrayOf(1, ELEMENT, ELEMENT))]],
  ['an array of no number of elements', [one(INT4S), rowOf(arrayOf(-1))]],
  ['an element that is longer than its array', [one(INT4S), rowOf(arrayOf(1, int32(400)))]],
  ['an array of a hundred million dimensions', [one(INT4S), rowOf(Buffer.concat([int32(1e8), int32(0), int32(INT4)]))]],
  ['a description that is cut short', [message('T', int16(2), Buffer.from('a\0'), Buffer.alloc(18)), rowOf()]],
  ['rows without a description', [rowOf(int32(1))]],
]

test.each(LIES)('%s: the statement fails, and not the next one', async (_, lie) => {
  const known = [one(INT4S), rowOf(arrayOf(2, ELEMENT, int32(-1))), done(1), READY]
  const client = await clientOf([...lie, done(1), READY], known)
  await expect(runOnWire(client, STATEMENT)).rejects.toThrow('not as they were described')
  expect((await runOnWire(client, STATEMENT)).rows).toEqual([{ a: [7, null] }])
})

test('a prepared statement is described once on a connection, and sent in one piece from then on', async () => {
  const rows = [rowOf(int32(1), Buffer.from('a bag'), NOTHING), done(1), READY]
  const described = [message('1'), message('2'), description(COLUMNS, 1), ...rows]
  const bound = [message('2'), ...rows]
  const wire = new Wire([AUTHENTICATED, described, bound, bound, [message('2'), rowOf(int32(1)), done(1), READY]])
  const client = await clientOn(wire)
  const bag = Buffer.from([0xff, 0])
  const statement = { text: 'select $1', values: ['ä', null, bag, ''], name: 's0' }
  const found = [await runOnWire(client, statement), await runOnWire(client, statement)]
  expect(found[0]).toEqual({
    command: 'SELECT',
    rows: [{ position: 1, bag: Uint8Array.from(Buffer.from('a bag')), '?column?': '' }],
  })
  expect(found[1]).toEqual(found[0])
  const values = [int32(2), Buffer.from('ä'), int32(-1), int32(2), bag, int32(0)]
  const forms = [4, 0, 0, 1, 0].map(int16)
  const bind = message('B', Buffer.from('\0s0\0'), ...forms, int16(4), ...values, int16(1), int16(1))
  expect(wire.sent.at(-1)).toEqual(Buffer.concat([bind, message('E', Buffer.alloc(5)), SYNC]))
  // As another caller of the same statement wants its columns.
  const [row] = (await runOnWire(client, { ...statement, form: { spans: ['bag'] } })).rows
  expect(spanOf(row?.bag).length).toBe(5)
  await expect(runOnWire(client, statement)).rejects.toThrow('not as they were described')
})

test('an error of the server is that of its statement', async () => {
  const refused = [message('E', Buffer.from('SERROR\0C42P01\0Mno such table\0\0')), READY]
  const client = await clientOf(refused)
  await expect(runOnWire(client, STATEMENT)).rejects.toMatchObject({ code: '42P01', message: 'no such table' })
})

test('a limit of time in the settings of the connection ends with the statement', async () => {
  const failed = [message('E', Buffer.from('SERROR\0C42703\0Mno such column\0\0')), READY]
  const answer = [description([{ name: 'position', oid: INT4 }], 1), rowOf(int32(7)), done(1), READY]
  const more = { query_timeout: 1000, pipeline: true }
  const client = await clientOn(new Wire([AUTHENTICATED, answer, failed, answer]), more)
  vi.useFakeTimers()
  try {
    expect((await runOnWire(client, STATEMENT)).rows).toEqual([{ position: 7 }])
    await expect(runOnWire(client, STATEMENT)).rejects.toThrow('no such column')
    expect((await runOnWire(client, STATEMENT)).rows).toEqual([{ position: 7 }])
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})

test('a statement that is over the limit of time in the settings of its connection fails once, although the connection is ended', async () => {
  const client = await clientOn(new Wire([AUTHENTICATED]), { query_timeout: 1000, pipeline: true })
  const lost = new Promise((resolve) => client.on('error', () => undefined).on('end', () => resolve(null)))
  const errors: unknown[] = []
  vi.useFakeTimers()
  try {
    askOnWire(client, STATEMENT, (error) => errors.push(error))
    vi.advanceTimersByTime(1000)
    await lost
  } finally {
    vi.useRealTimers()
  }
  expect(errors).toMatchObject([{ message: 'Query read timeout' }])
})
