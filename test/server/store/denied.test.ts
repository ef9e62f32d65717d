// One state of PostgreSQL stands for a user without a right and for a disk that takes no writes.

import pg from 'pg'
import { expect, test } from 'vitest'
import { toStoreError } from '../../../server/store/failure.ts'
import { sql } from '../../../server/store/index.ts'
import { drivers, freshDatabase } from '../../setup/database.ts'

const notes = [{ number: 1, name: '0001_notes', sql: 'create table notes (id int4 primary key)' }]
const DENIED = { code: '42501' }

test.each(drivers)('%s: a user who may not write is told who has to own the database', async (driver) => {
  await using database = await freshDatabase(driver, { migrations: notes })
  const denied = database.transaction(async (to) => {
    await to.query(sql`create role denied_here`)
    await to.query(sql`set local role denied_here`)
    await to.query(sql`insert into notes values (1)`)
  })
  await expect(denied).rejects.toMatchObject({
    code: 'unavailable',
    sqlState: '42501',
    message: expect.stringMatching(/^permission denied for .*: .*ALTER DATABASE/),
  })
})

test.each([
  ['a disk that takes no writes', 'could not extend file "base/5/18044": Read-only file system', 'mdextend'],
  ['files of another user', 'could not open file "base/5/18044": Permission denied', 'mdopenfork'],
])('behavior: of %s nothing is said about the owner of the database', (_, text, routine) => {
  const failed = Object.assign(new pg.DatabaseError(text, text.length, 'error'), DENIED, { routine })
  expect(toStoreError(failed)).toMatchObject({ code: 'unavailable', sqlState: '42501', message: text })
})
