// Databases that are there for one test: PGlite in memory, begun with the image of the build, and a PostgreSQL when
// TEST_DATABASE_URL names one.

import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll } from 'vitest'
import { hasCode } from '../../server/process/index.ts'
import { type Database, openDatabase, type StoreOptions } from '../../server/store/index.ts'
import { PATIENT } from './memoryStore.ts'

export type Driver = 'pglite' | 'postgres'

const server = process.env.TEST_DATABASE_URL ?? ''
if (server === '' && process.env.REQUIRE_POSTGRES === '1') throw new Error('TEST_DATABASE_URL names no PostgreSQL')

/** Those there are here: `describe.each(drivers)`. */
export const drivers: readonly Driver[] = server === '' ? ['pglite'] : ['pglite', 'postgres']

export type TestDatabase = Database & AsyncDisposable

/** An empty database with the tables of this program, unless `options` say otherwise; gone when it is disposed of. */
export async function freshDatabase(driver: Driver, options: Partial<StoreOptions> = {}): Promise<TestDatabase> {
  const address = driver === 'pglite' ? 'pglite' : await createDatabase(options)
  const database = await openDatabase({ ...PATIENT, ...options, database: address })
  return Object.assign(database, {
    async [Symbol.asyncDispose]() {
      await database.close()
      if (driver === 'postgres') await dropDatabase(address)
    },
  })
}

let template: Promise<string> | null = null

/** One with all tables is copied rather than made, which takes a tenth of the time. */
async function createDatabase({ migrate, migrations }: Partial<StoreOptions>): Promise<string> {
  if (migrate === false || migrations !== undefined) return emptyDatabase()
  template ??= makeTemplate().catch((error: unknown) => {
    // The files that come after this one in its process try again.
    template = null
    throw error
  })
  return emptyDatabase(nameOf(await template))
}

async function makeTemplate(): Promise<string> {
  const address = await emptyDatabase()
  await (await openDatabase({ ...PATIENT, database: address })).close()
  return address
}

afterAll(async () => {
  if (template !== null) await dropDatabase(await template)
  template = null
})

/** The address of a database of its own on the server. */
export async function emptyDatabase(template = 'template1'): Promise<string> {
  const address = new URL(server)
  address.pathname = `/tonrpc_test_${randomUUID().replaceAll('-', '')}`
  await whenUnused(`create database ${nameOf(address.href)} template ${template}`)
  return address.href
}

export const dropDatabase = (address: string): Promise<void> =>
  whenUnused(`drop database if exists ${nameOf(address)} with (force)`)

const nameOf = (address: string): string => new URL(address).pathname.slice(1)

/** The server gives processes that it ends, or that clean up in a database, five seconds: a busy machine takes longer. */
async function whenUnused(text: string): Promise<void> {
  for (;;) {
    try {
      return await onServer(text)
    } catch (error) {
      if (!hasCode(error, '55006')) throw error
    }
  }
}

/** A statement for the server itself, from outside of the program. */
export async function onServer(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}
