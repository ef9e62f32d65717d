// `tonrpc migrate`: brings the tables of a PostgreSQL up to date before new processes start, or says what that would change.

import { z } from 'zod'
import { Settings } from '../../app/settings/settings.ts'
import { command } from '../command.ts'
import { UsageError } from '../commandErrors.ts'
import { settingFlag } from '../flags.ts'

export const migrateCommand = command({
  name: 'migrate',
  summary: 'bring the tables of a PostgreSQL up to date, which a start does as well',
  flags: z.strictObject({
    database: settingFlag(Settings.shape.database, 'address of the PostgreSQL'),
    databaseFile: settingFlag(Settings.shape.databaseFile, 'file that holds the address'),
    from: z.string().default('').meta({
      takes: 'folder',
      description: 'data folder whose embedded index is copied into the empty PostgreSQL first',
    }),
    dryRun: z.boolean().default(false).describe('say what would change, and change nothing'),
    json: z.boolean().default(false).describe('print one JSON document'),
  }),
  notes: [
    'With --from the service of that folder keeps running meanwhile. A copy that was cut short goes on when the command is run again.',
    'Then restart the service with --database or --database-file: it goes on from the last block of the copy.',
    '',
  ],
  async run({ dryRun, json, from, ...place }, io) {
    if (from !== '' && dryRun) throw new UsageError('--dry-run is for the tables alone: leave out --from')
    const { runMigrate, runMove } = await import('./perform.ts')
    await runMigrate(place, { ...io, dryRun, json: json && from === '' })
    if (from === '') return
    await runMove({ ...place, data: from }, { ...io, json })
  },
})
