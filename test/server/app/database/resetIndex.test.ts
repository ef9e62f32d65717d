// What a reset leaves in the folder of the embedded index.

import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openIndexDatabase } from '../../../../server/app/database/openIndexDatabase.ts'
import { Settings } from '../../../../server/app/settings/settings.ts'
import { sql } from '../../../../server/store/index.ts'
import { temporaryFolder } from '../../../setup/children.ts'

test.each([
  [{ reset: true }, []],
  [{}, ['postgres.damaged-2026-01-01']],
  [{ reset: true, network: 'testnet' }, ['postgres.damaged-2026-01-01']],
] as const)('of an index that was set aside, with %o: %o', async (settings, left) => {
  const data = await temporaryFolder()
  await mkdir(join(data, 'index/postgres.damaged-2026-01-01/base'), { recursive: true })
  const log = { info: () => undefined, warn: () => undefined }
  const late = openIndexDatabase(Settings.parse({ data, statementMs: 300_000, ...settings }), log)
  onTestFinished(() => late.close())
  expect(await late.read.query(sql`select 1::int4 as one`)).toEqual([{ one: 1 }])
  expect((await readdir(join(data, 'index'))).filter((name) => name.includes('damaged'))).toEqual(left)
})
