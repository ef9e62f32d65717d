// Every verb of a verified lite server: with an honest source it says what the source says, and over one that lies or whose
// answers were altered somewhere it refuses, or says the same.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readBoc } from '../../../../server/cell/index.ts'
import { createMethodRunner } from '../../../../server/contracts/index.ts'
import {
  type AccountId,
  type BlockIdExt,
  configParts,
  createRemoteChain,
  createVerifiedLiteServer,
  headerParts,
  LiteError,
  type LiteServer,
  MASTERCHAIN,
  ProofError,
  type RunMethodAnswer,
  runParts,
  Trust,
  WHOLE_SHARD,
} from '../../../../server/node/index.ts'
import { alterations } from '../../../setup/alterations.ts'
import { type Lie, liesIn, lyingServer, type Verb } from '../../../setup/lyingServer.ts'
import { fingerprint } from '../../devchain/lite/fingerprint.ts'
import { type LiteScene, openScene } from '../../devchain/lite/liteScene.ts'
import { madeWallet } from '../../devchain/wallets.ts'

let scene: LiteScene
let other: LiteScene
/** Of the basechain, with transactions. */
let full: BlockIdExt
let newest: BlockIdExt
beforeAll(async () => {
  ;[scene, other] = await Promise.all([openScene({ messages: 16, seed: 7 }), openScene({ messages: 16, seed: 8 })])
  newest = (await scene.lite.masterchainInfo()).last
  // More of them than are listed: of a list that is just full, a server need not know whether more follow.
  let most = 0
  for (const id of scene.blocks(0)) {
    const count = (await scene.touched(id)).reduce((sum, { lts }) => sum + lts.length, 0)
    if (count <= most) continue
    most = count
    full = id
  }
})
afterAll(() => Promise.all([scene.close(), other.close()]))

const wallet: AccountId = { workchain: 0, hash: madeWallet(0).address.id }
const absent: AccountId = { workchain: 0, hash: new Uint8Array(32).fill(9) }
const nowhere: AccountId = { workchain: 5, hash: absent.hash }
const base = { workchain: 0, shard: WHOLE_SHARD }
const master = { workchain: MASTERCHAIN, shard: WHOLE_SHARD }
const old = (): BlockIdExt => scene.blocks(MASTERCHAIN)[2] ?? newest

/** Of the newest transaction of the wallet. */
async function lastOf(server: LiteServer) {
  const last = (await server.listTransactions(full, { count: 1, reverse: true })).ids[0]
  if (last === undefined) throw new Error('a transaction was expected')
  return { account: { workchain: 0, hash: last.account }, lt: last.lt, hash: last.hash }
}

const CALLS: Readonly<Record<string, (server: LiteServer) => Promise<unknown>>> = {
  masterchainInfo: async (server) => ({ ...(await server.masterchainInfo()), now: 0 }),
  waitMasterchainSeqno: (server) => server.waitMasterchainSeqno(2),
  lookup: (server) => server.lookup({ ...base, seqno: 2 }, headerParts.extra),
  'lookup by lt': (server) => server.lookup({ ...base, lt: 7_000_000n }),
  'lookup: none': (server) => server.lookup({ ...base, seqno: 1_000_000 }),
  lookupWithProof: (server) => server.lookupWithProof({ ...master, seqno: 3 }, newest),
  header: (server) => server.header(full, headerParts.stateUpdate),
  block: (server) => server.block(full),
  'state: the zerostate': (server) => server.state(scene.chain.reader.zerostates.master.id),
  'state: another': (server) => server.state(old()),
  accountState: (server) => server.accountState(newest, wallet),
  'accountState: absent': (server) => server.accountState(newest, absent),
  'accountState: of no shard': (server) => server.accountState(newest, nowhere),
  accountStatePruned: (server) => server.accountStatePruned(newest, wallet),
  transactions: async (server) => {
    const { account, lt, hash } = await lastOf(scene.lite)
    return await server.transactions({ account, lt, hash, count: 3 })
  },
  oneTransaction: async (server) => {
    const { account, lt } = await lastOf(scene.lite)
    return await server.oneTransaction(full, { account, lt })
  },
  'oneTransaction: none': (server) => server.oneTransaction(full, { account: absent, lt: 5n }),
  listTransactions: (server) => server.listTransactions(full, { count: 2, wantProof: true }),
  'listTransactions: without proof': (server) => server.listTransactions(full, { count: 100, reverse: true }),
  listTransactionsExt: (server) => server.listTransactionsExt(full, { count: 2 }),
  config: (server) => server.config(newest, [0, 34, 1234], configParts.previousBlocks),
  'config: of the key block': (server) => server.config(newest, 'all', configParts.fromKeyBlock),
  validatorStats: (server) => server.validatorStats(newest, { limit: 10 }),
  libraries: (server) => server.libraries([absent.hash]),
  librariesWithProof: (server) => server.librariesWithProof(newest, [absent.hash], 2),
  shards: (server) => server.shards(newest),
  shardInfo: (server) => server.shardInfo(newest, { ...base, exact: true }),
  'shardInfo: none': (server) => server.shardInfo(newest, { workchain: 5, shard: WHOLE_SHARD, exact: false }),
  blockProof: (server) => server.blockProof(old(), newest),
  'blockProof: back': (server) => server.blockProof(newest, old()),
  'blockProof: to the newest': (server) => server.blockProof(old(), null),
  shardBlockProof: (server) => server.shardBlockProof(full),
  queueSizes: (server) => server.queueSizes(),
  blockQueueSize: (server) => server.blockQueueSize(newest, true),
  dispatchQueues: (server) => server.dispatchQueues(newest, { count: 5, wantProof: true }),
  dispatchMessages: (server) => server.dispatchMessages(newest, { count: 5, account: absent.hash, afterLt: 0n }),
  send: (server) => server.send(Uint8Array.of(1, 2, 3)),
}

