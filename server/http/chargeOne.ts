import type { Access } from '../access/index.ts'
import { budgetRefusal, type ChargedCall } from '../methods/index.ts'

/** Charges what is no method, such as a stream, as one call. Rejects with ApiError `rateLimited`. */
export async function chargeOne(
  access: Pick<Access, 'spend'>,
  call: Pick<ChargedCall, 'caller'> & Partial<Pick<ChargedCall, 'budget'>>,
): Promise<void> {
  const budget = await access.spend(call.caller, 1)
  call.budget = budget
  if (budget?.allowed === false) throw budgetRefusal(budget)
}
