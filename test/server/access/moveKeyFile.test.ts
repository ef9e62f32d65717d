// The keys of a file move into a database while the command line works on the same file.

import { readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hashKey } from '../../../server/access/apiKeys.ts'
import { createFileKeyStore, moveKeyFile } from '../../../server/access/fileKeyStore.ts'
import type { KeyRecord } from '../../../server/access/keyRecord.ts'
import { temporaryFolder } from './temporaryFolder.ts'

const order = { network: 'devnet', plan: 'free', perSecond: null, label: '', expiresAt: null } as const

/** A database; `meanwhile` happens before it has taken the keys. */
function database(meanwhile: () => Promise<void> = async () => undefined) {
  const taken: string[] = []
  return {
    taken,
    async add(records: readonly KeyRecord[]): Promise<number> {
      if (records.length > 0) await meanwhile()
      taken.push(...records.map(({ hash }) => hash))
      return records.length
    },
  }
}

test('a key that is made while the file moves is in the database or in the file', async () => {
  const folder = await temporaryFolder()
  const first = await createFileKeyStore(folder).create(order)
  const commandLine = createFileKeyStore(folder)
  let making: ReturnType<typeof commandLine.create> | undefined
  const into = database(async () => {
    making = commandLine.create(order)
    // With the lock held it ends only after the move.
    const isLocked = (await readdir(folder)).some((name) => name.startsWith('keys.json.lock'))
    if (!isLocked) await making
  })
  expect(await moveKeyFile(folder, into)).toEqual({ path: join(folder, 'keys.json'), added: 1 })
  const second = await making
  const left = (await createFileKeyStore(folder).list()).map(({ hash }) => hash)
  expect([...into.taken, ...left].sort()).toEqual([first.key, String(second?.key)].map(hashKey).sort())
})

test('while the database is waited for, the file is not locked', async () => {
  const folder = await temporaryFolder()
  await createFileKeyStore(folder).create(order)
  let come = (): void => undefined
  const there = new Promise<void>((resolve) => {
    come = resolve
  })
  const into = database()
  let isAsked = false
  const add = (records: readonly KeyRecord[]) => {
    isAsked = true
    return there.then(() => into.add(records))
  }
  const moving = moveKeyFile(folder, { add })
  await expect.poll(() => isAsked).toBe(true)
  expect((await readdir(folder)).filter((name) => name.startsWith('keys.json.lock'))).toEqual([])
  await createFileKeyStore(folder).create(order)
  come()
  expect(await moving).toMatchObject({ added: 2 })
})

test('without keys nothing is made', async () => {
  const folder = await temporaryFolder()
  expect(await moveKeyFile(folder, database())).toBeNull()
  await expect(readdir(folder)).rejects.toMatchObject({ code: 'ENOENT' })
})

test('a link to the file is renamed, and the file it leads to stays', async () => {
  const [folder, elsewhere] = [await temporaryFolder(), await temporaryFolder()]
  await createFileKeyStore(elsewhere).create(order)
  await createFileKeyStore(folder).create(order)
  await moveKeyFile(folder, database())
  await symlink(join(elsewhere, 'keys.json'), join(folder, 'keys.json'))
  const into = database()
  await moveKeyFile(folder, into)
  expect(into.taken).toHaveLength(1)
  expect([await readdir(folder), await readdir(elsewhere)]).toEqual([['keys.json.imported'], ['keys.json']])
})
