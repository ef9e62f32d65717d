// Options with which the driver connects to PostgreSQL.

import type pg from 'pg'
import { type DatabaseAddress, databaseAddressText } from '../databaseAddress.ts'
import { columnTypes } from '../parsers.ts'

const CONNECT_MS = 5_000

/** The driver treats these modes of `sslmode` like `verify-full`, and prints a long warning about it. */
const CHECKED = ['prefer', 'require', 'verify-ca']

/**
 * The address without `query_timeout`, a limit in the driver: a statement over it looks like a lost connection, and still runs on the
 * server. Each statement has our own limit. The modes above are written as `verify-full`.
 */
function plainAddress(address: string): string {
  if (!/query_timeout|sslmode/.test(address)) return address
  const url = new URL(address)
  const { searchParams } = url
  searchParams.delete('query_timeout')
  if (CHECKED.includes(searchParams.get('sslmode') ?? '') && !searchParams.has('uselibpqcompat'))
    searchParams.set('sslmode', 'verify-full')
  return url.href
}

/** As libpq reads it from an address: whole seconds, of which 0 is the default. */
export function connectMsOf(address: DatabaseAddress): number {
  const seconds = Number(/[?&]connect_timeout=(\d{1,3})(?:&|$)/.exec(databaseAddressText(address))?.[1] ?? 0)
  return seconds === 0 ? CONNECT_MS : seconds * 1_000
}

/** The options of every client and pool. */
export const connectionConfig = (address: DatabaseAddress): pg.ClientConfig => ({
  connectionString: plainAddress(databaseAddressText(address)),
  application_name: 'tonrpc',
  connectionTimeoutMillis: connectMsOf(address),
  keepAlive: true,
  types: columnTypes,
})
