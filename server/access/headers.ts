// What a caller is told about its budget: the two fields of the IETF draft, the older trio that most clients read, and
// Retry-After on a refusal.

import type { Budget, Tier } from './access.ts'

interface Fixed {
  readonly label: string
  readonly policy: [string, string]
  readonly limit: [string, string]
}

// Few tiers, many replies: the fields that depend on the tier alone are made once.
const fixedByTier = new WeakMap<Tier, Fixed>()

/** Header fields for one reply, in the order they are sent. The pairs may be shared between replies: do not change them. */
export function rateHeaders(budget: Budget): [name: string, value: string][] {
  const { label, policy, limit } = fixedOf(budget.tier)
  const reset = `${budget.resetAfter}`
  const fields: [string, string][] = [
    policy,
    ['RateLimit', `${label};r=${budget.remaining};t=${reset}`],
    limit,
    ['RateLimit-Remaining', `${budget.remaining}`],
    ['RateLimit-Reset', reset],
  ]
  if (!budget.allowed) fields.push(['Retry-After', `${Math.max(1, budget.retryAfter)}`])
  return fields
}

function fixedOf(tier: Tier): Fixed {
  const known = fixedByTier.get(tier)
  if (known) return known
  const label = `"${tier.name}"`
  const fixed: Fixed = {
    label,
    policy: ['RateLimit-Policy', `${label};q=${tier.perSecond};w=1`],
    limit: ['RateLimit-Limit', `${tier.perSecond}`],
  }
  fixedByTier.set(tier, fixed)
  return fixed
}
