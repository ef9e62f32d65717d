// All tables of the index. A test compares them with what the migrations make.

import { accountStates, accounts, codes, goneAccounts } from './accounts.ts'
import { actionAccounts, actionKinds, actions } from './actions.ts'
import { blocks, messages, shardTops, sharedBags, transactions } from './chain.ts'
import { contractTables, multisigMembers, vestingWhitelists } from './contracts.ts'
import { electionTables } from './elections.ts'
import { eventTables, nftOwners } from './events.ts'
import { chainIdentity, indexerCursor } from './indexState.ts'
import { tokenNames } from './names.ts'
import { airdropAmounts, airdropDumps, metadataQueue, tokenMetadata } from './offChain.ts'
import { stakingTables } from './staking.ts'
import { statistics } from './statistics.ts'
import type { AnyTable } from './table.ts'
import { textProgress, transactionTexts } from './texts.ts'
import { pendingEdges, traceAccounts, traces } from './traces.ts'

export const allTables: readonly AnyTable[] = [
  blocks,
  shardTops,
  transactions,
  messages,
  sharedBags,
  accountStates,
  accounts,
  goneAccounts,
  codes,
  traces,
  pendingEdges,
  traceAccounts,
  actions,
  actionAccounts,
  actionKinds,
  ...Object.values(contractTables),
  multisigMembers,
  vestingWhitelists,
  ...Object.values(eventTables),
  nftOwners,
  ...Object.values(electionTables),
  ...Object.values(stakingTables),
  tokenNames,
  tokenMetadata,
  metadataQueue,
  airdropAmounts,
  airdropDumps,
  statistics,
  chainIdentity,
  indexerCursor,
  transactionTexts,
  textProgress,
]
