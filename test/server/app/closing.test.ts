// A service of which a part fails when it is closed.

import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openIndexDatabase } from '../../../server/app/database/openIndexDatabase.ts'
import { Settings } from '../../../server/app/settings/settings.ts'
import { startService } from '../../../server/app/startService.ts'
import { createLog } from '../../../server/observe/index.ts'

test('closes the others too, and gives its data folder free', async () => {
  const data = await mkdtemp(join(tmpdir(), 'tonrpc-closing-'))
  onTestFinished(() => rm(data, { recursive: true, force: true, maxRetries: 5 }))
  const log = createLog({ format: 'json', level: 'silent' })
  const config = Settings.parse({ port: 0, data, logLevel: 'silent', seed: 'none' })
  const database = openIndexDatabase(config, log)
  const close = database.close.bind(database)
  const failing = async (): Promise<void> => {
    await close()
    throw new Error('the disk of the index is gone')
  }
  const service = await startService({ config, log, database: Object.assign(database, { close: failing }) })
  // Not the folders in these: a database makes and removes them.
  const folders = [data, join(data, 'chain'), join(data, 'index')]
  const locks = async () =>
    (await Promise.all(folders.map((folder) => readdir(folder)))).flat().filter((name) => /lock\.\d+$/.test(name))
  await expect.poll(() => database.isOpen, { timeout: 60_000 }).toBe(true)
  expect(await locks()).not.toEqual([])
  await expect(service.close()).rejects.toThrow('the disk of the index is gone')
  expect(await locks()).toEqual([])
})
