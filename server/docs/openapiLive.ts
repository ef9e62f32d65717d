// Streams and webhooks in the document of v3: paths that are no methods of the registry.

import {
  about,
  boolean,
  fields,
  integer,
  jsonContent,
  liveOperation,
  longInteger,
  refusedAs,
  SUBSCRIPTION,
  SUBSCRIPTION_EXAMPLE,
  textSchema,
} from './liveOperation.ts'
import { WEBHOOK_ROOT, WEBHOOKS, WEBHOOKS_TAG } from './openapiWebhooks.ts'

const STREAMS_TAG = {
  name: 'Streams',
  description:
    'Notifications as they happen, over server-sent events or a WebSocket. Use them in wallets and pages instead of polling; use ' +
    'webhooks for a server that must miss nothing. A subscription costs one call and a connection of the plan; notifications cost ' +
    'nothing. See the guide /docs/streams.',
}

export const LIVE_TAGS = [STREAMS_TAG, WEBHOOKS_TAG]

const HEALTH = fields({
  ok: about('Whether notifications come.', boolean),
  now: about('Time of the answer, in milliseconds since 1970.', longInteger),
  components: about('Each part by its name, with an `ok` of its own.', {
    type: 'object',
    additionalProperties: { type: 'object', additionalProperties: true },
  }),
})

const sse = (error: string) => ({
  ...liveOperation(
    {
      id: 'streaming_sse',
      tag: STREAMS_TAG.name,
      summary: 'One subscription, as server-sent events.',
      description:
        'For readers whose subscription does not change, and wherever WebSockets are blocked. Costs one call; the connection counts ' +
        'until it is closed. After an interruption send the last event id as `after` or in `Last-Event-ID`.',
      body: SUBSCRIPTION,
      example: SUBSCRIPTION_EXAMPLE,
      answer: textSchema,
    },
    error,
  ),
  responses: {
    200: {
      description: 'Frames `connected` and `event`.',
      content: { 'text/event-stream': { schema: about('Server-sent events, whose data is JSON.', textSchema) } },
    },
    400: refusedAs('The subscription breaks a rule.', error),
    401: refusedAs('The key does not exist.', error),
    403: refusedAs('The key is of another network.', error),
    413: refusedAs('The body is too large.', error),
    422: refusedAs('The body is compressed, or not UTF-8.', error),
    429: refusedAs('The budget, or the connections of the plan, are used up.', error),
    503: refusedAs('The index is behind the cursor, or the service is too busy. Try again later.', error),
  },
})

const socket = (error: string) => ({
  operationId: 'streaming_ws',
  summary: 'WebSocket: frames with `operation` subscribe, unsubscribe or ping.',
  description:
    'For readers that change what they follow: `subscribe` takes the fields of a subscription and replaces the one before it. ' +
    'Opening with the first `subscribe`, each further one and any other frame of over 4,096 bytes cost one call; the rest is free.',
  tags: [STREAMS_TAG.name],
  responses: { 101: { description: 'Switching protocols.' }, 426: refusedAs('Not a WebSocket.', error) },
})

const health = {
  operationId: 'streaming_health',
  summary: 'Whether notifications come, by component.',
  description: 'For monitors and for a reader that hears nothing. Needs no key and costs nothing.',
  tags: [STREAMS_TAG.name],
  responses: {
    200: { description: 'OK', content: jsonContent(HEALTH) },
    503: { description: 'They do not.', content: jsonContent(HEALTH) },
  },
}

const WEBHOOK_ID = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'Number of the webhook, as `webhook_id` when it was added.',
  schema: integer,
}

/** `error` names the schema of a refusal. */
export function livePaths(error: string): Record<string, Record<string, unknown>> {
  const paths: Record<string, Record<string, unknown>> = {
    '/api/streaming/v2/sse': { post: sse(error) },
    '/api/streaming/v2/ws': { get: socket(error) },
    '/api/streaming/healthz': { get: health },
  }
  for (const [path, verb, { parameters = [], ...one }] of WEBHOOKS) {
    const own = path.includes('{id}') ? [WEBHOOK_ID, ...parameters] : parameters
    paths[WEBHOOK_ROOT + path] = {
      ...paths[WEBHOOK_ROOT + path],
      [verb]: liveOperation({ ...one, parameters: own, tag: WEBHOOKS_TAG.name }, error),
    }
  }
  return paths
}
