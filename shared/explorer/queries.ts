// The calls that each page of the explorer begins with.

import type { Network } from '../network.ts'
import { query } from './query.ts'

/** What the frame of every page shows: the head, and on devnet the clock and the names of the test accounts. */
export const HEAD = query('v3.masterchainInfo', {})
export const STATE = query('dev.state', {})
export const frameQueries = (network: Network) => (network === 'devnet' ? [HEAD, STATE] : [HEAD])

const ROWS = 30

/** The newest activity, with or without what the chain does by itself. */
export const activity = (exclude_system: boolean) =>
  [
    query('v3.actions', { limit: ROWS * 2, exclude_system, exclude_action_type: ['tick_tock'] }),
    query('v3.transactions', { limit: ROWS, exclude_system }),
  ] as const

export const NEWEST_BLOCKS = query('v3.blocks', { workchain: -1, limit: ROWS })
