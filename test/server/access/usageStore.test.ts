// Usage in a file and in a database: what is counted is stored once, whatever becomes of the answer.

import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import {
  createFileUsageStore,
  createSqlUsageStore,
  Quotas,
  UsageMeter,
  type UsageStore,
  UsageWriter,
} from '../../../server/access/index.ts'
import { drivers } from '../../setup/database.ts'
import { emptyStore } from '../../setup/emptiedStore.ts'
import { longestJson } from '../../setup/longestJson.ts'
import { wholeMonth as ALL, usageRow as row, spentInMonth as spent } from './someUsage.ts'
import { temporaryFolder } from './temporaryFolder.ts'

interface Opened extends AsyncDisposable {
  readonly store: UsageStore
}

const stores: readonly (readonly [string, () => Promise<Opened>])[] = [
  ['a file', async () => ({ store: createFileUsageStore(await temporaryFolder()), async [Symbol.asyncDispose]() {} })],
  ...drivers.map((driver): readonly [string, () => Promise<Opened>] => [
    driver,
    async () => {
      const database = await emptyStore(driver)
      return { store: createSqlUsageStore(database), [Symbol.asyncDispose]: () => database[Symbol.asyncDispose]() }
    },
  ]),
]

const NOON = Date.UTC(2026, 10, 21, 12)
const batch = { writer: 'w1', number: 1, usage: [row], months: [spent] }

