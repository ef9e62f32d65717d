// What a transaction says of itself: its code, what it cost, and what it changed in the balance of its account.

import type { Message, Transaction } from '../../index.ts'
import { orZero } from './orZero.ts'

/** Hash of the code that ran; null without code. */
export const codeHashOf = ({ account_state_before: before, account_state_after: after }: Transaction): string | null =>
  after.code_hash ?? before.code_hash

/** What a transaction cost: collected at once, and taken along by its messages for their delivery. */
export const feesOf = ({ total_fees, out_msgs }: Transaction): bigint =>
  out_msgs.reduce((sum, { fwd_fee }) => sum + orZero(fwd_fee), orZero(total_fees))

export const carried = ({ value, ihr_fee: ihrFee }: Message): bigint => orZero(value) + orZero(ihrFee)

/** What a transaction changed in the balance of its account: by its states, else by its messages and fees. */
function changeBy({ account_state_before: before, account_state_after: after, ...rest }: Transaction): bigint {
  if (before.balance !== null && after.balance !== null) return orZero(after.balance) - orZero(before.balance)
  const received = rest.in_msg === null ? 0n : carried(rest.in_msg)
  const sent = rest.out_msgs.reduce((sum, one) => sum + carried(one) + orZero(one.fwd_fee), 0n)
  return received - sent - orZero(rest.total_fees)
}

export const changeOf = (own: readonly Transaction[]): bigint => own.reduce((sum, one) => sum + changeBy(one), 0n)
