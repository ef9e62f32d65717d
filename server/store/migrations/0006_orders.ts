// Orders that had no index: transactions by the message that they received or sent, in the order of transactions and not of
// messages; and blocks of a shard by logical time.

// Every row of two tables is rewritten, and each index with it: dropped first and made again at the end, they let this step take
// minutes instead of hours. Repeated from 0001, since a step must not depend on the text of another.
const OF_TRANSACTIONS = `
create unique index transactions_by_account on transactions (account, lt);
create index transactions_by_account_time on transactions (account, now, lt);
create index transactions_by_lt on transactions (lt, account);
create index transactions_by_time on transactions (now, lt, account);
create index transactions_by_master on transactions (mc_seqno, lt, account);
create index transactions_by_shard on transactions (workchain, shard, lt, account);
create index transactions_by_seqno on transactions (seqno, lt, account);
create index transactions_by_in_msg on transactions (in_msg_hash) where in_msg_hash is not null;
create index transactions_by_trace on transactions (trace_id, lt, account);
`
const OF_MESSAGES = `
create index messages_by_norm on messages (hash_norm) where hash_norm is not null;
create index messages_by_producer on messages (out_tx_hash, created_lt) where out_tx_hash is not null;
create index messages_by_lt on messages (created_lt, hash);
create index messages_by_time on messages (created_at, hash);
create index messages_by_source on messages (source, created_lt, hash);
create index messages_by_source_time on messages (source, created_at, hash);
create index messages_by_destination on messages (destination, created_lt, hash);
create index messages_by_destination_time on messages (destination, created_at, hash);
create index messages_by_opcode on messages (opcode, created_lt, hash);
create index messages_by_opcode_time on messages (opcode, created_at, hash);
create index messages_by_body on messages (body_hash, created_lt, hash);
`

const dropped = (indexes: string): string =>
  [...indexes.matchAll(/index (\w+) on/g)].map(([, name]) => `drop index ${name};`).join('\n')

export const orders = `
${dropped(OF_TRANSACTIONS)}
${dropped(OF_MESSAGES)}

-- Of the message a transaction took in.
alter table transactions add column in_opcode int4, add column in_body_hash bytea;
update transactions set in_opcode = messages.opcode, in_body_hash = messages.body_hash
  from messages where messages.hash = transactions.in_msg_hash;

-- Of the transaction that sent a message, whose account is the message's source.
alter table messages add column out_lt int8;
update messages set out_lt = transactions.lt from transactions where transactions.hash = messages.out_tx_hash;

${OF_TRANSACTIONS}
create index transactions_by_in_opcode on transactions (in_opcode, lt) where in_opcode is not null;
create index transactions_by_in_body on transactions (in_body_hash, lt) where in_body_hash is not null;
${OF_MESSAGES}
create index messages_by_sent_body on messages (body_hash, out_lt) where out_lt is not null;

create index blocks_by_shard_lt on blocks (workchain, shard, start_lt);
`
