// Streams and webhooks in the document of v3: paths that are no methods of the registry.

const json = (schema: object, example?: unknown) => ({
  'application/json': { schema, ...(example === undefined ? {} : { example }) },
})
const object = { type: 'object' } as const
const text = { type: 'string' } as const
const texts = { type: 'array', items: text } as const

/** The same schema with words about what it stands for. */
const about = <S extends object>(description: string, schema: S) => ({ ...schema, description })

const SUBSCRIPTION = {
  type: 'object',
  required: ['types'],
  properties: {
    types: {
      description: 'Kinds of notifications.',
      type: 'array',
      items: {
        enum: [
          'transactions',
          'actions',
          'trace',
          'account_state_change',
          'jettons_change',
          'blocks',
          'trace_invalidated',
        ],
      },
    },
    addresses: about('Accounts, in any form; needed by all types but `trace` and `blocks`.', texts),
    trace_external_hash_norms: about('For `trace`: hashes of sent messages.', texts),
    min_finality: {
      description: 'What is less certain is left out.',
      enum: ['pending', 'confirmed', 'finalized'],
      default: 'finalized',
    },
    action_types: about('Actions of these types only.', texts),
    supported_action_types: about('Action types the reader understands.', texts),
    include_address_book: about('Adds the names of accounts.', { type: 'boolean', default: false }),
    include_metadata: about('Adds the metadata of tokens.', { type: 'boolean', default: false }),
    after: { ...text, description: 'A cursor: everything after it comes first.' },
    id: about('Comes back in the reply.', text),
  },
} as const

const EXAMPLE = { types: ['transactions'], addresses: [`0:${'0'.repeat(64)}`], min_finality: 'pending' }

const refused = (description: string, schema: string) => ({
  description,
  content: json({ $ref: `#/components/schemas/${schema}` }),
})

interface Operation {
  readonly id: string
  readonly tag: string
  readonly summary: string
  readonly body?: object
  readonly example?: unknown
  readonly answer?: object
  readonly parameters?: readonly object[]
}

const integer = { type: 'integer' } as const
const parameter = (place: 'path' | 'query', name: string, description: string, schema: object = integer) => ({
  ...{ name, in: place, required: place === 'path', description, schema },
})
const ID = parameter('path', 'id', 'The webhook.')
const LIMIT = parameter('query', 'limit', 'Maximum rows.')
const OFFSET = parameter('query', 'offset', 'Rows to skip.')
const CURSOR = parameter('query', 'cursor', 'The `cursor` of the page before.', text)
const OPCODE = parameter('path', 'opcode', 'Operation of the message, in hex.', {
  ...text,
  pattern: '^0x[0-9a-fA-F]{1,8}$',
})

function operation({ id, tag, summary, body, example, answer = object, parameters = [] }: Operation, error: string) {
  return {
    operationId: id,
    summary,
    tags: [tag],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: { required: true, content: json(body, example) } }),
    responses: {
      200: { description: 'OK', content: json(answer) },
      401: refused('No key, or one that does not exist.', error),
      404: refused('It does not exist, or belongs to another key.', error),
      422: refused('A field is wrong; the text names it.', error),
      429: refused('The budget is used up.', error),
    },
  }
}

export const LIVE_TAGS = [
  { name: 'Streams', description: 'Notifications as they happen. See the guide /docs/streams.' },
  { name: 'Webhooks', description: 'Notifications posted to an address. See the guide /docs/webhooks.' },
]

const ROOT = '/api/webhooks/v1'
const ACCOUNTS = {
  type: 'object',
  required: ['accounts'],
  properties: {
    accounts: {
      description: 'Accounts to add.',
      type: 'array',
      items: { ...object, properties: { account_id: about('Address in any form.', text) } },
    },
  },
}
const NEW_WEBHOOK = {
  type: 'object',
  required: ['endpoint'],
  properties: {
    endpoint: about('Address that notifications are posted to.', text),
    description: about('A note of your own.', text),
    subscription: about('What is posted, as in a subscription of a stream.', SUBSCRIPTION),
  },
}
const secrets = {
  token: about('Sent with each notification in `Authorization: Bearer`.', text),
  secret: about('Key of the HMAC-SHA256 in `X-Signature`.', text),
}
const SECRETS = { ...object, properties: secrets }

