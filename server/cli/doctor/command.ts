// `tonrpc doctor`: the lite servers of a network one by one, and what to do about those that do not work.

import { z } from 'zod'
import { Settings } from '../../app/settings/settings.ts'
import { command } from '../command.ts'
import { UsageError } from '../commandErrors.ts'
import { settingFlag } from '../flags.ts'

export const doctorCommand = command({
  name: 'doctor',
  summary: 'examine the lite servers of a network',
  flags: z.strictObject({
    network: settingFlag(Settings.shape.network.unwrap().optional(), 'network the servers are of').meta({
      takes: 'testnet|mainnet|custom',
    }),
    liteservers: settingFlag(Settings.shape.liteservers, 'where they are listed, as for the service'),
    data: settingFlag(Settings.shape.data, 'folder that keeps a fetched list'),
    json: z.boolean().default(false).describe('print one JSON document'),
  }),
  notes: [
    'Exit codes: 0 when at least one server can be used, 1 when none can or the list cannot be read, 2 for flags that are',
    'not understood. --json says for each server what is wrong as a word ("fault") and in a sentence.',
    '',
  ],
  async run({ network, liteservers, data, json }, io) {
    if (network === undefined)
      throw new UsageError('name the network whose lite servers are examined: --network testnet, mainnet or custom')
    if (network === 'devnet')
      throw new UsageError('devnet has no lite servers to examine: name --network testnet, mainnet or custom')
    const { examineNetwork } = await import('./perform.ts')
    await examineNetwork({ network, liteservers, data }, { ...io, json })
  },
})
