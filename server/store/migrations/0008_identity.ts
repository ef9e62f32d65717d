// Which chain the index is of, so that blocks of another chain are never added to it.

export const identity = `
create table chain_identity (
  only_row bool primary key default true check (only_row),
  network text not null,
  genesis_root_hash bytea not null,
  genesis_file_hash bytea not null,
  global_id int4 not null
);
`
