// A signed message has an expiry time. Wallet software sets it by the computer's clock, the contract compares it with the
// chain's: where the two differ, the refusal names this as the cause.

import { openCell, orNull } from '../../cell/index.ts'
import { type ComparedClocks, signedByComputer } from '../../node/index.ts'
import { loadMessage } from '../../tlb/index.ts'
import type { External } from '../collate/index.ts'

/** Seconds of difference that no message is too short for. */
const UNNOTICED = 5
/** Exit codes of wallets v3, v4, v5 and of highload ones for a message that is too old or not good yet. */
const WRONG_TIME: ReadonlySet<number> = new Set([35, 36, 136])
const SIGNATURE_BITS = 512
const V5_REQUEST = 0x7369676e

/** Until when the body of a wallet v2 to v5 is good; null when it has no such shape. */
const validUntilOf = ({ message }: External): number | null =>
  orNull(() => {
    const body = openCell(loadMessage(openCell(message)).body)
    if (body.remainingBits >= 96 && body.preloadUint(32) === V5_REQUEST) return body.skip(64).loadUint(32)
    return body.remainingBits >= SIGNATURE_BITS + 64 ? body.skip(SIGNATURE_BITS + 32).loadUint(32) : null
  })

/** A line for the refusal of a message, when the difference of the clocks may explain it; else empty. */
export function clockHint(external: External, exitCode: number | null, clocks: ComparedClocks): string {
  const { chain, computer } = clocks
  const ahead = chain - computer
  if (exitCode === null || Math.abs(ahead) < UNNOTICED) return ''
  const validUntil = validUntilOf(external)
  const isOnlyExpiredHere = validUntil !== null && validUntil > computer && validUntil <= chain
  return isOnlyExpiredHere || WRONG_TIME.has(exitCode) ? signedByComputer(clocks) : ''
}
