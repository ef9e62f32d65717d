// Names and tokens of accounts, read in the statement that finds the accounts: its rows are of several kinds, and the columns of the
// others are null in a row.

import type { Sql, SqlRow, SqlText, StatementOptions } from '../database.ts'
import { sql } from '../sql.ts'
import { type AccountKey, int4 } from '../tables/column.ts'
import { contractTables } from '../tables/contracts.ts'
import { tokenMetadata } from '../tables/offChain.ts'
import { BOOK_DOMAIN, decodeNamed, type NamedAccount } from './accounts.ts'
import { DESCRIBED, type DescribedToken, decodeDescribed, decodeHeld, type HeldJetton } from './assets/tokens.ts'

/** What is read of accounts. */
export interface SideWishes {
  readonly book: boolean
  readonly tokens: boolean
}

export interface Sides {
  /** All the accounts, each once, with their names. */
  readonly book: readonly NamedAccount[]
  /** Those that are jetton wallets, in no order. */
  readonly held: readonly HeldJetton[]
  /** Those that are tokens, and the jettons of those that are jetton wallets. */
  readonly described: readonly DescribedToken[]
}

/** What a row is, in its column `part`. */
export const SIDE_PARTS = { name: 1, held: 2, described: 3 } as const

/** Types of columns by their names. */
export type ColumnTypes = Readonly<Record<string, string>>

const { fields: ofToken } = tokenMetadata
const { fields: ofItem } = contractTables.nftItems

const SIDE_TYPES: ColumnTypes = {
  part: 'int4',
  position: 'int4',
  accounts: 'bytea',
  code_hash: 'bytea',
  interfaces: 'text[]',
  domain: 'text',
  account: 'bytea',
  owner: 'bytea',
  jetton: 'bytea',
  balance: 'numeric',
  kind: 'text',
  index: ofItem.index.sqlType,
  content: ofItem.content.sqlType,
  sale_name: 'text',
  uri: ofToken.uri.sqlType,
  json: ofToken.json.sqlType,
}

/** Columns of one kind of row by their names. */
type OwnColumns = Readonly<Record<string, SqlText>>

/** The same names, of a table or select by this alias. */
export const ofAlias = (alias: string, names: readonly string[]): OwnColumns =>
  Object.fromEntries(names.map((name) => [name, sql`${sql.identifier(alias)}.${sql.identifier(name)}`]))

const ANY_MENTIONED = sql`any(array(select account from mentioned))`

/** Goes behind `mentioned`, the accounts, each once. */
export const HELD = sql`held as materialized (select w.account, w.owner, w.jetton, w.balance from jetton_wallets w
  where w.account = ${ANY_MENTIONED}), named as materialized (
    select distinct on (1) n.account from (select account from mentioned union all select jetton from held) n (account))`

/** Rows of several kinds in one statement. */
export class RowKinds {
  readonly #types: ColumnTypes

  /** Own columns beside those of names and tokens. */
  constructor(own: ColumnTypes) {
    for (const [name, type] of Object.entries(own))
      if ((SIDE_TYPES[name] ?? type) !== type) throw new TypeError(`the column ${name} has two types`)
    this.#types = { ...SIDE_TYPES, ...own }
  }

  /** Of all columns, in their order. */
  get names(): readonly string[] {
    return Object.keys(this.#types)
  }

  /** All columns of a row of one kind. */
  columns(part: number, own: OwnColumns): SqlText {
    const known: OwnColumns = { part: sql`${sql.raw(String(part))}::int4`, ...own }
    return sql.join(
      Object.entries(this.#types).map(([name, type]) => {
        const column = known[name] ?? sql`null::${sql.raw(type)}`
        return sql`${column} as ${sql.identifier(name)}`
      }),
    )
  }

  /** What goes behind `mentioned`, the accounts, each once; and selects of their rows, each behind `union all`. */
  sides({ book, tokens }: SideWishes): { readonly parts: SqlText; readonly rows: SqlText } {
    return {
      parts: tokens ? sql`, ${HELD}` : sql.empty,
      rows: sql`${book ? this.#book() : sql.empty} ${tokens ? this.#tokens() : sql.empty}`,
    }
  }

  #book(): SqlText {
    const names = { ...ofAlias('a', ['code_hash', 'interfaces', 'domain']), accounts: sql`n.account` }
    return sql`union all select ${this.columns(SIDE_PARTS.name, names)} from mentioned n
      left join lateral (select a.code_hash, c.interfaces, ${BOOK_DOMAIN} as domain
        from accounts a left join codes c on c.hash = a.code_hash where a.account = n.account limit 1) a on true`
  }

  #tokens(): SqlText {
    const held = ofAlias('w', ['account', 'owner', 'jetton', 'balance'])
    const described = {
      ...ofAlias('t', ['account', 'kind', 'index', 'content', 'sale_name', 'uri', 'json']),
      position: sql`t.place`,
    }
    return sql`union all select ${this.columns(SIDE_PARTS.held, held)} from held w
      union all select ${this.columns(SIDE_PARTS.described, described)} from (${DESCRIBED}) t`
  }
}

/** The columns of names that may come as spans. */
export const NAME_SPANS = ['accounts']

export const isPart =
  (part: number) =>
  (row: SqlRow): boolean =>
    row.part === part

const positionOf = (row: SqlRow): number => int4.decode(row.position)

export const byPosition = (a: SqlRow, b: SqlRow): number => positionOf(a) - positionOf(b)

/** Rows of names and tokens among others, in any order. */
export function sidesIn(rows: readonly SqlRow[]): Sides {
  const book: NamedAccount[] = []
  const held: HeldJetton[] = []
  const described: SqlRow[] = []
  for (const row of rows) {
    if (row.part === SIDE_PARTS.name) book.push(decodeNamed(row))
    else if (row.part === SIDE_PARTS.held) held.push(decodeHeld(row))
    else if (row.part === SIDE_PARTS.described) described.push(row)
  }
  return { book, held, described: described.sort(byPosition).map(decodeDescribed) }
}

const NO_SIDES: Sides = { book: [], held: [], described: [] }

const ACCOUNTS_ALONE = new RowKinds({})

const makeSideStatement = (wishes: SideWishes): SqlText => {
  const { parts, rows } = ACCOUNTS_ALONE.sides(wishes)
  return sql.steady(
    sql.withSpans(
      sql`with mentioned as materialized (select distinct m.account from unnest(${[]}::bytea[]) as m (account))${parts}
        select ${ACCOUNTS_ALONE.columns(0, {})} where false ${rows}`,
      NAME_SPANS,
    ),
  )
}

const made = new Map<string, SqlText>()

/** Names and tokens of some accounts. */
export function sidesStatement(accounts: readonly AccountKey[], wishes: SideWishes): SqlText {
  const name = `${wishes.book} ${wishes.tokens}`
  const statement = made.get(name) ?? makeSideStatement(wishes)
  made.set(name, statement)
  return sql.refill(statement, [accounts])
}

/** The same, read. */
export async function readSides(
  from: Sql,
  accounts: readonly AccountKey[],
  wishes: SideWishes,
  options?: StatementOptions,
): Promise<Sides> {
  if (accounts.length === 0 || (!wishes.book && !wishes.tokens)) return NO_SIDES
  return sidesIn(await from.query(sidesStatement(accounts, wishes), options))
}
