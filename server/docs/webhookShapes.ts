// What the interface of webhooks answers with, field by field.

import {
  about,
  boolean,
  fields,
  integer,
  type LiveOperation,
  parameter,
  SUBSCRIPTION,
  textSchema,
} from './liveOperation.ts'

export const instantText = (description: string) =>
  about(`${description}, in ISO 8601.`, { ...textSchema, format: 'date-time' })
export const EMPTY_REPLY = about('An empty object.', { type: 'object' })
export const eventType = {
  event_type: about('Type of the event, as in `X-Event-Type`.', textSchema),
}

export const WEBHOOK_ROW = fields({
  id: about('Number of the webhook.', integer),
  endpoint: about('Where events are posted.', textSchema),
  token: about('The first characters of the token.', textSchema),
  status: about('`online`; `offline` while attempts fail; `suspended` after 200 failures in a row.', textSchema),
  status_updated_at: instantText('When the status changed'),
  last_online_at: instantText('When an event was last accepted'),
  status_failed_attempts: about('Failures in a row.', integer),
  subscribed_accounts: about('Number of accounts of `account-tx`.', integer),
  subscribed_msg_opcodes: about('Number of opcodes.', integer),
  subscribed_to_mempool: about('Always false: such messages are on streams.', boolean),
  subscribed_to_new_contracts: about('Whether accounts that become active are posted.', boolean),
  description: about('The note it was added with.', textSchema),
  created_at: instantText('When it was added'),
  reason: about('Why the last attempt failed; empty when it did not.', textSchema),
  next_attempt_at: about('When the next attempt is made; null when none is due.', { type: ['string', 'null'] }),
  delivered: about('Events that were accepted.', integer),
  failed: about('Attempts that failed.', integer),
  subscription: about('As it was added; absent without one, and in the list when it is long.', SUBSCRIPTION),
  subscription_bytes: about('Length of a subscription that the list leaves out: above 16384.', integer),
})

export const webhookSecrets = {
  token: about('Sent with each notification in `Authorization: Bearer`.', textSchema),
  secret: about('Key of the HMAC-SHA256 in `X-Signature`.', textSchema),
}

type Verb = 'get' | 'post' | 'delete'
export type WebhookOperation = readonly [path: string, verb: Verb, operation: Omit<LiveOperation, 'tag'>]

export const ROWS_LIMIT = parameter('query', 'limit', 'Maximum rows, 1000 at most and by default.')
export const ROWS_OFFSET = parameter('query', 'offset', 'Rows to skip.')
