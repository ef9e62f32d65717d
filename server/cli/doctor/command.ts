// `tonrpc doctor`: the lite servers of a network one by one, and what to do about those that do not work.

import { z } from 'zod'
import { Settings } from '../../app/index.ts'
import { command } from '../command.ts'
import { UsageError } from '../errors.ts'
import { settingFlag } from '../flags.ts'

export const doctor = command({
  name: 'doctor',
  summary: 'examine the lite servers of a network',
  flags: z.strictObject({
    network: settingFlag(Settings.shape.network, 'network the servers are of: testnet, mainnet or custom'),
    liteservers: settingFlag(Settings.shape.liteservers, 'where they are listed, as for the service'),
    data: settingFlag(Settings.shape.data, 'folder that keeps a fetched list'),
    json: z.boolean().default(false).describe('print one JSON document'),
  }),
  async run({ network, liteservers, data, json }, io) {
    if (network === 'devnet')
      throw new UsageError('devnet has no lite servers to examine: name --network testnet, mainnet or custom')
    const { examineNetwork } = await import('./perform.ts')
    await examineNetwork({ network, liteservers, data }, { ...io, json })
  },
})