describe.each(stores)('%s', (_name, open) => {
  test('a clock that was months ahead, and set back, takes no counts of today and no quota away', async () => {
    await using opened = await open()
    const { store } = opened
    await store.add(batch)
    for (const [i, month] of ['2027-12', '2029-01', '2030-06'].entries()) {
      const days = Array.from({ length: 28 }, (_, day) => `${month}-${String(day + 1).padStart(2, '0')}`)
      const usage = days.map((day) => ({ ...row, day }))
      await store.add({ writer: 'w2', number: i + 1, usage, months: [{ ...spent, month }] })
    }
    await store.add({ ...batch, number: 2 })
    await store.add({ ...batch, number: 3, months: [] })
    expect(await store.read(ALL)).toMatchObject([{ calls: expect.any(Number), day: row.day }])
    expect((await store.read(ALL))[0]?.calls).toBeGreaterThanOrEqual(4)
    expect((await store.months('2026-11', ['k1'])).get('k1')).toBe(6)
  })

  test('what was spent in a month stays, into whichever of ten others a clock jumps from there', async () => {
    await using opened = await open()
    const { store } = opened
    await store.add(batch)
    const others = [1, -1, 2, 3, -2, 4, 5, -9, 6, 400]
    for (const [i, by] of others.entries()) {
      const day = new Date(Date.UTC(2026, 10 + by, 21)).toISOString().slice(0, 10)
      const months = [{ ...spent, month: day.slice(0, 7) }]
      await store.add({ writer: 'w2', number: i + 1, usage: [{ ...row, day }], months })
      await store.add({ ...batch, number: i + 2, months: [] })
      expect((await store.months('2026-11', ['k1'])).get('k1')).toBe(3)
    }
  })

  test('adds batches of several writers, one that is sent twice once', async () => {
    await using opened = await open()
    const { store } = opened
    await store.add(batch)
    await store.add(batch)
    await store.add({ ...batch, number: 2 })
    await store.add({ ...batch, writer: 'w2' })
    expect(await store.read(ALL)).toEqual([{ ...row, calls: 6, weight: 9, errors: 3, limited: 12, bytes: 270 }])
    expect(await store.months('2026-11', ['k1', 'k2'])).toEqual(expect.objectContaining(new Map([['k1', 9]])))
    expect((await store.months('2026-10', ['k1'])).get('k1') ?? 0).toBe(0)
  })

  test('a batch of the last process but one is known, however many there were', async () => {
    await using opened = await open()
    const { store } = opened
    const batches = Array.from({ length: 25 }, (_, i) => ({ ...batch, writer: `w${i}` }))
    for (const one of batches) await store.add(one)
    await store.add({ ...batch, writer: 'w23' })
    expect(await store.read(ALL)).toMatchObject([{ calls: 25 * row.calls }])
  })

  test('reads a range, of one key', async () => {
    await using opened = await open()
    const { store } = opened
    const usage = [row, { ...row, day: '2026-11-22' }, { ...row, keyId: '' }, { ...row, method: 'getMasterchainInfo' }]
    await store.add({ ...batch, usage })
    expect(await store.read({ from: '2026-11-22', to: '2026-11-30', keyId: null })).toEqual([usage[1]])
    expect(await store.read({ from: '2026-11-22', to: '2026-11-22', keyId: null })).toEqual([usage[1]])
    const own = await store.read({ ...ALL, keyId: 'k1' })
    expect(own.map(({ day, method }) => `${day} ${method}`).sort()).toEqual([
      '2026-11-21 getMasterchainInfo',
      '2026-11-21 v3.blocks',
      '2026-11-22 v3.blocks',
    ])
  })

  test('the last 62 days with calls are kept, and of a range of all times no more are read', async () => {
    await using opened = await open()
    const { store } = opened
    const day = (i: number) => new Date(NOON + 86_400_000 * i).toISOString().slice(0, 10)
    const everyDay = { from: '1970-01-01', to: '2100-12-31', keyId: null }
    const daysOf = async (range: typeof everyDay) => (await store.read(range)).map((one) => one.day)
    const days = Array.from({ length: 100 }, (_, i) => day(2 * i))
    await store.add({ ...batch, usage: days.map((one) => ({ ...row, day: one })) })
    expect(await daysOf(everyDay)).toEqual(days.slice(-62))
    const old = { ...everyDay, to: days[20] ?? '' }
    expect(await daysOf(old)).toEqual([])
    // The next day takes the place of the oldest, and of a late batch nothing newer.
    await store.add({ ...batch, number: 2, usage: [{ ...row, day: day(200) }] })
    expect(await daysOf(everyDay)).toEqual([...days, day(200)].slice(-62))
    expect(await daysOf({ ...everyDay, to: days[39] ?? '' })).toEqual([days[39]])
  })

  test('writers at the same time lose nothing', async () => {
    await using opened = await open()
    const { store } = opened
    const writers = Array.from({ length: 8 }, (_, i) => `w${i}`)
    await Promise.all(writers.map((writer) => store.add({ ...batch, writer })))
    expect((await store.read(ALL))[0]).toMatchObject({ calls: 16, weight: 24 })
    expect((await store.months('2026-11', ['k1'])).get('k1')).toBe(24)
  })

  test('two processes share a monthly quota, and a stop stores the rest', async () => {
    await using opened = await open()
    const { store } = opened
    const start = () => {
      const meter = new UsageMeter()
      const quotas = new Quotas(() => NOON)
      const writer = new UsageWriter({
        store,
        meter,
        quotas,
        now: () => NOON,
        report: (error) => expect.fail(String(error)),
      })
      return { meter, quotas, writer }
    }
    const one = start()
    const two = start()
    one.quotas.spend('k1', 100, 60)
    two.quotas.spend('k1', 100, 30)
    await one.writer.flush()
    await two.writer.flush()
    expect(two.quotas.state('k1', 100).used).toBe(90)
    one.meter.charged('k1', 'm', 5)
    one.meter.done('k1', 'm', { outcome: 'ok', bytes: 7 })
    one.meter.done('k1', 'm', { outcome: 'rateLimited', bytes: 0 })
    one.meter.done(null, 'm', { outcome: 'timeout', bytes: 0 })
    one.quotas.spend('k1', 100, 5)
    await Promise.all([one.writer.close(), two.writer.close()])
    const of = { day: '2026-11-21', method: 'm' }
    expect(await store.read(ALL)).toEqual([
      { ...of, keyId: '', calls: 1, weight: 0, errors: 1, limited: 0, bytes: 0 },
      { ...of, keyId: 'k1', calls: 2, weight: 5, errors: 0, limited: 1, bytes: 7 },
    ])
    expect((await store.months('2026-11', ['k1'])).get('k1')).toBe(95)
  })
})

describe.each(stores)('%s', (_name, open) => {
  test('each day has its own counts, also when the store was away for days, and when a clock is set back', async () => {
    await using opened = await open()
    let isDown = true
    const store: UsageStore = {
      months: opened.store.months,
      read: opened.store.read,
      async add(one) {
        if (isDown) throw new Error('no route')
        await opened.store.add(one)
      },
    }
    const clock = { ms: NOON }
    const now = () => clock.ms
    const meter = new UsageMeter()
    const writer = new UsageWriter({ store, meter, quotas: new Quotas(now), now, report: () => undefined })
    const count = async (times: number) => {
      for (let i = 0; i < times; i++) meter.done('k1', 'm', { outcome: 'ok', bytes: 1 })
      await writer.flush()
    }
    await count(1)
    for (const [i, times] of [10, 100, 1_000].entries()) {
      clock.ms = NOON + 86_400_000 * (i - 1)
      // What ends a day: a write is due just after midnight.
      await writer.flush()
      await count(times)
    }
    isDown = false
    await writer.close()
    const found = (await opened.store.read(ALL)).map(({ day, calls }) => [day, calls])
    expect(found.sort()).toEqual([
      ['2026-11-20', 10],
      ['2026-11-21', 101],
      ['2026-11-22', 1_000],
    ])
  })
})

