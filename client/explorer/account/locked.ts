// How much a vesting contract holds back, by its parameters.

import type { VestingContract } from '../../index.ts'

/** Nanotons held back at a time, as the contract itself counts them. */
export function lockedAt(now: number, one: VestingContract): bigint {
  const total = BigInt(one.total_amount)
  const age = now - one.start_time
  if (age > one.total_duration) return 0n
  if (age < one.cliff_duration || one.unlock_period <= 0) return total
  const [parts, all] = [age, one.total_duration].map((time) => BigInt(Math.floor(time / one.unlock_period)))
  return all === undefined || all === 0n ? total : total - (total * (parts ?? 0n)) / all
}

/** When the next part is free; null when all is. */
export function nextUnlock(now: number, { start_time: start, ...one }: VestingContract): number | null {
  if (one.unlock_period <= 0 || now - start > one.total_duration) return null
  if (now - start < one.cliff_duration) return start + one.cliff_duration
  return start + (Math.floor((now - start) / one.unlock_period) + 1) * one.unlock_period
}