/** Verified as a client would come to use it: with trust that starts from the zerostate. */
function verified(source: LiteServer): LiteServer {
  const zerostate = scene.chain.reader.zerostates.master.id
  return createVerifiedLiteServer(source, new Trust(source, { start: { zerostate, block: zerostate } }))
}

async function outcomeOf(call: (server: LiteServer) => Promise<unknown>, server: LiteServer): Promise<string> {
  try {
    return fingerprint(await call(server))
  } catch (error) {
    if (error instanceof LiteError) return `refused: ${error.code}`
    if (error instanceof ProofError) return 'not proven'
    throw error
  }
}

/** What a server says of itself, or does. */
const UNPROVABLE: readonly Verb[] = ['queueSizes', 'send', 'waitMasterchainSeqno']
/** Of `masterchainInfo`. */
const OWN_WORDS = ['.version', '.capabilities', '.now']

describe.each(Object.entries(CALLS))('%s', (_name, call) => {
  test('behavior: the answer of an honest server is passed on', async () => {
    expect(await outcomeOf(call, verified(scene.lite))).toBe(await outcomeOf(call, scene.lite))
  })

  test('error: lies and altered answers', async () => {
    const answers = new Map<Verb, unknown>()
    const { node, requested } = lyingServer(scene.lite, null)
    const recording = new Proxy(node, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name)
        if (typeof value !== 'function' || name === 'onHead') return value
        return async (...args: readonly unknown[]) => {
          const answer: unknown = await Reflect.apply(value, target, [...args])
          answers.set(name as Verb, answer)
          return answer
        }
      },
    })
    const honest = await outcomeOf(call, verified(recording))
    const believed: string[] = []
    for (const verb of [...requested].filter((one) => !UNPROVABLE.includes(one))) {
      const altered = [...alterations(answers.get(verb), 3)]
        .filter(({ where }) => verb !== 'masterchainInfo' || !OWN_WORDS.includes(where))
        .map(({ where, altered: answer }): Lie => ({ name: `${verb}${where}`, verb, answer: async () => answer }))
      for (const lie of [...liesIn(verb, other), ...altered]) {
        const outcome = await outcomeOf(call, verified(lyingServer(scene.lite, lie).node))
        const isRefused = outcome === 'not proven' || outcome.startsWith('refused: ')
        if (!isRefused && outcome !== honest) believed.push(lie.name)
      }
    }
    expect(believed).toEqual([])
  })
})

test('behavior: no verb is left out', () => {
  const verbs = Object.keys(verified(scene.lite)).filter((name) => !['kind', 'onHead', 'runMethod'].includes(name))
  expect(verbs.filter((verb) => !Object.keys(CALLS).some((name) => name.split(':')[0] === verb))).toEqual([])
})

const readResult = ({ result }: RunMethodAnswer): unknown => (result.length === 0 ? null : readBoc(result))

describe('runMethod', () => {
  const mode = runParts.proof | runParts.stateProof | runParts.result

  test('behavior: methods are run here, on the account that is proven', async () => {
    const zerostate = scene.chain.reader.zerostates.master.id
    const trust = new Trust(scene.lite, { start: { zerostate, block: zerostate } })
    const chain = createRemoteChain(scene.lite, { trust })
    const runMethod = createMethodRunner({ chain, pool: scene.pool })
    const liar: Lie = {
      name: 'another result',
      verb: 'runMethod',
      answer: async (honest) => ({ ...(honest as object), exitCode: 77, result: new Uint8Array(0) }),
    }
    const server = createVerifiedLiteServer(lyingServer(scene.lite, liar).node, trust, { runMethod })
    const run = (one: LiteServer, account: AccountId, id: BlockIdExt) =>
      one.runMethod(id, { account, methodId: 85143, params: new Uint8Array(0), mode })
    for (const [account, id] of [
      [wallet, newest],
      [wallet, full],
      [absent, newest],
    ] as const) {
      const [theirs, ours] = await Promise.all([run(scene.lite, account, id), run(server, account, id)])
      const [plain, own] = [theirs, ours].map((one) => JSON.parse(fingerprint({ ...one, result: readResult(one) })))
      expect(own).toEqual(plain)
    }
    await expect(
      server.runMethod(newest, { account: wallet, methodId: 85143, params: Uint8Array.of(1), mode }),
    ).rejects.toBeInstanceOf(LiteError)
  })

  test('error: where methods cannot be run, results of servers are refused too', async () => {
    const refused = verified(scene.lite).runMethod(newest, {
      account: wallet,
      methodId: 85143,
      params: new Uint8Array(0),
      mode,
    })
    await expect(refused).rejects.toMatchObject({ kind: 'badQuery' })
  })
})
