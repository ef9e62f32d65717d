// A server that reads its keys while their file is slow.

import { execFileSync } from 'node:child_process'
import { open, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createFileKeyStore } from '../../../server/access/fileKeyStore.ts'
import type { KeyOrder } from '../../../server/access/keyRecord.ts'
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
