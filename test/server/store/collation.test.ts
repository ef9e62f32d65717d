// A database that orders texts as a language does: lists have the order they have everywhere else.

import { expect, onTestFinished, test } from 'vitest'
import { addUsage, openDatabase, putPlanRow, readPlanRows, readUsage } from '../../../server/store/index.ts'
import { drivers, dropDatabase, emptyDatabase } from '../../setup/database.ts'
import { PATIENCE_MS } from '../../setup/memoryStore.ts'

const METHODS = ['sendBoc', 'SendBoc', 'v3.blocks', 'v3Blocks', 'v3.a', 'V3.b', 'é']
const PLANS = ['a-b', 'ab', 'a_a', 'a1', 'a-a']

const byCode = (texts: readonly string[]): string[] => [...texts].sort()

test.runIf(drivers.includes('postgres'))('usage and plans are listed by the codes of their characters', async () => {
  const address = await emptyDatabase(`template0 locale_provider icu icu_locale 'en-US'`)
  onTestFinished(() => dropDatabase(address))
  const database = await openDatabase({ database: address, readTimeoutMs: PATIENCE_MS })
  onTestFinished(() => database.close())
  const counts = { calls: 1, weight: 1, errors: 0, limited: 0, bytes: 1 }
  const usage = METHODS.map((method) => ({ day: '2026-11-21', keyId: '', method, ...counts }))
  await addUsage(database, { writer: 'one', number: 1, usage, months: [] })
  const used = await readUsage(database.read, { from: '2026-11-01', to: '2026-11-30', keyId: null }, 62)
  expect(used.map(({ method }) => method)).toEqual(byCode(METHODS))
  const limits = { monthly: null, connections: null, streamConnections: null, streamAddresses: null, webhooks: 1 }
  await database.transaction(async (to) => {
    for (const name of PLANS) await putPlanRow(to, { name, perSecond: 1, ...limits })
  })
  const plans = (await readPlanRows(database.read)).filter(({ perSecond }) => perSecond === 1)
  expect(plans.map(({ name }) => name)).toEqual(byCode(PLANS))
})
