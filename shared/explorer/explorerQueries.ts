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

/** The log of the TVM of one transaction. */
export const replayOf = (tx_hash: string) => query('emulate.replay', { tx_hash })

export const NEWEST_BLOCKS = query('v3.blocks', { workchain: -1, limit: BLOCKS })

export const accountState = (address: string, include_boc = false) =>
  query('v3.accountStates', { address: [address], include_boc })

/** With so many of them the page of a busy account is below 80 kB. */
const TRACES = 6

/** Unix seconds, each included. */
export interface TimeBounds {
  readonly start_utime?: number
  readonly end_utime?: number
}

const from = (cursor: string | undefined) => (cursor === undefined ? {} : { cursor })

export const accountTraces = (account: string, cursor?: string, bounds: TimeBounds = {}) =>
  query('v3.traces', {
    ...{ account, limit: TRACES, include_actions: true },
    ...bounds,
    ...from(cursor),
  })

/** Actions of some types: the service leaves out the others, so that rare ones are found at once. */
export const accountActions = (account: string, types: readonly string[], cursor?: string, bounds: TimeBounds = {}) =>
  query('v3.actions', {
    ...{ account, action_type: [...types], limit: 20, include_accounts: true, include_balance_changes: true },
    ...bounds,
    ...from(cursor),
  })

/** With so many of them the page of a wallet is below 80 kB. */
const TRANSACTIONS = 15

export const accountTransactions = (account: string, cursor?: string) =>
  query('v3.transactions', { account: [account], limit: TRANSACTIONS, ...from(cursor) })

const POINTS = 300

/** Balances after the newest transactions, or at the end of each interval of so many seconds. */
export const balanceOf = (account: string, interval?: number) =>
  query('v3.balanceHistory', { account, limit: POINTS, ...(interval === undefined ? {} : { interval }) })

export const jettonsOf = (owner: string, cursor?: string) =>
  query('v3.jetton.wallets', { owner_address: [owner], exclude_zero_balance: true, limit: 100, ...from(cursor) })

export const itemsOf = (owner: string, cursor?: string) =>
  query('v3.nft.items', { owner_address: [owner], include_on_sale: true, limit: 60, ...from(cursor) })

export const holdersOf = (jetton: string, cursor?: string) =>
  query('v3.jetton.wallets', {
    jetton_address: [jetton],
    exclude_zero_balance: true,
    sort: 'desc',
    limit: 100,
    ...from(cursor),
  })

export const vestingAt = (address: string) => query('v3.vesting', { contract_address: [address] })

export const multisigAt = (address: string) =>
  query('v3.multisig.wallets', { address: [address], include_orders: false })

export const orderAt = (address: string) => query('v3.multisig.orders', { address: [address], parse_actions: true })

/** Decoded orders are large. */
const ORDERS = 50

export const ordersOf = (multisig_address: string) =>
  query('v3.multisig.orders', { multisig_address: [multisig_address], parse_actions: true, limit: ORDERS })

export const itemsOfCollection = (collection: string, cursor?: string) =>
  query('v3.nft.items', { collection_address: [collection], include_on_sale: true, limit: 60, ...from(cursor) })

export const pendingOfAccount = (account: string) => query('v3.pendingActions', { account })

export const traceOfTransaction = (hash: string) => query('v3.traces', { tx_hash: [hash], include_actions: true })
export const traceOfMessage = (hash: string) => query('v3.traces', { msg_hash: [hash], include_actions: true })
export const traceById = (hash: string) => query('v3.traces', { trace_id: [hash], include_actions: true })

/** What a trace moved, tokens included. */
export const movesOf = (trace_id: string) => query('v3.balanceChanges', { trace_id })

export interface BlockPlace {
  readonly workchain: number
  readonly shard: string
  readonly seqno: number
}

export const blockAt = (place: BlockPlace) => query('v3.blocks', { ...place })
export const transactionsOfBlock = (place: BlockPlace) => query('v3.transactions', { ...place, limit: 50, sort: 'asc' })
export const shardsOfBlock = (seqno: number) => query('v3.masterchainBlockShards', { seqno })

/** Who signed a masterchain block, and who were validators at its time. */
export const signersOfBlock = (seqno: number, gen_utime: string | number) =>
  [
    query('getMasterchainBlockSignatures', { seqno }),
    query('v3.validators.cycles', { end_utime: Number(gen_utime), return_validators: true, limit: 1 }),
  ] as const

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

export const stateOfWallets = (addresses: readonly string[]) =>
  [
    query('v3.accountStates', { address: [...addresses], include_boc: false }),
    query('v3.walletStates', { address: [...addresses] }),
  ] as const

/** All cycles in short, the newest ones in full, and elections. */
export const VALIDATORS = [
  query('v3.validators.cycles', { limit: 60 }),
  query('v3.validators.cycles', { limit: 2, return_validators: true }),
  query('v3.validators.elections', { limit: 10 }),
] as const

export const NEWEST_STAKES = query('v3.validators.events', { type: 'stake_accepted', limit: 500 })

export const poolQueries = (pool: string) =>
  [
    query('v3.staking.nominatorPools.pool', { pool }),
    query('v3.staking.nominatorPools.nominatorEvents', { pool, limit: 500 }),
  ] as const
