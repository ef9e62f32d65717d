// Who leads, where one process is behind a pooler and another in front of it, and where the clock of the database is set.

import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Database, openDatabase, sql } from '../../../server/store/index.ts'
import { leadByLease } from '../../../server/store/postgres/lease.ts'
import { drivers, dropDatabase, emptyDatabase } from '../../setup/database.ts'
import { PATIENCE_MS } from '../../setup/memoryStore.ts'

const never = new AbortController().signal
/** Long enough that a busy machine renews it in time. */
const leaseMs = 8_000

describe.runIf(drivers.includes('postgres'))('on a server', () => {
  let address = ''
  beforeAll(async () => {
    address = await emptyDatabase()
  })
  afterAll(() => dropDatabase(address))

  async function open(): Promise<Database> {
    const database = await openDatabase({ database: address, migrations: [], readTimeoutMs: PATIENCE_MS })
    onTestFinished(() => database.close())
    return database
  }

  const setLease = (database: Database, holder: string, until: string) =>
    database.transaction((to) =>
      to.query(sql`insert into tonrpc_leader values (1, ${holder}, extract(epoch from now() + ${until}::interval)::int8 * 1000)
        on conflict (id) do update set holder = excluded.holder, until = excluded.until`),
    )

  test('while one leads by the lock none does by a lease', async () => {
    const database = await open()
    const byLock = await database.lead(never)
    const refused = leadByLease(database, AbortSignal.timeout(1_000), { leaseMs: 1_000 })
    await expect(refused).rejects.toMatchObject({ code: 'aborted' })
    const next = leadByLease(database, never, { leaseMs })
    await byLock.release()
    await (await next).release()
  })

  test('while one leads by a lease none does by the lock', async () => {
    const database = await open()
    const byLease = await leadByLease(database, never, { leaseMs })
    await expect(database.lead(AbortSignal.timeout(7_000))).rejects.toMatchObject({ code: 'aborted' })
    expect(byLease.lost.aborted).toBe(false)
    const next = database.lead(never)
    await byLease.release()
    await (await next).release()
  })

  test('the lease of a leader that is gone ends although the clock of the database was set back', async () => {
    const database = await open()
    await (await leadByLease(database, never, { leaseMs })).release()
    await setLease(database, 'gone', '1 hour')
    await (await leadByLease(database, never, { leaseMs: 1_000 })).release()
    await setLease(database, 'gone', '1 hour')
    await (await database.lead(never)).release()
    // Left as released: the next one by the lock does not wait.
    const [row] = await database.read.query(sql`select until from tonrpc_leader`)
    expect(row).toEqual({ until: 0n })
  })

  test('a lease that is renewed is not taken although the clock of the database was set forward', async () => {
    const database = await open()
    const leading = await leadByLease(database, never, { leaseMs })
    const [row] = await database.read.query<{ holder: string }>(sql`select holder from tonrpc_leader`)
    await setLease(database, row?.holder ?? '', '-1 hour')
    const other = leadByLease(database, AbortSignal.timeout(leaseMs / 2), { leaseMs })
    await expect(other).rejects.toMatchObject({ code: 'aborted' })
    expect(leading.lost.aborted).toBe(false)
    await leading.release()
  })

  test('a lease that is renewed at the last instant is not taken', async () => {
    const database = await open()
    await (await leadByLease(database, never, { leaseMs })).release()
    await setLease(database, 'slow', '1 second')
    const taken: number[] = []
    const late: Pick<Database, 'transaction'> = {
      transaction: (work, options) =>
        database.transaction(
          (to) =>
            work({
              async query<R>(...[statement, how]: Parameters<typeof to.query>) {
                const isTake = statement.text.startsWith('insert') && statement.values.includes('slow')
                if (isTake && taken.length === 0)
                  await to.query(sql`update tonrpc_leader set until = until + 1 where holder = 'slow'`)
                const rows = await to.query<R & Record<string, unknown>>(statement, how)
                if (isTake) taken.push(rows.length)
                return rows as R[]
              },
            }),
          options,
        ),
    }
    await (await leadByLease(late, never, { leaseMs: 1_000 })).release()
    expect(taken).toEqual([0, 1])
  })

  test('a process on standby hears that another one leads', async () => {
    const one = await open()
    const other = await open()
    const leading = await one.lead(never)
    const end = new AbortController()
    await new Promise<void>((resolve) => {
      other.lead(end.signal, resolve).catch(() => undefined)
    })
    end.abort()
    await leading.release()
  })
})
