// Every read of actions with each filter it has, and each two of them.

import { supportedTypes } from '../../server/actions/index.ts'
import {
  type ActionFilter,
  type ActionRow,
  actionsOfTracesRead,
  actionsRead,
  type Sql,
  sql,
  tracesToClassifyRead,
  transactionsByHashRead,
} from '../../server/store/index.ts'
import { dataRead, factsRead } from '../../server/store/read/facts.ts'
import { casesOf, type Listed, type PageVariant, placeOf, type ReadCase } from './reads.ts'

const ELECTOR = new Uint8Array(33).fill(0x33).fill(0x7f, 0, 1)
const hiddenWithin = [...supportedTypes([])]

const middleOf = (rows: readonly ActionRow[]): ActionRow => {
  const ordered = rows.toSorted((a, b) => (a.traceEndLt < b.traceEndLt ? -1 : 1))
  const row = ordered[ordered.length >> 1]
  if (!row) throw new Error('no row')
  return row
}

export async function actionReadCases(
  from: Sql,
  rows: readonly ActionRow[],
  pages?: readonly PageVariant[],
): Promise<ReadCase[]> {
  const row = middleOf(rows)
  const { traceId, actionId, endLt, endUtime, traceEndLt, traceEndUtime } = row
  const busy = await from.query<{ account: Uint8Array }>(
    sql`select account from action_accounts group by account order by count(*) desc limit 1`,
  )
  const message = await from.query<{ hash: Uint8Array }>(
    sql`select hash from messages where out_tx_hash = any(${row.transactions}::bytea[]) limit 1`,
  )
  const account = busy[0]?.account
  const list: Listed<Omit<ActionFilter, 'hiddenWithin'>> = {
    name: 'actions',
    filters: {
      nothing: {},
      'known types': { types: hiddenWithin, isOfAllTypes: true },
      'a rare type': { types: ['jetton_burn'] },
      'nearly all types': { types: hiddenWithin.filter((type) => type !== 'ton_transfer') },
      'types of the first version': { types: hiddenWithin.slice(0, 20) },
      'begun by the account': { isInitiator: true },
      'some types': { types: ['ton_transfer', 'call_contract'] },
      'no transfers': { exceptTypes: ['jetton_transfer'] },
      account: { account },
      'the elector': { account: ELECTOR },
      'no housekeeping': { excludeSystem: true },
      ids: { actionIds: [actionId] },
      traces: { traceIds: [traceId] },
      transactions: { txHashes: row.transactions },
      messages: { msgHashes: message.map(({ hash }) => hash) },
      'a masterchain block': { mcSeqno: row.traceMcSeqnoEnd },
      'start time': { startUtime: traceEndUtime },
      'end time': { endUtime: traceEndUtime },
      'start lt': { startLt: traceEndLt },
      'end lt': { endLt: traceEndLt },
    },
    read: (filter, ask, sort) => actionsRead({ ...filter, hiddenWithin }, ask, sort),
  }
  const place = {
    trace_id: traceId,
    action_id: actionId,
    end_lt: endLt,
    end_utime: endUtime,
    trace_end_lt: traceEndLt,
    trace_end_utime: traceEndUtime,
  }
  const accounts = rows.slice(0, 50).flatMap((one) => one.accounts)
  return [
    ...casesOf(list, (order) => placeOf(order, place), pages),
    {
      name: 'actions of traces',
      statement: actionsOfTracesRead([traceId], { types: hiddenWithin, hiddenWithin }).statement,
      single: true,
    },
    { name: 'transactions of actions', statement: transactionsByHashRead(row.transactions).statement, single: true },
    { name: 'facts of accounts', statement: factsRead(accounts).statement, single: false },
    { name: 'data of accounts', statement: dataRead(accounts).statement, single: false },
    { name: 'traces to classify', statement: tracesToClassifyRead(100).statement, single: false },
  ]
}
