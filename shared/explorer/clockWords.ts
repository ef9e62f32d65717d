import { duration } from './duration.ts'

const MINUTE = 60

/** What it means that the chain's clock is so many seconds ahead of this computer's; null when that is next to nothing. */
export const clockWords = (lead: number): string | null =>
  Math.abs(lead) < MINUTE
    ? null
    : `The chain's clock is ${duration(Math.abs(lead))} ${lead > 0 ? 'ahead of' : 'behind'} this computer. Wallet libraries sign with this computer's time, so their messages are refused as expired (exit code 36 or 136).`
