// The store: what is indexed of a chain, in PostgreSQL's dialect, embedded or on a server. Rows go in and out in the
// values of `rows.ts`; nothing here knows cells or the wire.

export type {
  AccountKey,
  AccountRow,
  AccountStateRow,
  AccountStatus,
  BlockKey,
  BlockRow,
  ClassificationState,
  CodeRow,
  ExtraCurrencies,
  MessageKind,
  MessageRow,
  TraceRow,
  TraceState,
  TransactionRow,
} from './rows.ts'
