// First amounts of jettons, out of dictionaries that lie outside of the chain: which are wanted, and what is in them.

import type { AirdropAmount } from '../assetRows.ts'
import type { Sql } from '../database.ts'
import type { AccountKey } from '../rows.ts'
import { sql } from '../sql.ts'
import { ask } from './ask.ts'
import { insertRows } from './bulk.ts'

export interface WantedAirdrop {
  readonly jetton: AccountKey
  readonly uri: string
  /** Hash of the dictionary. */
  readonly root: Uint8Array
  /** How often it was asked for in vain. */
  readonly attempts: number
}

/** Notes where the dictionaries of those of these accounts lie whose contract names one and whose description says where. */
export function wantAirdrops(to: Sql, accounts: readonly AccountKey[]): void {
  if (accounts.length === 0) return
  ask(
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

/** The one that waits longest, when it is time to ask for any. */
export async function readWantedAirdrop(from: Sql, now: number): Promise<WantedAirdrop | undefined> {
  const [wanted] = await from.query<{ jetton: Uint8Array; uri: string; root: Uint8Array; attempts: number }>(
    sql`select jetton, uri, root, attempts from airdrop_dumps where retry_at <= ${now} order by retry_at, jetton limit 1`,
  )
  return wanted
}

/** Keeps what a dictionary says, in any number of parts. */
export async function writeAirdropAmounts(to: Sql, root: Uint8Array, amounts: readonly AirdropAmount[]): Promise<void> {
  await insertRows<AirdropAmount>(
    to,
    {
      name: 'airdrop_amounts',
      columns: [
        ['root', 'bytea', () => root],
        ['owner', 'bytea', ({ owner }) => owner],
        ['amount', 'numeric', ({ amount }) => amount],
        ['start_from', 'int8', ({ startFrom }) => startFrom],
        ['expire_at', 'int8', ({ expireAt }) => expireAt],
      ],
      onConflict: sql`on conflict do nothing`,
    },
    amounts,
  )
}

/** Notes that a dictionary was asked for, and when to do so again; null for never. */
export async function noteAirdrop(
  to: Sql,
  { jetton, uri, root }: WantedAirdrop,
  retryAt: number | null,
): Promise<void> {
  await to.query(sql`update airdrop_dumps set attempts = attempts + 1, retry_at = ${retryAt}
    where jetton = ${jetton} and uri = ${uri} and root = ${root}`)
}