test('a batch that could not be stored is tried again, then what came after it', async () => {
  const kept = createFileUsageStore(await temporaryFolder())
  let isDown = true
  const store: UsageStore = {
    ...kept,
    // The first time it is stored and the answer is lost.
    async add(one) {
      await kept.add(one)
      if (isDown) throw new Error('connection lost')
    },
  }
  const meter = new UsageMeter()
  const reports: unknown[] = []
  const report = (error: unknown) => void reports.push(error)
  const writer = new UsageWriter({ store, meter, quotas: new Quotas(() => NOON), now: () => NOON, report })
  const count = () => meter.done('k1', 'm', { outcome: 'ok', bytes: 1 })
  count()
  await writer.flush()
  count()
  await writer.flush()
  isDown = false
  await writer.close()
  expect((await kept.read(ALL))[0]).toMatchObject({ calls: 2, bytes: 2 })
  expect(reports).toHaveLength(1)
})

test('a file has what was added to a day since it was written last', async () => {
  const folder = await temporaryFolder()
  const store = createFileUsageStore(folder)
  await store.add(batch)
  await store.add({ ...batch, number: 2 })
  expect(await createFileUsageStore(folder).read(ALL)).toEqual([
    { ...row, calls: 4, weight: 6, errors: 2, limited: 8, bytes: 180 },
  ])
})

test('what is written at the end is the last: a write that was running meanwhile begins no other', async () => {
  const day = 86_400_000
  const gate: { open: () => void } = { open: () => undefined }
  let writes = 0
  const store: UsageStore = {
    ...createFileUsageStore(await temporaryFolder()),
    async add() {
      writes++
      if (writes === 1)
        await new Promise<void>((resolve) => {
          gate.open = resolve
        })
    },
  }
  const meter = new UsageMeter()
  // A millisecond before midnight: the next write is due at once.
  const now = () => Math.ceil(NOON / day) * day - 1
  const quotas = new Quotas(now)
  const writer = new UsageWriter({ store, meter, quotas, now, report: (error) => expect.fail(String(error)) })
  const count = () => meter.done('k1', 'm', { outcome: 'ok', bytes: 1 })
  count()
  await expect.poll(() => writes).toBe(1)
  const closing = writer.close()
  gate.open()
  await closing
  const last = writes
  count()
  // Timers of two milliseconds would have fired.
  for (let i = 0; i < 20; i++) await new Promise((resolve) => setTimeout(resolve, 2))
  expect(writes).toBe(last)
})

test('counts of a thousand keys are read and written in pieces', async () => {
  const folder = await temporaryFolder()
  const usage = Array.from({ length: 20_000 }, (_, i) => {
    const day = `2026-05-${10 + (i % 5)}`
    return { ...row, day, keyId: `key${Math.floor(i / 20)}`, method: `method${i % 20}` }
  })
  const range = { from: '', to: '9999', keyId: null }
  const longest = await longestJson(async () => {
    await createFileUsageStore(folder).add({ writer: 'a', number: 1, usage, months: [] })
    const again = createFileUsageStore(folder)
    expect((await again.read(range)).length).toBe(usage.length)
    await again.add({ writer: 'a', number: 2, usage: usage.slice(0, 1), months: [] })
  })
  expect(longest).toBeLessThan(150_000)
})

test('error: a usage file that is damaged is left as it is', async () => {
  const folder = await temporaryFolder()
  const path = join(folder, 'keys-usage.json')
  await createFileUsageStore(folder).add(batch)
  await writeFile(path, '{"version":')
  await expect(createFileUsageStore(folder).add({ ...batch, number: 2 })).rejects.toThrow(
    /keys-usage.json cannot be read: move it away/,
  )
  expect(await readFile(path, 'utf8')).toBe('{"version":')
})

test('two processes with one file: each sees what the other wrote, and neither loses it', async () => {
  const folder = await temporaryFolder()
  const one = createFileUsageStore(folder)
  const two = createFileUsageStore(folder)
  for (let number = 1; number <= 5; number++) {
    await one.add({ ...batch, writer: 'w1', number })
    expect((await two.read(ALL))[0]).toMatchObject({ calls: 4 * number - 2 })
    await two.add({ ...batch, writer: 'w2', number })
    expect((await one.read(ALL))[0]).toMatchObject({ calls: 4 * number })
    expect((await one.months('2026-11', ['k1'])).get('k1')).toBe(6 * number)
  }
  // Both at once, after both have read the file.
  const next = { ...batch, number: 6 }
  await Promise.all([one.add({ ...next, writer: 'w1' }), two.add({ ...next, writer: 'w2' })])
  expect((await createFileUsageStore(folder).read(ALL))[0]).toMatchObject({ calls: 24, weight: 36 })
})

