// Off-chain descriptions of tokens: the queue of fetches, and their results. They are queued together with the tokens; the room
// that fetches them may run later, or never.

import type { Sql } from '../database.ts'
import { bytesKey } from '../read/bytesKey.ts'
import { sql } from '../sql.ts'
import type { AccountKey } from '../tables/column.ts'
import type { ContractsFound } from '../tables/contracts.ts'
import { decoderOf } from '../tables/decoder.ts'
import { metadataQueue, type TokenMetadataRow } from '../tables/offChain.ts'
import { queueAirdrops } from './airdrops.ts'
import { BEGINNING, type DueLink, type DuePage, decodeDue, NO_ACCOUNT } from './dueLinks.ts'
import { enqueue } from './enqueue.ts'
import { writeFetchedNames } from './names.ts'

/** All lock rows of tokens in this order: of two writers with some of the same one would fail. */
const byAccount = (a: { readonly account: AccountKey }, b: { readonly account: AccountKey }): number =>
  Buffer.compare(a.account, b.account)

const { account, uri, attempts } = metadataQueue.fields
const decodeQueued = decoderOf({ account, uri, attempts })

/** A description that is to be fetched. */
export type QueuedMetadata = ReturnType<typeof decodeQueued>

export interface MetadataResult extends TokenMetadataRow {
  /** When to fetch it again, unix seconds; null for never. */
  readonly retryAt: number | null
}

/**
 * Queues the descriptions of these tokens, and deletes those that were fetched from another address before. Of an account with
 * links in several roles it is that of the first one here.
 */
export function queueMetadata(to: Sql, { found }: Pick<ContractsFound, 'found'>): void {
  const all = [...found.jettonMasters, ...found.nftCollections, ...found.nftItems]
  const links = all.flatMap(({ account, content }) => (content?.uri ? [{ account, uri: content.uri }] : []))
  const tokens = [...new Map(links.toReversed().map((link) => [bytesKey(link.account), link])).values()]
  const linked = new Set(tokens.map(({ account }) => bytesKey(account)))
  forgetDescriptions(
    to,
    all.map(({ account }) => account).filter((account) => !linked.has(bytesKey(account))),
  )
  if (tokens.length === 0) return
  const accounts = tokens.map(({ account }) => account)
  const uris = tokens.map(({ uri }) => uri)
  const rows = sql`unnest(${accounts}::bytea[], ${uris}::text[]) as wanted (account, uri)`
  enqueue(
    to,
    sql`delete from token_metadata using ${rows}
    where token_metadata.account = wanted.account and token_metadata.uri <> wanted.uri`,
  )
  enqueue(
    to,
    sql`delete from token_names n where n.account = any(${accounts}::bytea[]) and n.is_fetched
      and not exists (select from token_metadata m where m.account = n.account)`,
  )
  enqueue(
    to,
    sql`insert into metadata_queue (account, uri)
    select wanted.account, wanted.uri from ${rows}
    where not exists (select 1 from token_metadata where token_metadata.account = wanted.account)
    order by wanted.account
    on conflict (account) do update set uri = excluded.uri, attempts = 0, retry_at = 0
    where metadata_queue.uri <> excluded.uri`,
  )
}

/** Deletes fetched descriptions of tokens that have no link any more. */
function forgetDescriptions(to: Sql, accounts: readonly AccountKey[]): void {
  if (accounts.length === 0) return
  enqueue(
    to,
    sql`with described as (delete from token_metadata where account = any(${accounts}::bytea[])),
      named as (delete from token_names where account = any(${accounts}::bytea[]) and is_fetched)
    delete from metadata_queue where account = any(${accounts}::bytea[])`,
  )
}

/** Descriptions that are due, those that have been for the longest time first. */
export async function readDueMetadata(from: Sql, wanted: DuePage): Promise<readonly DueLink[]> {
  const { now, most, after } = wanted
  const rows = await from.query(
    sql`select account, left(uri, ${BEGINNING}) as link, retry_at from metadata_queue
      where retry_at <= ${now} and (retry_at, account) > (${after?.retryAt ?? -1}, ${after?.account ?? NO_ACCOUNT})
      order by retry_at, account limit ${most}`,
  )
  return rows.map(decodeDue)
}

/** Undefined when the description of this token is not to be fetched now. */
export async function readQueuedMetadata(
  from: Sql,
  { account, now }: { readonly account: AccountKey; readonly now: number },
): Promise<QueuedMetadata | undefined> {
  const rows = await from.query(
    sql`select account, uri, attempts from metadata_queue where account = ${account} and retry_at <= ${now}`,
  )
  return rows.map(decodeQueued)[0]
}

/** Writes what was found, unless the token points elsewhere by now. */
export async function writeMetadata(to: Sql, results: readonly MetadataResult[]): Promise<void> {
  for (const { account, uri, json, fetchedAt, retryAt } of results.toSorted(byAccount)) {
    const queued = await to.query(
      retryAt === null
        ? sql`delete from metadata_queue where account = ${account} and uri = ${uri} returning true as queued`
        : sql`update metadata_queue set attempts = attempts + 1, retry_at = ${retryAt}
            where account = ${account} and uri = ${uri} returning true as queued`,
    )
    if (queued.length === 0) continue
    await to.query(sql`insert into token_metadata (account, uri, json, fetched_at)
      values (${account}, ${uri}, ${json}, ${fetchedAt})
      on conflict (account) do update set uri = excluded.uri, json = excluded.json, fetched_at = excluded.fetched_at`)
    await writeFetchedNames(to, { account, json })
  }
  queueAirdrops(
    to,
    results.map(({ account }) => account),
  )
}
