// The accounts that a webhook is subscribed to.

import type { Sql } from '../database.ts'
import { inRounds } from '../read/read.ts'
import { sql } from '../sql.ts'
import type { AccountKey } from '../tables/column.ts'

export async function addWebhookAccounts(to: Sql, id: bigint, accounts: readonly AccountKey[]): Promise<void> {
  await inRounds(accounts, (some) =>
    to.query(sql`insert into webhook_accounts (webhook_id, account)
      select ${id}::int8, account from unnest(${some}::bytea[]) as given (account) on conflict do nothing`),
  )
}

export async function removeWebhookAccounts(to: Sql, id: bigint, accounts: readonly AccountKey[]): Promise<void> {
  await inRounds(accounts, (some) =>
    to.query(sql`delete from webhook_accounts where webhook_id = ${id} and account = any(${some}::bytea[])`),
  )
}

/** Rows of one statement: they are decoded in one turn of the event loop. */
const ROWS_AT_ONCE = 2_000

interface WebhookAccount {
  readonly account: AccountKey
  readonly last_lt: bigint
  readonly [column: string]: unknown
}

/** In their order; without a page all, of which there may be a hundred thousand. */
export async function readWebhookAccounts(
  from: Sql,
  id: bigint,
  { limit = Number.MAX_SAFE_INTEGER, offset = 0 }: { readonly limit?: number; readonly offset?: number } = {},
): Promise<WebhookAccount[]> {
  const all: WebhookAccount[] = []
  for (;;) {
    const most = Math.min(ROWS_AT_ONCE, limit - all.length)
    const last = all.at(-1)?.account ?? new Uint8Array()
    const some = await from.query<WebhookAccount>(sql`select account, last_lt from webhook_accounts
      where webhook_id = ${id} and account > ${last}::bytea order by account
      limit ${most}::int8 offset ${all.length === 0 ? offset : 0}::int8`)
    for (const one of some) all.push(one)
    if (some.length < ROWS_AT_ONCE) return all
  }
}
