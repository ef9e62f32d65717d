import { once } from 'node:events'
import { chmod, chown, link, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Database, openDatabase, type StoreOptions, sql } from '../../../server/store/index.ts'
import { childRoom } from '../../setup/childRooms.ts'
import { exitOf, startChild, temporaryFolder } from '../../setup/children.ts'
import { PATIENT } from '../../setup/memoryStore.ts'

const notes = [
  { number: 1, name: '0001_notes', sql: 'create table notes (id int8 primary key, half int8, word bytea)' },
]
const slow = sql`select count(*) from generate_series(1, 2000000000)`

async function open(folder: string, options: Partial<StoreOptions> = {}): Promise<Database> {
  const database = await openDatabase({ ...PATIENT, database: 'pglite', folder, migrations: notes, ...options })
  onTestFinished(() => database.close())
  return database
}

const insert = (database: Database, id: number) =>
  database.transaction((to) => to.query(sql`insert into notes values (${id}, 0, null)`))
const count = async (database: Database, options: { timeoutMs?: number } = {}) =>
  Number((await database.read.query(sql`select count(*) as n from notes`, options))[0]?.n)

/** In pairs of transactions' halves: says after each commit how many there are. */
const WRITE = `
const { writeSync } = await import('node:fs')
const { openDatabase, sql } = await import(${JSON.stringify(childRoom('store'))})
const migrations = JSON.parse(process.argv[2])
const database = await openDatabase({ database: 'pglite', folder: process.argv[1], migrations })
const [row] = await database.read.query(sql\`select coalesce(max(id), 0) as top from notes\`)
for (let id = row.top + 1n; ; id++) {
  await database.transaction(async (to) => {
    await to.query(sql\`insert into notes values (\${id}, 0, \${new Uint8Array(Number(id % 50n) * 100)})\`)
    if (id % 7n === 0n) await to.query(sql\`update notes set word = null where id < \${id - 20n} and word is not null\`)
    await to.query(sql\`update notes set half = 1 where id = \${id}\`)
  })
  writeSync(1, id + '\\n')
}`

async function writeUntilKilled(folder: string): Promise<number> {
  const child = startChild(WRITE, [folder, JSON.stringify(notes)])
  let text = ''
  child.stdout.on('data', (bytes) => {
    text += bytes
  })
  const over = once(child, 'close')
  // Some die while they start, most while they write.
  if (Math.random() < 0.8) await Promise.race([once(child.stdout, 'data'), over])
  await sleep(Math.random() * 300)
  child.kill('SIGKILL')
  await exitOf(child)
  await over
  // The last line may have been cut short by the kill.
  return Math.max(0, ...text.split('\n').slice(0, -1).map(Number))
}

const NOBODY = 65_534

/** As a user who may not do everything: opens a database and says how that ends. */
const OPEN = `
const { accessSync } = await import('node:fs')
const { openDatabase } = await import(${JSON.stringify(childRoom('store'))})
if (process.getuid() === 0) {
  process.setgid(${NOBODY})
  process.setuid(${NOBODY})
}
const notice = (text) => console.log(text)
const end = () => openDatabase({ database: 'pglite', folder: process.argv[1], migrations: JSON.parse(process.argv[2]), notice })
try {
  accessSync(new URL(${JSON.stringify(childRoom('thread'))}))
  await end().then((database) => database.close(), ({ code, message }) => console.log(code, message))
} catch { console.log('not readable') }`

