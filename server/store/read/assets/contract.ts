// What the rows of all contracts have, and how lists of them are named and ordered.

import type { Content, ContractRow } from '../../assetRows.ts'
import type { Row } from '../../database.ts'
import type { AccountKey } from '../../rows.ts'
import { byBytes, byNumber, type Direction, type Order } from '../order.ts'

/** Columns of every contract, of rows `t`. */
export const CONTRACT = 't.account, t.code_hash, t.data_hash, t.last_tx_lt'

// The casts, here and in the files beside: every statement names columns of these types.
export const contractOf = (row: Row): ContractRow => ({
  account: row.account as AccountKey,
  codeHash: row.code_hash as Uint8Array,
  dataHash: row.data_hash as Uint8Array,
  lastTxLt: row.last_tx_lt as bigint,
})

export const contentOf = (text: unknown): Content | null =>
  text === null ? null : (JSON.parse(text as string) as Content)

/** The same in every index of a chain, and nothing that happens to a contract moves it. */
export const BY_ACCOUNT: Order = [byBytes('account', 'asc')]

/** As they last did something. */
export const byLastLt = (sort: Direction): Order => [byNumber('last_tx_lt', sort), byBytes('account', sort)]
