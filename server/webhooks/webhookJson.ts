// Webhooks in the JSON of the interface: names and forms of another service's, with a few of our own.

import { rawOfKey } from '../methods/index.ts'
import type { ListedWebhook, WebhookDeliveryRow } from '../store/index.ts'

export interface PartCounts {
  readonly accounts: bigint | number
  readonly opcodes: bigint | number
}

const instant = (ms: bigint): string => new Date(Number(ms)).toISOString()

/** Secrets are shown when they are made, and never again. */
const hidden = (secret: string): string => `${secret.slice(0, 8)}…`

/** The subscription as it is stored, which may be a megabyte, or its length where the list leaves it out. */
const subscriptionText = ({ subscription, subscription_bytes }: ListedWebhook): string => {
  if (subscription !== '') return `,"subscription":${subscription}`
  return subscription_bytes === 0 ? '' : `,"subscription_bytes":${subscription_bytes}`
}

const webhookJson = (row: ListedWebhook, { accounts, opcodes }: PartCounts) => ({
  id: Number(row.id),
  endpoint: row.endpoint,
  token: hidden(row.token),
  status: row.status,
  status_updated_at: instant(row.status_at),
  last_online_at: instant(row.last_online_at),
  status_failed_attempts: row.failures,
  subscribed_accounts: Number(accounts),
  subscribed_msg_opcodes: Number(opcodes),
  subscribed_to_mempool: false,
  subscribed_to_new_contracts: row.new_contracts,
  description: row.description,
  created_at: instant(row.created_at),
  reason: row.reason,
  next_attempt_at: row.next_at === 0n ? null : instant(row.next_at),
  delivered: Number(row.delivered),
  failed: Number(row.failed),
})

/** One webhook, as JSON text. */
export const webhookText = (row: ListedWebhook, counts: PartCounts): string =>
  `${JSON.stringify(webhookJson(row, counts)).slice(0, -1)}${subscriptionText(row)}}`

export const deliveryJson = ({ id, at, event, mc_seqno, attempt, status, ms, error }: WebhookDeliveryRow) => ({
  id: String(id),
  time: instant(at),
  event_type: event,
  mc_seqno: Number(mc_seqno),
  attempt,
  status,
  ms,
  ...(error === '' ? {} : { error }),
})

export const logJson = ({ at, event, error, attempt }: WebhookDeliveryRow) => ({
  timestamp: instant(at),
  message: `attempt ${attempt}: ${error}`,
  event_type: event,
})

export const accountJson = ({
  account,
  last_lt,
}: {
  account: Uint8Array & Parameters<typeof rawOfKey>[0]
  last_lt: bigint
}): string => `{"account_id":${JSON.stringify(rawOfKey(account).toLowerCase())},"last_delivered_lt":${last_lt}}`

export function webhookUsageJson(
  rows: readonly ListedWebhook[],
  counts: readonly Pick<PartCounts, 'accounts'>[],
): object {
  const sum = (of: readonly (bigint | number)[]): number => of.reduce<number>((a, b) => a + Number(b), 0)
  return {
    period_started_at: instant(rows[0]?.created_at ?? BigInt(Date.now())),
    account_subscriptions: sum(counts.map(({ accounts }) => accounts)),
    webhooks_delivered: sum(rows.map(({ delivered }) => delivered)),
    webhooks_failed: sum(rows.map(({ failed }) => failed)),
  }
}