test('the file is one JSON text of days and keys in order, days that do not change included', async () => {
  const folder = await temporaryFolder()
  const store = createFileUsageStore(folder)
  const keys = Array.from({ length: 700 }, (_, i) => `k"${i}`)
  const usage = keys.map((keyId) => ({ ...row, keyId }))
  await store.add({ ...batch, usage, months: [] })
  await store.add({ ...batch, number: 2, usage: [{ ...row, day: '2026-11-20', keyId: '' }] })
  await store.add({ ...batch, number: 3, usage: [{ ...row, day: '2026-09-01' }] })
  const counts = { 'v3.blocks': [2, 3, 1, 4, 90] }
  const text = await readFile(join(folder, 'keys-usage.json'), 'utf8')
  expect(text).toBe(
    `${JSON.stringify({
      version: 1,
      writers: [['w1', 3]],
      months: { '2026-11': { k1: 6 } },
      days: {
        '2026-09-01': { k1: counts },
        '2026-11-20': { '': counts },
        '2026-11-21': Object.fromEntries(keys.map((key) => [key, counts])),
      },
    })}\n`,
  )
  const again = createFileUsageStore(folder)
  expect(await again.read({ ...ALL, keyId: 'k"699' })).toEqual([{ ...row, keyId: 'k"699' }])
  expect(await again.read({ ...ALL, keyId: 'toString' })).toEqual([])
  const days = Array.from({ length: 62 }, (_, i) => new Date(NOON + i * 86_400_000).toISOString().slice(0, 10))
  await again.add({ ...batch, number: 4, usage: days.map((day) => ({ ...row, day })) })
  const kept = JSON.parse(await readFile(join(folder, 'keys-usage.json'), 'utf8'))
  expect(Object.keys(kept.days)).toEqual(days)
})

test('the file does not grow with each process that has ended, nor when a clock is set back again and again', async () => {
  const folder = await temporaryFolder()
  const store = createFileUsageStore(folder)
  const days = Array.from({ length: 130 }, (_, i) => new Date(NOON - 4 * i * 86_400_000).toISOString().slice(0, 10))
  for (const [i, day] of days.entries())
    await store.add({
      writer: `w${i}`,
      number: 1,
      usage: [{ ...row, day }],
      months: [{ ...spent, month: day.slice(0, 7) }],
    })
  const kept = JSON.parse(await readFile(join(folder, 'keys-usage.json'), 'utf8'))
  expect(Object.keys(kept.days)).toEqual([days.at(-1), ...days.slice(0, 62).reverse()])
  const months = [...new Set(days.map((day) => day.slice(0, 7)))]
  expect(Object.keys(kept.months)).toEqual([...months.slice(0, 12), months.at(-1)].sort())
  expect(kept.writers.map(([writer]: [string]) => writer)).toEqual(Array.from({ length: 20 }, (_, i) => `w${i + 110}`))
})

test('error: counts that could not be written are not there, and are when they are sent again', async () => {
  const folder = await temporaryFolder()
  const store = createFileUsageStore(folder)
  await store.add(batch)
  // A draft of a killed writer that cannot be removed, for it is a folder.
  const inTheWay = join(folder, 'keys-usage.json.1.tmp')
  await mkdir(inTheWay)
  await expect(store.add({ ...batch, number: 2 })).rejects.toThrow()
  expect((await store.read(ALL))[0]).toMatchObject({ calls: 2 })
  await rm(inTheWay, { recursive: true })
  await store.add({ ...batch, number: 2 })
  expect((await createFileUsageStore(folder).read(ALL))[0]).toMatchObject({ calls: 4 })
})

test('what a process has written itself it does not read again', async () => {
  const store = createFileUsageStore(await temporaryFolder())
  await store.add(batch)
  const parsed = vi.spyOn(JSON, 'parse')
  try {
    await store.add({ ...batch, number: 2 })
    expect((await store.read(ALL))[0]).toMatchObject({ calls: 4 })
    expect(parsed.mock.calls.filter(([text]) => text.includes(row.method))).toEqual([])
  } finally {
    parsed.mockRestore()
  }
})
