// Keys in a database, as two processes see them.

import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createSqlKeyStore, hashKey, type KeyRecord, keyState } from '../../../server/access/index.ts'
import {
  type Database,
  type SqlRow,
  type SqlText,
  type StatementOptions,
  StoreError,
  sql,
} from '../../../server/store/index.ts'
import { drivers, freshDatabase } from '../../setup/database.ts'

const order = { network: 'devnet', plan: 'free', perSecond: null, label: 'shop', expiresAt: null } as const

/** A clock that the test moves, so that each look is due. */
function setup(database: Pick<Database, 'read' | 'transaction'>) {
  const clock = { ms: Date.UTC(2026, 10, 21) }
  const reports: Error[] = []
  const open = () =>
    createSqlKeyStore({
      database: { read: database.read, transaction: (work) => database.transaction(work), close: async () => {} },
      now: () => clock.ms,
      report: (error) => void reports.push(error),
    })
  const server = open()
  /** A call waits 300 ms for a slow database, then answers from memory: asked again until the new rows are read. */
  const found = (secret: string) => expect.poll(() => server.find(hashKey(secret)))
  return { clock, reports, operator: open(), server, found }
}

const isRevoked = (clock: { readonly ms: number }) => (record: KeyRecord | null) =>
  record !== null && keyState(record, clock.ms) === 'revoked'

