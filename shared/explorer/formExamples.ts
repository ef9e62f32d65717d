// What the form of a method begins with where its schema requires nothing, or the examples of the documents name what only
// other networks have: values of the network in front of the person, found by one call.

import type { Api } from '../registry.ts'
import { type Query, query } from './explorerQuery.ts'
import { NEWEST_STAKES } from './stakingQueries.ts'

type Values = Readonly<Record<string, unknown>>

export interface FormExample {
  readonly query: Query
  /** Values of fields by name; fields without one begin as they would without this. */
  readonly valuesIn: (result: unknown) => Values
}

/** The cast: the result is that of the query, as the caller got it. */
const example = <M extends keyof Api>(of: Query<M>, read: (result: Api[M]['result']) => Values): FormExample => ({
  query: of,
  valuesIn: (result) => read(result as Api[M]['result']),
})

const NEWEST = query('v3.transactions', { limit: 10, exclude_system: true })
type Transaction = Api['v3.transactions']['result']['transactions'][number]

/** The newest transaction that another one caused; its neighbours are known. */
const byNewest = (read: (newest: Transaction) => Values): FormExample =>
  example(NEWEST, ({ transactions }) => {
    const [first] = transactions
    const found = transactions.find(({ in_msg: message }) => message?.source) ?? first
    return found === undefined ? {} : read(found)
  })

const byMessage = byNewest(({ in_msg: message }) => ({ msg_hash: message && [message.hash] }))
const byBlock = byNewest(({ mc_block_seqno: seqno }) => ({ seqno }))
const byExternal = byNewest(({ trace_external_hash: hash }) => ({ ext_msg_hash: hash && [hash] }))

/** Of the newest action of a type, fields by their names in its details. */
const byAction = (type: string, fields: Readonly<Record<string, string>>, isList = false): FormExample =>
  example(query('v3.actions', { action_type: [type], limit: 1 }), ({ actions: [action] }) => {
    const details: Values = { ...action?.details }
    return Object.fromEntries(
      Object.entries(fields).flatMap(([name, detail]) =>
        details[detail] === undefined ? [] : [[name, isList ? [details[detail]] : details[detail]]],
      ),
    )
  })

const byPool = example(NEWEST_STAKES, ({ address_book: book = {} }) => {
  const isPool = (names: readonly string[]) => names.some((name) => /^(?:nominator_pool|tv_pool)/.test(name))
  const [pool] = Object.entries(book).find(([, { interfaces }]) => isPool(interfaces)) ?? []
  return pool === undefined ? {} : { pool }
})

const EXAMPLES: Readonly<Record<string, FormExample>> = {
  'v3.masterchainBlockShardState': byBlock,
  'v3.masterchainBlockShards': byBlock,
  'v3.transactionsByMasterchainBlock': byBlock,
  'v3.transactionsByMessage': byMessage,
  'v3.adjacentTransactions': byNewest(({ hash }) => ({ hash })),
  'v3.balanceChanges': byNewest(({ trace_id }) => ({ trace_id })),
  'v3.pendingActions': byExternal,
  'v3.pendingTraces': byExternal,
  'v3.pendingTransactions': byNewest(({ account }) => ({ account: [account] })),
  'v3.multisig.wallets': byAction('multisig_create_order', { address: 'destination' }, true),
  'v3.multisig.orders': byAction('multisig_create_order', { multisig_address: 'destination' }, true),
  'v3.vesting': byAction('vesting_send_message', { contract_address: 'vesting' }, true),
  'v3.nft.sales': byAction('nft_put_on_sale', { address: 'sale_address' }, true),
  'v3.dns.activeAuctions': byAction('auction_bid', { bidder: 'bidder' }),
  'v3.staking.nominatorPools.pool': byPool,
  'v3.staking.nominatorPools.nominatorEvents': byPool,
  'v3.staking.nominatorPools.validatorEvents': byPool,
}

/** Undefined for a method whose usual first fields return something. */
export const formExampleOf = (method: string): FormExample | undefined =>
  Object.hasOwn(EXAMPLES, method) ? EXAMPLES[method] : undefined

/** Methods whose documents' example is shown as a whole: any network answers it. */
const WHOLE: ReadonlySet<string> = new Set(['v3.decode', 'v3.dns.records'])

export const isExampleWhole = (method: string): boolean => WHOLE.has(method)
