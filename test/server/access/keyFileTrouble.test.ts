// A server that reads its keys while their file is slow or away.

import { execFileSync } from 'node:child_process'
import { open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createFileKeyStore } from '../../../server/access/fileKeyStore.ts'
import type { KeyOrder } from '../../../server/access/keyRecord.ts'
import { STORE_LAG } from '../../../server/access/keyStore.ts'
import { temporaryFolder } from './temporaryFolder.ts'

const order: KeyOrder = { network: 'devnet', plan: 'free', perSecond: null, label: 'a', expiresAt: null }

test.skipIf(process.platform === 'win32')(
  'a key that was revoked while the file was read slowly stays revoked',
  async () => {
    const folder = await temporaryFolder()
    const file = join(folder, 'keys.json')
    const now = Date.now()
    const { record } = await createFileKeyStore(folder).create(order)
    const before = await readFile(file, 'utf8')
    await rm(file)
    // What is read from it comes when the test writes it.
    execFileSync('mkfifo', [file])
    const store = createFileKeyStore(folder, { now: () => now })
    const finding = store.find(record.hash)
    const slow = await open(file, 'w')
    await rm(file)
    await writeFile(file, before)
    await store.revoke(record.id)
    await slow.writeFile(before)
    await slow.close()
    expect(await finding).toMatchObject({ revokedAt: now })
    expect(await store.find(record.hash)).toMatchObject({ revokedAt: now })
  },
)

test('a folder that is away once more is reported once more, though its file is the same', async () => {
  const folder = await temporaryFolder()
  const reports: string[] = []
  let now = Date.now()
  const store = createFileKeyStore(folder, { now: () => now, report: ({ message }) => void reports.push(message) })
  const { record } = await store.create(order)
  const look = async () => {
    now += STORE_LAG
    expect(await store.find(record.hash)).toMatchObject({ id: record.id })
  }
  for (const times of [1, 2]) {
    await rename(folder, `${folder}-away`)
    await writeFile(folder, 'no folder')
    await look()
    await look()
    expect(reports).toHaveLength(times)
    await rm(folder)
    await rename(`${folder}-away`, folder)
    await look()
  }
})
