// Calls of the search and of the tools.

import { query } from './explorerQuery.ts'

export const ofOpcode = (opcode: string) =>
  [query('v3.decode', { opcodes: [opcode] }), query('v3.transactionsByMessage', { opcode, limit: 30 })] as const

/** Of a text to search for, in characters. */
export const LONGEST_SEARCH = 256

export const searchFor = (text: string) => query('v3.search', { query: text, limit: 30 })

/** What exists and comes nearest to a text that names nothing. */
export const nearestTo = (text: string) => query('v3.search', { query: text.slice(0, LONGEST_SEARCH), limit: 5 })

export const decodedBody = (boc: string) => query('v3.decode', { opcodes: [], bodies: [boc] })

export const CONFIGURATION = query('getConfigAll', {})

export const SNAPSHOTS = query('dev.snapshots', {})

/** To count what a revert loses. */
export const NEWEST_TRANSACTIONS = query('v3.transactions', { exclude_system: true, limit: 250 })

export const stateOfWallets = (addresses: readonly string[]) =>
  [
    query('v3.accountStates', { address: [...addresses], include_boc: false }),
    query('v3.walletStates', { address: [...addresses] }),
  ] as const
