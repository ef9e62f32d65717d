// `tonrpc backup`: a copy of the data folder, also while the service runs in it.

import { z } from 'zod'
import { Settings } from '../../app/settings/settings.ts'
import { command } from '../command.ts'
import { settingFlag } from '../flags.ts'

export const backupCommand = command({
  name: 'backup',
  summary: 'copy the data folder, also while its service runs',
  words: [{ name: 'TO', description: 'a new folder for the copy' }],
  flags: z.strictObject({
    data: settingFlag(Settings.shape.data, 'the data folder of the service'),
    network: settingFlag(Settings.shape.network, 'chain of the service'),
    database: settingFlag(Settings.shape.database, 'the database of the service'),
    databaseFile: settingFlag(Settings.shape.databaseFile, 'file that holds the address of the database'),
    json: z.boolean().default(false).describe('print one JSON document'),
  }),
  notes: [
    'A running service makes the copy itself, so that its user must be able to write there. The copy has the chain, the embedded',
    'index, keys and usage. What is in a PostgreSQL is not in it: use pg_dump.',
    '',
  ],
  async run({ json, ...place }, io, [to = '']) {
    const { runBackup } = await import('./perform.ts')
    await runBackup(place, to, { ...io, json })
  },
})