describe('a folder', () => {
  test('that shares its files with a copy made by links is refused, in a sentence, until it has its own', async () => {
    const folder = await temporaryFolder()
    const database = await open(folder)
    await insert(database, 1)
    await database.close()
    const control = join(folder, 'postgres', 'global', 'pg_control')
    await link(control, `${folder}-linked`)
    onTestFinished(() => rm(`${folder}-linked`, { force: true }))
    await expect(open(folder)).rejects.toMatchObject({
      code: 'mismatch',
      message: expect.stringMatching(
        /pg_control is a file of another folder, too, .*cp -Rp and start in that, or remove/,
      ),
    })
    await rm(`${folder}-linked`)
    expect(await count(await open(folder))).toBe(1)
  })

  test('holds what was committed, after kills at any instant', async () => {
    const folder = await temporaryFolder()
    let acknowledged = 0
    for (let kill = 0; kill < 8; kill++) {
      acknowledged = Math.max(acknowledged, await writeUntilKilled(folder))
    }
    expect(acknowledged).toBeGreaterThan(0)
    const database = await open(folder)
    const [found] = await database.read.query(sql`
      select count(*) as n, max(id) as top, min(half) as half, count(distinct id) as ids from notes`)
    expect(Number(found?.top)).toBeGreaterThanOrEqual(acknowledged)
    // One transaction more may have been committed before it was said.
    expect(Number(found?.top)).toBeLessThanOrEqual(acknowledged + 1)
    expect(found).toMatchObject({ n: found?.top, ids: found?.top, half: 1n })
    const [byIndex] = await database.read.query(sql`select count(*) as n from notes where id > 0`)
    expect(byIndex?.n).toBe(found?.n)
  })

  test('a statement that does not end is ended, and everything goes on', async () => {
    const notices: object[] = []
    const notice = (text: string, facts?: object) => void notices.push({ text, ...facts })
    const database = await open(await temporaryFolder(), { readTimeoutMs: 1_000, notice })
    await insert(database, 1)
    const endless = database.read.query(slow, { timeoutMs: 200 })
    // They come after that, some sent already and some waiting for a turn, and are no one's fault.
    const patient = Array.from({ length: 12 }, () => count(database, { timeoutMs: 300_000 }))
    await expect(endless).rejects.toMatchObject({ code: 'timeout' })
    expect(await Promise.all(patient)).toEqual(Array.from({ length: 12 }, () => 1))
    const words = { cause: 'The statement took longer than 1000 ms', err: new Error(`statement: ${slow.text}`) }
    expect(notices).toEqual([{ text: 'embedded database restarted', ...words }])
    const within = database.transaction(async (to) => {
      await to.query(sql`insert into notes values (2, 0, null)`)
      await to.query(slow, { timeoutMs: 100 }).catch(() => undefined)
      await to.query(sql`insert into notes values (3, 0, null)`)
    })
    await expect(within).rejects.toMatchObject({ code: 'timeout' })
    expect(await count(database, { timeoutMs: 300_000 })).toBe(1)
    await insert(database, 4)
    expect(await count(database, { timeoutMs: 300_000 })).toBe(2)
  })

  test('is closed in the time it has, whatever runs, and holds what was committed', async () => {
    const folder = await temporaryFolder()
    const database = await open(folder, { closeMs: 100 })
    await insert(database, 1)
    const within = database.transaction(async (to) => {
      await to.query(sql`insert into notes values (2, 0, null)`)
      await to.query(slow)
    })
    const cut = expect(within).rejects.toMatchObject({ code: 'closed' })
    await database.close()
    await cut
    expect(await count(await open(folder))).toBe(1)
  })

  test('whose start is no longer wanted is free for the next', async () => {
    const folder = await temporaryFolder()
    const enough = new AbortController()
    const opening = openDatabase({ database: 'pglite', folder, migrations: notes, signal: enough.signal })
    const refused = expect(opening).rejects.toMatchObject({ code: 'closed' })
    while (!(await readdir(folder).catch((): string[] => [])).includes('postgres')) await sleep(1)
    enough.abort()
    await refused
    await insert(await open(folder), 1)
  })

  test('belongs to one process at a time, and says which', async () => {
    const folder = await temporaryFolder()
    const database = await open(folder)
    await expect(open(folder)).rejects.toMatchObject({
      name: 'StoreError',
      code: 'locked',
      message: expect.stringContaining(`${folder} is in use by this very process (${process.pid})`),
    })
    await insert(database, 1)
    await database.close()
    expect(await readdir(folder)).toEqual(['postgres'])
    expect(await count(await open(folder))).toBe(1)
  })

  test('is looked after: its log stays short, its tables are known to the planner', async () => {
    const database = await open(await temporaryFolder())
    for (let i = 0; i < 4; i++) {
      await database.transaction((to) =>
        to.query(sql`insert into notes
          select g, g, sha256(g::text::bytea) from generate_series(${i * 30_000}::int4, ${i * 30_000 + 29_999}::int4) g`),
      )
    }
    const state = async () => {
      const [row] = await database.read.query(sql`
        select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn)::int8 < 16777216 as short,
          (select reltuples > 0 from pg_class where relname = 'notes') as known
        from pg_control_checkpoint()`)
      return row
    }
    await expect.poll(state, { interval: 200 }).toEqual({ short: true, known: true })
  })

  test('that was left half made is made again', async () => {
    const folder = await temporaryFolder()
    await mkdir(join(folder, 'postgres/base'), { recursive: true })
    await mkdir(join(folder, 'postgres.new'))
    await writeFile(join(folder, 'postgres.new/PG_VERSION'), '18\n')
    const database = await open(folder)
    expect(await count(database)).toBe(0)
    await database.close()
    expect(await readdir(folder)).toEqual(['postgres'])
  })

  test('whose machine lost power before its files were on the disk is set aside, and a new one is made', async () => {
    const folder = await temporaryFolder()
    await mkdir(join(folder, 'postgres/base'), { recursive: true })
    await writeFile(join(folder, 'postgres/PG_VERSION'), '')
    const notices: string[] = []
    const rebuilt = await open(folder, { notice: (text) => notices.push(text) })
    expect(await count(rebuilt)).toBe(0)
    expect(notices).toEqual([expect.stringMatching(/set aside, a new one is made/)])
    const names = await readdir(folder)
    expect(names.filter((name) => name.startsWith('postgres.damaged-'))).toHaveLength(1)
  })

  test.each(['global/pg_control', 'notes.txt'])('without PG_VERSION but with %s is set aside, whole', async (file) => {
    const folder = await temporaryFolder()
    await mkdir(join(folder, 'postgres/global'), { recursive: true })
    await writeFile(join(folder, 'postgres', file), 'of a person')
    const notices: string[] = []
    const rebuilt = await open(folder, { notice: (text) => notices.push(text) })
    expect(await count(rebuilt)).toBe(0)
    expect(notices).toEqual([expect.stringMatching(/set aside, a new one is made/)])
    const [aside] = (await readdir(folder)).filter((name) => name.startsWith('postgres.damaged-'))
    expect(await readFile(join(folder, aside ?? '', file), 'utf8')).toBe('of a person')
  })

  test('of another version of PostgreSQL is left alone', async () => {
    const folder = await temporaryFolder()
    await mkdir(join(folder, 'postgres'), { recursive: true })
    await writeFile(join(folder, 'postgres/PG_VERSION'), '17\n')
    await expect(open(folder)).rejects.toMatchObject({
      code: 'mismatch',
      message: expect.stringMatching(/made by version 17 of PostgreSQL.*Move the folder away/),
    })
    expect(await readdir(folder)).toEqual(['postgres'])
  })

  test('whose database does not start is set aside, whole, and a new one is made', async () => {
    const folder = await temporaryFolder()
    const database = await open(folder)
    await database.close()
    await rm(join(folder, 'postgres/global'), { recursive: true })
    const notices: string[] = []
    const rebuilt = await open(folder, { notice: (text) => notices.push(text) })
    expect(await count(rebuilt)).toBe(0)
    expect(notices).toEqual([expect.stringMatching(/set aside, a new one is made/)])
    await insert(rebuilt, 1)
    const [aside] = (await readdir(folder)).filter((name) => name.startsWith('postgres.damaged-'))
    expect(await readdir(join(folder, aside ?? ''))).toContain('PG_VERSION')
  })

  test('whose chain is deleted: what was set aside is deleted too, of this start and of earlier ones', async () => {
    const folder = await temporaryFolder()
    for (const path of ['postgres.damaged-2026-01-01', 'postgres.damaged-2026-01-02/base', 'postgres/base'])
      await mkdir(join(folder, path), { recursive: true })
    for (const path of ['postgres/base/5', 'postgres.damaged-2026-01-02/base/5'])
      await writeFile(join(folder, path), 'damaged')
    const notices: unknown[] = []
    const notice = (text: string, { count }: { readonly count?: unknown }) => notices.push([text, count])
    const rebuilt = await open(folder, { notice, dropSetAside: true })
    expect(await count(rebuilt)).toBe(0)
    expect((await readdir(folder)).filter((name) => name.startsWith('postgres.damaged-'))).toEqual([])
    expect(notices).toEqual([
      ['embedded index damaged: set aside, a new one is made from the chain', undefined],
      ['damaged indexes that were set aside are deleted with their chain', 3],
    ])
  })

  test('with a file that only another user may read is left alone', async ({ skip }) => {
    if (process.getuid === undefined) return skip('files have no users here')
    const folder = await temporaryFolder()
    await (await open(folder)).close()
    await chmod(dirname(folder), 0o755)
    if (process.getuid() === 0)
      for (const name of ['', ...(await readdir(folder, { recursive: true }))])
        await chown(join(folder, name), NOBODY, NOBODY)
    const file = join(folder, 'postgres/global/pg_control')
    if (process.getuid() === 0) await chown(file, 0, 0)
    await chmod(file, process.getuid() === 0 ? 0o600 : 0)
    const child = startChild(OPEN, [folder, JSON.stringify(notes)])
    let text = ''
    child.stdout.on('data', (bytes) => {
      text += bytes
    })
    await once(child, 'close')
    if (text === 'not readable\n') return skip('another user cannot read this program')
    expect(text).toMatch(
      /^unavailable .*postgres cannot be used: EACCES.*pg_control'; give the user of the service the whole data folder\n$/,
    )
    // On a slow disk the mark of a new database is still there.
    expect((await readdir(folder)).filter((name) => name !== 'postgres.unsynced')).toEqual(['postgres'])
  })
})

