// What both transports of streams do with a request.

import { ApiError } from '../../../shared/errors.ts'
import type { Access, BudgetState, Caller } from '../../access/index.ts'

/** Longest id that is echoed. */
const MOST_ID = 256

/** The id of a request as its reply has it: nothing where it has none that can be echoed. */
export function echoOf(request: Readonly<Record<string, unknown>>): { readonly id?: string | number } {
  const { id } = request
  if (typeof id === 'number') return { id }
  return typeof id === 'string' && id.length <= MOST_ID ? { id } : {}
}

/** A stream or a subscription costs one call. Throws ApiError `rateLimited`. */
export async function chargeStream(access: Pick<Access, 'spend'>, caller: Caller): Promise<BudgetState | null> {
  const budget = await access.spend(caller, 1)
  if (budget?.allowed === false)
    throw new ApiError('rateLimited', undefined, { retryAfter: budget.retryAfter, limit: budget.tier.perSecond })
  return budget
}
