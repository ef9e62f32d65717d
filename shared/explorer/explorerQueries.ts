// The calls that each page of the explorer begins with.

import type { Network } from '../network.ts'
import { query } from './explorerQuery.ts'

/** What the frame of every page shows: the head, and on devnet the clock and the names of the test accounts. */
export const HEAD = query('v3.masterchainInfo', {})
export const STATE = query('dev.state', {})
/** Names and errors of contracts the service was given. */
export const NAMES = query('v3.abis', {})
export const frameQueries = (network: Network) => (network === 'devnet' ? [HEAD, STATE, NAMES] : [HEAD, NAMES])

const ACTIONS = 40
const BLOCKS = 20

/** The newest activity, with or without what the chain does by itself. */
export const activity = (exclude_system: boolean) =>
  query('v3.actions', { limit: ACTIONS, exclude_system, exclude_action_type: ['tick_tock'] })

const MOST_HASHES = 100

/** Why actions failed is in their transactions. No query for no hash. */
export function transactionsByHash(hashes: readonly string[]) {
  const hash = [...new Set(hashes)].sort().slice(0, MOST_HASHES)
  return hash.length === 0 ? [] : [query('v3.transactions', { hash, limit: MOST_HASHES })]
}

/** Transactions and fees of the last intervals of a length. */
export const traffic = (interval: 'minute' | 'hour' | 'day', limit: number) =>
  query('v3.statistics', { interval, limit })

export const LAST_HOUR = traffic('minute', 60)

export const NEWEST_BLOCKS = query('v3.blocks', { workchain: -1, limit: BLOCKS })

export const accountState = (address: string, include_boc = false) =>
  query('v3.accountStates', { address: [address], include_boc })
