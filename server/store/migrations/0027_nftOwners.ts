// Whose an item was before a block and after it, by the last of its transactions there: mints and contracts of their own kind
// change owners without a message that tells of it.

export const nftOwners = `
create table nft_owners (
  tx_hash bytea primary key,
  account bytea not null,
  old_owner bytea,
  new_owner bytea,
  is_alone bool not null
);
`
