// What a webhook is about beside its subscription: accounts, opcodes and new contracts, in the document of v3.

import { about, fields, listOf, longInteger, parameter, textSchema, texts } from './liveOperation.ts'
import { EMPTY_REPLY, ROWS_LIMIT, ROWS_OFFSET, type WebhookOperation } from './webhookShapes.ts'

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

export const WEBHOOK_SUBSCRIPTIONS: readonly WebhookOperation[] = [
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
      parameters: [ROWS_LIMIT, ROWS_OFFSET],
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
  ...(['subscribe', 'unsubscribe'] as const).flatMap((word): WebhookOperation[] => {
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
