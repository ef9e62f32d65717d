import { chainState } from './live.ts'
import { clockLead } from './serviceClock.ts'

const MINUTE = 60

/** Seconds that the chain's clock is ahead of this computer's. */
export const chainLead = (): number => (chainState.value?.clock_offset ?? 0) + clockLead()

export const isClockOff = (): boolean => Math.abs(chainLead()) >= MINUTE