test('a close waits for another one that has begun', async () => {
  const database = await open(await temporaryFolder())
  const ended: string[] = []
  const first = database.close().then(() => ended.push('first'))
  await database.close().then(() => ended.push('second'))
  expect(ended).toEqual(['first', 'second'])
  await first
})

test('answers are not kept: more of them than the heap of the database may hold', async () => {
  const notices: string[] = []
  const database = await open(await temporaryFolder(), { notice: (text) => notices.push(text) })
  const lengths = new Set<number>()
  for (let answered = 0; answered < 400 << 20; answered += 8 << 20) {
    const rows = await database.read.query(sql`select repeat('x', 1 << 20) as text from generate_series(1, 8)`)
    for (const { text } of rows) lengths.add(String(text).length)
  }
  expect([...lengths]).toEqual([1 << 20])
  expect(notices).toEqual([])
})

describe('a queue', () => {
  test('is bounded, in number and in time', async () => {
    const database = await open(await temporaryFolder(), { queueLimit: 2, readTimeoutMs: 300 })
    let endTransaction = () => {}
    let long: Promise<void> = Promise.resolve()
    await new Promise<void>((begun) => {
      long = database.transaction(async (to) => {
        await to.query(sql`select 1`)
        begun()
        await new Promise<void>((resolve) => {
          endTransaction = resolve
        })
      })
    })
    const waiting = [count(database), count(database)]
    for (const late of waiting) late.catch(() => undefined)
    await expect(count(database)).rejects.toMatchObject({
      code: 'busy',
      message: expect.stringMatching(/2 statements are in the queue of the database/),
    })
    for (const late of waiting) await expect(late).rejects.toMatchObject({ code: 'busy' })
    endTransaction()
    await long
    expect(await count(database, { timeoutMs: 300_000 })).toBe(0)
  })

  test('a read that may take long makes no other wait for ever', async () => {
    const database = await open(await temporaryFolder(), { readTimeoutMs: 300 })
    let isOver = false
    const long = database.read.query(sql`select pg_sleep(5)`, { timeoutMs: 300_000 }).finally(() => (isOver = true))
    await expect(count(database)).rejects.toMatchObject({ code: 'timeout' })
    await expect(count(database, { timeoutMs: 50 })).rejects.toMatchObject({ code: 'timeout' })
    expect(isOver).toBe(false)
    expect(await long).toHaveLength(1)
    expect(await count(database, { timeoutMs: 300_000 })).toBe(0)
  })
})
