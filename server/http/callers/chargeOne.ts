import type { Access } from '../../access/index.ts'
import { budgetRefusal, type ChargedCall } from '../../methods/index.ts'

type OneCall = Pick<ChargedCall, 'caller'> & Partial<Pick<ChargedCall, 'budget'>>

/** Charges what is no method, such as a stream, as one call, counted by a name. Rejects with ApiError `rateLimited`. */
export async function chargeOne(access: Pick<Access, 'spend' | 'count'>, call: OneCall, name: string): Promise<void> {
  const budget = await access.spend(call.caller, 1)
  call.budget = budget
  const isRefused = budget?.allowed === false
  access.count?.(call.caller, name, isRefused ? 'rateLimited' : 'ok')
  if (isRefused) throw budgetRefusal(budget)
}

/** The same for one whose answer is JSON, the bytes of which are counted too. */
export async function chargeAnswer<T extends { readonly json: string }>(
  access: Pick<Access, 'spend' | 'count' | 'countBytes'>,
  { call, name }: { readonly call: OneCall; readonly name: string },
  answer: () => Promise<T>,
): Promise<T> {
  await chargeOne(access, call, name)
  const answered = await answer()
  access.countBytes?.(call.caller, name, Buffer.byteLength(answered.json))
  return answered
}
