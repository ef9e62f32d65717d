// OpenAPI 3.1 of what callers may know of their own key, and of the administration of keys.

import { z } from 'zod'
import { NETWORKS } from '../../../shared/network.ts'
import { ADMIN_PATH, OWN_KEY_PATH } from '../paths/keysPaths.ts'
import { KeyChangesBody, KeyOrderBody, RotationBody, UsageQuery } from './keysWire.ts'
import { PlanBody, PlanChangesBody, PlanJson } from './plansWire.ts'

const Instant = z.iso.datetime().nullable()

const Network = z.enum(NETWORKS).describe('The chain it is for.')

const Key = z.strictObject({
  id: z.string().describe('Names the key; it is no secret.'),
  hint: z.string().describe('The last characters of the key.'),
  network: Network,
  plan: z.string().describe('Name of its plan.'),
  per_second: z.int().describe('Calls per second.'),
  monthly: z
    .int()
    .nullable()
    .describe('Calls of a calendar month in UTC, counted by their weights; null without a quota.'),
  label: z.string().describe('Whose key it is.'),
  all_accounts: z.boolean().describe('Whether it may subscribe to all accounts at once.'),
  state: z.string().describe('`active`, or why it is not.'),
  created_at: Instant.describe('When it was issued.'),
  expires_at: Instant.describe('Null without an end.'),
  revoked_at: Instant.describe('When it was ended; null for one that was not.'),
  last_used_at: Instant.describe('Its last call, to some seconds; null before the first.'),
})

const counts = {
  calls: z.int().describe('Calls that were answered, also with an error.'),
  weight: z.int().describe('Their weights, which quotas count.'),
  errors: z.int().describe('Calls answered with an error, but for those over a limit.'),
  limited: z.int().describe('Calls refused because a limit was reached.'),
  bytes: z.int().describe('Bytes of results; notifications of streams are not counted.'),
}
const Sums = z.strictObject(counts)

const OwnKey = z.strictObject({
  id: z.string().describe('Names the key; it is no secret.'),
  network: Network,
  plan: z.string().nullable().describe('Name of its plan; null where calls are not limited.'),
  per_second: z.number().nullable().describe('Calls per second; null without a limit.'),
  monthly: z
    .strictObject({
      limit: z.int().describe('Calls of a month, by weight.'),
      used: z.int().describe('Of them, those of this month.'),
      reset_after: z.int().describe('Seconds until the next month.'),
    })
    .nullable()
    .describe('The quota; null without one.'),
  all_accounts: z.boolean().describe('Whether it may subscribe to all accounts at once.'),
  usage: z
    .strictObject({ today: Sums.describe('Of this day, in UTC.'), month: Sums.describe('Of this month, in UTC.') })
    .describe('What was called with it, to some seconds.'),
})

const UsageRow = z.strictObject({
  day: z.iso.date().describe('In UTC.'),
  key: z.string().nullable().describe('Id of the key; null for calls without one.'),
  method: z.string().describe('Name of the method, or of what is no method, such as `keys.me`.'),
  ...counts,
})

const FailureRow = z.strictObject({
  method: z.string().describe('Name of the method.'),
  kind: z.string().describe('Kind of the error, as in `data.kind` of replies.'),
  count: z.int().describe('Since the start of the service.'),
  newest: z
    .strictObject({
      time: z.iso.datetime().describe('When it was answered.'),
      request_id: z.string().describe('As in `X-Request-Id` and in the log.'),
      ms: z.int().describe('What the call took.'),
    })
    .describe('The newest of them.'),
})

const IssuedKey = Key.extend({ key: z.string().describe('The key itself, which is shown this once.') })
const Failure = z.object({ error: z.string().describe('What was wrong, and the remedy.') })

const schemaOf = (schema: z.ZodType, io: 'input' | 'output' = 'output'): Record<string, unknown> => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io })
  return rest
}
const content = (schema: z.ZodType, io?: 'input') => ({ 'application/json': { schema: schemaOf(schema, io) } })

interface Described {
  readonly id: string
  readonly summary: string
  readonly status?: 200 | 201
  readonly result: z.ZodType
  readonly body?: z.ZodType
  readonly parameters?: readonly unknown[]
  /** Beside those that every path has. */
  readonly refusals?: readonly (keyof typeof REFUSALS)[]
}

const REFUSALS = {
  401: 'An unknown key was sent, or none where one is needed.',
  403: 'Not the token of an operator, or the administration is off.',
  404: 'There is no such key or plan.',
  409: 'The key has ended already; there is such a plan already, or keys have it.',
  413: 'The body is too large.',
  422: 'The body is no JSON, or a field of it is wrong.',
  429: 'Over the limit of the caller.',
  503: 'The keys cannot be read or written now.',
} as const

/** Of every path: who calls is known first, also where a token is what counts. */
const USUAL = [401, 403, 429, 503] as const

const operation = ({ id, summary, status = 200, result, body, parameters = [], refusals = [] }: Described) => ({
  operationId: id,
  summary,
  parameters,
  ...(body === undefined ? {} : { requestBody: { required: true, content: content(body, 'input') } }),
  responses: {
    [status]: { description: 'The result.', content: content(result) },
    ...Object.fromEntries(
      [...USUAL, ...refusals, ...(body === undefined ? [] : ([413] as const))].map((code) => [
        code,
        { description: REFUSALS[code], content: content(Failure) },
      ]),
    ),
  },
})

