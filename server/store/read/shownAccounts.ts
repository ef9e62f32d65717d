// Accounts by their keys as they are shown, from what the database sent, with what an address book has of them.

import { type ByteSpan, spanOf } from '../span.ts'
import { sql } from '../sql.ts'
import { codes } from '../tables/accounts.ts'
import { accountStatus } from '../tables/chain.ts'
import { type Column, extraCurrencies, named, nullable, text } from '../tables/column.ts'
import { contractTables } from '../tables/contracts.ts'
import { decoderOf } from '../tables/decoder.ts'
import { type AccountFound, type AccountListFilter, accountsStatement, BOOK_DOMAIN } from './accounts.ts'
import type { NamedList } from './namedPage.ts'
import { span } from './spanColumn.ts'

/** Without currencies, as most are, there is nothing to parse. */
const currenciesText: Column<string> = {
  ...text,
  encode: () => null,
  decode: (value) => (value === '{}' ? value : JSON.stringify(extraCurrencies.decode(value))),
}

const { methods, interfaces } = codes.fields

const SHOWN = {
  account: named('shown_account', span),
  hash: span,
  balance: named('shown_balance', span),
  extra: currenciesText,
  status: accountStatus,
  lastTxHash: span,
  lastTxLt: span,
  methods,
  interfaces: nullable(interfaces),
  frozenHash: nullable(span),
  dataHash: nullable(span),
  codeHash: named('shown_code_hash', nullable(span)),
  data: nullable(span),
  code: nullable(span),
  domain: nullable(contractTables.dnsRecords.fields.domain),
}
const decodeShown = decoderOf(SHOWN)

/** An account as it is shown: numbers in digits, the rest as bytes. To be used at once. */
export type ShownAccount = ReturnType<typeof decodeShown>

const SHOWN_TYPES = {
  shown_account: 'bytea',
  hash: 'bytea',
  shown_balance: 'text',
  extra: 'json',
  status: 'text',
  last_tx_hash: 'bytea',
  last_tx_lt: 'text',
  frozen_hash: 'bytea',
  data_hash: 'bytea',
  shown_code_hash: 'bytea',
  data: 'bytea',
  methods: 'int4[]',
  interfaces: 'text[]',
  code: 'bytea',
  domain: 'text',
}
const COLUMNS = Object.entries(SHOWN_TYPES).map(([name, sqlType]) => ({ name, sqlType, role: 'row' as const }))
const SPANS = [
  'shown_account',
  'hash',
  'shown_balance',
  'last_tx_hash',
  'last_tx_lt',
  'frozen_hash',
  'data_hash',
  'shown_code_hash',
  'data',
  'code',
]

/** Those of the accounts that are stored, in no order. */
export function shownAccountsRead(filter: AccountListFilter): NamedList<ShownAccount> {
  const listed = accountsStatement(filter, sql`, ${BOOK_DOMAIN} as domain`)
  const statement = sql`select p.account as shown_account, p.hash, p.balance::text as shown_balance, p.extra, p.status,
      p.last_tx_hash, p.last_tx_lt::text as last_tx_lt, p.frozen_hash, p.data_hash, p.code_hash as shown_code_hash,
      p.data, p.methods, p.interfaces, p.code, p.domain
    from (${listed}) p`
  return {
    statement: listed.isSteady === true ? sql.steady(statement) : statement,
    toValue: decodeShown,
    named: { columns: COLUMNS, accounts: ['shown_account'] },
    spans: SPANS,
  }
}

const maybe = (bytes: Uint8Array | null): ByteSpan | null => bytes && spanOf(bytes)

/** An account that was read elsewhere, in the same form. */
export const toShownAccount = (found: AccountFound): ShownAccount => ({
  account: spanOf(found.account),
  hash: spanOf(found.hash),
  balance: spanOf(String(found.balance)),
  extra: JSON.stringify(found.extra),
  status: found.status,
  lastTxHash: spanOf(found.lastTxHash),
  lastTxLt: spanOf(String(found.lastTxLt)),
  methods: found.methods,
  interfaces: found.interfaces,
  frozenHash: maybe(found.frozenHash),
  dataHash: maybe(found.dataHash),
  codeHash: maybe(found.codeHash),
  data: maybe(found.data),
  code: maybe(found.code),
  domain: null,
})
