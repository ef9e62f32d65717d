// A loss of power right after the first start: the new embedded database is complete, or another one is made.

import { once } from 'node:events'
import { readdir, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readBootId } from '../../../server/process/index.ts'
import { openDatabase, sql } from '../../../server/store/index.ts'
import { unpackImage } from '../../../server/store/pglite/image.ts'
import { filesOfArchive } from '../../../server/store/pglite/unpackArchive.ts'
import { childRoom } from '../../setup/childRooms.ts'
import { startChild, temporaryFolder } from '../../setup/children.ts'
import { PATIENT } from '../../setup/memoryStore.ts'

/** Opens a database for the first time, and prints which files were synced before the mark was removed. */
const OPEN_NOTED = `
const { default: fs } = await import('node:fs')
const { syncBuiltinESMExports } = await import('node:module')
const { basename, dirname, join, relative } = await import('node:path')
const { setTimeout: pause } = await import('node:timers/promises')
const [, folder] = process.argv
const path = join(fs.realpathSync(dirname(folder)), basename(folder), 'postgres')
const mark = path + '.unsynced'
const synced = new Set()
for (const name of ['fsync', 'fdatasync']) {
  const real = fs[name]
  fs[name] = (file, done) => {
    const own = relative(path, fs.readlinkSync('/proc/self/fd/' + file))
    real(file, (error) => {
      if (fs.existsSync(mark)) synced.add(own)
      done(error)
    })
  }
}
syncBuiltinESMExports()
const { openDatabase } = await import(${JSON.stringify(childRoom('store'))})
const database = await openDatabase({ database: 'pglite', folder })
while (fs.existsSync(mark)) await pause(1)
console.log(JSON.stringify([...synced]))
await database.close()`

/** Closes a database for which there is no time while its first two files are being synced, and prints what was synced after them. */
const CLOSE_SHORT = `
const { default: fs } = await import('node:fs')
const { syncBuiltinESMExports } = await import('node:module')
const { setImmediate: nextTurn, setTimeout: pause } = await import('node:timers/promises')
const [, folder] = process.argv
const held = []
const later = []
let isHeld = false
for (const name of ['fsync', 'fdatasync']) {
  const real = fs[name]
  fs[name] = (file, done) => {
    const path = fs.readlinkSync('/proc/self/fd/' + file)
    if (isHeld && held.length < 2) return void held.push(done)
    if (isHeld) later.push(path)
    real(file, done)
  }
}
syncBuiltinESMExports()
const { openDatabase } = await import(${JSON.stringify(childRoom('store'))})
const opened = openDatabase({ database: 'pglite', folder, closeMs: 1, migrations: [] })
while (!fs.existsSync(folder + '/postgres.unsynced')) await nextTurn()
isHeld = true
const database = await opened
while (held.length < 2) await nextTurn()
const closed = database.close()
await nextTurn()
await pause(50)
for (const done of held) done(null)
await closed
console.log(JSON.stringify(later))`

async function opened(folder: string) {
  const notices: string[] = []
  const notice = (text: string) => void notices.push(text)
  const database = await openDatabase({ ...PATIENT, database: 'pglite', folder, notice })
  onTestFinished(() => database.close())
  return { database, notices }
}

const filesIn = async (folder: string) => (await readdir(folder)).filter((name) => name.startsWith('postgres'))

const bootId = await readBootId()

describe.runIf(bootId !== null)('a new database', () => {
  test('counts as being on the disk when every file of it is', async () => {
    const child = startChild(OPEN_NOTED, [await temporaryFolder()])
    let text = ''
    child.stdout.on('data', (bytes) => {
      text += bytes
    })
    await once(child, 'close')
    const synced = new Set(JSON.parse(text) as string[])
    const image = await unpackImage('tables')
    const made = ['', ...[...filesOfArchive(image ?? new Uint8Array(1))].map(({ path }) => path)]
    expect(made.length).toBeGreaterThan(500)
    expect(made.filter((path) => !synced.has(path))).toEqual([])
  })

  test('is closed without what is left to sync where there is no time for it, which the next start does', async () => {
    const folder = await temporaryFolder()
    const child = startChild(CLOSE_SHORT, [folder])
    let text = ''
    child.stdout.on('data', (bytes) => {
      text += bytes
    })
    await once(child, 'close')
    expect(JSON.parse(text)).toEqual([])
    expect(await filesIn(folder)).toContain('postgres.unsynced')
    await opened(folder)
    await expect.poll(() => filesIn(folder)).toEqual(['postgres'])
  })

  test('of which the machine may have lost files before that is set aside, and another one made', async () => {
    const folder = await temporaryFolder()
    const path = join(folder, 'postgres')
    await (await opened(folder)).database.close()
    // The boot id of an earlier start of the machine, or none because it was lost as well.
    for (const text of ['another', '']) {
      await writeFile(`${path}.unsynced`, text)
      for (const name of await readdir(join(path, 'base/5'))) await truncate(join(path, 'base/5', name), 0)
      const { database, notices } = await opened(folder)
      expect(await database.read.query(sql`select count(*) as n from blocks`)).toEqual([{ n: 0n }])
      expect(notices).toEqual(['embedded index damaged: set aside, a new one is made from the chain'])
      await expect.poll(() => filesIn(folder)).not.toContain('postgres.unsynced')
      await database.close()
    }
  })

  test('whose process alone was killed before that keeps what was committed', async () => {
    const folder = await temporaryFolder()
    const first = await opened(folder)
    await first.database.transaction((to) => to.query(sql`create table kept (n int8)`))
    await first.database.close()
    await writeFile(join(folder, 'postgres.unsynced'), bootId ?? '')
    const { database, notices } = await opened(folder)
    expect(await database.read.query(sql`select count(*) as n from kept`)).toEqual([{ n: 0n }])
    await expect.poll(() => filesIn(folder)).toEqual(['postgres'])
    expect(notices).toEqual([])
  })
})
