// Every method of v2 against a lite server that lies in one of the verbs the method uses: either it refuses, or the lie
// changes nothing. The methods come out of the registry and their verbs are watched, so none can be left out.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { noIndex } from '../../../server/app/database/indexService.ts'
import { openCell } from '../../../server/cell/index.ts'
import { createHandlers, NO_MODIFIERS } from '../../../server/methods/index.ts'
import { Written } from '../../../server/methods/written.ts'
import { createRemoteChain, LiteError, type LiteServer, ProofError } from '../../../server/node/index.ts'
import type { Sql } from '../../../server/store/index.ts'
import { loadMessage, loadTransaction } from '../../../server/tlb/index.ts'
import { toRaw } from '../../../shared/address.ts'
import { ApiError } from '../../../shared/errors.ts'
import { chainRegistry, type MethodSpec } from '../../../shared/registry.ts'
import { type Lie, liesIn, lyingServer, type Verb } from '../../setup/lyingServer.ts'
import { type LiteScene, openScene } from '../devchain/lite/liteScene.ts'
import { madeWallet } from '../devchain/wallets.ts'

const methods = (Object.entries(chainRegistry) as [string, MethodSpec][]).filter(([, { rest }]) =>
  rest.some(({ path }) => path.startsWith('/api/v2/')),
)

/** What is not proven by anything: messages are handed over, the limit of the queues is a setting of the server. */
const UNPROVABLE: readonly Verb[] = ['send', 'queueSizes']

let scene: LiteScene
let other: LiteScene
beforeAll(async () => {
  ;[scene, other] = await Promise.all([openScene({ messages: 24, seed: 3 }), openScene({ messages: 24, seed: 4 })])
})
afterAll(() => Promise.all([scene.close(), other.close()]))

const noStore = new Proxy({}, { get: () => () => Promise.reject(new Error('v2 does not read the index')) }) as Sql

type Params = Readonly<Record<string, unknown>>
type Outcome = { readonly answer: string } | { readonly refusal: unknown }

/** Time of the server, which is its own word. */
const withoutNow = (json: string): string => json.replace(/"timestamp":\d+/, '"timestamp":0')

async function outcomeOf(server: LiteServer, name: string, params: Params): Promise<Outcome> {
  const handlers = createHandlers({
    chain: createRemoteChain(server),
    pool: scene.pool,
    store: noStore,
    index: noIndex.view,
    testOnly: true,
    discover: () => Promise.resolve('{"openrpc":"","info":{"title":"","version":""},"methods":[]}'),
  }) as unknown as Readonly<Record<string, (params: unknown, call: object) => Promise<unknown>>>
  const spec = (chainRegistry as Readonly<Record<string, MethodSpec>>)[name]
  const signal = AbortSignal.timeout(300_000)
  try {
    const call = { caller: {}, requestId: 'test', signal, timeoutMs: 300_000, modifiers: NO_MODIFIERS }
    const result = await handlers[name]?.(spec?.params.parse(params), call)
    return { answer: withoutNow(result instanceof Written ? result.json : JSON.stringify(result)) }
  } catch (refusal) {
    return { refusal }
  }
}

/** A message between two accounts of the basechain. */
async function someMessage({ chain }: LiteScene): Promise<Params> {
  const { address } = madeWallet(0)
  const { lastTransLt: lt = 0n, lastTransHash: hash } = chain.reader.moment().shard.accounts.get(address.id) ?? {}
  if (hash === undefined) throw new Error('the wallet is not there')
  const history = await chain.reader.transactions({ workchain: 0, account: address.id, lt, hash, count: 100 })
  for (const { transaction } of history)
    for (const cell of loadTransaction(openCell(transaction)).outMessages.values()) {
      const { info } = loadMessage(openCell(cell))
      if (info.kind !== 'internal' || info.src.kind !== 'std' || info.dest.kind !== 'std') continue
      const source = toRaw(info.src)
      const destination = toRaw(info.dest)
      return { source, destination, created_lt: String(info.createdLt) }
    }
  throw new Error('no message was sent')
}

/** Calls that find something on this chain: the example, an account with a history, older blocks, a message. */
async function callsOf({ example, params }: MethodSpec): Promise<readonly Params[]> {
  const base = example.params as Params
  const takes = (name: string): boolean => name in params.shape
  const lived = {
    ...(takes('address') ? { address: toRaw({ workchain: 0, hash: madeWallet(0).address.id }) } : {}),
    ...(takes('created_lt') ? await someMessage(scene) : {}),
    ...(takes('workchain') ? { workchain: 0, seqno: 3 } : {}),
  }
  const older = takes('seqno') && !takes('workchain') ? { ...lived, seqno: 5 } : lived
  const byLt = takes('lt') && takes('workchain') ? [{ workchain: 0, shard: base.shard, lt: '7000000' }] : []
  const byTime = takes('unixtime')
    ? [{ workchain: -1, shard: base.shard, unixtime: scene.chain.head().master.utime }]
    : []
  return [base, { ...base, ...lived }, { ...base, ...older }, ...byLt, ...byTime]
}

const isRefusal = (error: unknown): boolean =>
  error instanceof ProofError || error instanceof LiteError || (error instanceof ApiError && error.kind === 'upstream')

async function caught([name, params, honest]: readonly [string, Params, Outcome], lie: Lie): Promise<boolean> {
  const lied = await outcomeOf(lyingServer(scene.lite, lie).node, name, params)
  if ('answer' in lied) {
    expect([name, params, lie.name, lied]).toEqual([name, params, lie.name, honest])
    return false
  }
  if ('refusal' in honest) return false
  expect([name, lie.name, lied.refusal, isRefusal(lied.refusal)]).toEqual([name, lie.name, lied.refusal, true])
  return true
}

const found = new Map<Verb, number>()

describe.each(methods)('%s', (name, spec) => {
  test('error: a lie in any verb it uses', async () => {
    for (const params of await callsOf(spec)) {
      const { node, requested } = lyingServer(scene.lite, null)
      const honest = await outcomeOf(node, name, params)
      for (const verb of requested) {
        if (UNPROVABLE.includes(verb)) continue
        for (const lie of liesIn(verb, other)) {
          const wasCaught = await caught([name, params, honest], lie)
          found.set(verb, (found.get(verb) ?? 0) + (wasCaught ? 1 : 0))
        }
      }
    }
  })
})

test('behavior: lies were reported in every verb that methods use, and caught', () => {
  expect([...found].filter(([, count]) => count === 0)).toEqual([])
  expect([...found.keys()].sort()).toEqual([
    'accountState',
    'blockProof',
    'blockQueueSize',
    'config',
    'header',
    'librariesWithProof',
    'listTransactions',
    'listTransactionsExt',
    'lookupWithProof',
    'masterchainInfo',
    'shardBlockProof',
    'shards',
    'transactions',
  ])
})
