// Kinds of contracts and events of tokens, written in the SQL transaction of their blocks.

import type { Sql, SqlText } from '../database.ts'
import { sql } from '../sql.ts'
import type { CodeRow } from '../tables/accounts.ts'
import type { AccountKey } from '../tables/column.ts'
import {
  type AssetKind,
  type ContractsFound,
  contractTables,
  multisigMembers,
  vestingWhitelists,
} from '../tables/contracts.ts'
import { eventTables } from '../tables/events.ts'
import { queueAirdrops } from './airdrops.ts'
import { insertRows } from './bulk.ts'
import { enqueue, settleAll } from './enqueue.ts'
import { type ItemLook, writeItemOwners } from './itemOwners.ts'
import { queueMetadata } from './metadata.ts'
import { writeContractNames } from './names.ts'
import { insertSet, type RowsOf } from './set.ts'

/** Contracts and token events of one masterchain block, or of consecutive ones. */
export interface AssetRows extends ContractsFound, RowsOf<typeof eventTables> {
  readonly itemLooks: readonly ItemLook[]
  /** Rows that say more of code than those it came with. */
  readonly codes: readonly CodeRow[]
}

// The cast: the keys of that object.
const KINDS = Object.keys(contractTables) as readonly AssetKind[]

const accountsOf = (rows: readonly { readonly account: AccountKey }[]): readonly AccountKey[] =>
  rows.map(({ account }) => account)

/** Deletes the rows of accounts that are not of the kind, all in one statement: the list of accounts, which may be long, is sent once. */
function deleteLost(on: Sql, { found, checked }: ContractsFound): void {
  if (checked.length === 0) return
  const masters = accountsOf(found.jettonMasters)
  const named = [...masters, ...accountsOf(found.nftCollections)]
  const described = [...named, ...accountsOf(found.nftItems)]
  const steps = [
    ...KINDS.map((kind) => lost(contractTables[kind].name, 'account', accountsOf(found[kind]))),
    // Fetched metadata is removed with its token, and fetched again when the token is back.
    lost('token_metadata', 'account', described),
    lost('metadata_queue', 'account', described),
    lost('airdrop_dumps', 'jetton', masters),
    lost('multisig_members', 'multisig', []),
    lost('vesting_whitelists', 'vesting', []),
    lost('token_names', 'account', named),
  ]
  enqueue(on, sql`with checked as (select unnest(${checked}::bytea[]) as account), ${sql.join(steps)} select 1 as done`)
}

function lost(name: string, column: string, kept: readonly AccountKey[]): SqlText {
  const table = sql.identifier(name)
  const key = sql`${table}.${sql.identifier(column)}`
  return sql`${table} as (delete from ${table} using checked
    where ${key} = checked.account and not ${key} = any(${kept}::bytea[]))`
}

/** Replaces the rows of these contracts by what was detected. */
export async function writeContracts(to: Sql, contracts: ContractsFound): Promise<void> {
  const { found } = contracts
  const signers = found.multisigs.flatMap(({ account, signers, proposers, lastTxLt }) =>
    [...signers, ...proposers].map((member) => ({ member, multisig: account, lastTxLt })),
  )
  const whitelists = found.vestings.flatMap(({ account, whitelist }) =>
    whitelist.map((member) => ({ member, vesting: account })),
  )
  deleteLost(to, contracts)
  await settleAll([
    insertSet(to, contractTables, found),
    insertRows(to, multisigMembers, signers),
    insertRows(to, vestingWhitelists, whitelists),
  ])
  writeContractNames(to, contracts)
  queueMetadata(to, contracts)
  // Reads the masters that were just written.
  queueAirdrops(to, accountsOf(found.jettonMasters.filter(({ airdropRoot }) => airdropRoot !== null)))
}

/** Writes into the SQL transaction `to` belongs to. */
export async function writeAssets(to: Sql, rows: AssetRows): Promise<void> {
  // Compares with rows that are replaced behind it.
  await writeItemOwners(to, rows.itemLooks)
  await settleAll([writeContracts(to, rows), insertSet(to, eventTables, rows)])
}

/** Restores contracts as of an earlier block, although the tables have newer rows. */
export async function restoreContracts(on: Sql, contracts: ContractsFound): Promise<void> {
  const { found } = contracts
  for (const kind of KINDS) {
    const accounts = accountsOf(found[kind])
    if (accounts.length === 0) continue
    const table = sql.identifier(contractTables[kind].name)
    await on.query(sql`update ${table} set last_tx_lt = 0 where account = any(${accounts}::bytea[])`)
  }
  await writeContracts(on, contracts)
}
