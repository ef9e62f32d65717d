// Level masks of cells. Bit `i` of a mask says that there are pruned branches of level `i + 1` below, and with them a
// further hash. Hash number `n` of a cell belongs to the n-th significant level, counted from level 0.

const COUNT = [1, 2, 2, 3, 2, 3, 3, 4] as const
const LEVEL = [0, 1, 2, 2, 3, 3, 3, 3] as const

export const MAX_LEVEL = 3

/** The highest level of a mask. */
export const levelOf = (mask: number): number => LEVEL[mask & 7] ?? 0

/** How many hashes a cell with this mask has. */
export const hashCount = (mask: number): number => COUNT[mask & 7] ?? 1

/** The mask as seen from `level`. */
export const maskUpTo = (mask: number, level: number): number => mask & ((1 << level) - 1)

/** Which of the cell's hashes is the one at `level`. */
export const hashIndex = (mask: number, level: number): number => hashCount(maskUpTo(mask, level)) - 1

/** Whether a cell with this mask has a hash of its own at `level`. */
export const isSignificant = (mask: number, level: number): boolean => level === 0 || ((mask >> (level - 1)) & 1) === 1
