// Accounts by their keys, with what an address book has of them.

import { sql } from '../sql.ts'
import { accounts } from '../tables/accounts.ts'
import { nullable } from '../tables/column.ts'
import { contractTables } from '../tables/contracts.ts'
import { decoderOf } from '../tables/decoder.ts'
import { type AccountFound, type AccountListFilter, accountsStatement, BOOK_DOMAIN, decodeAccount } from './accounts.ts'
import type { NamedList } from './namedPage.ts'

/** An account with its name. */
export interface ListedAccount extends AccountFound {
  readonly domain: string | null
}

const decodeDomain = decoderOf({ domain: nullable(contractTables.dnsRecords.fields.domain) })

const OTHER_COLUMNS = Object.entries({ methods: 'int4[]', interfaces: 'text[]', code: 'bytea', domain: 'text' })

/** Those of the accounts that are stored, in no order, with their names. */
export const listedAccountsRead = (filter: AccountListFilter): NamedList<ListedAccount> => ({
  statement: accountsStatement(filter, sql`, ${BOOK_DOMAIN} as domain`),
  toValue: (row) => ({ ...decodeAccount(row), ...decodeDomain(row) }),
  named: {
    columns: [
      ...accounts.columns,
      ...OTHER_COLUMNS.map(([name, sqlType]) => ({ name, sqlType, role: 'row' as const })),
    ],
    accounts: ['account'],
  },
})
