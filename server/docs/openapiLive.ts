// Streams and webhooks in the document of v3: paths that are no methods of the registry.

const json = (schema: object, example?: unknown) => ({
  'application/json': { schema, ...(example === undefined ? {} : { example }) },
})
const object = { type: 'object' } as const
const text = { type: 'string' } as const
const texts = { type: 'array', items: text } as const

const SUBSCRIPTION = {
  type: 'object',
  required: ['types'],
  properties: {
    types: {
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
    addresses: texts,
    trace_external_hash_norms: texts,
    min_finality: { enum: ['pending', 'confirmed', 'finalized'], default: 'finalized' },
    action_types: texts,
    supported_action_types: texts,
    include_address_book: { type: 'boolean', default: false },
    include_metadata: { type: 'boolean', default: false },
    after: { ...text, description: 'A cursor: everything after it comes first.' },
    id: text,
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

const inPath = (name: string, schema: object = { type: 'integer' }) => ({ name, in: 'path', required: true, schema })
const inQuery = (name: string, schema: object = { type: 'integer' }) => ({ name, in: 'query', required: false, schema })
const ID = inPath('id')

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
  properties: { accounts: { type: 'array', items: { ...object, properties: { account_id: text } } } },
}
const NEW_WEBHOOK = {
  type: 'object',
  required: ['endpoint'],
  properties: { endpoint: text, description: text, subscription: SUBSCRIPTION },
}
const SECRETS = { ...object, properties: { token: text, secret: text } }

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
      answer: { ...object, properties: { webhook_id: { type: 'integer' }, token: text, secret: text } },
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
      parameters: [inQuery('limit'), inQuery('cursor', text)],
    },
  ],
  [
    '/webhooks/{id}/logs',
    'get',
    { id: 'webhooks_logs', summary: 'Attempts that failed.', parameters: [inQuery('limit'), inQuery('offset')] },
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
      body: { ...object, required: ['accounts'], properties: { accounts: texts } },
    },
  ],
  [
    '/webhooks/{id}/account-tx/subscriptions',
    'get',
    {
      ...{ id: 'webhooks_accounts', summary: 'Accounts, each with the last lt that was delivered.' },
      parameters: [inQuery('limit'), inQuery('offset')],
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
            parameters: [inPath('opcode', { ...text, pattern: '^0x[0-9a-fA-F]{1,8}$' })],
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