const keyId = { name: 'id', in: 'path', required: true, description: 'Id of the key.', schema: { type: 'string' } }

const planName = {
  name: 'name',
  in: 'path',
  required: true,
  description: 'Name of the plan.',
  schema: { type: 'string' },
}

const queryParameters = Object.entries(UsageQuery.shape).map(([name, schema]) => ({
  name,
  in: 'query',
  required: false,
  description: schema.description,
  schema: schemaOf(schema, 'input'),
}))

const ADMIN = [{ adminToken: [] }, { adminBearer: [] }]

const asAdmin = (described: Described) => ({ ...operation(described), security: ADMIN })

function keyPaths() {
  const keys = `${ADMIN_PATH}keys`
  return {
    [keys]: {
      get: asAdmin({
        id: 'listKeys',
        summary: 'All keys, without their secrets.',
        result: z.strictObject({ keys: z.array(Key).describe('A rotated one once for each of its secrets.') }),
      }),
      post: asAdmin({
        id: 'createKey',
        summary: 'Issues a key.',
        status: 201,
        refusals: [422],
        body: KeyOrderBody,
        result: IssuedKey,
      }),
    },
    [`${keys}/{id}/rotate`]: {
      post: asAdmin({
        id: 'rotateKey',
        summary: 'Makes a new secret; the old one works for a while.',
        refusals: [422, 404, 409],
        parameters: [keyId],
        body: RotationBody,
        result: IssuedKey,
      }),
    },
    [`${keys}/{id}/change`]: {
      post: asAdmin({
        id: 'changeKey',
        summary: 'Changes what a key may do, within two seconds; streams that it may not have any more end.',
        refusals: [422, 404, 409],
        parameters: [keyId],
        body: KeyChangesBody,
        result: z.strictObject({ keys: z.array(Key).describe('Its secrets.') }),
      }),
    },
    [`${keys}/{id}/revoke`]: {
      post: asAdmin({
        id: 'revokeKey',
        summary: 'Ends a key and all its secrets, within two seconds.',
        refusals: [422, 404, 409],
        parameters: [keyId],
        result: z.strictObject({
          id: z.string().describe('Id of the key.'),
          revoked: z.int().describe('How many secrets ended.'),
        }),
      }),
    },
  }
}

function planPaths() {
  const plans = `${ADMIN_PATH}plans`
  return {
    [plans]: {
      get: asAdmin({
        id: 'listPlans',
        summary: 'All plans, the slowest first.',
        result: z.strictObject({ plans: z.array(PlanJson).describe('By their calls per second.') }),
      }),
      post: asAdmin({
        id: 'createPlan',
        summary: 'Makes a plan; limits that are left out are those of `free`.',
        status: 201,
        refusals: [422, 409],
        body: PlanBody,
        result: PlanJson,
      }),
    },
    [`${plans}/{name}/change`]: {
      post: asAdmin({
        id: 'changePlan',
        summary: 'Changes limits for all keys of a plan, within two seconds.',
        refusals: [422, 404],
        parameters: [planName],
        body: PlanChangesBody,
        result: PlanJson,
      }),
    },
    [`${plans}/{name}/remove`]: {
      post: asAdmin({
        id: 'removePlan',
        summary: 'Removes a plan that no key has.',
        refusals: [422, 404, 409],
        parameters: [planName],
        result: z.strictObject({
          name: z.string().describe('Name of the plan.'),
          removed: z.literal(true).describe('Always true.'),
        }),
      }),
    },
  }
}

const reportPaths = () => ({
  [`${ADMIN_PATH}usage`]: {
    get: asAdmin({
      id: 'readUsage',
      summary: 'Usage by day, key and method: of the newest 62 days with calls in the range.',
      refusals: [422],
      parameters: queryParameters,
      result: z.strictObject({ usage: z.array(UsageRow).describe('In the order of days, keys and methods.') }),
    }),
  },
  [`${ADMIN_PATH}failures`]: {
    get: asAdmin({
      id: 'readFailures',
      summary: 'Failures since the start by method and kind, the newest first; without a token on this machine.',
      result: z.strictObject({ failures: z.array(FailureRow).describe('The newest first.') }),
    }),
  },
})

/** The text of the document; the same for all services but for their network. */
export function keysDocument(facts: { readonly network: string; readonly version: string }): string {
  const own = operation({
    id: 'ownKey',
    summary: 'Plan, quota and usage of the key the call is made with.',
    result: OwnKey,
  })
  return JSON.stringify({
    openapi: '3.1.0',
    info: {
      title: 'tonrpc keys',
      version: facts.version,
      description: `API keys of this service. Network: ${facts.network}. Paths below ${ADMIN_PATH} are for operators.`,
    },
    servers: [{ url: '/' }],
    paths: {
      [OWN_KEY_PATH]: { get: { ...own, security: [{ apiKeyHeader: [] }, { apiKeyQuery: [] }] } },
      ...keyPaths(),
      ...planPaths(),
      ...reportPaths(),
    },
    components: {
      securitySchemes: {
        apiKeyHeader: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        apiKeyQuery: { type: 'apiKey', in: 'query', name: 'api_key' },
        adminToken: { type: 'apiKey', in: 'header', name: 'X-Admin-Token' },
        adminBearer: { type: 'http', scheme: 'bearer' },
      },
    },
  })
}
