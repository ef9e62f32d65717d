/** Of an amount that is given. Contracts add fees and what they have, and the TVM ends where a sum has more than 120. */
export const AMOUNT_BITS = 100
