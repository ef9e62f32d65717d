// The owner of an item before a block and after it, with the last transaction of the item in that block. A mint changes the owner,
// and so may an unusual contract, without a transfer message.

export const nftOwners = `
create table nft_owners (
  tx_hash bytea primary key,
  account bytea not null,
  old_owner bytea,
  new_owner bytea,
  is_alone bool not null
);
`
