// Updates the names that a search finds when their tokens change.

import type { Sql } from '../database.ts'
import { nameWords } from '../searchText.ts'
import { sql } from '../sql.ts'
import type { ContractsFound } from '../tables/contracts.ts'
import type { TokenMetadataRow } from '../tables/offChain.ts'
import { enqueue } from './enqueue.ts'

/** Names in the contracts of these tokens. Names of contracts that stopped being tokens are deleted with their rows. */
export function writeContractNames(to: Sql, { found }: Pick<ContractsFound, 'found'>): void {
  const tokens = [...found.jettonMasters, ...found.nftCollections]
  if (tokens.length === 0) return
  const named = tokens.flatMap(({ account, content }) => nameWords(content ?? {}).map((word) => ({ account, word })))
  const rows = sql`unnest(${named.map(({ account }) => account)}::bytea[], ${named.map(({ word }) => word)}::text[])
    as wanted (account, word)`
  enqueue(
    to,
    sql`delete from token_names n where n.account = any(${tokens.map(({ account }) => account)}::bytea[])
      and not n.is_fetched
      and not exists (select from ${rows} where wanted.account = n.account and wanted.word = n.word)`,
  )
  if (named.length === 0) return
  enqueue(
    to,
    sql`insert into token_names (account, is_fetched, word) select distinct account, false, word from ${rows}
      on conflict do nothing`,
  )
}

/** A JSON object; an empty one for any other text. */
function attributesIn(json: string | null): Parameters<typeof nameWords>[0] {
  try {
    const value: unknown = JSON.parse(json ?? 'null')
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

/** The names in a description that was fetched: those of items are not searched. */
export async function writeFetchedNames(
  to: Sql,
  { account, json }: Pick<TokenMetadataRow, 'account' | 'json'>,
): Promise<void> {
  await to.query(sql`delete from token_names where account = ${account} and is_fetched`)
  const words = nameWords(attributesIn(json))
  if (words.length === 0) return
  await to.query(sql`insert into token_names (account, is_fetched, word)
    select t.account, true, w.word
    from (select account from jetton_masters where account = ${account}
      union select account from nft_collections where account = ${account}) t
    cross join unnest(${words}::text[]) as w (word)`)
}
