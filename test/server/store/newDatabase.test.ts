// An embedded database that is made at the first start: a machine that loses its power in these seconds keeps all of it or begins anew.

import { once } from 'node:events'
import { mkdir, readdir, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase, sql } from '../../../server/store/index.ts'
import { childRoom } from '../../setup/childRooms.ts'
import { startChild, temporaryFolder } from '../../setup/children.ts'

/** Opens a database for the first time, and says which of its files and folders were not brought to the disk by then. */
const OPEN_NOTED = `
const { default: fs } = await import('node:fs')
const { syncBuiltinESMExports } = await import('node:module')
const { join } = await import('node:path')
const synced = new Set()
for (const name of ['fsync', 'fdatasync']) {
  const real = fs[name]
  fs[name] = (file, done) => {
    synced.add(fs.readlinkSync('/proc/self/fd/' + file))
    real(file, done)
  }
}
syncBuiltinESMExports()
const { openDatabase } = await import(${JSON.stringify(childRoom('store'))})
const [, folder] = process.argv
const database = await openDatabase({ database: 'pglite', folder })
const path = join(folder, 'postgres')
// The last says which process runs it.
const entries = fs.readdirSync(path, { recursive: true, withFileTypes: true }).filter(({ name }) => name !== 'postmaster.pid')
const all = [path, ...entries.map(({ parentPath, name }) => join(parentPath, name))]
console.log(JSON.stringify({ all: all.length, missing: all.filter((path) => !synced.has(path)) }))
await database.close()`

async function opened(folder: string) {
  const notices: string[] = []
  const database = await openDatabase({ database: 'pglite', folder, notice: (text) => void notices.push(text) })
  onTestFinished(() => database.close())
  return { database, notices }
}

describe('a new database', () => {
  test('is on the disk, every file of it, when it is open', async ({ skip }) => {
    if (process.platform !== 'linux') return skip('files of descriptors have no names here')
    const child = startChild(OPEN_NOTED, [await temporaryFolder()])
    let text = ''
    child.stdout.on('data', (bytes) => {
      text += bytes
    })
    await once(child, 'close')
    const { all, missing } = JSON.parse(text) as { all: number; missing: readonly string[] }
    expect(all).toBeGreaterThan(500)
    expect(missing).toEqual([])
  })

  test('of which some files were lost before that is made anew, as if it had never been', async () => {
    const folder = await temporaryFolder()
    const path = join(folder, 'postgres')
    await (await opened(folder)).database.close()
    await writeFile(`${path}.new`, '')
    const tables = await readdir(join(path, 'base/5'))
    for (const name of tables) await truncate(join(path, 'base/5', name), 0)
    const { database, notices } = await opened(folder)
    expect(await database.read.query(sql`select count(*) as n from blocks`)).toEqual([{ n: 0n }])
    expect(notices).toEqual([])
    expect((await readdir(folder)).filter((name) => name.startsWith('postgres'))).toEqual(['postgres'])
  })

  test('that could not be begun leaves nothing behind that stops the next start', async () => {
    const folder = await temporaryFolder()
    await mkdir(join(folder, 'postgres/base'), { recursive: true })
    await writeFile(join(folder, 'postgres.new'), '')
    const { database, notices } = await opened(folder)
    await database.transaction((to) => to.query(sql`create table kept (n int8)`))
    await database.close()
    const again = await opened(folder)
    expect(await again.database.read.query(sql`select count(*) as n from kept`)).toEqual([{ n: 0n }])
    expect([...notices, ...again.notices]).toEqual([])
  })
})
