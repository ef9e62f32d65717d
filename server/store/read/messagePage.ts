// A page of messages as it is written: their columns as they were received.

import type { Sql, SqlText, StatementOptions } from '../database.ts'
import { sql } from '../sql.ts'
import { messages } from '../tables/chain.ts'
import { nullable } from '../tables/column.ts'
import { decoderOf } from '../tables/decoder.ts'
import type { MessageFound } from './messages.ts'
import { type PageKey, pageKeyOf } from './order.ts'
import type { PagedRead } from './page.ts'
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

export interface MessagePage {
  readonly messages: readonly ListedMessage[]
  /** The key of the last row; null on the last page. */
  readonly next: PageKey | null
}

const OWN_BYTES = 'hash hash_norm source destination body_hash body init_hash init in_tx_hash out_tx_hash'.split(' ')
/** By their names in the table, and those in a row of the page, where the cursor has the others. */
const OWN_TEXTS = [
  ...'value value_extra fwd_fee ihr_fee extra_flags import_fee'.split(' ').map((name) => [name, name] as const),
  ...[['created_lt', 'sent_lt'] as const, ['created_at', 'sent_at'] as const],
]
const OTHERS = ['opcode', 'ihr_disabled', 'bounce', 'bounced', 'created_lt', 'created_at']
const SPANS = [...OWN_BYTES, ...OWN_TEXTS.map(([, name]) => name)]

const column = (name: string): SqlText => sql`p.${sql.identifier(name)}`

const COLUMNS = sql.join([
  ...[...OWN_BYTES, ...OTHERS].map(column),
  ...OWN_TEXTS.map(([name, as]) => sql`${column(name)}::text as ${sql.identifier(as)}`),
])

/** The columns of a list as the page has them; the order stays. */
function statementOf({ statement }: PagedRead<MessageFound>): SqlText {
  const whole = sql`select ${COLUMNS} from (${statement}) p`
  return sql.withSpans(statement.isSteady === true ? sql.steady(whole) : whole, SPANS)
}

/** A page of what `messagesRead` finds. */
export async function readMessagePage(
  from: Sql,
  read: PagedRead<MessageFound>,
  options?: StatementOptions,
): Promise<MessagePage> {
  const { order, limit } = read
  const rows = await from.query(statementOf(read), options)
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return {
    messages: rows.slice(0, limit).map(decodeListed),
    next: last === undefined ? null : pageKeyOf(order, last),
  }
}