describe.each(drivers)('%s', (driver) => {
  test('what one process changes another sees at its next look', async () => {
    await using database = await freshDatabase(driver)
    const { clock, operator, found } = setup(database)
    const { key, record } = await operator.create({ ...order, plan: 'custom', perSecond: 500, monthly: 1_000 })
    const look = (secret: string) => {
      clock.ms += 500
      return found(secret)
    }
    await look(key).toEqual({ ...record, monthly: 1_000 })
    const second = await operator.rotate(record.id, 10_000)
    await look(second.key).toMatchObject({ id: record.id, perSecond: 500, monthly: 1_000, label: 'shop' })
    await look(key).toMatchObject({ expiresAt: second.record.createdAt + 10_000 })
    expect(await operator.revoke(record.id)).toHaveLength(2)
    for (const secret of [key, second.key]) await look(secret).toSatisfy(isRevoked(clock))
    await look('tonrpc_devnet_unknown').toBeNull()
    expect(await operator.list()).toHaveLength(2)
    await expect(operator.rotate(record.id, 0)).rejects.toThrow(/was revoked; create a new one/)
    await expect(operator.revoke('nothere')).rejects.toThrow(/no key with the id "nothere"/)
  })

  test('keys are listed in the order they were made in, whichever was changed last', async () => {
    await using database = await freshDatabase(driver)
    const { clock, operator } = setup(database)
    const made: string[] = []
    for (let i = 0; i < 3; i++) {
      made.push((await operator.create(order)).record.id)
      clock.ms += 1_000
    }
    const [first = '', second = ''] = made
    await operator.change(second, { allAccounts: true })
    await operator.rotate(first, 10_000)
    await operator.change(first, { allAccounts: true })
    expect((await operator.list()).map(({ id }) => id)).toEqual([...made, first])
  })

  test('a key that is made after the database was restored from a backup is known to a process that ran all the time', async () => {
    await using database = await freshDatabase(driver)
    const { clock, operator, found } = setup(database)
    const look = (secret: string) => {
      clock.ms += 500
      return found(secret)
    }
    const made: string[] = []
    for (let i = 0; i < 3; i++) made.push((await operator.create(order)).key)
    for (const key of made) await look(key).not.toBeNull()
    await database.transaction(async (to) => {
      await to.query(sql`delete from api_keys where version > 1`)
      await to.query(sql`update api_key_version set version = 1`)
    })
    const { key, record } = await operator.create(order)
    await look(key).toEqual(record)
    const [kept, ...gone] = made
    await look(kept ?? '').not.toBeNull()
    for (const lost of gone) await look(lost).toBeNull()
  })

  test('so it is where as many changes were made meanwhile as the restore undid', async () => {
    await using database = await freshDatabase(driver)
    const { clock, operator, found } = setup(database)
    const look = (secret: string) => {
      clock.ms += 500
      return found(secret)
    }
    const lost = await operator.create(order)
    await look(lost.key).not.toBeNull()
    await database.transaction(async (to) => {
      await to.query(sql`alter table api_keys rename to old_keys`)
      await to.query(sql`create table api_keys (like old_keys including all)`)
      await to.query(sql`update api_key_version set version = 0`)
    })
    const { key, record } = await operator.create(order)
    await look(key).toEqual(record)
    await look(lost.key).toBeNull()
  })

  test('a replica that a balancer leads to is not another server: what is new is read alone', async () => {
    await using database = await freshDatabase(driver)
    const counts: number[] = []
    const { clock, operator, server } = setup({
      read: {
        query: async <R extends SqlRow>(statement: SqlText, options?: StatementOptions): Promise<readonly R[]> => {
          const rows = await database.read.query<R>(statement, options)
          if (!rows.some((row) => Object.hasOwn(row, 'primary'))) return rows
          counts.push(rows.filter(({ hash }) => hash !== null).length)
          return counts.length % 2 === 0 ? rows.map((row) => ({ ...row, primary: null })) : rows
        },
      },
      transaction: (work) => database.transaction(work),
    })
    const { key } = await operator.create(order)
    for (let looks = 0; looks < 4; looks++) {
      clock.ms += 500
      await expect.poll(() => server.find(hashKey(key)).then(() => counts.length)).toBeGreaterThan(looks)
    }
    expect(counts).toEqual([1, 0, 0, 0])
  })

  test.each(['api_key_version', 'api_keys', 'api_plans'])(
    'while %s is restored, known keys keep their plans',
    async (table) => {
      await using database = await freshDatabase(driver)
      const { clock, operator, reports, server, found } = setup(database)
      const { key } = await operator.create(order)
      const look = (secret: string) => {
        clock.ms += 500
        return found(secret)
      }
      await look(key).not.toBeNull()
      const plan = server.plan('free')
      expect(plan).not.toBeNull()
      await database.transaction(async (to) => {
        await to.query(sql.raw(`alter table ${table} rename to whole`))
        await to.query(sql.raw(`create table ${table} (like whole)`))
      })
      clock.ms += 500
      await expect.poll(async () => [await server.find(hashKey(key)), reports.length]).toEqual([expect.anything(), 1])
      expect(server.plan('free')).toEqual(plan)
      await database.transaction(async (to) => {
        await to.query(sql.raw(`drop table ${table}`))
        await to.query(sql.raw(`alter table whole rename to ${table}`))
      })
      const next = await operator.create(order)
      await look(next.key).toEqual(next.record)
    },
  )

  test('a process knows what it changed itself at once, also of a slow database', async () => {
    await using database = await freshDatabase(driver)
    let pauseMs = 0
    const query: typeof database.read.query = async (...asked) => {
      await pause(pauseMs)
      return await database.read.query(...asked)
    }
    const transaction: typeof database.transaction = (...work) => database.transaction(...work)
    const { clock, server } = setup({ read: { query }, transaction })
    expect(await server.find('')).toBeNull()
    // Longer than a call waits for it.
    pauseMs = 400
    const { key, record } = await server.create(order)
    expect(await server.find(hashKey(key))).toEqual(record)
    const { key: second } = await server.rotate(record.id, 10_000)
    expect(await server.find(hashKey(second))).toMatchObject({ id: record.id })
    await server.revoke(record.id)
    const found = await server.find(hashKey(key))
    expect(found && keyState(found, clock.ms)).toBe('revoked')
  })

  test('changes at the same time are all seen', async () => {
    await using database = await freshDatabase(driver)
    const { clock, operator, server, found } = setup(database)
    const making = Array.from({ length: 12 }, () => operator.create(order))
    await server.find('')
    const made = await Promise.all(making)
    clock.ms += 500
    for (const { key, record } of made) await found(key).toEqual(record)
  })

  test('keys of a file are added once, and a revoked one stays revoked', async () => {
    await using database = await freshDatabase(driver)
    const { operator, server } = setup(database)
    const { key, record } = await operator.create(order)
    await operator.revoke(record.id)
    const other = { ...record, id: 'fromfile00', hash: hashKey('other') }
    expect(await server.add([record, other])).toBe(1)
    expect(await server.add([record, other])).toBe(0)
    expect((await server.find(hashKey(key)))?.revokedAt).not.toBeNull()
  })

  test('when a secret was used is stored at a stop', async () => {
    await using database = await freshDatabase(driver)
    const { operator, server } = setup(database)
    const { record } = await operator.create(order)
    await server.touch(record.hash, 5_000)
    await server.close()
    expect((await operator.list())[0]?.lastUsedAt).toBe(5_000)
    // Of several processes the one that has seen it last counts, also when another one stores later.
    await operator.touch(record.hash, 4_000)
    await operator.close()
    expect((await operator.list())[0]?.lastUsedAt).toBe(5_000)
  })

  test('a key of a network that only newer programs know opens nothing, and hides no change of others', async () => {
    await using database = await freshDatabase(driver)
    const { clock, reports, operator, server, found } = setup(database)
    const newer = await operator.create(order)
    await database.transaction(
      async (to) => void (await to.query(sql`update api_keys set network = 'newnet' where id = ${newer.record.id}`)),
    )
    const { key, record } = await operator.create(order)
    expect(await server.find(hashKey(key))).toEqual(record)
    await operator.revoke(record.id)
    clock.ms += 500
    await found(key).toSatisfy(isRevoked(clock))
    expect(await server.find(hashKey(newer.key))).toBeNull()
    expect(reports.map(({ message }) => message)).toEqual([expect.stringContaining(newer.record.id)])
    expect((await operator.list()).map(({ id }) => id)).toEqual([record.id])
  })

  test('without the database known keys work on, and an operator learns why', async () => {
    await using database = await freshDatabase(driver)
    let isDown = false
    const failing: Pick<Database, 'read' | 'transaction'> = {
      read: {
        query: (statement, how) =>
          isDown ? Promise.reject(new StoreError('unavailable', 'no route')) : database.read.query(statement, how),
      },
      transaction: (work) => database.transaction(work),
    }
    const { clock, reports, operator, server, found } = setup(failing)
    const { key, record } = await operator.create(order)
    await server.find(hashKey(key))
    isDown = true
    for (let i = 0; i < 3; i++) {
      clock.ms += 500
      expect(await server.find(hashKey(key))).toEqual(record)
    }
    // It may have been made since.
    await expect(server.find(hashKey('unknown'))).rejects.toMatchObject({ reason: 'busy' })
    expect(reports.map(({ message }) => message)).toEqual([
      'Keys cannot be read from the database: keys read before stay valid',
    ])
    await expect(operator.list()).rejects.toThrow(/keys in the database cannot be read or changed: no route/)
    isDown = false
    await operator.revoke(record.id)
    clock.ms += 500
    await found(key).toSatisfy(isRevoked(clock))
    expect(await server.find(hashKey('unknown'))).toBeNull()
  })
})

