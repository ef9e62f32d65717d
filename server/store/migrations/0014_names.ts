// Names of tokens by the words a search begins with. A column of their own, since a name in JSON can have escapes that PostgreSQL
// refuses to read: an index over such an expression would stop the indexer at the first hostile token.

export const names = `
create table token_names (
  account bytea not null,
  is_fetched bool not null,
  word text collate "C" not null,
  primary key (account, is_fetched, word)
);
create index token_names_by_word on token_names (word, account);

create function pg_temp.name_of(attributes json, field text) returns text language plpgsql as $$
begin
  return left(trim(lower(attributes->>field)), 64);
exception when others then
  return null;
end $$;

-- Of tokens that are there already: the whole name and the symbol.
insert into token_names (account, is_fetched, word)
select account, is_fetched, word from (
  select account, false as is_fetched, content as attributes from jetton_masters
  union all select account, false, content from nft_collections
  union all select account, true, json from token_metadata where account in (
    select account from jetton_masters union all select account from nft_collections)
) described cross join lateral (
  values (pg_temp.name_of(attributes, 'name')), (pg_temp.name_of(attributes, 'symbol'))
) names (word)
where word <> '' on conflict do nothing;

drop function pg_temp.name_of(json, text);
`
