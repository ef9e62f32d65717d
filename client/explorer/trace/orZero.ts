/** An amount on the wire, which fields that have none leave out. */
export const orZero = (digits: string | null | undefined): bigint => BigInt(digits ?? 0)
