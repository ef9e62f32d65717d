// Emulator builds that were taken apart by hand. Everything here holds for exactly one binary, named by its hash: a
// binary that is not in this table is run as it was shipped.

export interface Build {
  /** Address of the word that holds the log level. Every entry point sets it to 4 (debug). */
  readonly logLevel: number
  /** How many places of the code do so. */
  readonly logSites: number
  /** Name of an export that the glue keeps to itself. */
  readonly setThrew: string
  /** Position in the function table of the first of the functions a get-method is run with (see contractCalls.ts). */
  readonly contractCalls: number
  /** Address of the word that points to what log lines are written to, and of the table of functions of one that drops them. */
  readonly logTarget: number
  readonly noLog: number
  /**
   * Position of the function that merges dictionaries, and address of the type it throws where they cannot be merged: it is to catch that
   * and to return false, and does not, for instance where an account sends more of an extra currency than it has.
   */
  readonly dictMerge: number
  readonly unmergeable: number
  /** What the self-check answers with the binary as shipped. */
  readonly fingerprint: string
}

const builds: Readonly<Record<string, Build>> = {
  // @ton/sandbox 0.41.0, emulator f801e1c1 of 2025-12-05
  '0c17fcac030b6871e96cc34d002223e5fb839af00c5b96cc461fbf9e71b0e75a': {
    logLevel: 0x189a08,
    logSites: 2,
    setThrew: 'Pa',
    contractCalls: 84,
    logTarget: 0x189a10,
    noLog: 0x1816ec,
    dictMerge: 2724,
    unmergeable: 0x186090,
    fingerprint: '49a49d5b67edb49893f062befbdcc2ce03d7194c5060f48d2e88d531806c5369',
  },
}

/** What is known about the binary with this SHA-256 (hex), or null. */
export function findBuild(hash: string): Build | null {
  return builds[hash] ?? null
}
