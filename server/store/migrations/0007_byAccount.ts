// Lists were ordered by when contracts were first written, which depends on how many blocks were written at once: two indexes of
// one chain gave different pages. Now they are ordered by account, and the orders of a multisig by seqno.

// Dropping a column drops its indexes.
const COUNTED = [
  'jetton_masters',
  'jetton_wallets',
  'nft_collections',
  'nft_items',
  'nft_sales',
  'multisigs',
  'multisig_orders',
  'vestings',
]

export const byAccount = `
${COUNTED.map((table) => `alter table ${table} drop column id;`).join('\n')}

create index jetton_masters_by_admin on jetton_masters (admin, account) where admin is not null;
create index vestings_by_sender on vestings (sender, account);
create index vestings_by_owner on vestings (owner, account);
create index multisig_orders_by_seqno on multisig_orders (multisig, order_seqno, account);
`
