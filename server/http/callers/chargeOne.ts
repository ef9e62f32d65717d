import type { Access } from '../../access/index.ts'
import { budgetRefusal, type ChargedCall } from '../../methods/index.ts'

/** Charges what is no method, such as a stream, as one call, counted by a name. Rejects with ApiError `rateLimited`. */
export async function chargeOne(
  access: Pick<Access, 'spend' | 'count'>,
  call: Pick<ChargedCall, 'caller'> & Partial<Pick<ChargedCall, 'budget'>>,
  name: string,
): Promise<void> {
  const budget = await access.spend(call.caller, 1)
  call.budget = budget
  const isRefused = budget?.allowed === false
  access.count?.(call.caller, name, isRefused ? 'rateLimited' : 'ok')
  if (isRefused) throw budgetRefusal(budget)
}
