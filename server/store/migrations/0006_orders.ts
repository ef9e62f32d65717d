// Orders that had no index: transactions by what the message says that they took in or sent, by their own logical time and
// not by the message's; and blocks of a shard by logical time.

export const orders = `
-- Of the message a transaction took in.
alter table transactions add column in_opcode int4, add column in_body_hash bytea;
update transactions set in_opcode = messages.opcode, in_body_hash = messages.body_hash
  from messages where messages.hash = transactions.in_msg_hash;
create index transactions_by_in_opcode on transactions (in_opcode, lt) where in_opcode is not null;
create index transactions_by_in_body on transactions (in_body_hash, lt) where in_body_hash is not null;

-- Of the transaction that sent a message, whose account is the message's source.
alter table messages add column out_lt int8;
update messages set out_lt = transactions.lt from transactions where transactions.hash = messages.out_tx_hash;
create index messages_by_sent_body on messages (body_hash, out_lt) where out_lt is not null;

create index blocks_by_shard_lt on blocks (workchain, shard, start_lt);
`
