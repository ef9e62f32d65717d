// Pages of messages as they are written: see `sidePage.ts`.

import { sql } from '../sql.ts'
import type { SizedList } from './listBytes.ts'
import { wholeRows } from './sidePage.ts'

const BYTES = 'hash hash_norm source destination body_hash body init_hash init in_tx_hash out_tx_hash'.split(' ')
/** Numbers in digits, and JSON. */
const TEXTS = 'value value_extra fwd_fee ihr_fee extra_flags import_fee'.split(' ')
const FLAGS = ['ihr_disabled', 'bounce', 'bounced']

const typesOf = (names: readonly string[], type: string) => Object.fromEntries(names.map((name) => [name, type]))

const page = wholeRows({
  types: {
    ...typesOf(BYTES, 'bytea'),
    ...typesOf(TEXTS, 'text'),
    ...typesOf(FLAGS, 'bool'),
    opcode: 'int4',
    created_lt: 'int8',
    created_at: 'int8',
  },
  columns: Object.fromEntries(TEXTS.map((name) => [name, sql`l.${sql.identifier(name)}::text`])),
  mentioned: sql`select distinct o.account from listed l cross join lateral (values (l.source), (l.destination)) o (account)
    where l.is_shown and o.account is not null`,
})

/** A page of what `messagesRead` finds. Its rows are for `RowPlaces`, to be used at once. */
export const readMessagePage = page.read
export const COLUMNS_OF_MESSAGE = page.columns
export const columnOfMessage = page.columnOf

const BAGS = [
  { name: 'body', sqlType: 'bytea' },
  { name: 'init', sqlType: 'bytea' },
]

/** The bags of a page, to find out how large they are. */
export const messageSizes = ({ statement }: Pick<SizedList, 'statement'>): SizedList => ({
  statement,
  named: { columns: BAGS, accounts: [] },
})
