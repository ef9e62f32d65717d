// Rate limits per kind of caller. Each number is a rate per second, with a burst of one second's worth.

import type { Tier } from './access.ts'

export const PLANS = ['free', 'plus', 'advanced', 'custom'] as const

/** What a key was issued for. */
export type Plan = (typeof PLANS)[number]

/** Maximum rate of a custom plan; above it the clock is too coarse to count calls. */
export const MAX_PER_SECOND = 1_000_000

/** Callers without a key, each address on its own. */
export const KEYLESS: Tier = { name: 'keyless', perSecond: 1 }

const FIXED = {
  free: { name: 'free', perSecond: 10 },
  plus: { name: 'plus', perSecond: 25 },
  advanced: { name: 'advanced', perSecond: 100 },
} as const satisfies Record<Exclude<Plan, 'custom'>, Tier>

/** Connections that may be open with one key of a plan; those of a custom plan count for the whole service alone. */
const CONNECTIONS: Readonly<Record<string, number>> = { free: 50, plus: 100, advanced: 250 }

export const connectionsOf = ({ name }: Tier): number => CONNECTIONS[name] ?? Number.POSITIVE_INFINITY

/** The limits of a plan; `perSecond` is for custom alone and null for the others. Throws RangeError otherwise. */
export function tierOf(plan: Plan, perSecond: number | null): Tier {
  if (plan !== 'custom') {
    if (perSecond !== null) throw new RangeError(`The plan ${plan} has its own rate; only a custom plan takes one`)
    return FIXED[plan]
  }
  if (perSecond === null || !Number.isInteger(perSecond) || perSecond < 1 || perSecond > MAX_PER_SECOND)
    throw new RangeError(`A custom plan needs a whole number of requests per second from 1 to ${MAX_PER_SECOND}`)
  return { name: 'custom', perSecond }
}

/** Streaming connections and webhooks of one caller, and addresses of one of these. */
export interface StreamLimits {
  readonly connections: number
  readonly addresses: number
  readonly webhooks: number
}

const STREAMS: Readonly<Record<string, StreamLimits>> = {
  keyless: { connections: 2, addresses: 50, webhooks: 0 },
  // Of an explorer's pages: each one in view has a connection.
  page: { connections: 20, addresses: 10, webhooks: 0 },
  free: { connections: 5, addresses: 200, webhooks: 5 },
  plus: { connections: 20, addresses: 1000, webhooks: 20 },
  advanced: { connections: 100, addresses: 10_000, webhooks: 100 },
}

const UNLIMITED: StreamLimits = {
  connections: Number.POSITIVE_INFINITY,
  addresses: Number.POSITIVE_INFINITY,
  webhooks: 1000,
}

/** Those of a caller without a tier, or with a custom plan, are the service's own. */
export const streamLimitsOf = (tier: Tier | null): StreamLimits =>
  tier === null ? UNLIMITED : (STREAMS[tier.name] ?? UNLIMITED)
