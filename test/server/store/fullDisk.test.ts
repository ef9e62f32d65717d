// A disk without room for the log of the embedded database, which breaks it down: its files may grow no further than a
// limit of the system on the process, which needs no rights to set.

import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase, sql } from '../../../server/store/index.ts'
import { startChild, temporaryFolder } from '../../setup/children.ts'
import { PATIENT } from '../../setup/memoryStore.ts'

const notes = [{ number: 1, name: '0001_notes', sql: 'create table notes (id int8 primary key)' }]

/** Writes a row with a megabyte of log at a time, again and again, and says after each how it went. */
const WRITE = `
const { writeSync } = await import('node:fs')
const { openDatabase, sql } = await import(built + 'store/index.js')
const migrations = JSON.parse(process.argv[2])
const database = await openDatabase({ database: 'pglite', folder: process.argv[1], migrations })
for (let id = 1n; ; ) {
  try {
    await database.transaction(async (to) => {
      await to.query(sql\`insert into notes values (\${id})\`)
      await to.query(sql\`select pg_logical_emit_message(true, 'a', repeat('x', 1000000))::text\`)
    })
    writeSync(1, 'wrote ' + id++ + '\\n')
  } catch (error) {
    writeSync(1, error.code + ' ' + error.message + '\\n')
    const found = await database.read.query(sql\`select 1\`).then(() => 'reads', (failure) => failure.code)
    writeSync(1, 'then ' + found + '\\n')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}`

/** The log is in files of 4 MB. */
const limitFiles = (pid: number | undefined, size: string) =>
  promisify(execFile)('prlimit', [`--pid=${pid}`, `--fsize=${size}:unlimited`])

test.runIf(process.platform === 'linux')(
  'says that there is no room, keeps what was written, and goes on when there is room',
  async () => {
    const folder = await temporaryFolder()
    const child = startChild(WRITE, [folder, JSON.stringify(notes)])
    onTestFinished(() => void child.kill('SIGKILL'))
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    const next = async (): Promise<string> => String((await lines.next()).value)
    const until = async (begin: string): Promise<string> => {
      let line = await next()
      while (!line.startsWith(begin)) line = await next()
      return line
    }
    await until('wrote')
    await limitFiles(child.pid, String(2 << 20))
    let last = 'wrote 1'
    let line = await next()
    for (; line.startsWith('wrote'); line = await next()) last = line
    expect(line).toMatch(/^full .*postgres: .*File too large/)
    // A database that broke down is started again, which needs room as well. A read can end before that start has.
    await until('then full')
    await limitFiles(child.pid, 'unlimited')
    const over = once(child, 'close')
    line = await until('wrote')
    expect(Number(line.slice(6))).toBe(Number(last.slice(6)) + 1)
    child.kill('SIGKILL')
    await over
    const database = await openDatabase({ ...PATIENT, database: 'pglite', folder, migrations: notes })
    onTestFinished(() => database.close())
    const [found] = await database.read.query(sql`select count(*) as n, max(id) as top from notes`)
    expect(Number(found?.n)).toBe(Number(found?.top))
    expect(Number(found?.n)).toBeGreaterThanOrEqual(Number(line.slice(6)))
  },
)
