// What a caller is told about its budget: the two fields of the IETF draft and the older trio that most clients read.
// Retry-After is no part of it: whether a reply is a refusal is for the door to say.

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
  return [
    policy,
    ['RateLimit', `${label};r=${budget.remaining};t=${reset}`],
    limit,
    ['RateLimit-Remaining', `${budget.remaining}`],
    ['RateLimit-Reset', reset],
  ]
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
