// What a caller may do, by the plan of its key. Rates are per second, with a burst of one second's worth.

import type { Plan, Tier } from './access.ts'
import { KeyStoreError } from './keyStoreError.ts'

/** Maximum rate of a plan; above it the clock is too coarse to count calls. */
export const MAX_PER_SECOND = 1_000_000

/** The plan whose keys have each a rate of their own. */
export const CUSTOM = 'custom'

/** Callers without a key, each address on its own. */
export const KEYLESS: Tier = { name: 'keyless', perSecond: 1 }

const limits = (perSecond: number, connections: number, streams: readonly [number, number], webhooks: number) => ({
  perSecond,
  monthly: null,
  connections,
  streamConnections: streams[0],
  streamAddresses: streams[1],
  webhooks,
})

const WEBHOOKS = 1000

/** Those of a service without a shared database; one with it has these from the start. */
export const BUILT_IN = [
  { name: 'free', ...limits(10, 50, [5, 200], 5) },
  { name: 'plus', ...limits(25, 100, [20, 1000], 20) },
  { name: 'advanced', ...limits(100, 250, [100, 10_000], 100) },
  {
    name: CUSTOM,
    perSecond: null,
    monthly: null,
    connections: null,
    streamConnections: null,
    streamAddresses: null,
    webhooks: WEBHOOKS,
  },
] as const satisfies readonly Plan[]

/** What an operator may decide of a plan, and from how much to how much; null where that is no limit. */
export const PLAN_BOUNDS = {
  perSecond: { least: 1, most: MAX_PER_SECOND, unlimited: false },
  monthly: { least: 1, most: Number.MAX_SAFE_INTEGER, unlimited: true },
  connections: { least: 1, most: 1_000_000, unlimited: true },
  streamConnections: { least: 0, most: 1_000_000, unlimited: true },
  streamAddresses: { least: 0, most: 1_000_000, unlimited: true },
  webhooks: { least: 0, most: WEBHOOKS, unlimited: false },
} as const

export type PlanChanges = Partial<Omit<Plan, 'name'>>

export const PLAN_NAME = /^[a-z0-9][a-z0-9_-]{0,31}$/
export const PLAN_NAME_WORDS = 'up to 32 letters a to z, digits, - and _, the first a letter or digit'

/** More than an operator needs, and few enough to be read whole at each change. */
export const MOST_PLANS = 100

/** Names of limits that are no plans. */
const RESERVED: readonly string[] = [KEYLESS.name, 'page']

const refusal = (text: string): KeyStoreError => new KeyStoreError('refused', text)

/** Throws KeyStoreError `refused` for a plan that must not be. */
export function checkPlan(plan: Plan): void {
  if (!PLAN_NAME.test(plan.name) || RESERVED.includes(plan.name))
    throw refusal(`The name of a plan is ${PLAN_NAME_WORDS}; ${RESERVED.join(' and ')} are taken`)
  if (plan.name === CUSTOM && plan.perSecond !== null)
    throw refusal(`Keys of the plan ${CUSTOM} have each a rate of their own: make a plan of another name`)
  for (const [name, { least, most, unlimited }] of Object.entries(PLAN_BOUNDS)) {
    // The cast: the names of the bounds are those of the limits.
    const value = plan[name as keyof typeof PLAN_BOUNDS]
    const isFree = value === null && (unlimited || (name === 'perSecond' && plan.name === CUSTOM))
    const fits = value !== null && Number.isSafeInteger(value) && value >= least && value <= most
    if (!isFree && !fits)
      throw refusal(`${name} of a plan is a whole number from ${least} to ${most}${unlimited ? ', or no limit' : ''}`)
  }
}

export const planNamed = (plans: readonly Plan[], name: string): Plan | null =>
  plans.find((plan) => plan.name === name) ?? null

/** Throws KeyStoreError `refused` when no key can have this plan and rate; `perSecond` is for custom alone. */
export function checkOrderedPlan(plans: readonly Plan[], name: string, perSecond: number | null): void {
  const plan = planNamed(plans, name)
  if (plan === null) {
    const names = plans.map((one) => one.name).join(', ')
    throw refusal(`There is no plan ${JSON.stringify(name.slice(0, 40))}: plans are ${names}`)
  }
  if (plan.perSecond !== null && perSecond !== null)
    throw refusal(`The plan ${name} has its own rate; only a custom plan takes one`)
  const fits = perSecond !== null && Number.isInteger(perSecond) && perSecond >= 1 && perSecond <= MAX_PER_SECOND
  if (plan.perSecond === null && !fits)
    throw refusal(`A custom plan needs a whole number of requests per second from 1 to ${MAX_PER_SECOND}`)
}

/** Of a key whose plan is missing, that of callers without a key. */
export const rateOf = (plan: Plan | null, own: number | null): number => plan?.perSecond ?? own ?? KEYLESS.perSecond

export function tierOf({ plan: name, perSecond }: { plan: string; perSecond: number | null }, plan: Plan | null): Tier {
  const rate = rateOf(plan, perSecond)
  return plan === null ? { ...KEYLESS, perSecond: rate } : { name, perSecond: rate, plan }
}

/** Connections that may be open with one key; those of a plan without such a limit count for the whole service alone. */
export const connectionsOf = ({ plan }: Tier): number => plan?.connections ?? Number.POSITIVE_INFINITY

/** Streaming connections and webhooks of one caller, and addresses of one of these. */
export interface StreamLimits {
  readonly connections: number
  readonly addresses: number
  readonly webhooks: number
}

const WITHOUT_KEY: Readonly<Record<string, StreamLimits>> = {
  keyless: { connections: 2, addresses: 50, webhooks: 0 },
  // Of an explorer's pages: each one in view has a connection.
  page: { connections: 20, addresses: 10, webhooks: 0 },
}

const UNLIMITED: StreamLimits = {
  connections: Number.POSITIVE_INFINITY,
  addresses: Number.POSITIVE_INFINITY,
  webhooks: WEBHOOKS,
}

/** Those of a caller without a tier are the service's own. */
export function streamLimitsOf(tier: Tier | null): StreamLimits {
  if (tier?.plan === undefined) return (tier && WITHOUT_KEY[tier.name]) ?? UNLIMITED
  const { streamConnections, streamAddresses, webhooks } = tier.plan
  return {
    connections: streamConnections ?? UNLIMITED.connections,
    addresses: streamAddresses ?? UNLIMITED.addresses,
    webhooks,
  }
}
