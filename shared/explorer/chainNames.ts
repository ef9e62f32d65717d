// The accounts that every chain has, and what the pages call them.

const ZEROS = '0'.repeat(64)

/** By raw form. */
export const CHAIN_NAMES: Readonly<Record<string, string>> = {
  [`-1:${ZEROS}`]: 'system',
  [`-1:${'3'.repeat(64)}`]: 'elector',
  [`-1:${'5'.repeat(64)}`]: 'configuration',
  [`0:${ZEROS}`]: 'zero address',
}
