// Headers that report a caller's budget: the two fields of the IETF draft, the older trio that most clients read, and
// Retry-After on a refusal.

import type { BudgetState, Quota, Tier } from './access.ts'
import { warningOf } from './quotas.ts'

interface Fixed {
  readonly policy: string
  /** The start of `RateLimit`. */
  readonly label: string
  readonly limit: string
}

// Few tiers, many replies: the fields that depend on the tier alone are made once.
const fixedByTier = new WeakMap<Tier, Fixed>()

/** Header names and values in turn, in the order they are sent. */
export function rateHeaders(budget: BudgetState): string[] {
  const { label, policy, limit } = fixedOf(budget.tier)
  const left = `${budget.remaining}`
  const reset = `${budget.resetAfter}`
  const headers = [
    'RateLimit-Policy',
    policy,
    'RateLimit',
    `${label}${left};t=${reset}`,
    'RateLimit-Limit',
    limit,
    'RateLimit-Remaining',
    left,
    'RateLimit-Reset',
    reset,
  ]
  if (budget.quota !== undefined) headers.push(...quotaHeaders(budget.quota))
  return headers
}

function quotaHeaders(quota: Quota): string[] {
  const { limit, used, resetAfter } = quota
  const warning = warningOf(quota)
  const words = warning === 100 ? 'used up' : `${warning} percent used`
  return [
    'X-Quota-Limit',
    `${limit}`,
    'X-Quota-Remaining',
    `${Math.max(0, limit - used)}`,
    'X-Quota-Reset',
    `${resetAfter}`,
    ...(warning === null ? [] : ['X-Quota-Warning', `monthly quota of this key: ${words}`]),
  ]
}

function fixedOf(tier: Tier): Fixed {
  const known = fixedByTier.get(tier)
  if (known) return known
  const { name, perSecond, burst = perSecond } = tier
  const fixed: Fixed = {
    policy: `"${name}";q=${burst};w=${Math.ceil(burst / perSecond)}`,
    label: `"${name}";r=`,
    limit: `${burst}`,
  }
  fixedByTier.set(tier, fixed)
  return fixed
}
