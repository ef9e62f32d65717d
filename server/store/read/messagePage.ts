// Pages of messages as they are written: see `sidePage.ts`.

import { sql } from '../sql.ts'
import { messages } from '../tables/chain.ts'
import { nullable } from '../tables/column.ts'
import { decoderOf } from '../tables/decoder.ts'
import { sidePageReader } from './sidePage.ts'
import { span } from './spanColumn.ts'

const BYTES = {
  ...{ hash: span, hashNorm: nullable(span), source: nullable(span), destination: nullable(span) },
  ...{ bodyHash: span, body: span, initHash: nullable(span), init: nullable(span) },
  ...{ inTxHash: nullable(span), outTxHash: nullable(span) },
}
/** Numbers in digits, and JSON. */
const TEXTS = {
  ...{ value: nullable(span), valueExtra: nullable(span), fwdFee: nullable(span), ihrFee: nullable(span) },
  ...{ extraFlags: nullable(span), importFee: nullable(span), sentLt: nullable(span), sentAt: nullable(span) },
}
const { opcode, ihrDisabled, bounce, bounced } = messages.fields

const decodeListed = decoderOf({ ...BYTES, ...TEXTS, opcode, ihrDisabled, bounce, bounced })

/** A message of a page, to be used at once. */
export type ListedMessage = ReturnType<typeof decodeListed>

const OWN_BYTES = 'hash hash_norm source destination body_hash body init_hash init in_tx_hash out_tx_hash'.split(' ')
/** By their names in the table, and those in a row of the page, where the cursor has the others. */
const OWN_TEXTS = [
  ...'value value_extra fwd_fee ihr_fee extra_flags import_fee'.split(' ').map((name) => [name, name] as const),
  ...[['created_lt', 'sent_lt'] as const, ['created_at', 'sent_at'] as const],
]

const typesOf = (names: readonly string[], type: string) => Object.fromEntries(names.map((name) => [name, type]))

/** A page of what `messagesRead` finds. */
export const readMessagePage = sidePageReader({
  types: {
    ...typesOf(OWN_BYTES, 'bytea'),
    ...typesOf(
      OWN_TEXTS.map(([, as]) => as),
      'text',
    ),
    ...{
      opcode: 'int4',
      ihr_disabled: 'bool',
      bounce: 'bool',
      bounced: 'bool',
      created_lt: 'int8',
      created_at: 'int8',
    },
  },
  columns: Object.fromEntries(OWN_TEXTS.map(([name, as]) => [as, sql`l.${sql.identifier(name)}::text`])),
  spans: [...OWN_BYTES, ...OWN_TEXTS.map(([, as]) => as)],
  mentioned: sql`select distinct o.account from listed l cross join lateral (values (l.source), (l.destination)) o (account)
    where l.is_shown and o.account is not null`,
  toValue: decodeListed,
})
