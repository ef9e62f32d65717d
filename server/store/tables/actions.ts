// Actions of complete traces, and the accounts they concern.

import {
  account,
  bool,
  bytea,
  byteaList,
  int4,
  int8,
  json,
  nullable,
  search,
  text,
  textList,
  uint32,
} from './column.ts'
import { type RowFrom, table, type WrittenRowFrom } from './table.ts'

/** Made only of what the chain does by itself; lists may leave these out. */
const isSystem = search(bool)

export const actions = table('actions', {
  traceId: bytea,
  actionId: bytea,
  type: text,
  success: bool,
  startLt: int8,
  endLt: int8,
  startUtime: uint32,
  endUtime: uint32,
  traceEndLt: int8,
  traceEndUtime: uint32,
  traceMcSeqnoEnd: int4,
  /** Of the message the trace began with, and its normalized hash when it came from outside. */
  traceExternalHash: nullable(bytea),
  traceExternalHashNorm: nullable(bytea),
  transactions: byteaList,
  accounts: byteaList,
  /** Finished JSON, as it goes over the wire. */
  details: json,
  parentActionId: nullable(bytea),
  /** Types of the actions it is a part of. */
  ancestorTypes: textList,
  parentGaslessAction: nullable(bytea),
  isSystem,
})

export type ActionRow = RowFrom<typeof actions>
export type WrittenAction = WrittenRowFrom<typeof actions>

export const actionAccounts = table('action_accounts', {
  account,
  traceId: bytea,
  actionId: bytea,
  endLt: int8,
  endUtime: uint32,
  traceEndLt: int8,
  traceEndUtime: uint32,
  isSystem,
})

export type WrittenActionAccount = WrittenRowFrom<typeof actionAccounts>
