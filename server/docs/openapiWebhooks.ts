// The interface of webhooks in the document of v3.

import {
  about,
  fields,
  integer,
  type LiveOperation,
  listOf,
  longInteger,
  parameter,
  SUBSCRIPTION,
  SUBSCRIPTION_EXAMPLE,
  textSchema,
  texts,
} from './liveOperation.ts'
import { EMPTY_REPLY, eventType, instantText, WEBHOOK_ROW, webhookSecrets } from './webhookShapes.ts'

export const WEBHOOKS_TAG = {
  name: 'Webhooks',
  description:
    'Notifications posted to an address, signed, in order and at least once, also after the receiver was away. Use them for servers; ' +
    'pages and wallets take streams. Every operation needs a key and costs one call; what is posted costs nothing. ' +
    'See the guide /docs/webhooks.',
}

export const WEBHOOK_ROOT = '/api/webhooks/v1'

type Verb = 'get' | 'post' | 'delete'
type Webhook = readonly [path: string, verb: Verb, operation: Omit<LiveOperation, 'tag'>]

const LIMIT = parameter('query', 'limit', 'Maximum rows, 1000 at most and by default.')
const OFFSET = parameter('query', 'offset', 'Rows to skip.')
const CURSOR = parameter('query', 'cursor', 'The `next_cursor` of the page before.', textSchema)
const OPCODE = parameter('path', 'opcode', 'Operation of the message, in hex.', {
  ...textSchema,
  pattern: '^0x[0-9a-fA-F]{1,8}$',
})

const accounts = (description: string) => ({
  ...fields({
    accounts: listOf(description, fields({ account_id: about('Address in any form.', textSchema) })),
  }),
  required: ['accounts'],
})

const ACCOUNT = `0:${'0'.repeat(64)}`

const MANAGED: readonly Webhook[] = [
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
      parameters: [LIMIT, CURSOR],
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
      parameters: [LIMIT, OFFSET],
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

const SUBSCRIBED: readonly Webhook[] = [
  [
    '/webhooks/{id}/account-tx/subscribe',
    'post',
    {
      id: 'webhooks_accounts_add',
      summary: 'Adds accounts.',
      description:
        'Each finalized transaction of them is posted as `account_tx`. Costs one call for any number of accounts.',
      body: accounts('Accounts to add.'),
      example: { accounts: [{ account_id: ACCOUNT }] },
      answer: EMPTY_REPLY,
    },
  ],
  [
    '/webhooks/{id}/account-tx/unsubscribe',
    'post',
    {
      id: 'webhooks_accounts_remove',
      summary: 'Removes accounts.',
      description: 'Their transactions are not posted any more. Costs one call for any number of accounts.',
      body: { ...fields({ accounts: about('Accounts to remove.', texts) }), required: ['accounts'] },
      example: { accounts: [ACCOUNT] },
      answer: EMPTY_REPLY,
    },
  ],
  [
    '/webhooks/{id}/account-tx/subscriptions',
    'get',
    {
      id: 'webhooks_accounts',
      summary: 'Accounts, each with the last lt that was delivered.',
      description: 'Compare the lt with that of the account to see what is still to come. Costs one call.',
      parameters: [LIMIT, OFFSET],
      answer: fields({
        account_tx_subscriptions: listOf(
          'Accounts.',
          fields({
            account_id: about('Raw address.', textSchema),
            last_delivered_lt: about('Logical time of the last transaction that was accepted.', longInteger),
          }),
        ),
      }),
    },
  ],
  ...(['subscribe', 'unsubscribe'] as const).flatMap((word): Webhook[] => {
    const isOn = word === 'subscribe'
    return [
      [
        `/webhooks/{id}/${word}-msg-opcode/{opcode}`,
        'post',
        {
          id: `webhooks_opcode_${word}`,
          summary: isOn ? 'Adds an opcode: messages with it, of any account.' : 'Removes an opcode.',
          description: isOn
            ? 'Use it to follow a protocol whatever its contracts are: `opcode_msg` is posted. 1000 opcodes at most. Costs one call.'
            : 'Messages with it are not posted any more. Costs one call.',
          parameters: [OPCODE],
          answer: EMPTY_REPLY,
        },
      ],
      [
        `/webhooks/{id}/${word}-new-contracts`,
        'post',
        {
          id: `webhooks_contracts_${word}`,
          summary: isOn ? 'Posts accounts that become active.' : 'Posts no new accounts any more.',
          description: isOn
            ? 'For indexers of contracts: `new_contracts` is posted for each. Many on a busy network. Costs one call.'
            : 'Ends what `subscribe-new-contracts` began. Costs one call.',
          answer: EMPTY_REPLY,
        },
      ],
    ]
  }),
  [
    '/webhooks/{id}/msg-opcode/subscriptions',
    'get',
    {
      id: 'webhooks_opcodes',
      summary: 'Opcodes.',
      description: 'The opcodes whose messages are posted. Costs one call.',
      answer: fields({
        subscriptions: listOf(
          'Opcodes.',
          fields({
            opcode: about('In hex, with eight digits.', textSchema),
            status: about('Always `active`.', textSchema),
          }),
        ),
      }),
    },
  ],
]

export const WEBHOOKS: readonly Webhook[] = [...MANAGED, ...SUBSCRIBED]
