// Who gained and lost what in a trace or an action.

import { z } from 'zod'
import { exampleValues } from '../exampleValues.ts'
import { method } from '../method.ts'
import { NftMove } from './balanceChange.ts'
import { HashFilter } from './filters.ts'
import { Digits, readsV3 } from './values.ts'

const ByAccount = (description: string) => z.record(z.string(), Digits).describe(description)

const { OWNER: WALLET, JETTON } = exampleValues

export const balanceChangesV3 = {
  'v3.balanceChanges': method({
    summary: 'What each account gained and lost in a trace or in an action: TON, fees, jettons, NFTs.',
    description:
      'Computed from what the messages moved: in a whole trace the TON of an account is the difference of its balances. Jettons and items count with their owners. Exactly one of `trace_id` and `action_id`. `include_balance_changes` of v3.traces, v3.actions and emulate.trace returns the same.',
    group: 'traces',
    params: z.strictObject({
      trace_id: HashFilter.optional().describe('Hash of the first transaction of the trace.'),
      action_id: HashFilter.optional().describe('Id of an action: only its transactions count.'),
    }),
    result: z
      .object({
        changes: ByAccount('Nanotons gained by account, negative when lost; fees included.'),
        fees: ByAccount('Nanotons of fees paid by account.'),
        jettons: z
          .record(z.string(), z.record(z.string(), Digits))
          .describe('Jettons gained by owner and master, negative when lost.'),
        nfts: z.record(z.string(), z.array(NftMove)).describe('NFT items that changed owner, by owner.'),
      })
      .meta({ id: 'BalanceChangesResponse' }),
    rest: readsV3('balanceChanges'),
    freshness: 'index',
    cost: 2,
    example: {
      params: { trace_id: exampleValues.TRACE },
      result: {
        changes: { [WALLET]: '-21011208' },
        fees: { [WALLET]: '3011208' },
        jettons: { [WALLET]: { [JETTON]: '-1500000' } },
        nfts: {},
      },
    },
  }),
}
