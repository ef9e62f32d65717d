// The tables, step by step. What a released step makes is never changed: it has run in databases of others. A new column takes a
// new step and its entry in `../tables/`.

import { chain } from './0001_chain.ts'
import { assets } from './0002_assets.ts'
import { actions } from './0003_actions.ts'
import { facts } from './0004_facts.ts'
import { airdrops } from './0005_airdrops.ts'
import { orders } from './0006_orders.ts'
import { byAccount } from './0007_byAccount.ts'
import { identity } from './0008_identity.ts'
import { system } from './0009_system.ts'
import { staking } from './0010_staking.ts'
import { texts } from './0011_texts.ts'
import { statistics } from './0012_statistics.ts'
import { keys } from './0013_keys.ts'
import { names } from './0014_names.ts'
import { webhooks } from './0015_webhooks.ts'
import { narrow } from './0016_narrow.ts'
import { plans } from './0017_plans.ts'
import { kept } from './0018_kept.ts'
import {
  shortActionAccounts,
  shortEvents,
  shortMessages,
  shortTraceAccounts,
  shortTransactions,
} from './0019_shortKeys.ts'
import { packedActions } from './0024_packedActions.ts'
import { bags } from './0025_bags.ts'
import { keyedIndexes } from './0026_keyedIndexes.ts'
import { nftOwners } from './0027_nftOwners.ts'
import { sharedBags } from './0028_sharedBags.ts'
import { ACTION_KINDS_CHECKSUM, actionKinds } from './0029_actionKinds.ts'
import { eventPairs } from './0030_eventPairs.ts'
import { hashedKeys } from './0031_hashedKeys.ts'
import { hashStarts } from './0032_hashStarts.ts'
import { lateEvents } from './0033_lateEvents.ts'
import { goneAccounts } from './0034_goneAccounts.ts'
import { memberOrder } from './0035_memberOrder.ts'
import { allAccounts } from './0036_allAccounts.ts'
import { ownersByBlock } from './0037_ownersByBlock.ts'

export interface Migration {
  /** 1, 2, 3 and so on without a gap. */
  readonly number: number
  /** As in the name of the file: `0001_chain`. */
  readonly name: string
  /** Any number of statements, run in one transaction. Parts of a long step are run one after the other, each a line in the log. */
  readonly sql: string | readonly string[]
  /** Each part is a transaction of its own: after a kill the next start goes on with the one that was running. */
  readonly isInParts?: boolean
  /** Of the text that was released, where it was mended since and makes the same tables. Absent: of the text as it is. */
  readonly checksum?: string
}

export const migrations: readonly Migration[] = [
  { number: 1, name: '0001_chain', sql: chain },
  { number: 2, name: '0002_assets', sql: assets },
  { number: 3, name: '0003_actions', sql: actions },
  { number: 4, name: '0004_facts', sql: facts },
  { number: 5, name: '0005_airdrops', sql: airdrops },
  { number: 6, name: '0006_orders', sql: orders },
  { number: 7, name: '0007_byAccount', sql: byAccount },
  { number: 8, name: '0008_identity', sql: identity },
  { number: 9, name: '0009_system', sql: system },
  { number: 10, name: '0010_staking', sql: staking },
  { number: 11, name: '0011_texts', sql: texts },
  { number: 12, name: '0012_statistics', sql: statistics },
  { number: 13, name: '0013_keys', sql: keys },
  { number: 14, name: '0014_names', sql: names },
  { number: 15, name: '0015_webhooks', sql: webhooks },
  { number: 16, name: '0016_narrow', sql: narrow },
  { number: 17, name: '0017_plans', sql: plans },
  { number: 18, name: '0018_kept', sql: kept },
  { number: 19, name: '0019_shortTransactions', sql: shortTransactions },
  { number: 20, name: '0020_shortMessages', sql: shortMessages },
  { number: 21, name: '0021_shortTraceAccounts', sql: shortTraceAccounts },
  { number: 22, name: '0022_shortActionAccounts', sql: shortActionAccounts },
  { number: 23, name: '0023_shortEvents', sql: shortEvents },
  { number: 24, name: '0024_packedActions', sql: packedActions },
  { number: 25, name: '0025_bags', sql: bags },
  { number: 26, name: '0026_keyedIndexes', sql: keyedIndexes, isInParts: true },
  { number: 27, name: '0027_nftOwners', sql: nftOwners },
  { number: 28, name: '0028_sharedBags', sql: sharedBags, isInParts: true },
  { number: 29, name: '0029_actionKinds', sql: actionKinds, isInParts: true, checksum: ACTION_KINDS_CHECKSUM },
  { number: 30, name: '0030_eventPairs', sql: eventPairs, isInParts: true },
  { number: 31, name: '0031_hashedKeys', sql: hashedKeys, isInParts: true },
  { number: 32, name: '0032_hashStarts', sql: hashStarts, isInParts: true },
  { number: 33, name: '0033_lateEvents', sql: lateEvents, isInParts: true },
  { number: 34, name: '0034_goneAccounts', sql: goneAccounts },
  { number: 35, name: '0035_memberOrder', sql: memberOrder, isInParts: true },
  { number: 36, name: '0036_allAccounts', sql: allAccounts },
  { number: 37, name: '0037_ownersByBlock', sql: ownersByBlock, isInParts: true },
]

/** The version of the tables this program reads and writes. */
export const SCHEMA_STEP = migrations.length
