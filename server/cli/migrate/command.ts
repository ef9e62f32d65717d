// `tonrpc migrate`: brings the tables of a PostgreSQL up to date before new processes start, or says what that would change.

import { z } from 'zod'
import { Settings } from '../../app/index.ts'
import { command } from '../command.ts'
import { settingFlag } from '../flags.ts'

export const migrate = command({
  name: 'migrate',
  summary: 'bring the tables of a PostgreSQL up to date, which a start does as well',
  flags: z.strictObject({
    database: settingFlag(Settings.shape.database, 'address of the PostgreSQL'),
    databaseFile: settingFlag(Settings.shape.databaseFile, 'file that holds the address'),
    dryRun: z.boolean().default(false).describe('say what would change, and change nothing'),
    json: z.boolean().default(false).describe('print one JSON document'),
  }),
  async run({ dryRun, json, ...place }, io) {
    const { runMigrate } = await import('./perform.ts')
    await runMigrate(place, { ...io, dryRun, json })
  },
})
