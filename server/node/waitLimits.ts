// How lite servers wait for blocks that are yet to come.

/** They wait no longer. */
export const LONGEST_WAIT_MS = 10_000
/** Blocks that are further away are not waited for. */
export const FURTHEST_WAIT = 100
