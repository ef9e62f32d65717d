import type { Digits } from '../../../shared/primitives.ts'

/** The one place where a bigint becomes text for the wire. */
export const toDigits = (value: bigint): Digits => `${value}`
