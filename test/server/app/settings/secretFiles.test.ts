// Secrets in files while a service runs: the file is read again, and what it holds is taken where it is of the same server.

import { rm, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { addressNow, withSecrets } from '../../../../server/app/settings/secretFiles.ts'
import { temporaryFolder } from '../../../setup/children.ts'

const FIRST = 'postgres://one:first@db:5432/index?sslmode=verify-full'
const ROTATED = 'postgres://two:second@db:5432/index?sslmode=verify-full'

test('a changed user and password are taken, any other change is not, and neither is a file that cannot be used', async () => {
  const databaseFile = await temporaryFolder()
  await writeFile(databaseFile, `${FIRST}\n`)
  const address = addressNow({ database: FIRST, databaseFile }, 'database')
  expect(address()).toBe(FIRST)
  await writeFile(databaseFile, `${ROTATED}\n`)
  expect(address()).toBe(ROTATED)
  for (const text of [
    ROTATED.replace('@db', '@other'),
    ROTATED.replace(':5432', ':5433'),
    ROTATED.replace('/index', '/other'),
    ROTATED.replace('?sslmode=verify-full', ''),
    'pglite',
    'not an address',
    '',
  ]) {
    await writeFile(databaseFile, text)
    expect([text, address()]).toEqual([text, ROTATED])
  }
  await rm(databaseFile)
  expect(address()).toBe(ROTATED)
  await writeFile(databaseFile, FIRST)
  expect(address()).toBe(FIRST)
})

test('a user and a password may be parameters, too', async () => {
  const databaseFile = await temporaryFolder()
  const of = (secret: string) => `postgres:///index?host=/run/postgresql&user=one&password=${secret}`
  await writeFile(databaseFile, of('second'))
  expect(addressNow({ database: of('first'), databaseFile }, 'database')()).toBe(of('second'))
})

test('without a file the address stays', () => {
  expect(addressNow({ database: FIRST, databaseFile: '' }, 'database')()).toBe(FIRST)
})

test('what files hold takes the place of the settings, unless those are given, too', async () => {
  const adminTokenFile = await temporaryFolder()
  await writeFile(adminTokenFile, '  a secret of many letters\n')
  expect(withSecrets({ adminTokenFile, adminToken: '', controlTokenFile: '' })).toEqual({
    adminTokenFile,
    adminToken: 'a secret of many letters',
    controlTokenFile: '',
  })
  expect(() => withSecrets({ adminTokenFile, adminToken: 'another secret of many' })).toThrow(
    '--admin-token and --admin-token-file are both given: leave one out',
  )
  for (const text of ['', ' \n', 'short']) {
    await writeFile(adminTokenFile, text)
    expect(() => withSecrets({ adminTokenFile, adminToken: '' })).toThrow(
      /^--admin-token-file: the file .* must hold a (?:value|secret of at least 16 ASCII characters)$/,
    )
  }
})
