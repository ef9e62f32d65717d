import { query } from './explorerQuery.ts'

/** The newest block of the chain, which the index may not have yet. Apart from the other queries: only the first page has it. */
export const CHAIN_HEAD = query('getMasterchainInfo', {})
