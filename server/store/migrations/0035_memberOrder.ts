// Multisigs of a member are listed by their last transactions along an index: all of a member's were read and sorted for each page.

export const memberOrder: readonly string[] = [
  `alter table multisig_members add column if not exists last_tx_lt int8 not null default 0;
update multisig_members m set last_tx_lt = t.last_tx_lt from multisigs t
  where t.account = m.multisig and m.last_tx_lt <> t.last_tx_lt;`,
  'create index if not exists multisig_members_by_lt on multisig_members (member, last_tx_lt, multisig);',
]
