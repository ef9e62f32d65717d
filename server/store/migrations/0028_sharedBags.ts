// Large bodies and initial states of messages are stored once, however many messages and texts have them: a wallet of jettons has
// the same initial state in each message to it. Messages that are there keep their own as well.

/** Of bytes of a bag, as the program has it. */
const LEAST = 384

const TABLE = `
create table shared_bags (
  hash bytea primary key,
  bag bytea not null
) with (toast_tuple_target = 4080, autovacuum_vacuum_scale_factor = 0.03);
alter table shared_bags alter column bag set storage external;
alter table messages alter column body drop not null;
`

/** Texts of this version name such bags; they are made again from the newest on. */
const TEXTS = `
truncate transaction_texts, text_progress;
alter table transaction_texts add column shared bytea not null;
`

const copy = (column: string): string =>
  `insert into shared_bags select distinct on (${column}_hash) ${column}_hash, ${column} from messages
    where octet_length(${column}) >= ${LEAST} order by ${column}_hash on conflict do nothing;`

export const sharedBags: readonly string[] = [
  TABLE + TEXTS,
  copy('body'),
  copy('init'),
  // By it a bag is found to have no message any more.
  'create index messages_by_init on messages using hash (init_hash) where init_hash is not null;',
]
