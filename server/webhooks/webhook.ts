// A webhook as it is delivered, read from its rows.

import { rawOfKey } from '../methods/index.ts'
import { claimWebhook, readWebhookAccounts, readWebhookOpcodes, type Sql, type WebhookRow } from '../store/index.ts'
import type { BlockNotices, Subscription } from '../streaming/index.ts'
import type { WebhookFilter } from './webhookEvent.ts'

export interface ClaimedWebhook {
  readonly row: WebhookRow
  readonly filter: WebhookFilter
}

/** Takes a webhook over from the process that delivered it before; null when it was removed. */
export async function claim(to: Sql, notices: BlockNotices, id: bigint): Promise<ClaimedWebhook | null> {
  const row = await claimWebhook(to, id)
  if (row === null) return null
  const [accounts, opcodes] = await Promise.all([readWebhookAccounts(to, id), readWebhookOpcodes(to, id)])
  const subscription: Subscription | null =
    row.subscription === '' ? null : notices.read(JSON.parse(row.subscription), Number.POSITIVE_INFINITY)
  return {
    row,
    filter: {
      subscription,
      accounts: new Set(accounts.map(({ account }) => rawOfKey(account))),
      opcodes: new Set(opcodes.map(Number)),
      newContracts: row.new_contracts,
    },
  }
}
