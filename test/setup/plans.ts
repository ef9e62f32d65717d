// How a statement is run: what the planner says, read for what would be slow on a large database.

import { type Database, type Sql, type SqlRow, type SqlText, type SqlValue, sql } from '../../server/store/index.ts'
import { toWire } from '../../server/store/parameters.ts'
import { unlistedCombination } from './distribution.ts'
import type { ReadCase } from './reads.ts'

/** Tables that grow with the chain. */
const LARGE = new Set([
  'blocks',
  'shard_tops',
  'transactions',
  'transaction_texts',
  'messages',
  'account_states',
  'accounts',
  'traces',
  'trace_accounts',
  'actions',
  'action_accounts',
  'jetton_masters',
  'jetton_wallets',
  'jetton_transfers',
  'jetton_burns',
  'nft_collections',
  'nft_items',
  'nft_sales',
  'nft_transfers',
  'dns_records',
  'token_names',
  'multisigs',
  'multisig_members',
  'multisig_orders',
  'vestings',
  'vesting_whitelists',
  'airdrop_amounts',
  'election_participants',
  'frozen_stakes',
  'cycle_validators',
  'complaints',
  'stake_events',
  'nominator_pools',
  'pool_nominators',
  'nominator_events',
  'pool_validator_events',
])

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  readonly 'Index Name'?: string
  readonly Plans?: readonly PlanNode[]
}

export interface Plan {
  readonly nodes: readonly PlanNode[]
  readonly text: string
}

const flatten = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flatten)]

const briefly = (node: PlanNode, depth = 0): string => {
  const { 'Node Type': type, 'Relation Name': table = '', 'Index Name': index = '' } = node
  const rows = `${node['Actual Rows']} x ${node['Actual Loops']} rows, ${removed(node)} thrown away`
  const line = `${'  '.repeat(depth)}${type} ${table} ${index} (${rows})`
  return [line, ...(node.Plans ?? []).map((inner) => briefly(inner, depth + 1))].join('\n')
}

const removed = (node: PlanNode): number =>
  (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)

const HOW = 'explain (analyze, timing off, format json)'

/** In the text of a statement. */
function literal(value: SqlValue): string {
  const wire = toWire(value)
  if (wire === null) return 'null'
  return `'${wire instanceof Uint8Array ? `\\x${Buffer.from(wire).toString('hex')}` : wire.replaceAll("'", "''")}'`
}

let prepared = 0

/**
 * As the store runs a statement on a server: what has one way for all values is planned without them. One text, which one connection
 * gets: what is set is not of this connection alone, and a statement that is set by itself may have another.
 */
async function explainOnServer(database: Sql, { text, values, isSteady }: SqlText): Promise<readonly SqlRow[]> {
  const name = `looked_at_${prepared++}`
  return await database.query(
    sql.raw(`set plan_cache_mode = ${isSteady === true ? 'force_generic_plan' : 'force_custom_plan'}; prepare ${name} as ${text};
      ${HOW} execute ${name} ${given(values)}`),
  )
}

const given = (values: SqlText['values']): string => (values.length === 0 ? '' : `(${values.map(literal).join(', ')})`)

/** The same in the embedded database, where a steady statement sets how it is planned. */
async function explainSteady(database: Sql, { text, values }: SqlText): Promise<readonly SqlRow[]> {
  const once = (words: string) => database.query<SqlRow>(sql.steady(sql.raw(words)))
  await once(`prepare looked_at as ${text}`)
  try {
    return await once(`${HOW} execute looked_at ${given(values)}`)
  } finally {
    await once('deallocate looked_at')
  }
}

function explained(database: Sql, statement: SqlText, kind: Database['kind']): Promise<readonly SqlRow[]> {
  if (kind === 'postgres') return explainOnServer(database, statement)
  return statement.isSteady === true
    ? explainSteady(database, statement)
    : database.query<SqlRow>(sql`${sql.raw(HOW)} ${statement}`)
}

/** Runs a statement and shows how that was done. */
export async function planOf(database: Sql, statement: SqlText, kind: Database['kind'] = 'pglite'): Promise<Plan> {
  const [row] = await explained(database, statement, kind)
  const json = row?.['QUERY PLAN']
  // The cast: it is what EXPLAIN writes.
  const [whole] = (typeof json === 'string' ? JSON.parse(json) : json) as readonly { readonly Plan: PlanNode }[]
  if (!whole) throw new Error('no plan')
  return { nodes: flatten(whole.Plan), text: briefly(whole.Plan) }
}

const isOfTableOrIndex = (node: PlanNode): boolean =>
  node['Relation Name'] !== undefined || node['Index Name'] !== undefined

/** Rows looked at in tables and indexes, those thrown away included; of one table when it is named, without its indexes. */
export const rowsRead = ({ nodes }: Plan, table?: string): number =>
  nodes
    .filter((node) => (table === undefined ? isOfTableOrIndex(node) : node['Relation Name'] === table))
    .reduce((sum, node) => sum + (node['Actual Rows'] + removed(node)) * node['Actual Loops'], 0)

/** Of those the rows that do not match. */
export const rowsThrownAway = ({ nodes }: Plan): number =>
  nodes.reduce((sum, node) => sum + removed(node) * node['Actual Loops'], 0)

/** As many rows as may be put in order at once: what names few rows is cheaper to sort than to find in order. */
const MOST_SORTED = 250

/** Rows a single filter may look at for a page of ten. */
const MOST_READ = 500

/** What is slow about a plan: a large table read from end to end, more read than shown, or all that fits put in order. */
export function faultsOf(plan: Plan, { single }: { readonly single: boolean }): string[] {
  const faults = plan.nodes.flatMap((node) => {
    const { 'Node Type': type, 'Relation Name': table, Plans: inner = [] } = node
    const looked = node['Actual Rows'] + removed(node)
    if (type === 'Seq Scan' && table !== undefined && LARGE.has(table) && looked > 0) return [`reads all of ${table}`]
    const sorted = type.endsWith('Sort') ? Math.max(...inner.map((one) => one['Actual Rows'])) : 0
    return sorted > MOST_SORTED ? [`sorts ${sorted} rows`] : []
  })
  const combined = unlistedCombination(plan.nodes.map((node) => node['Relation Name']))
  if (combined !== null) faults.push(`combines ${combined}, which the guide on capacity does not list`)
  const read = rowsRead(plan)
  return single && read > MOST_READ ? [...faults, `looks at ${Math.round(read)} rows`] : faults
}

/** The slow ones of these reads, each with what is slow about it and its plan. */
export async function slowReads(from: Sql, cases: readonly ReadCase[]): Promise<string[]> {
  const found: string[] = []
  for (const one of cases) {
    const plan = await planOf(from, one.statement)
    const faults = faultsOf(plan, one)
    if (faults.length > 0) found.push(`${one.name}: ${faults.join(', ')}\n${plan.text}`)
  }
  return found
}
