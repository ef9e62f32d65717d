// Finished texts of transactions, so that a page is read and joined instead of written. In a table of their own: they are made
// after a block is indexed, and a change of `transactions` would write its wide rows and all their index entries again.
//
// Texts are packed by the program: compressing them a second time costs time and gains nothing, and up to 4 kB of a row are read
// faster inline than from another table.

export const texts = `
create table transaction_texts (
  hash bytea primary key,
  version int2 not null,
  lacks int2 not null,
  accounts bytea not null,
  text text not null
) with (toast_tuple_target = 4080);
alter table transaction_texts alter column text set storage external;

-- The masterchain blocks whose transactions all have a text of this version: one row.
create table text_progress (
  only_row bool primary key default true check (only_row),
  version int2 not null,
  first_mc_seqno int4 not null,
  last_mc_seqno int4 not null
);
`
