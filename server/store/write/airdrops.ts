// First amounts of jettons, from dictionaries outside of the chain: which are to be fetched, and what is in them.

import type { Sql } from '../database.ts'
import { sql } from '../sql.ts'
import type { AccountKey } from '../tables/column.ts'
import { decoderOf } from '../tables/decoder.ts'
import { type AirdropAmount, airdropAmounts, airdropDumps } from '../tables/offChain.ts'
import { insertRows } from './bulk.ts'
import { BEGINNING, type DueLink, type DuePage, decodeDue, NO_ACCOUNT } from './dueLinks.ts'
import { enqueue } from './enqueue.ts'

const { jetton, uri, root, attempts } = airdropDumps.fields
const decodeQueued = decoderOf({ jetton, uri, root, attempts })

/** A dictionary that is to be fetched. */
export type QueuedAirdrop = ReturnType<typeof decodeQueued>

/** Queues the dictionaries of these accounts: of masters whose contract names one and whose description has its address. */
export function queueAirdrops(to: Sql, accounts: readonly AccountKey[]): void {
  if (accounts.length === 0) return
  enqueue(
    to,
    sql`insert into airdrop_dumps (jetton, uri, root)
    select m.account, d.json ->> 'mintless_merkle_dump_uri', m.airdrop_root
    from jetton_masters m join token_metadata d on d.account = m.account and d.uri = m.content ->> 'uri'
    where m.account = any(${accounts}::bytea[]) and m.airdrop_root is not null
      and json_typeof(d.json -> 'mintless_merkle_dump_uri') = 'string'
    on conflict (jetton) do update set uri = excluded.uri, root = excluded.root, attempts = 0, retry_at = 0
    where (airdrop_dumps.uri, airdrop_dumps.root) <> (excluded.uri, excluded.root)`,
  )
}

/** Dictionaries that are due, those that have been for the longest time first. */
export async function readDueAirdrops(from: Sql, wanted: DuePage): Promise<readonly DueLink[]> {
  const { now, most, after } = wanted
  const rows = await from.query(
    sql`select jetton as account, left(uri, ${BEGINNING}) as link, retry_at from airdrop_dumps
      where retry_at <= ${now} and (retry_at, jetton) > (${after?.retryAt ?? -1}, ${after?.account ?? NO_ACCOUNT})
      order by retry_at, jetton limit ${most}`,
  )
  return rows.map(decodeDue)
}

/** Undefined when the dictionary of this jetton is not to be fetched now. */
export async function readQueuedAirdrop(
  from: Sql,
  { account, now }: { readonly account: AccountKey; readonly now: number },
): Promise<QueuedAirdrop | undefined> {
  const rows = await from.query(
    sql`select jetton, uri, root, attempts from airdrop_dumps where jetton = ${account} and retry_at <= ${now}`,
  )
  return rows.map(decodeQueued)[0]
}

/** Writes the amounts of a dictionary, in any number of parts. */
export async function writeOwed(to: Sql, root: Uint8Array, amounts: readonly AirdropAmount[]): Promise<void> {
  const rows = amounts.map((amount) => ({ root, ...amount }))
  await insertRows(to, airdropAmounts, rows)
}

/** Counts a fetch of a dictionary, and sets when to repeat it; null for never. */
export async function noteAirdrop(
  to: Sql,
  { jetton, uri, root }: QueuedAirdrop,
  retryAt: number | null,
): Promise<void> {
  await to.query(sql`update airdrop_dumps set attempts = attempts + 1, retry_at = ${retryAt}
    where jetton = ${jetton} and uri = ${uri} and root = ${root}`)
}
