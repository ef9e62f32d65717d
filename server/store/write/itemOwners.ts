// Owners of items, now and before, as blocks left them: a mint sends no message that names the owner, nor does a contract of
// another kind have to.

import type { Sql, SqlText } from '../database.ts'
import { bytesKey } from '../read/bytesKey.ts'
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
  /** The last transaction in the block that may have changed the owner; null for an account that a caller has set. */
  readonly txHash: Uint8Array | null
  /** Whether the block has no other transaction of it. */
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

/** The same for the first blocks of an index, before which no item is known: nothing is read. */
export function firstOwners(looks: readonly ItemLook[]): NftOwnersRow[] {
  const before = new Map<string, ItemLook>()
  return looks.flatMap((look) => {
    const { account, txHash, isAlone, mcSeqno, owner: newOwner } = look
    const last = before.get(bytesKey(account))
    before.set(bytesKey(account), look)
    const oldOwner = last?.owner ?? null
    const isKnown = look.isNew || last?.isItem === true
    if (txHash === null || !isKnown || (oldOwner === null && newOwner === null)) return []
    const collection = look.collection ?? last?.collection ?? null
    return [{ txHash, account, oldOwner, newOwner, isAlone, mcSeqno, collection }]
  })
}

/** Looks are in the order of blocks. To be called before the rows of the items are replaced. */
export function writeItemOwners(to: Sql, looks: readonly ItemLook[]): void {
  if (looks.length === 0) return
  enqueue(
    to,
    sql`insert into nft_owners (tx_hash, account, old_owner, new_owner, is_alone, mc_seqno, collection)
      ${ownersOf(looks)} on conflict do nothing`,
  )
}

/** No block has it. */
const NO_BLOCK = -1

/**
 * Writes the blocks and collections of changes that were written without: of so many at most. Returns of how many. Both columns are
 * null where they were not written, and an index begins with them.
 */
export async function fillItemOwners(to: Sql, most: number): Promise<number> {
  const filled = await to.query(sql`with few as (
      select o.tx_hash, o.account from nft_owners o where o.collection is null and o.mc_seqno is null
      order by o.collection, o.mc_seqno limit ${most})
    update nft_owners o set mc_seqno = coalesce(t.mc_seqno, ${NO_BLOCK}::int4), collection = i.collection
      from few left join transactions t on t.hash = few.tx_hash left join nft_items i on i.account = few.account
      where o.tx_hash = few.tx_hash returning 1 as filled`)
  return filled.length
}