type Verb = 'get' | 'post' | 'delete'
const WEBHOOKS: readonly (readonly [path: string, verb: Verb, operation: Omit<Operation, 'tag'>])[] = [
  ['/webhooks', 'get', { id: 'webhooks_list', summary: 'Webhooks of the key, without their secrets.' }],
  [
    '/webhooks',
    'post',
    {
      ...{ id: 'webhooks_add', summary: 'Adds a webhook. Its secrets are in this answer and nowhere else.' },
      ...{
        body: NEW_WEBHOOK,
        example: { endpoint: 'https://example.com/hook', subscription: { ...EXAMPLE, min_finality: 'finalized' } },
      },
      answer: { ...object, properties: { webhook_id: about('Number of the webhook.', integer), ...secrets } },
    },
  ],
  ['/webhooks/{id}', 'delete', { id: 'webhooks_remove', summary: 'Ends a webhook.' }],
  ['/webhooks/{id}/generate-new-token', 'post', { id: 'webhooks_renew', summary: 'New secrets.', answer: SECRETS }],
  ['/webhooks/{id}/back-online', 'post', { id: 'webhooks_retry', summary: 'Tries again now.' }],
  ['/webhooks/{id}/test', 'post', { id: 'webhooks_test', summary: 'Posts a sample and reports the answer.' }],
  [
    '/webhooks/{id}/deliveries',
    'get',
    {
      ...{ id: 'webhooks_deliveries', summary: 'The last attempts, the newest first.' },
      parameters: [LIMIT, CURSOR],
    },
  ],
  [
    '/webhooks/{id}/logs',
    'get',
    { id: 'webhooks_logs', summary: 'Attempts that failed.', parameters: [LIMIT, OFFSET] },
  ],
  [
    '/webhooks/{id}/account-tx/subscribe',
    'post',
    { id: 'webhooks_accounts_add', summary: 'Adds accounts.', body: ACCOUNTS },
  ],
  [
    '/webhooks/{id}/account-tx/unsubscribe',
    'post',
    {
      ...{ id: 'webhooks_accounts_remove', summary: 'Removes accounts.' },
      body: { ...object, required: ['accounts'], properties: { accounts: about('Accounts to remove.', texts) } },
    },
  ],
  [
    '/webhooks/{id}/account-tx/subscriptions',
    'get',
    {
      ...{ id: 'webhooks_accounts', summary: 'Accounts, each with the last lt that was delivered.' },
      parameters: [LIMIT, OFFSET],
    },
  ],
  ...(['subscribe', 'unsubscribe'] as const).flatMap(
    (word) =>
      [
        [
          `/webhooks/{id}/${word}-msg-opcode/{opcode}`,
          'post',
          {
            ...{ id: `webhooks_opcode_${word}`, summary: 'Messages with an opcode, of any account.' },
            parameters: [OPCODE],
          },
        ],
        [
          `/webhooks/{id}/${word}-new-contracts`,
          'post',
          { id: `webhooks_contracts_${word}`, summary: 'Accounts that become active.' },
        ],
      ] as const,
  ),
  ['/webhooks/{id}/msg-opcode/subscriptions', 'get', { id: 'webhooks_opcodes', summary: 'Opcodes.' }],
  ['/usage-stats', 'get', { id: 'webhooks_usage', summary: 'Accounts, deliveries and failures of the key.' }],
]

/** `error` names the schema of a refusal. */
export function livePaths(error: string): Record<string, Record<string, unknown>> {
  const stream = { tag: 'Streams' }
  const paths: Record<string, Record<string, unknown>> = {
    '/api/streaming/v2/sse': {
      post: {
        ...operation(
          {
            ...stream,
            id: 'streaming_sse',
            summary: 'One subscription, as server-sent events.',
            body: SUBSCRIPTION,
            example: EXAMPLE,
          },
          error,
        ),
        responses: {
          200: { description: 'Frames `connected` and `event`.', content: { 'text/event-stream': { schema: text } } },
          400: refused('The subscription breaks a rule.', error),
          401: refused('The key does not exist.', error),
          429: refused('The budget, or the connections of the plan, are used up.', error),
        },
      },
    },
    '/api/streaming/v2/ws': {
      get: {
        operationId: 'streaming_ws',
        summary: 'WebSocket: frames with `operation` subscribe, unsubscribe or ping.',
        tags: [stream.tag],
        responses: { 101: { description: 'Switching protocols.' }, 426: refused('Not a WebSocket.', error) },
      },
    },
    '/api/streaming/healthz': {
      get: {
        operationId: 'streaming_health',
        summary: 'Whether notifications come, by component.',
        tags: [stream.tag],
        responses: {
          200: { description: 'OK', content: json(object) },
          503: { description: 'They do not.', content: json(object) },
        },
      },
    },
  }
  for (const [path, verb, { parameters = [], ...one }] of WEBHOOKS) {
    const own = path.includes('{id}') ? [ID, ...parameters] : parameters
    paths[ROOT + path] = {
      ...paths[ROOT + path],
      [verb]: operation({ ...one, parameters: own, tag: 'Webhooks' }, error),
    }
  }
  return paths
}
