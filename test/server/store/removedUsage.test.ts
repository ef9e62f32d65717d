// Usage of long ago is removed from a database, some rows at a time.

import { expect, test } from 'vitest'
import { addUsage, readMonths, readUsage, removeUsage, sql } from '../../../server/store/index.ts'
import { drivers } from '../../setup/database.ts'
import { emptyStore } from '../../setup/emptiedStore.ts'

const dayOf = (i: number): string => new Date(Date.UTC(2026, 0, 1 + i)).toISOString().slice(0, 10)
const counts = { calls: 1, weight: 1, errors: 0, limited: 0, bytes: 0 }
const ALL = { from: '1970-01-01', to: '2100-12-31', keyId: null }

test.each(drivers)('%s: the oldest first, as many as are asked for, and none of the days that stay', async (driver) => {
  await using store = await emptyStore(driver)
  const days = Array.from({ length: 10 }, (_, i) => dayOf(3 * i))
  const usage = days.flatMap((day) => ['a', 'b'].map((keyId) => ({ day, keyId, method: 'v3.blocks', ...counts })))
  await addUsage(store, { writer: 'w', number: 1, usage, months: [] })
  const kept = async () => (await readUsage(store.read, ALL, 1000)).map(({ day, keyId }) => `${day} ${keyId}`)
  const names = usage.map(({ day, keyId }) => `${day} ${keyId}`)
  const removal = { today: dayOf(27), days: 4, months: 1, limit: 4 }
  expect(await removeUsage(store, { ...removal, days: 10 })).toBe(0)
  expect(await removeUsage(store, removal)).toBe(4)
  expect(await kept()).toEqual(names.slice(4))
  // Together they remove each row once.
  const together = await Promise.all([removeUsage(store, removal), removeUsage(store, removal)])
  expect(together.every((count) => count <= 4)).toBe(true)
  while ((await removeUsage(store, removal)) > 0);
  expect(await kept()).toEqual(names.slice(12))
  // By a day of before the newest, which a clock that was ahead has left.
  expect(await removeUsage(store, { ...removal, today: dayOf(24), days: 2 })).toBe(2)
  expect(await kept()).toEqual(names.slice(14))
})

test.each(drivers)(
  '%s: of months with calls the last ones stay, whatever days do, and later ones too',
  async (driver) => {
    await using store = await emptyStore(driver)
    const usage = ['2026-05-02', '2026-06-01'].map((day) => ({ day, keyId: 'a', method: 'v3.blocks', ...counts }))
    const names = ['2025-12', '2026-03', '2026-05', '2026-06', '2031-01']
    const months = names.flatMap((month) => ['a', 'b'].map((keyId) => ({ month, keyId, weight: 5 })))
    await addUsage(store, { writer: 'w', number: 1, usage, months })
    const kept = async () => {
      const counted = await Promise.all(
        names.map(async (month) => (await readMonths(store.read, month, ['a', 'b'])).size),
      )
      return names.filter((_, i) => counted[i] === 2)
    }
    const removal = { today: '2026-06-01', days: 2, months: 3, limit: 1 }
    // Fewer months than stay.
    expect(await removeUsage(store, { ...removal, months: 5 })).toBe(0)
    expect(await kept()).toEqual(names)
    // As many as are asked for, the oldest first, also when no days are left to remove.
    expect(await removeUsage(store, { ...removal, limit: 4 })).toBe(2)
    expect(await kept()).toEqual(names.slice(1))
    while ((await removeUsage(store, { ...removal, months: 2 })) > 0);
    expect(await kept()).toEqual(['2026-05', '2026-06', '2031-01'])
  },
)

test.each(drivers)(
  '%s: of writers those that were silent for a month are forgotten when another begins',
  async (driver) => {
    await using store = await emptyStore(driver)
    const add = (writer: string, number = 1) => addUsage(store, { writer, number, usage: [], months: [] })
    for (const writer of ['gone', 'away', 'new']) await add(writer)
    await store.transaction((to) =>
      to.query(sql`update api_usage_writers set written_at = now() - case writer when 'gone' then interval '31 days'
      else interval '29 days' end where writer <> 'new'`),
    )
    const known = async () =>
      (await store.read.query(sql`select writer from api_usage_writers order by writer`)).flatMap(Object.values)
    await add('new', 2)
    expect(await known()).toEqual(['away', 'gone', 'new'])
    await add('newest')
    expect(await known()).toEqual(['away', 'new', 'newest'])
  },
)