test('when secrets were used is stored once the database is back, which is reported once while it is away', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  let isDown = true
  let tries = 0
  const transaction = async () => {
    tries++
    if (isDown) throw new StoreError('unavailable', 'no route')
    // The cast: what is made in the transaction is not looked at.
    return undefined as never
  }
  const read = { query: () => Promise.reject(new StoreError('unavailable', 'no route')) }
  const { reports, server } = setup({ read, transaction })
  const passes = (seconds: number) => vi.advanceTimersByTimeAsync(1_000 * seconds)
  await server.touch('one', 1)
  await passes(30)
  expect([tries, reports.length]).toEqual([3, 1])
  isDown = false
  await passes(30)
  expect(tries).toBe(4)
  isDown = true
  await server.touch('one', 2)
  await server.close()
  await passes(30)
  expect([tries, reports.length]).toEqual([5, 2])
})

// Two databases of one PostgreSQL would be one server.
test('keys are read anew where another server goes on, which had not got the last change and has as many since', async () => {
  await using first = await freshDatabase('pglite')
  await using second = await freshDatabase('pglite')
  let primary = first
  const { clock, operator, found } = setup({
    read: { query: (...asked) => primary.read.query(...asked) },
    transaction: (...work) => primary.transaction(...work),
  })
  const look = (secret: string) => {
    clock.ms += 500
    return found(secret)
  }
  const lost = await operator.create(order)
  await look(lost.key).not.toBeNull()
  primary = second
  const { key, record } = await operator.create(order)
  await look(key).toEqual(record)
  await look(lost.key).toBeNull()
})

test('what a key may do is changed for all its secrets', async () => {
  await using database = await freshDatabase('pglite')
  const { clock, operator, found } = setup(database)
  const { key, record } = await operator.create(order)
  const next = await operator.rotate(record.id, 3_600_000)
  const changed = await operator.change(record.id, { allAccounts: true })
  expect(new Map(changed.map(({ hash, allAccounts }) => [hash, allAccounts]))).toEqual(
    new Map([record, next.record].map(({ hash }) => [hash, true])),
  )
  clock.ms += 500
  await found(key).toMatchObject({ id: record.id, allAccounts: true })
  expect((await operator.rotate(record.id, 0)).record.allAccounts).toBe(true)
  await expect(operator.change('unknown', { allAccounts: true })).rejects.toMatchObject({ reason: 'notFound' })
})
