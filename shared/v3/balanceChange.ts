// What one account gained and lost, next to traces, actions and emulations.

import { z } from 'zod'
import { Digits } from './values.ts'

/** One NFT item that changed hands. */
export const NftMove = z
  .object({
    address: z.string().describe('Address of the item.'),
    gained: z.boolean().describe('True when the account owns it after, false when it owned it before.'),
  })
  .meta({ id: 'NftMove' })

const BalanceChange = z
  .object({
    ton: Digits.describe('Nanotons gained, negative when lost; fees included.'),
    fees: Digits.describe('Nanotons of fees paid.'),
    jettons: z.record(z.string(), Digits).describe('Jettons gained, negative when lost, by master.'),
    nfts: z.array(NftMove).describe('NFT items that changed owner.'),
  })
  .meta({ id: 'BalanceChange' })

export const BalanceChanges = z
  .record(z.string(), BalanceChange)
  .describe('Gains and losses by account; only with `include_balance_changes`.')

export const IncludeBalanceChanges = z
  .boolean()
  .default(false)
  .describe('Include what each account gains and loses: TON, fees, jettons, NFTs.')
