// Versions of wallets, as both interfaces name them.

import { z } from 'zod'

export const WalletType = z
  .enum([
    'wallet v1 r1',
    'wallet v1 r2',
    'wallet v1 r3',
    'wallet v2 r1',
    'wallet v2 r2',
    'wallet v3 r1',
    'wallet v3 r2',
    'wallet v4 r1',
    'wallet v4 r2',
    'wallet v5 beta',
    'wallet v5 r1',
  ])
  .meta({ id: 'WalletType', description: 'Version of a wallet contract.' })

export type WalletType = z.output<typeof WalletType>
