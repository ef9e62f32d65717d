// A user of a database that may not make tables in it, as since PostgreSQL 15 every one that does not own it: the usual first
// start of a newcomer.

import { randomUUID } from 'node:crypto'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openIndexDatabase } from '../../../../server/app/database/openIndexDatabase.ts'
import { Settings } from '../../../../server/app/settings/settings.ts'
import { sql } from '../../../../server/store/index.ts'
import { drivers, dropDatabase, emptyDatabase, onServer } from '../../../setup/database.ts'

async function deniedUser() {
  const address = await emptyDatabase()
  const role = `tonrpc_test_${randomUUID().replaceAll('-', '')}`
  await onServer(`create role ${role} login password 'secret'`)
  const url = new URL(address)
  const own = async (): Promise<unknown> => onServer(`alter database "${url.pathname.slice(1)}" owner to ${role}`)
  url.username = role
  url.password = 'secret'
  onTestFinished(async () => {
    await dropDatabase(address)
    await onServer(`drop role ${role}`)
  })
  return { address: url.href, own }
}

describe.runIf(drivers.includes('postgres'))('a database whose user may not make tables', () => {
  test('is said to be one, with what to do, and is opened once the user may', async () => {
    const { address, own } = await deniedUser()
    const log = { info: vi.fn(), warn: vi.fn() }
    const late = openIndexDatabase(Settings.parse({ database: address, statementMs: 300_000 }), log)
    onTestFinished(() => late.close())
    await expect(late.read.query(sql`select 1 as one`)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/^permission denied for schema public: .*own/),
    })
    expect(log.warn.mock.calls).toEqual([
      [{ reason: expect.stringMatching(/^permission denied/) }, 'waiting for the database'],
    ])
    await own()
    await expect.poll(() => late.isOpen, { timeout: 300_000, interval: 100 }).toBe(true)
    expect(late.failure).toBeNull()
  })

  test('whose search_path names no schema: what to set, and it is opened once it is set', async () => {
    const address = await emptyDatabase()
    onTestFinished(() => dropDatabase(address))
    const url = new URL(address)
    const setPath = (path: string) => onServer(`alter database "${url.pathname.slice(1)}" set search_path = ${path}`)
    await setPath('nothing')
    const log = { info: vi.fn(), warn: vi.fn() }
    const late = openIndexDatabase(Settings.parse({ database: address, statementMs: 300_000 }), log)
    onTestFinished(() => late.close())
    await expect(late.read.query(sql`select 1 as one`)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/^no schema has been selected .*: the search_path .* SET search_path = public$/),
    })
    await setPath('public')
    await expect.poll(() => late.isOpen, { timeout: 300_000, interval: 100 }).toBe(true)
  })
})
