// `tonrpc restore`: a data folder made from a backup.

import { z } from 'zod'
import { Settings } from '../../app/settings/settings.ts'
import { command } from '../command.ts'
import { settingFlag } from '../flags.ts'

export const restoreCommand = command({
  name: 'restore',
  summary: 'make a data folder from a backup, which is verified first',
  words: [{ name: 'FROM', description: 'the folder that tonrpc backup has made' }],
  flags: z.strictObject({
    data: settingFlag(Settings.shape.data, 'a new data folder, or an empty one'),
    json: z.boolean().default(false).describe('print one JSON document'),
  }),
  async run({ data, json }, io, [from = '']) {
    const { runRestore } = await import('./perform.ts')
    await runRestore(from, data, { ...io, json })
  },
})
