// A page of blocks as it is written: rows as they were received.

import type { Sql, StatementOptions } from '../database.ts'
import { ByteSpan, charsOfSpan } from '../span.ts'
import { sql } from '../sql.ts'
import { type BlockRow, blocks } from '../tables/chain.ts'
import { decoderOf } from '../tables/decoder.ts'
import { RowPlaces } from '../wire/rowPlaces.ts'
import { blockNamesRead, type blocksRead } from './blocks.ts'
import type { PageKey, RowOrder } from './order.ts'
import type { PagedRead } from './page.ts'
import { span } from './spanColumn.ts'

const NAMES = blocks.columns.map(({ field }) => field)

export const BLOCK_COLUMNS = NAMES.length

/** The number of a column in such a row. */
export const columnOfBlock = (field: keyof BlockRow): number => NAMES.indexOf(field)

const decodeWhole = decoderOf({ whole: span })

/** No column is read beside the row. One list: a reader of rows is found by it. */
const NOTHING: readonly string[] = []

/** The columns of an order in a row, by their names. */
type NumberReaders = Readonly<Record<string, (row: RowPlaces) => bigint>>

const ofPlace: NumberReaders = {
  workchain: (row) => BigInt(row.int2(columnOfBlock('workchain'))),
  shard: (row) => row.int8(columnOfBlock('shard')),
  seqno: (row) => BigInt(row.int4(columnOfBlock('seqno'))),
  mc_seqno: (row) => BigInt(row.int4(columnOfBlock('mcSeqno'))),
}

/** A row, by what is read of each block. */
const ROWS = {
  row: {
    places: new RowPlaces(BLOCK_COLUMNS),
    numbers: { ...ofPlace, gen_utime: (row: RowPlaces) => row.int8(columnOfBlock('genUtime')) },
  },
  name: { places: new RowPlaces(7), numbers: { ...ofPlace, gen_utime: (row: RowPlaces) => row.int8(6) } },
}

type RowKind = keyof typeof ROWS

function keyOf(row: ByteSpan, order: RowOrder, kind: RowKind): PageKey {
  const { places, numbers } = ROWS[kind]
  const readers: NumberReaders = numbers
  places.open(row)
  return order.map(({ name }) => {
    const read = readers[name]
    if (read === undefined) throw new TypeError(`Blocks are not ordered by ${name}`)
    return read(places)
  })
}

/** The columns from the first to the last of these identify a block. */
const firstOfName = columnOfBlock('rootHash')
const lastOfName = columnOfBlock('mcSeqno')

/** Of an open row of `blocksRead` or `blockNamesRead`. */
export const nameOfBlock = (row: RowPlaces): string =>
  charsOfSpan(new ByteSpan(row.source, row.at(firstOfName), row.end(lastOfName)))

export interface ListedBlocks<T> {
  readonly blocks: readonly T[]
  /** The key of the last row; null on the last page. */
  readonly next: PageKey | null
}

type Read = Omit<PagedRead<BlockRow>, 'toValue'>

async function rowsOf(
  from: Sql,
  read: Read,
  kind: RowKind,
  options?: StatementOptions,
): Promise<ListedBlocks<ByteSpan>> {
  const { statement, order, limit } = read
  const rows = await from.query(sql.wholeRows(statement, NOTHING), options)
  const blocks = rows.slice(0, limit).map((row) => decodeWhole(row).whole)
  const last = rows.length > limit ? blocks.at(-1) : undefined
  return { blocks, next: last === undefined ? null : keyOf(last, order, kind) }
}

/** A page of what `blocksRead` finds: rows for `RowPlaces`, to be used at once. */
export const readBlockPage = (from: Sql, read: Read, options?: StatementOptions): Promise<ListedBlocks<ByteSpan>> =>
  rowsOf(from, read, 'row', options)

/** Only the names of what `blocksRead` finds: half the work of the database. */
export async function readBlockNames(
  from: Sql,
  list: Parameters<typeof blocksRead>,
  options?: StatementOptions,
): Promise<ListedBlocks<string>> {
  const { blocks, next } = await rowsOf(from, blockNamesRead(...list), 'name', options)
  const { places } = ROWS.name
  const names = blocks.map((row) => {
    places.open(row)
    return nameOfBlock(places)
  })
  return { blocks: names, next }
}
