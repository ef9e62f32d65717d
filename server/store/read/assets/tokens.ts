// Tokens among some accounts, for the side objects of a reply.

import type { SqlRow } from '../../database.ts'
import { sql } from '../../sql.ts'
import { type AccountKey, nullable, oneOf, text } from '../../tables/column.ts'
import { type ContentAttributes, contractTables } from '../../tables/contracts.ts'
import { decoderOf } from '../../tables/decoder.ts'
import { tokenMetadata } from '../../tables/offChain.ts'
import type { StoreRead } from '../read.ts'

const { account, owner, jetton, balance } = contractTables.jettonWallets.fields
export const decodeHeld = decoderOf({ account, owner, jetton, balance })

export type HeldJetton = ReturnType<typeof decodeHeld>

/** Those of the accounts that are jetton wallets, in no order. */
export const heldJettonsRead = (accounts: readonly AccountKey[]): StoreRead<HeldJetton> => ({
  statement: sql.steady(
    sql`select account, owner, jetton, balance from jetton_wallets where account = any(${accounts})`,
  ),
  toValue: decodeHeld,
})

const kind = oneOf('nft_items', 'nft_collections', 'jetton_masters')
export type TokenKind = ReturnType<typeof kind.decode>

const { index, content } = contractTables.nftItems.fields
const { uri, json } = tokenMetadata.fields
const decodeDescribedColumns = decoderOf({
  account,
  kind,
  index: nullable(index),
  content,
  uri: nullable(uri),
  json,
  saleName: nullable(text),
})

export interface DescribedToken {
  readonly account: AccountKey
  readonly kind: TokenKind
  /** Of an item. */
  readonly index: bigint | null
  /** Of an item that is sold by its name, that name. */
  readonly saleName: string | null
  /** The content on chain. */
  readonly content: ContentAttributes | null
  /** The fetched description; null until it was fetched, and where another role of the account has it. */
  readonly fetched: { readonly uri: string; readonly json: string | null } | null
}

/** As an array, so that tables are looked up by it whatever number of accounts the planner expects. */
const ANY_NAMED = sql`any(array(select account from named))`

/** User names and numbers that are auctions by themselves. */
const SALE_NAME = sql`(select s.details->>'token_name' from nft_sales s where s.account = i.account and s.kind = 'telemint')`

/** Those of the accounts in `named` that are tokens with descriptions: one of several kinds comes once for each. */
export const TOKEN_ROWS = sql`select t.place, t.kind, t.account, t.index, t.content, t.sale_name, m.uri, m.json from (
    select 0 as place, 'nft_items' as kind, account, index, content, ${SALE_NAME} as sale_name
      from nft_items i where account = ${ANY_NAMED}
    union all
    select 1, 'nft_collections', account, null, content, null from nft_collections where account = ${ANY_NAMED}
    union all
    select 2, 'jetton_masters', account, null, content, null from jetton_masters where account = ${ANY_NAMED}
  ) t left join token_metadata m on m.account = t.account`

/** The same, one of several kinds in this order. */
export const DESCRIBED = sql`${TOKEN_ROWS} order by t.place`

export function decodeDescribed(row: SqlRow): DescribedToken {
  const { account, kind, index, saleName, content, uri, json } = decodeDescribedColumns(row)
  return {
    account,
    kind,
    index,
    saleName,
    content,
    fetched: uri === null || uri !== content?.uri ? null : { uri, json },
  }
}
