// Plans in a database, as two processes and older programs see them.

import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Access } from '../../../server/access/access.ts'
import { createAccess } from '../../../server/access/createAccess.ts'
import { BUILT_IN } from '../../../server/access/plans.ts'
import { createSqlKeyStore } from '../../../server/access/sqlKeyStore.ts'
import { createSqlPlanStore } from '../../../server/access/sqlPlanStore.ts'
import { type Database, sql } from '../../../server/store/index.ts'
import { drivers, freshDatabase, type TestDatabase } from '../../setup/database.ts'

const [FREE] = BUILT_IN
const gold = { ...FREE, name: 'gold', perSecond: 50, monthly: 1_000, connections: null, webhooks: 7 }
const order = { network: 'devnet', plan: 'gold', perSecond: null, label: '', expiresAt: null } as const

function setup(database: Pick<Database, 'read' | 'transaction'>) {
  const clock = { ms: Date.UTC(2026, 10, 21) }
  const now = () => clock.ms
  const shared: Pick<Database, 'read' | 'transaction' | 'close'> = {
    read: database.read,
    transaction: (work) => database.transaction(work),
    close: async () => undefined,
  }
  const open = () => createSqlKeyStore({ database: shared, now })
  const access = createAccess({ network: 'devnet', limits: 'on', store: open(), now })
  onTestFinished(() => access.close())
  return { clock, plans: createSqlPlanStore(shared, now), keys: open(), access }
}

/** A look at a database that is slow is waited for 300 ms only, then what was known before holds for another moment. */
const PATIENCE = { timeout: 300_000 }

/** After the two seconds within which a change has its effect. */
async function callerOf(access: Access, clock: { ms: number }, key: string) {
  clock.ms += 2_000
  return await access.identify(key, '')
}

describe.each(drivers)('%s', (driver) => {
  let database: TestDatabase
  beforeEach(async () => {
    database = await freshDatabase(driver)
  })
  afterEach(() => database[Symbol.asyncDispose]())

  test('begins with those of the program', async () => {
    expect(await setup(database).plans.list()).toEqual(BUILT_IN)
  })

  test('a plan is made, changed for keys that have it, and removed when none has', async () => {
    const { clock, plans, keys, access } = setup(database)
    await plans.create(gold)
    const { key, record } = await keys.create(order)
    expect(record).toMatchObject({ plan: 'gold', perSecond: null, monthly: null })
    const caller = () => callerOf(access, clock, key)
    await expect
      .poll(caller, PATIENCE)
      .toMatchObject({ monthly: 1_000, tier: { name: 'gold', perSecond: 50, plan: gold } })
    await plans.change('gold', { perSecond: 3, monthly: null, streamConnections: 0 })
    const changed = { ...gold, perSecond: 3, monthly: null, streamConnections: 0 }
    await expect.poll(caller, PATIENCE).toMatchObject({ tier: { perSecond: 3, plan: changed } })
    expect((await plans.list())[0]).toEqual(changed)
    await expect(plans.remove('gold')).rejects.toThrow(/gold is in use \(keys: 1\): revoke them/)
    const ends = await keys.create({ ...order, expiresAt: clock.ms + 10 })
    await keys.revoke(record.id)
    await expect(plans.remove('gold')).rejects.toMatchObject({ reason: 'conflict' })
    clock.ms += 10
    await plans.remove('gold')
    expect(await plans.list()).toEqual(BUILT_IN)
    expect((await keys.list()).map(({ plan }) => plan)).toEqual(['gold', 'gold'])
    await expect(keys.create(order)).rejects.toThrow(/no plan "gold": plans are free, plus, advanced, custom/)
    await expect(keys.rotate(ends.record.id, 0)).rejects.toThrow(/has expired/)
  })

  test('each limit of a plan can be changed, and is no limit any more', async () => {
    const { plans } = setup(database)
    await plans.create(gold)
    const limits = { perSecond: 4, monthly: 5, connections: 6, streamConnections: 7, streamAddresses: 8, webhooks: 9 }
    await plans.change('gold', limits)
    expect((await plans.list())[0]).toEqual({ ...gold, ...limits })
    const none = { monthly: null, connections: null, streamConnections: null, streamAddresses: null, webhooks: 0 }
    await plans.change('gold', none)
    expect((await plans.list())[0]).toEqual({ ...gold, perSecond: 4, ...none })
  })

  test('two operators at once: one makes it, no key is made of one that is removed', async () => {
    const { plans, keys } = setup(database)
    const silver = { ...gold, name: 'silver' }
    const made = await Promise.allSettled([plans.create(silver), plans.create({ ...silver, perSecond: 60 })])
    expect(made.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(made.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { reason: 'conflict' } })
    await Promise.all([plans.change('silver', { webhooks: 9 }), plans.change('silver', { connections: 8 })])
    expect(await plans.list()).toContainEqual(expect.objectContaining({ name: 'silver', webhooks: 9, connections: 8 }))
    const both = await Promise.allSettled([keys.create({ ...order, plan: 'silver' }), plans.remove('silver')])
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('an older program takes a key of such a plan for a custom one of that rate, after a rotation too', async () => {
    const { plans, keys, access, clock } = setup(database)
    await plans.create({ ...gold, name: 'bronze' })
    const { record } = await keys.create({ ...order, plan: 'bronze' })
    const { key } = await keys.rotate(record.id, 60_000)
    // Both secrets are of one key.
    await expect(plans.remove('bronze')).rejects.toThrow('bronze is in use (keys: 1)')
    expect(
      await database.read.query(sql`select distinct plan, per_second from api_keys where own_plan = 'bronze'`),
    ).toEqual([{ plan: 'custom', per_second: 50 }])
    const caller = () => callerOf(access, clock, key)
    await expect.poll(caller, PATIENCE).toMatchObject({ tier: { name: 'bronze', perSecond: 50 } })
  })

  test('error: what is no plan, and what cannot be changed or removed', async () => {
    const { plans } = setup(database)
    const refused = expect.objectContaining({ reason: 'refused' })
    await expect(plans.create({ ...gold, name: 'x'.repeat(10_000) })).rejects.toEqual(refused)
    await expect(plans.change('free', { perSecond: Number.NaN })).rejects.toEqual(refused)
    await expect(plans.change('custom', { perSecond: 5 })).rejects.toEqual(refused)
    await expect(plans.change('free', { perSecond: null })).rejects.toEqual(refused)
    await expect(plans.remove('custom')).rejects.toEqual(refused)
    await expect(plans.change('x'.repeat(10_000), {})).rejects.toMatchObject({
      reason: 'notFound',
      message: `There is no plan "${'x'.repeat(40)}"`,
    })
    const fill = async () => {
      for (let i = 0; i < 100; i++) await plans.create({ ...gold, name: `p${i}` })
    }
    await expect(fill()).rejects.toThrow(/100 plans already/)
    expect(await plans.list()).toHaveLength(100)
    await plans.change('custom', { connections: 9 })
    // By hand, past the program.
    const byHand = database.transaction((to) => to.query(sql`update api_plans set per_second = -5 where name = 'free'`))
    await expect(byHand).rejects.toMatchObject({ sqlState: '23514' })
  })
})
