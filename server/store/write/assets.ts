// What contracts are and what tokens did, written in the SQL transaction of the blocks that said so.

import type { AssetKind, AssetRow, AssetRows, ContractsFound } from '../assetRows.ts'
import type { Sql } from '../database.ts'
import type { AccountKey } from '../rows.ts'
import { sql } from '../sql.ts'
import { wantAirdrops } from './airdrops.ts'
import { ask } from './ask.ts'
import { assetTables } from './assetTables.ts'
import { insertRows, type Table } from './bulk.ts'
import { EVENT_TABLES, jettonBurns, jettonTransfers, nftTransfers } from './eventTables.ts'
import { wantMetadata } from './metadata.ts'
import { together } from './together.ts'

const KINDS = Object.keys(assetTables) as readonly AssetKind[]
const ASSET_TABLES = KINDS.map((kind) => assetTables[kind].name)
const MEMBER_TABLES = { multisig: 'multisig_members', vesting: 'vesting_whitelists' } as const

/** All tables of this file, to be emptied. */
export const assetTableNames: readonly string[] = [
  ...ASSET_TABLES,
  ...Object.values(MEMBER_TABLES),
  ...EVENT_TABLES,
  'token_metadata',
  'metadata_queue',
  'airdrop_dumps',
  'airdrop_amounts',
]

const insertFound = <K extends AssetKind>(to: Sql, kind: K, found: ContractsFound['found']): Promise<void> => {
  const rows: readonly AssetRow[K][] = found[kind]
  const table: Table<AssetRow[K]> = assetTables[kind]
  return insertRows(to, table, rows)
}

const accountsOf = (rows: readonly { readonly account: AccountKey }[]): readonly AccountKey[] =>
  rows.map(({ account }) => account)

/** Takes out the rows of accounts that are not of the kind, all in one statement. */
function deleteLost(on: Sql, { found, checked }: ContractsFound): void {
  if (checked.length === 0) return
  const steps = KINDS.map((kind) => {
    const table = sql.identifier(assetTables[kind].name)
    return sql`${table} as (delete from ${table}
      where account = any(${checked}::bytea[]) and not account = any(${accountsOf(found[kind])}::bytea[]))`
  })
  const members = Object.entries(MEMBER_TABLES).map(
    ([of, table]) => sql`${sql.identifier(table)} as (delete from ${sql.identifier(table)}
      where ${sql.identifier(of)} = any(${checked}::bytea[]))`,
  )
  ask(on, sql`with ${sql.join([...steps, ...members])} select 1 as done`)
}

/** Makes the tables say of these contracts what was found. */
export async function writeContracts(to: Sql, contracts: ContractsFound): Promise<void> {
  const { found } = contracts
  const signers = found.multisigs.flatMap(({ account, signers, proposers }) =>
    [...signers, ...proposers].map((member) => [member, account] as const),
  )
  const whitelists = found.vestings.flatMap(({ account, whitelist }) =>
    whitelist.map((member) => [member, account] as const),
  )
  deleteLost(to, contracts)
  await together(KINDS.map((kind) => insertFound(to, kind, found)))
  wantMetadata(to, contracts)
  insertMembers(to, 'multisig', signers)
  insertMembers(to, 'vesting', whitelists)
  // Looks at what was written.
  wantAirdrops(to, accountsOf(found.jettonMasters.filter(({ airdropRoot }) => airdropRoot !== null)))
}

function insertMembers(
  to: Sql,
  of: keyof typeof MEMBER_TABLES,
  members: readonly (readonly [member: AccountKey, of: AccountKey])[],
): void {
  if (members.length === 0) return
  ask(
    to,
    sql`insert into ${sql.identifier(MEMBER_TABLES[of])} (member, ${sql.identifier(of)})
    select * from unnest(${members.map(([member]) => member)}::bytea[], ${members.map(([, one]) => one)}::bytea[])
    on conflict do nothing`,
  )
}

/** Writes into the SQL transaction `to` belongs to. */
export async function writeAssets(to: Sql, rows: AssetRows): Promise<void> {
  await together([
    writeContracts(to, rows),
    insertRows(to, jettonTransfers, rows.jettonTransfers),
    insertRows(to, jettonBurns, rows.jettonBurns),
    insertRows(to, nftTransfers, rows.nftTransfers),
  ])
}

/** What tokens did above a masterchain block, as long as its transactions are still there. */
export async function forgetEvents(on: Sql, mcSeqno: number): Promise<void> {
  for (const table of EVENT_TABLES)
    await on.query(sql`delete from ${sql.identifier(table)}
      where tx_hash in (select hash from transactions where mc_seqno > ${mcSeqno})`)
}

/** Makes contracts what they were at an earlier block, whatever they have said since. */
export async function recallContracts(on: Sql, contracts: ContractsFound): Promise<void> {
  const { found } = contracts
  for (const kind of KINDS) {
    const accounts = accountsOf(found[kind])
    if (accounts.length === 0) continue
    const table = sql.identifier(assetTables[kind].name)
    await on.query(sql`update ${table} set last_tx_lt = 0 where account = any(${accounts}::bytea[])`)
  }
  await writeContracts(on, contracts)
}
