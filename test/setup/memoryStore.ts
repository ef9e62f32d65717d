// A database in memory with all tables, for tests of what is read out of it.

import { PGlite, types } from '@electric-sql/pglite'
import type { Database, Row, Sql, SqlText } from '../../server/store/index.ts'
import { chain } from '../../server/store/migrations/0001_chain.ts'
import { assets } from '../../server/store/migrations/0002_assets.ts'
import { toWire } from '../../server/store/parameters.ts'

export interface MemoryStore extends Pick<Database, 'transaction' | 'close'> {
  readonly read: Sql
}

const toBigint = (text: string): bigint => BigInt(text)
const parsers = { [types.INT8]: toBigint, [types.NUMERIC]: toBigint, [types.JSON]: (text: string) => text }

const bytesText = (bytes: Uint8Array): string => `\\x${Buffer.from(bytes).toString('hex')}`

/** Whatever the type of a parameter, it goes as the text of it. */
const serializers = new Proxy(
  {},
  {
    get: () => (value: Parameters<typeof toWire>[0]) => {
      const wire = toWire(value)
      return wire instanceof Uint8Array ? bytesText(wire) : wire
    },
    has: () => true,
  },
)

export async function openMemoryStore(): Promise<MemoryStore> {
  const db = new PGlite()
  await db.exec(chain)
  await db.exec(assets)
  const read: Sql = {
    async query<R extends Row>({ text, values }: SqlText) {
      const { rows } = await db.query<R>(text, [...values], { parsers, serializers })
      return rows
    },
  }
  return {
    read,
    async transaction(work) {
      await db.exec('begin')
      const done = await work(read)
      await db.exec('commit')
      return done
    },
    close: () => db.close(),
  }
}
