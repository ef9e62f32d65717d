// Accounts as they are now, with their code.

import type { SqlRow, SqlText } from '../database.ts'
import { charsOfSpan, spanOf } from '../span.ts'
import { sql } from '../sql.ts'
import { type AccountRow, accounts, type CodeRow, codes } from '../tables/accounts.ts'
import { type AccountKey, nullable } from '../tables/column.ts'
import { contractTables } from '../tables/contracts.ts'
import { decoderOf } from '../tables/decoder.ts'
import type { StoreRead } from './read.ts'

const { boc, methods, interfaces } = codes.fields
const decodeCode = decoderOf({ code: nullable(boc), methods, interfaces: nullable(interfaces) })

/** An account with its code. */
export interface AccountFound extends AccountRow {
  /** Of its code, when it has code and that was indexed. */
  readonly code: Uint8Array | null
  readonly methods: CodeRow['methods']
  readonly interfaces: CodeRow['interfaces']
}

export interface AccountListFilter {
  readonly accounts: readonly AccountKey[]
  /** Only those whose code is one of these. */
  readonly codeHashes?: readonly Uint8Array[] | undefined
  /** Also reads the bags of code and data, which are most of a row's bytes. */
  readonly bags: boolean
}

function decodeAccount(row: SqlRow): AccountFound {
  const { code, methods, interfaces } = decodeCode(row)
  return { ...accounts.decode(row), code, methods, interfaces: interfaces ?? [] }
}

const COLUMNS = accounts.select('a', { except: ['data'] })

/** Accounts `a` with their code `c`. */
export const listedAccounts = ({ accounts: keys, codeHashes }: AccountListFilter): SqlText => {
  const ofCode = codeHashes === undefined ? sql.empty : sql`and a.code_hash = any(${codeHashes})`
  return sql`from accounts a left join codes c on c.hash = a.code_hash
      where a.account = any(${keys}) ${ofCode}`
}

/** Selects accounts `a` with their code `c`, and more columns. */
export const accountsStatement = (filter: AccountListFilter, more: SqlText): SqlText => {
  const heavy = filter.bags ? sql`a.data, c.boc as code` : sql`null::bytea as data, null::bytea as code`
  const statement = sql`select ${COLUMNS}, c.methods, c.interfaces, ${heavy}${more} ${listedAccounts(filter)}`
  return filter.codeHashes === undefined ? sql.steady(statement) : statement
}

/** Those of the accounts that are stored, in no order. */
export const accountsRead = (filter: AccountListFilter): StoreRead<AccountFound> => ({
  statement: accountsStatement(filter, sql.empty),
  toValue: decodeAccount,
})

const { account, codeHash, balance } = accounts.fields
const { domain } = contractTables.dnsRecords.fields
const NAME_FIELDS = { codeHash, interfaces: nullable(interfaces), domain: nullable(domain) }
const decodeBookColumns = decoderOf({ account, ...NAME_FIELDS })
const decodeNameColumns = decoderOf(NAME_FIELDS)

const NO_INTERFACES: readonly string[] = []

/** What an address book has of an account. */
export interface AccountNames {
  readonly codeHash: Uint8Array | null
  readonly interfaces: readonly string[]
  /** The shortest name that it owns and that leads to it. */
  readonly domain: string | null
}

/** An account as an address book has it. */
export interface BookRow extends AccountNames {
  readonly account: AccountKey
}

/** The same by the key, with a character for each of its bytes. */
export interface NamedAccount extends AccountNames {
  readonly chars: string
}

/** The name of account `a`. The first condition is checked once: without any names, nothing is sorted for each account. */
export const BOOK_DOMAIN = sql`case when exists (select from dns_records) then (
    select d.domain from dns_records d where d.owner = a.account and d.owner = d.wallet
    order by d.domain_length, d.domain limit 1
  ) end`

/** Of a row with the columns account, code_hash, interfaces and domain. */
function decodeBook(row: SqlRow): BookRow {
  const { interfaces, ...book } = decodeBookColumns(row)
  return { interfaces: interfaces ?? NO_INTERFACES, ...book }
}

/** Of a row with the columns accounts, which is the key and may come as a span, code_hash, interfaces and domain. */
export function decodeNamed(row: SqlRow): NamedAccount {
  const { codeHash, interfaces, domain } = decodeNameColumns(row)
  return { chars: charsOfSpan(spanOf(row.accounts)), codeHash, interfaces: interfaces ?? NO_INTERFACES, domain }
}

/** Those of the accounts that are stored, in no order. */
export const bookRead = (keys: readonly AccountKey[]): StoreRead<BookRow> => ({
  statement: sql.steady(sql`select a.account, a.code_hash, c.interfaces, ${BOOK_DOMAIN} as domain
    from accounts a left join codes c on c.hash = a.code_hash
    where a.account = any(${keys})`),
  toValue: decodeBook,
})

const decodeBalance = decoderOf({ account, balance })

export type AccountBalance = ReturnType<typeof decodeBalance>

export interface TopPage {
  readonly limit: number
  readonly offset: number
}

/** The richest first; among equals by account. */
export const topAccountsRead = ({ limit, offset }: TopPage): StoreRead<AccountBalance> => ({
  statement: sql.steady(sql`select account, balance from accounts
    order by balance desc, account limit ${limit} offset ${offset}`),
  toValue: decodeBalance,
})
