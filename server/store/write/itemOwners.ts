// Owners of items, now and before, as blocks left them: a mint sends no message that names the owner, nor does a contract of
// another kind have to.

import type { Sql, SqlText } from '../database.ts'
import { bytesKey } from '../read/bytesKey.ts'
import { readAll } from '../read/read.ts'
import { sql } from '../sql.ts'
import type { AccountKey } from '../tables/column.ts'
import { type NftOwnersRow, nftOwners } from '../tables/events.ts'
import { insertRows } from './bulk.ts'
import { enqueue } from './enqueue.ts'
import { type ItemRequests, itemSteps, senderBefore } from './itemSteps.ts'

/** An account that is an item after a block, or may have been one before. */
export interface ItemLook extends ItemRequests {
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
  /** An item whose only transaction requested an owner that it did not get. */
  readonly isIgnored: boolean
  /** The masterchain block. */
  readonly mcSeqno: number
}

/**
 * The owners before and after each look, while the rows of the items are those of before; nothing where the one before is not known,
 * unless nothing moved.
 */
function ownersOf(looks: readonly ItemLook[]): SqlText {
  const column = <K extends keyof ItemLook>(name: K) => looks.map((look) => look[name])
  return sql`select tx_hash, account, case when is_known then old_owner else owner end as old_owner, owner as new_owner, is_alone,
        mc_seqno, coalesce(collection, collection_before) as collection
      from (select look.*,
          is_new or coalesce(lag(is_item) over before, exists (select from nft_items i where i.account = look.account)) as is_known,
          case when lag(is_item) over before is null then (select i.owner from nft_items i where i.account = look.account)
            else lag(owner) over before end as old_owner,
          coalesce(lag(collection) over before,
            (select i.collection from nft_items i where i.account = look.account)) as collection_before
        from unnest(${column('account')}::bytea[], ${column('owner')}::bytea[], ${column('isItem')}::bool[],
          ${column('isNew')}::bool[], ${column('txHash')}::bytea[], ${column('isAlone')}::bool[],
          ${column('mcSeqno')}::int4[], ${column('collection')}::bytea[], ${column('isIgnored')}::bool[])
          with ordinality as look (account, owner, is_item, is_new, tx_hash, is_alone, mc_seqno, collection, is_ignored, place)
        window before as (partition by account order by place)) known
      where tx_hash is not null and (is_known or is_ignored) and (old_owner is not null or owner is not null)`
}

/** Whether its block has requests among several transactions of it. */
const hasSteps = ({ isAlone, requests }: ItemLook): boolean => !isAlone && requests.length > 0

const nameOf = ({ account, mcSeqno }: Pick<NftOwnersRow, 'account' | 'mcSeqno'>): string =>
  `${bytesKey(account)}${mcSeqno}`

/** Rows of whole blocks, divided where a block has several transactions of an item. */
function divided(rows: readonly NftOwnersRow[], looks: readonly ItemLook[]): readonly NftOwnersRow[] {
  const left = new Map(looks.filter(hasSteps).map((look) => [nameOf(look), look]))
  if (left.size === 0) return rows
  const steps = rows.flatMap((row) => {
    const look = left.get(nameOf(row))
    left.delete(nameOf(row))
    return look === undefined ? [row] : itemSteps(row, look)
  })
  for (const look of left.values()) {
    const { account, txHash, owner: newOwner, collection, mcSeqno, isItem } = look
    if (txHash === null || !isItem) continue
    const oldOwner = senderBefore(newOwner, look)
    steps.push(...itemSteps({ txHash, account, oldOwner, newOwner, isAlone: false, mcSeqno, collection }, look))
  }
  return steps
}

/** What `writeItemOwners` is going to write. */
export async function comingOwners(from: Sql, looks: readonly ItemLook[]): Promise<readonly NftOwnersRow[]> {
  const rows = await readAll(from, { statement: ownersOf(looks), toValue: nftOwners.decode })
  return divided(rows, looks)
}

/** The same for the first blocks of an index, before which no item is known: nothing is read. */
export function firstOwners(looks: readonly ItemLook[]): readonly NftOwnersRow[] {
  const before = new Map<string, ItemLook>()
  const rows = looks.flatMap((look) => {
    const { account, txHash, isAlone, mcSeqno, owner: newOwner } = look
    const last = before.get(bytesKey(account))
    before.set(bytesKey(account), look)
    const isKnown = look.isNew || last?.isItem === true
    const oldOwner = isKnown ? (last?.owner ?? null) : newOwner
    if (txHash === null || !(isKnown || look.isIgnored) || (oldOwner === null && newOwner === null)) return []
    const collection = look.collection ?? last?.collection ?? null
    return [{ txHash, account, oldOwner, newOwner, isAlone, mcSeqno, collection }]
  })
  return divided(rows, looks)
}

/** Looks are in the order of blocks. To be called before the rows of the items are replaced. */
export async function writeItemOwners(to: Sql, looks: readonly ItemLook[]): Promise<void> {
  if (looks.length === 0) return
  if (looks.some(hasSteps)) return await insertRows(to, nftOwners, await comingOwners(to, looks))
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
