// A start just after the service before it was stopped.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { checkStart } from '../../../../server/app/database/indexStart.ts'
import { openIndexDatabase } from '../../../../server/app/database/openIndexDatabase.ts'
import { Settings } from '../../../../server/app/settings/settings.ts'
import { createLog } from '../../../../server/observe/index.ts'
import { lockFolder } from '../../../../server/process/index.ts'

const PATIENT_MS = 300_000

test('waits for an embedded index that was locked, instead of starting without it', async () => {
  const data = await mkdtemp(join(tmpdir(), 'tonrpc-left-'))
  onTestFinished(() => rm(data, { recursive: true, force: true, maxRetries: 5 }))
  const before = await lockFolder(join(data, 'index'))
  const config = Settings.parse({ data })
  const database = openIndexDatabase(config, createLog({ format: 'json', level: 'silent' }))
  onTestFinished(() => database.close())
  await expect.poll(() => database.failure?.code, { timeout: PATIENT_MS }).toBe('locked')
  const indexer = { indexed: () => null, readable: () => Promise.resolve() }
  const checked = checkStart(config, indexer, database, PATIENT_MS)
  await before.release()
  await checked
  expect([database.isOpen, database.failure]).toEqual([true, null])
})
