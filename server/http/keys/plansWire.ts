// Plans in the JSON of the administration: snake_case names, null for no limit.

import { z } from 'zod'
import { parseFields } from '../../../shared/parseFields.ts'
import { BUILT_IN, PLAN_BOUNDS, PLAN_NAME, PLAN_NAME_WORDS, type Plan, type PlanChanges } from '../../access/index.ts'

const bounded = (name: keyof typeof PLAN_BOUNDS) => z.int().min(PLAN_BOUNDS[name].least).max(PLAN_BOUNDS[name].most)

const LIMITS = {
  per_second: bounded('perSecond').nullable().describe('Calls per second; null for `custom` alone.'),
  monthly: bounded('monthly')
    .nullable()
    .describe('Calls of a calendar month in UTC, by weight, for keys without a quota of their own.'),
  connections: bounded('connections').nullable().describe('Connections open at once with one key.'),
  stream_connections: bounded('streamConnections').nullable().describe('Of them, those of streams.'),
  stream_addresses: bounded('streamAddresses').nullable().describe('Accounts of one stream or webhook.'),
  webhooks: bounded('webhooks').describe('Webhooks of one key.'),
}

const Name = z.string().regex(PLAN_NAME, { error: PLAN_NAME_WORDS }).describe('Name of the plan.')

export const PlanJson = z.strictObject({ name: Name, ...LIMITS })

/** What is left out when a plan is made is that of `free`. */
const [FREE] = BUILT_IN

export const PlanBody = z.strictObject({
  name: Name,
  per_second: bounded('perSecond').describe('Calls per second.'),
  monthly: LIMITS.monthly.default(FREE.monthly),
  connections: LIMITS.connections.default(FREE.connections),
  stream_connections: LIMITS.stream_connections.default(FREE.streamConnections),
  stream_addresses: LIMITS.stream_addresses.default(FREE.streamAddresses),
  webhooks: LIMITS.webhooks.default(FREE.webhooks),
})

export const PlanChangesBody = z.strictObject(LIMITS).partial()

const WIRE_NAMES = {
  per_second: 'perSecond',
  monthly: 'monthly',
  connections: 'connections',
  stream_connections: 'streamConnections',
  stream_addresses: 'streamAddresses',
  webhooks: 'webhooks',
} as const satisfies Record<keyof typeof LIMITS, keyof PlanChanges>

export const planJson = ({ name, ...limits }: Plan): Readonly<Record<string, unknown>> => ({
  name,
  ...Object.fromEntries(Object.entries(WIRE_NAMES).map(([wire, own]) => [wire, limits[own]])),
})

export function planOf(body: unknown): Plan {
  const { per_second, stream_connections, stream_addresses, ...same } = parseFields(PlanBody, body)
  return { ...same, perSecond: per_second, streamConnections: stream_connections, streamAddresses: stream_addresses }
}

export const planChangesOf = (body: unknown): PlanChanges =>
  Object.fromEntries(
    Object.entries(parseFields(PlanChangesBody, body)).flatMap(([wire, value]) =>
      // The cast: the schema has these names alone.
      value === undefined ? [] : [[WIRE_NAMES[wire as keyof typeof WIRE_NAMES], value]],
    ),
  )
