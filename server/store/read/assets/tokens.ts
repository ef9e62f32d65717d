// What tokens some accounts are, for what stands beside the rows of an answer.

import type { Content } from '../../assetRows.ts'
import type { AccountKey } from '../../rows.ts'
import { sql } from '../../sql.ts'
import type { Read } from '../read.ts'
import { contentOf } from './contract.ts'

export interface HeldJetton {
  readonly account: AccountKey
  readonly owner: AccountKey
  readonly jetton: AccountKey
  readonly balance: bigint
}

/** Those of the accounts that are jetton wallets, in no order. */
export const heldJettonsRead = (accounts: readonly AccountKey[]): Read<HeldJetton> => ({
  statement: sql`select account, owner, jetton, balance from jetton_wallets where account = any(${accounts})`,
  toValue: (row) => ({
    account: row.account as AccountKey,
    owner: row.owner as AccountKey,
    jetton: row.jetton as AccountKey,
    balance: row.balance as bigint,
  }),
})

export type TokenKind = 'nft_items' | 'nft_collections' | 'jetton_masters'

export interface DescribedToken {
  readonly account: AccountKey
  readonly kind: TokenKind
  /** Of an item. */
  readonly index: bigint | null
  /** As it is on chain. */
  readonly content: Content | null
  /** What was fetched for it; null for nothing yet. */
  readonly fetched: { readonly uri: string; readonly json: string | null } | null
}

/** Those of the accounts that describe themselves; one that is several kinds of token comes once for each of them. */
export const describedTokensRead = (accounts: readonly AccountKey[]): Read<DescribedToken> => ({
  statement: sql`select t.kind, t.account, t.index, t.content, m.uri, m.json from (
      select 0 as place, 'nft_items' as kind, account, index, content from nft_items where account = any(${accounts})
      union all
      select 1, 'nft_collections', account, null, content from nft_collections where account = any(${accounts})
      union all
      select 2, 'jetton_masters', account, null, content from jetton_masters where account = any(${accounts})
    ) t left join token_metadata m on m.account = t.account order by t.place`,
  toValue: (row) => ({
    account: row.account as AccountKey,
    kind: row.kind as TokenKind,
    index: row.index as bigint | null,
    content: contentOf(row.content),
    fetched: row.uri === null ? null : { uri: row.uri as string, json: row.json as string | null },
  }),
})
