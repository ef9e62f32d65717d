// What `getExtendedAddressInformation` tells of the contracts it knows by their code.

import { z } from 'zod'
import { CellText, MaybeHash } from './tonlib.ts'

const id = z.int().min(0)

const Limit = z
  .object({ '@type': z.literal('rwallet.limit'), seconds: z.int(), value: z.number() })
  .meta({ id: 'RestrictedWalletLimit' })

const numbered = <T extends string>(type: T) =>
  z.object({ '@type': z.literal(type), wallet_id: id, seqno: z.int().min(0) })

export const ExtendedAccountState = z
  .discriminatedUnion('@type', [
    z.object({ '@type': z.literal('uninited.accountState'), frozen_hash: MaybeHash }),
    z.object({ '@type': z.literal('raw.accountState'), code: CellText, data: CellText, frozen_hash: MaybeHash }),
    numbered('wallet.v3.accountState'),
    numbered('wallet.v4.accountState'),
    numbered('wallet.highload.v1.accountState'),
    z.object({ '@type': z.literal('wallet.highload.v2.accountState'), wallet_id: id }),
    z.object({ '@type': z.literal('dns.accountState'), wallet_id: id }),
    numbered('rwallet.accountState').extend({
      unlocked_balance: z.number(),
      config: z.object({ '@type': z.literal('rwallet.config'), start_at: z.int(), limits: z.array(Limit) }),
    }),
  ])
  .meta({ id: 'ExtendedAccountState' })
