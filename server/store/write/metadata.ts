// Descriptions of tokens from outside of the chain: which are wanted, and what was found. Those that are wanted are noted
// with the tokens themselves; whoever fetches them comes later, or never.

import type { ContractsFound, TokenMetadataRow } from '../assetRows.ts'
import type { Sql } from '../database.ts'
import type { AccountKey } from '../rows.ts'
import { sql } from '../sql.ts'
import { wantAirdrops } from './airdrops.ts'
import { ask } from './ask.ts'

export interface WantedMetadata {
  readonly account: AccountKey
  readonly uri: string
  /** How often it was asked for in vain. */
  readonly attempts: number
}

export interface MetadataResult extends TokenMetadataRow {
  /** When to ask again, unix seconds; null for never. */
  readonly retryAt: number | null
}

/** Notes where the descriptions of these tokens lie; what was found elsewhere before is theirs no more. */
export function wantMetadata(to: Sql, { found }: Pick<ContractsFound, 'found'>): void {
  const wanted = [...found.jettonMasters, ...found.nftCollections, ...found.nftItems].flatMap(({ account, content }) =>
    content?.uri === undefined || content.uri === '' ? [] : [{ account, uri: content.uri }],
  )
  if (wanted.length === 0) return
  const accounts = wanted.map(({ account }) => account)
  const uris = wanted.map(({ uri }) => uri)
  const rows = sql`unnest(${accounts}::bytea[], ${uris}::text[]) as wanted (account, uri)`
  ask(
    to,
    sql`delete from token_metadata using ${rows}
    where token_metadata.account = wanted.account and token_metadata.uri <> wanted.uri`,
  )
  ask(
    to,
    sql`insert into metadata_queue (account, uri)
    select distinct on (wanted.account) wanted.account, wanted.uri from ${rows}
    where not exists (select 1 from token_metadata where token_metadata.account = wanted.account)
    on conflict (account) do update set uri = excluded.uri, attempts = 0, retry_at = 0
    where metadata_queue.uri <> excluded.uri`,
  )
}

/** Descriptions it is time to ask for, those that wait longest first. */
export async function readWantedMetadata(
  from: Sql,
  { now, most }: { readonly now: number; readonly most: number },
): Promise<readonly WantedMetadata[]> {
  return await from.query<{ account: Uint8Array; uri: string; attempts: number }>(
    sql`select account, uri, attempts from metadata_queue where retry_at <= ${now}
      order by retry_at, account limit ${most}`,
  )
}

/** Keeps what was found, unless the token points elsewhere by now. */
export async function writeMetadata(to: Sql, results: readonly MetadataResult[]): Promise<void> {
  for (const { account, uri, json, fetchedAt, retryAt } of results) {
    const asked = await to.query(
      retryAt === null
        ? sql`delete from metadata_queue where account = ${account} and uri = ${uri} returning true as asked`
        : sql`update metadata_queue set attempts = attempts + 1, retry_at = ${retryAt}
            where account = ${account} and uri = ${uri} returning true as asked`,
    )
    if (asked.length === 0) continue
    await to.query(sql`insert into token_metadata (account, uri, json, fetched_at)
      values (${account}, ${uri}, ${json}, ${fetchedAt})
      on conflict (account) do update set uri = excluded.uri, json = excluded.json, fetched_at = excluded.fetched_at`)
  }
  wantAirdrops(
    to,
    results.map(({ account }) => account),
  )
}
