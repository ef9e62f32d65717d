// Pages of actions as they are written: see `sidePage.ts`.

import type { Sql, StatementOptions } from '../database.ts'
import { sql } from '../sql.ts'
import { type ActionRow, actions } from '../tables/actions.ts'
import { byteaList, nullable } from '../tables/column.ts'
import { decoderOf } from '../tables/decoder.ts'
import type { SizedList } from './listBytes.ts'
import type { StoreRead } from './read.ts'
import { sidePageReader } from './sidePage.ts'
import { span } from './spanColumn.ts'

const { success, startLt, endLt, startUtime, endUtime, traceEndLt, traceEndUtime, traceMcSeqnoEnd } = actions.fields

const decodeListed = decoderOf({
  traceId: span,
  actionId: span,
  type: span,
  success,
  startLt,
  endLt,
  startUtime,
  endUtime,
  traceEndLt,
  traceEndUtime,
  traceMcSeqnoEnd,
  transactions: byteaList,
  parties: byteaList,
  details: span,
  traceExternalHash: nullable(span),
  traceExternalHashNorm: nullable(span),
  parentGaslessAction: nullable(span),
})

/** An action of a page, to be used at once: `parties` are its accounts, `details` as they are stored, see `addDetails`. */
export type ListedAction = ReturnType<typeof decodeListed>

const HASHES = ['trace_id', 'action_id', 'trace_external_hash', 'trace_external_hash_norm', 'parent_gasless_action']
const TEXTS = ['type', 'details']

/**
 * The accounts of actions, jettons of those that are wallets, and collections of those that are items: details rarely name any other.
 */
const MENTIONED = sql`with own as materialized (
    select distinct o.account from listed l cross join lateral unnest(l.accounts) o (account) where l.is_shown
  ) select account from own
  union select w.jetton from jetton_wallets w where w.account = any(array(select account from own))
  union select i.collection from nft_items i
    where i.account = any(array(select account from own)) and i.collection is not null`

const SPANS = [...HASHES, ...TEXTS]

/** Actions of a list that is no page, as those of a page. */
export async function readListedActions(
  from: Sql,
  { statement }: StoreRead<ActionRow>,
  options?: StatementOptions,
): Promise<ListedAction[]> {
  const whole = sql`select l.*, l.accounts as parties from (${statement}) l`
  return (await from.query(sql.withSpans(whole, SPANS), options)).map(decodeListed)
}

/** A page of what `actionsRead` finds. Not all accounts that details name are among those whose names are read. */
export const readActionPage = sidePageReader({
  types: {
    ...Object.fromEntries(HASHES.map((name) => [name, 'bytea'])),
    ...Object.fromEntries(TEXTS.map((name) => [name, 'text'])),
    success: 'bool',
    start_lt: 'int8',
    end_lt: 'int8',
    start_utime: 'int8',
    end_utime: 'int8',
    trace_end_lt: 'int8',
    trace_end_utime: 'int8',
    trace_mc_seqno_end: 'int4',
    transactions: 'bytea[]',
    parties: 'bytea[]',
  },
  columns: { parties: sql`l.accounts` },
  spans: SPANS,
  mentioned: MENTIONED,
  toValue: decodeListed,
})

/** A list of actions, to find out how large it is. */
export const actionSizes = ({ statement }: Pick<SizedList, 'statement'>): SizedList => ({
  statement,
  named: { columns: actions.columns, accounts: ['accounts'] },
})
