// A PostgreSQL that runs out of memory, or exceeds its limit for temporary files, is not reported as a full disk.

import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { asReadError } from '../../../server/methods/errors/storeErrors.ts'
import { openDatabase, sql } from '../../../server/store/index.ts'
import { PATIENCE_MS } from '../../setup/memoryStore.ts'
import { hasServer, ownPostgres } from '../../setup/ownPostgres.ts'

describe.runIf(hasServer)('a read that', () => {
  // One connection can use up the locks of a whole server, so this test has a server of its own.
  let own: Awaited<ReturnType<typeof ownPostgres>>

  async function openedWith(options: string) {
    const address = new URL(`postgres://postgres@127.0.0.1:${own.primary.port}/postgres`)
    address.searchParams.set('options', options)
    const database = await openDatabase({ database: address.href, readTimeoutMs: PATIENCE_MS })
    onTestFinished(() => database.close())
    return database
  }

  beforeAll(async () => {
    own = await ownPostgres()
  })

  afterAll(() => own[Symbol.asyncDispose]())

  test('sorts more than its limit of temporary files allows has to be bounded', async () => {
    const database = await openedWith('-c temp_file_limit=64kB -c work_mem=64kB')
    const sorted = sql`select max(n) from (select n, row_number() over (order by -n) from generate_series(1, 100000) n) s`
    const error: unknown = await database.read.query(sorted).catch((cause: unknown) => cause)
    expect(error).toMatchObject({ code: 'timeout', sqlState: '53400' })
    expect(asReadError(error)).toMatchObject({ kind: 'queryTimeout' })
  })

  // Last: the server answers with the error before it has freed the locks, so that the next connection may find none, too.
  test('finds no shared memory for its locks is to be asked again', async () => {
    const database = await openedWith('')
    const locks = sql`select count(pg_advisory_xact_lock_shared(n)) from generate_series(1, 1000000) n`
    const error: unknown = await database.read.query(locks, { timeoutMs: 60_000 }).catch((cause: unknown) => cause)
    expect(error).toMatchObject({ code: 'busy', sqlState: '53200' })
    expect(asReadError(error)).toMatchObject({ kind: 'busy', httpStatus: 503, data: { retryAfter: 1 } })
  })
})
