// A newer version has used the data folder, and an older one is started over it again.

import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openIndexDatabase } from '../../../server/app/database/openIndexDatabase.ts'
import { Settings } from '../../../server/app/settings/settings.ts'
import { openDatabase, sql } from '../../../server/store/index.ts'

const notes = { info: () => undefined, warn: () => undefined }

test('of an embedded index of a newer version it says what to do, and that works', async () => {
  const data = await mkdtemp(join(tmpdir(), 'tonrpc-newer-'))
  onTestFinished(() => rm(data, { recursive: true, force: true }))
  const folder = join(data, 'index')
  const newer = await openDatabase({ database: 'pglite', folder })
  await newer.transaction((to) => to.query(sql`insert into tonrpc_migrations values (9999, '9999_later', '', 0)`))
  await newer.close()

  const config = Settings.parse({ data })
  const older = openIndexDatabase(config, notes)
  await expect.poll(() => older.failure?.message, { timeout: 300_000 }).toMatch(/made by a newer version/)
  expect(older.failure).toMatchObject({
    code: 'mismatch',
    message: expect.stringContaining(`; or move ${folder} away: an index without its webhooks is made from the chain`),
  })
  await older.close()

  await rename(folder, join(data, 'newer-index'))
  const again = openIndexDatabase(config, notes)
  await expect.poll(() => again.isOpen, { timeout: 300_000 }).toBe(true)
  await again.close()
})
