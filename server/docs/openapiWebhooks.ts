// The interface of webhooks in the document of v3.

import {
  about,
  fields,
  integer,
  listOf,
  longInteger,
  parameter,
  SUBSCRIPTION,
  SUBSCRIPTION_EXAMPLE,
  textSchema,
} from './liveOperation.ts'
import { WEBHOOK_SUBSCRIPTIONS } from './openapiWebhookSubscriptions.ts'
import {
  EMPTY_REPLY,
  eventType,
  instantText,
  ROWS_LIMIT,
  ROWS_OFFSET,
  WEBHOOK_ROW,
  type WebhookOperation,
  webhookSecrets,
} from './webhookShapes.ts'

export const WEBHOOKS_TAG = {
  name: 'Webhooks',
  description:
    'Notifications posted to an address, signed, in order and at least once, also after the receiver was away. Use them for servers; ' +
    'pages and wallets take streams. Every operation needs a key and costs one call; what is posted costs nothing. ' +
    'See the guide /docs/webhooks.',
}

export const WEBHOOK_ROOT = '/api/webhooks/v1'

const CURSOR = parameter('query', 'cursor', 'The `next_cursor` of the page before.', textSchema)
const MANAGED: readonly WebhookOperation[] = [
  [
    '/webhooks',
    'get',
    {
      id: 'webhooks_list',
      summary: 'Webhooks of the key, without their secrets.',
      description: 'For an overview of what is subscribed, what was delivered and what fails. Costs one call.',
      answer: fields({ webhooks: listOf('All of the key.', WEBHOOK_ROW) }),
    },
  ],
  [
    '/webhooks',
    'post',
    {
      id: 'webhooks_add',
      summary: 'Adds a webhook. Its secrets are in this answer and nowhere else.',
      description:
        'Events are posted from the newest block on. With a `subscription` they are those of a stream; accounts, opcodes and new ' +
        'contracts are added by their own operations. Costs one call; the plan bounds the number of webhooks.',
      body: {
        ...fields({
          endpoint: about('Address that notifications are posted to.', textSchema),
          description: about('A note of your own.', textSchema),
          subscription: about('What is posted, as in a subscription of a stream.', SUBSCRIPTION),
        }),
        required: ['endpoint'],
      },
      example: {
        endpoint: 'https://example.com/hook',
        subscription: { ...SUBSCRIPTION_EXAMPLE, min_finality: 'finalized' },
      },
      answer: fields({ webhook_id: about('Number of the webhook.', integer), ...webhookSecrets }),
    },
  ],
  [
    '/webhooks/{id}',
    'get',
    {
      id: 'webhooks_get',
      summary: 'One webhook.',
      description: 'As in the list, with its subscription however long that is. Costs one call.',
      answer: WEBHOOK_ROW,
    },
  ],
  [
    '/webhooks/{id}',
    'delete',
    {
      id: 'webhooks_remove',
      summary: 'Ends a webhook.',
      description: 'Nothing is posted any more, and its subscriptions and attempts are deleted. Costs one call.',
      answer: EMPTY_REPLY,
    },
  ],
  [
    '/webhooks/{id}/generate-new-token',
    'post',
    {
      id: 'webhooks_renew',
      summary: 'New secrets.',
      description: 'Use it when a secret became known: the old ones end at once. Costs one call.',
      answer: fields(webhookSecrets),
    },
  ],
  [
    '/webhooks/{id}/back-online',
    'post',
    {
      id: 'webhooks_retry',
      summary: 'Tries again now.',
      description:
        'For a receiver that works again: also ends a suspension. Events continue where they stopped. Costs one call.',
      answer: EMPTY_REPLY,
    },
  ],
  [
    '/webhooks/{id}/replay',
    'post',
    {
      id: 'webhooks_replay',
      summary: 'Posts everything from a block on again.',
      description:
        'For a receiver that lost what it had accepted: each event has the `Idempotency-Key` it had, unless a balance, a name or ' +
        'metadata in it has changed since. Also ends a suspension. Costs one call.',
      body: { ...fields({ from: about('The masterchain block it begins with.', integer) }), required: ['from'] },
      example: { from: 2 },
      answer: EMPTY_REPLY,
    },
  ],
  [
    '/webhooks/{id}/test',
    'post',
    {
      id: 'webhooks_test',
      summary: 'Posts a sample and reports the answer.',
      description: 'Use it after adding a webhook, to see that the receiver checks the signature. Costs one call.',
      answer: fields({
        status: about('HTTP status of the receiver; 0 without an answer.', integer),
        ms: about('Milliseconds it took.', integer),
        error: about('Why it was not accepted; empty when it was.', textSchema),
      }),
    },
  ],
  [
    '/webhooks/{id}/deliveries',
    'get',
    {
      id: 'webhooks_deliveries',
      summary: 'The last attempts, the newest first.',
      description: 'The last 1000 attempts are kept. Costs one call.',
      parameters: [ROWS_LIMIT, CURSOR],
      answer: fields({
        deliveries: listOf(
          'Attempts.',
          fields({
            id: about('Number of the attempt.', textSchema),
            time: instantText('When it was made'),
            ...eventType,
            mc_seqno: about('Masterchain block of the event.', integer),
            attempt: about('1 for the first attempt of an event.', integer),
            status: about('HTTP status of the receiver; 0 without an answer.', integer),
            ms: about('Milliseconds it took.', integer),
            error: about('Why it failed; absent when it did not.', textSchema),
          }),
        ),
        next_cursor: about('`cursor` of the next page; absent on the last one.', textSchema),
      }),
    },
  ],
  [
    '/webhooks/{id}/logs',
    'get',
    {
      id: 'webhooks_logs',
      summary: 'Attempts that failed.',
      description: 'The same attempts as `deliveries`, the failed ones only, in the form of tonapi. Costs one call.',
      parameters: [ROWS_LIMIT, ROWS_OFFSET],
      answer: fields({
        logs: listOf(
          'Failed attempts.',
          fields({
            timestamp: instantText('When it was made'),
            message: about('Number of the attempt, and why it failed.', textSchema),
            ...eventType,
          }),
        ),
        next_offset: about('`offset` of the next page; absent on the last one.', integer),
      }),
    },
  ],
  [
    '/usage-stats',
    'get',
    {
      id: 'webhooks_usage',
      summary: 'Accounts, deliveries and failures of the key.',
      description: 'For bills and alerts: sums over all webhooks of the key. Costs one call.',
      answer: fields({
        period_started_at: instantText('When the first webhook was added'),
        account_subscriptions: about('Accounts of all webhooks.', integer),
        webhooks_delivered: about('Events that were accepted.', longInteger),
        webhooks_failed: about('Attempts that failed.', longInteger),
      }),
    },
  ],
]

export const WEBHOOKS: readonly WebhookOperation[] = [...MANAGED, ...WEBHOOK_SUBSCRIPTIONS]
