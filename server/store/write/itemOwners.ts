// Owners of items, now and before, as blocks left them: a mint sends no message that names the owner, nor does a contract of
// another kind have to.

import type { Sql, SqlText } from '../database.ts'
import type { StoreRead } from '../read/read.ts'
import { sql } from '../sql.ts'
import type { AccountKey } from '../tables/column.ts'
import { type NftOwnersRow, nftOwners } from '../tables/events.ts'
import { enqueue } from './enqueue.ts'

/** An account that is an item after a block, or may have been one before. */
export interface ItemLook {
  readonly account: AccountKey
  readonly owner: AccountKey | null
  readonly collection: AccountKey | null
  readonly isItem: boolean
  /** Created in this block, so it had no owner before. */
  readonly isNew: boolean
  /** The last transaction in the block, and whether there are others; null for an account that a caller has set. */
  readonly txHash: Uint8Array | null
  readonly isAlone: boolean
  /** The masterchain block. */
  readonly mcSeqno: number
}

/** The owners before and after each look, while the rows of the items are those of before; nothing where the one before is not known. */
function ownersOf(looks: readonly ItemLook[]): SqlText {
  const column = <K extends keyof ItemLook>(name: K) => looks.map((look) => look[name])
  return sql`select tx_hash, account, old_owner, owner as new_owner, is_alone, mc_seqno,
        coalesce(collection, collection_before) as collection
      from (select look.*,
          is_new or coalesce(lag(is_item) over before, exists (select from nft_items i where i.account = look.account)) as is_known,
          case when lag(is_item) over before is null then (select i.owner from nft_items i where i.account = look.account)
            else lag(owner) over before end as old_owner,
          coalesce(lag(collection) over before,
            (select i.collection from nft_items i where i.account = look.account)) as collection_before
        from unnest(${column('account')}::bytea[], ${column('owner')}::bytea[], ${column('isItem')}::bool[],
          ${column('isNew')}::bool[], ${column('txHash')}::bytea[], ${column('isAlone')}::bool[],
          ${column('mcSeqno')}::int4[], ${column('collection')}::bytea[])
          with ordinality as look (account, owner, is_item, is_new, tx_hash, is_alone, mc_seqno, collection, place)
        window before as (partition by account order by place)) known
      where tx_hash is not null and is_known and (old_owner is not null or owner is not null)`
}

/** What `writeItemOwners` is going to write. */
export const comingOwnersRead = (looks: readonly ItemLook[]): StoreRead<NftOwnersRow> => ({
  statement: ownersOf(looks),
  toValue: nftOwners.decode,
})

/** Looks are in the order of blocks. To be called before the rows of the items are replaced. */
export function writeItemOwners(to: Sql, looks: readonly ItemLook[]): void {
  if (looks.length === 0) return
  enqueue(
    to,
    sql`insert into nft_owners (tx_hash, account, old_owner, new_owner, is_alone, mc_seqno, collection)
      ${ownersOf(looks)} on conflict do nothing`,
  )
}
