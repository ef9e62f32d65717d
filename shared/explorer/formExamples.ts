// What the form of a method begins with where its schema requires nothing, or the examples of the documents name what only
// other networks have: values of the network in front of the person, found by one call or two.

import type { Api } from '../registry.ts'
import { HEAD, STATE } from './explorerQueries.ts'
import { type Query, query } from './explorerQuery.ts'
import { NEWEST_STAKES } from './stakingQueries.ts'
import { SNAPSHOTS } from './toolQueries.ts'

type Values = Readonly<Record<string, unknown>>

export interface FormExample {
  readonly query: Query
  /** The next request, for values that are not in the first result; null for none. */
  readonly next?: (result: unknown) => Query | null
  /** Values of fields by name; fields without one begin as they would without this. `further` is the result of `next`. */
  readonly valuesIn: (result: unknown, further?: unknown) => Values
}

/** The cast: a result is that of its query, as the caller got it. */
const resultOf = <M extends keyof Api>(_: Query<M>, result: unknown): Api[M]['result'] => result as Api[M]['result']

const example = <M extends keyof Api>(of: Query<M>, read: (result: Api[M]['result']) => Values): FormExample => ({
  query: of,
  valuesIn: (result) => read(resultOf(of, result)),
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
const byWay = byNewest(({ in_msg: message }) => ({
  source: message?.source,
  destination: message?.destination,
  created_lt: message?.created_lt,
}))

/** A wallet that sent something, and is to send a little to itself. */
const byWallet = example(query('v3.transactions', { limit: 50, exclude_system: true }), ({ transactions }) => {
  const from = transactions.find(({ in_msg: message, out_msgs: sent }) => message?.source === null && sent.length > 0)
  return from === undefined ? {} : { from: from.account, messages: [{ address: from.account, amount: '10000000' }] }
})

const byCode = example(NEWEST, ({ transactions }) => ({
  code_hash: transactions.map(({ account_state_after: after }) => after.code_hash).find(Boolean),
}))

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

/** The domain whose records were changed last: it has some. */
const byDomain = (field: string): FormExample =>
  example(query('v3.actions', { action_type: ['change_dns'], limit: 1 }), ({ metadata = {} }) => {
    const names = Object.values(metadata).flatMap(({ token_info }) => token_info.map(({ extra }) => extra?.domain))
    return { [field]: names.find((name) => typeof name === 'string') }
  })

const byJetton = (read: (master: string) => Values): FormExample =>
  example(query('v3.jetton.masters', { limit: 1 }), ({ jetton_masters: [master] }) =>
    master === undefined ? {} : read(master.address),
  )

function poolIn({ address_book: book = {} }: Api['v3.validators.events']['result']): string | undefined {
  const isPool = (names: readonly string[]) => names.some((name) => /^(?:nominator_pool|tv_pool)/.test(name))
  return Object.entries(book).find(([, { interfaces }]) => isPool(interfaces))?.[0]
}

const byPool = example(NEWEST_STAKES, (stakes) => ({ pool: poolIn(stakes) }))

/** Of a pool that staked, an account that it rewarded. */
const byReward = <M extends keyof Api>(
  eventsOf: (pool: string) => Query<M>,
  read: (events: Api[M]['result'], pool: string) => Values,
): FormExample => {
  const poolOf = (stakes: unknown) => poolIn(resultOf(NEWEST_STAKES, stakes))
  return {
    query: NEWEST_STAKES,
    next(stakes) {
      const pool = poolOf(stakes)
      return pool === undefined ? null : eventsOf(pool)
    },
    valuesIn(stakes, events) {
      const pool = poolOf(stakes)
      return pool === undefined || !events ? {} : read(resultOf(eventsOf(pool), events), pool)
    },
  }
}

const rewarded = <E extends { readonly type: string }>(events: readonly E[]): E | undefined =>
  events.find(({ type }) => type === 'reward') ?? events[0]

const byNominator = (read: (nominator: string, pool: string) => Values): FormExample =>
  byReward(
    (pool) => query('v3.staking.nominatorPools.nominatorEvents', { pool, limit: 100 }),
    ({ events }, pool) => {
      const found = rewarded(events)
      return found === undefined ? {} : read(found.nominator_address, pool)
    },
  )

const byValidator = byReward(
  (pool) => query('v3.staking.nominatorPools.validatorEvents', { pool, limit: 100 }),
  ({ events }, pool) => ({ pool, validator: rewarded(events)?.validator_address }),
)

/** From `0:11…11` to the elector, 0.1 TON: it is delivered on any network, and sent on none. */
const INTERNAL =
  'te6cckEBAQEAWAAAq2gAIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiM/zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzQF9eEAAAAAAAAAAAAAAAAAABAauszuw=='

/** Seconds from the newest block to the time that a form suggests. */
const SOON_S = 60

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
  getTokenData: byJetton((address) => ({ address })),
  'v3.metadata': byJetton((master) => ({ address: [master] })),
  dnsResolve: byDomain('name'),
  'v3.dns.records': byDomain('domain'),
  lookupBlock: example(HEAD, ({ last }) => ({ seqno: last.seqno })),
  getConfigParam: example(HEAD, () => ({ param: '20' })),
  tryLocateTx: byWay,
  tryLocateResultTx: byWay,
  tryLocateSourceTx: byWay,
  'emulate.trace': example(HEAD, () => ({ boc: INTERNAL })),
  'emulate.replay': byNewest(({ hash }) => ({ tx_hash: hash })),
  'emulate.tonConnect': byWallet,
  'dev.setNextBlockTime': example(STATE, ({ utime }) => ({ utime: utime + SOON_S })),
  'dev.revert': example(SNAPSHOTS, ({ snapshots }) => ({ id: snapshots.at(-1)?.id })),
  'dev.setAbi': byCode,
  'v3.staking.nominatorPools.nominator': byNominator((nominator) => ({ nominator })),
  'v3.staking.nominatorPools.nominatorRewards': byNominator((nominator, pool) => ({ nominator, pool })),
  'v3.staking.nominatorPools.validatorRewards': byValidator,
  'v3.staking.nominatorPools.pool': byPool,
  'v3.staking.nominatorPools.nominatorEvents': byPool,
  'v3.staking.nominatorPools.validatorEvents': byPool,
}

/** Undefined for a method whose usual first fields return something. */
export const formExampleOf = (method: string): FormExample | undefined =>
  Object.hasOwn(EXAMPLES, method) ? EXAMPLES[method] : undefined

/** Methods whose documents' example is shown as a whole: any network answers it. */
const WHOLE: ReadonlySet<string> = new Set(['v3.decode'])

export const isExampleWhole = (method: string): boolean => WHOLE.has(method)
