// What a driver is told of a PostgreSQL to connect to.

import type pg from 'pg'
import { columnTypes } from '../parsers.ts'
import { type DatabaseAddress, databaseAddressText } from './inetAddress.ts'

const CONNECT_MS = 5_000

/** With all of them the driver checks the certificate and its name, and prints a page of advice for each but the last. */
const CHECKED = ['prefer', 'require', 'verify-ca']

/**
 * The address without `query_timeout`, a limit in the driver: a statement over it looks like a lost connection, and still runs on the
 * server. Each statement has our own limit. What is checked of a certificate is written as what it is.
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
