// Actions of complete traces, and the accounts they concern.

import { hash } from 'node:crypto'
import type { SqlValue } from '../database.ts'
import { packText } from '../packed/packedText.ts'
import { unpackText } from '../packed/unpackedText.ts'
import {
  type AccountKey,
  account,
  bool,
  bytea,
  byteaList,
  int4,
  int8,
  nullable,
  search,
  text,
  textList,
  uint32,
} from './column.ts'
import { type RowFrom, table, type WrittenRowFrom } from './table.ts'

/** Only system transactions; lists may exclude such actions. */
const isSystem = search(bool)

const stored = table('actions', {
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
  details: text,
  parentActionId: nullable(bytea),
  /** Types of the actions it is a part of. */
  ancestorTypes: textList,
  parentGaslessAction: nullable(bytea),
  isSystem,
})

/** Stands for a normalized hash that is the hash itself, which it mostly is. */
const SAME = new Uint8Array()

const isSame = (a: Uint8Array | null, b: Uint8Array | null): boolean =>
  a !== null && b !== null && Buffer.compare(a, b) === 0

type Hashes = Pick<WrittenRowFrom<typeof stored>, 'traceExternalHash' | 'traceExternalHashNorm'>

const packNorm = ({ traceExternalHash: hash, traceExternalHashNorm: norm }: Hashes): Uint8Array | null =>
  isSame(hash, norm) ? SAME : norm

const unpackNorm = ({ traceExternalHash: hash, traceExternalHashNorm: norm }: Hashes): Uint8Array | null =>
  norm?.length === 0 ? hash : norm

/** An account in raw form, as details spell it. */
const rawOf = (key: AccountKey): string =>
  `${(key[0] ?? 0) - 128}:${Buffer.from(key.subarray(1)).toString('hex').toUpperCase()}`

type Packed = Pick<WrittenRowFrom<typeof stored>, 'accounts' | 'details'>

const packDetails = ({ accounts, details }: Packed): string =>
  packText({ text: details, marks: [], given: accounts.map(rawOf) }) ?? details

/** Rows of older indexes have them unpacked. */
const unpackDetails = ({ accounts, details }: Packed): string =>
  details.startsWith('{') ? details : unpackText(details, accounts.map(rawOf))

const PACKED: Readonly<Record<string, (row: WrittenRowFrom<typeof stored>) => SqlValue>> = {
  details: packDetails,
  trace_external_hash_norm: packNorm,
}

/** Details are packed in the database: names of fields become codes, and so do the accounts that the row has. */
export const actions: typeof stored = {
  ...stored,
  written: stored.written.map((column) => ({ ...column, encode: PACKED[column.name] ?? column.encode })),
  decode(row) {
    const action = stored.decode(row)
    return { ...action, details: unpackDetails(action), traceExternalHashNorm: unpackNorm(action) }
  },
}

export type ActionRow = RowFrom<typeof actions>
/** With the account that began the trace; null when its first transaction is not indexed. */
export type WrittenAction = WrittenRowFrom<typeof actions> & { readonly starter: AccountKey | null }

/** What filters compare of an action and an account: lists of some types are read along an index of account and kind. */
export const actionKinds = table(
  'action_kinds',
  {
    /** A hash of the others: where two have the same, more rows are read and none are lost. */
    kind: int4,
    type: text,
    ancestorTypes: textList,
    isSystem: bool,
    /** Whether the account began the trace. */
    isStarter: bool,
  },
  { onConflict: 'keep' },
)

export type ActionKindRow = RowFrom<typeof actionKinds>

const hashOf = (name: string): number => hash('sha256', name, 'buffer').readInt32BE()

/** Migrations make the same in SQL. */
export function actionKindOf(of: Omit<ActionKindRow, 'kind'>): number {
  const { type, ancestorTypes, isSystem: system, isStarter } = of
  return hashOf(`${[type, ...ancestorTypes].join(',')}${system ? ' system' : ''}${isStarter ? ' starter' : ''}`)
}

/** Of the hash of a trace's first transaction: actions are found by their own ids, which two traces can have in common. */
export const TRACE_START_BYTES = 16

export const actionAccounts = table('action_accounts', {
  traceEndLt: int8,
  traceEndUtime: uint32,
  kind: int4,
  account,
  traceStart: bytea,
  actionId: bytea,
})

export type WrittenActionAccount = WrittenRowFrom<typeof actionAccounts>
