import type { MasterBlockRows } from '../../server/store/index.ts'

/** The rows of a block without anything in it. */
export const NOTHING = {
  blocks: [],
  shardTops: [],
  transactions: [],
  messages: [],
  accountStates: [],
  accounts: [],
  codes: [],
  traces: [],
  traceAccounts: [],
  completedTraces: [],
  newEdges: [],
  consumedEdges: [],
} satisfies Partial<MasterBlockRows>
