// How many reads of the index a method of v3 needs one after the other: where the database is far away, that is what it takes.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { NO_MODIFIERS } from '../../../server/methods/index.ts'
import { storedHandlers } from '../../../server/methods/v3/indexed.ts'
import { keepTexts } from '../../../server/methods/v3/texts/textKeeper.ts'
import { type Database, type Sql, sql } from '../../../server/store/index.ts'
import type { MethodSpec } from '../../../shared/registry.ts'
import { indexed } from '../../../shared/v3/indexed.ts'
import { openEmptiedStore } from '../../setup/emptiedStore.ts'
import { fillActions } from '../../setup/filledActions.ts'
import { PATIENCE_MS } from '../../setup/memoryStore.ts'
import { Rounds } from '../../setup/rounds.ts'

let store: Database & AsyncDisposable
/** Of a trace of several transactions with actions. */
const known = { trace_id: '', action_id: '', account: '', seqno: 0, utime: 0, lt: '' }

const hex = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString('hex')

beforeAll(async () => {
  store = await openEmptiedStore()
  await fillActions(store, { transactions: 100, accounts: 12, atOnce: 20 })
  while ((await keepTexts(store)) !== null);
  const [row] = await store.read.query<{
    trace: Uint8Array
    action: Uint8Array
    account: Uint8Array
    seqno: number
    lt: bigint
  }>(
    sql`select k.trace_id as trace, a.action_id as action, a.accounts[1] as account, k.mc_seqno_end as seqno, k.end_lt as lt
      from traces k join actions a on a.trace_id = k.trace_id where k.nodes > 1 and k.state = 'complete' limit 1`,
  )
  const [time] = await store.read.query<{ utime: number }>(sql`select max(gen_utime)::int4 as utime from blocks`)
  Object.assign(known, {
    trace_id: hex(row?.trace),
    action_id: hex(row?.action),
    account: `${(row?.account[0] ?? 0) - 128}:${hex(row?.account.subarray(1))}`,
    seqno: row?.seqno,
    lt: String(row?.lt),
    utime: time?.utime,
  })
})
afterAll(() => store.close())

type Params = Readonly<Record<string, unknown>>

async function roundsOf(name: string, params: Params): Promise<readonly string[][]> {
  const rounds = new Rounds()
  const query: Sql['query'] = async (statement, options) => {
    await rounds.wait(statement.text)
    return await store.read.query(statement, options)
  }
  const handlers = storedHandlers({ store: { query }, chain: null, testOnly: true }) as unknown as Readonly<
    Record<string, (params: unknown, call: object) => Promise<unknown>>
  >
  const spec = (indexed as Readonly<Record<string, MethodSpec>>)[name]
  const signal = new AbortController().signal
  const caller = { subject: 'test', keyId: null, tier: null }
  const call = { caller, requestId: 'test', signal, timeoutMs: PATIENCE_MS, modifiers: NO_MODIFIERS }
  await handlers[name]?.(spec?.params.parse(params), call)
  return rounds.all
}

const READS: readonly (readonly [name: string, params: () => Params, most: number])[] = [
  ['transactions', () => ({ account: [known.account] }), 1],
  ['transactions', () => ({ end_lt: known.lt }), 1],
  ['transactionsByMasterchainBlock', () => ({ seqno: known.seqno }), 1],
  ['messages', () => ({ end_utime: known.utime }), 1],
  ['traces', () => ({ end_utime: known.utime }), 1],
  ['events', () => ({ end_utime: known.utime }), 3],
  ['traces', () => ({ end_utime: known.utime, include_balance_changes: true }), 3],
  ['actions', () => ({ end_utime: known.utime }), 1],
  ['balanceChanges', () => ({ trace_id: known.trace_id }), 3],
  ['balanceChanges', () => ({ action_id: known.action_id }), 3],
  ['jetton.transfers', () => ({ end_utime: known.utime }), 1],
  ['nft.transfers', () => ({ owner_address: [known.account], end_lt: known.lt }), 1],
  ['blocks', () => ({ end_utime: known.utime }), 1],
  ['masterchainBlockShards', () => ({ seqno: known.seqno }), 1],
  ['masterchainBlockShardState', () => ({ seqno: known.seqno }), 1],
  ['balanceHistory', () => ({ account: known.account, end_utime: known.utime }), 1],
  ['accountStates', () => ({ address: [known.account] }), 1],
  ['walletStates', () => ({ address: [known.account] }), 1],
  ['addressBook', () => ({ address: [known.account] }), 1],
  ['metadata', () => ({ address: [known.account] }), 1],
  ['jetton.wallets', () => ({ owner_address: [known.account] }), 1],
  ['nft.items', () => ({ owner_address: [known.account] }), 1],
  ['validators.events', () => ({ stake_holder_address: known.account }), 2],
  ['validators.elections', () => ({ return_participants: true }), 3],
  ['validators.cycles', () => ({ return_validators: true }), 3],
  ['validators.complaints', () => ({}), 2],
  ['staking.nominatorPools.nominatorEvents', () => ({ pool: known.account }), 2],
]

test.each(READS)('%s', async (name, params, most) => {
  expect(await roundsOf(`v3.${name}`, params())).toHaveLength(most)
})
