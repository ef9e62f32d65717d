// What a transaction says of itself: its code, what it cost, and what it changed in the balance of its account.

import type { Message, Transaction } from '../../index.ts'

/** Hash of the code that ran; null without code. */
export const codeHashOf = ({ account_state_before: before, account_state_after: after }: Transaction): string | null =>
  after.code_hash ?? before.code_hash

const big = (digits: string | null | undefined): bigint => BigInt(digits ?? 0)

/** What a transaction cost: collected at once, and taken along by its messages for their delivery. */
export const feesOf = ({ total_fees, out_msgs }: Transaction): bigint =>
  out_msgs.reduce((sum, { fwd_fee }) => sum + big(fwd_fee), big(total_fees))

export const carried = ({ value, ihr_fee: ihrFee }: Message): bigint => big(value) + big(ihrFee)

/** What a transaction changed in the balance of its account: by its states, else by its messages and fees. */
function changeBy({ account_state_before: before, account_state_after: after, ...rest }: Transaction): bigint {
  if (before.balance !== null && after.balance !== null) return big(after.balance) - big(before.balance)
  const received = rest.in_msg === null ? 0n : carried(rest.in_msg)
  const sent = rest.out_msgs.reduce((sum, one) => sum + carried(one) + big(one.fwd_fee), 0n)
  return received - sent - big(rest.total_fees)
}

export const changeOf = (own: readonly Transaction[]): bigint => own.reduce((sum, one) => sum + changeBy(one), 0n)
