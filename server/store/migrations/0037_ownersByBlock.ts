// Changes of owners by the accounts they concern, so that a stream finds the blocks of those that it missed: of the last day, no
// cursor is older.

const LISTS = ['old_owner', 'new_owner', 'collection'] as const

export const ownersByBlock: readonly string[] = [
  'alter table nft_owners add column if not exists mc_seqno int4, add column if not exists collection bytea;',
  `update nft_owners o set mc_seqno = t.mc_seqno, collection = i.collection
  from transactions t left join nft_items i on i.account = t.account
  where t.hash = o.tx_hash and o.mc_seqno is null and t.lt >= (select min(b.start_lt) from blocks b where b.workchain = -1
    and b.gen_utime >= (select max(gen_utime) from blocks where workchain = -1) - 86400);`,
  LISTS.map((column) => `create index if not exists nft_owners_by_${column} on nft_owners (${column}, mc_seqno);`).join(
    '\n',
  ),
]
