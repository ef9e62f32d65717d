// How many validators a chain of its own has.

export const DEFAULT_VALIDATORS = 3

/** Each of them signs every block, and proofs carry all signatures: 32 take some milliseconds a block. */
export const MAX_VALIDATORS = 32
