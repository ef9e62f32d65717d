import type { Digits } from '../../../shared/primitives.ts'

/** A bigint as text for the wire. */
export const toDigits = (value: bigint): Digits => `${value}`
