// Every verb of a lite server, called in the process and through the bytes of the wire: the same answers and
// the same refusals.

import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { beginCell, writeBoc } from '../../../../server/cell/index.ts'
import { createDevchainLiteServer } from '../../../../server/devchain/index.ts'
import {
  answerLiteQuery,
  type BlockIdExt,
  LiteError,
  type LiteServer,
  MASTERCHAIN,
  WHOLE_SHARD,
} from '../../../../server/node/index.ts'
import { createLiteServerOver } from '../../../../server/node/liteApi/index.ts'
import { verifyAccount } from '../../../../server/node/verify/index.ts'
import { type LiteScene, librariesOf, openScene } from './scene.ts'

/** After 2038: times have 32 bits without a sign. */
const NOW = 4_000_000_000_000

let scene: LiteScene
let direct: ReturnType<typeof createDevchainLiteServer>
let wired: LiteServer
beforeAll(async () => {
  scene = await openScene({ messages: 12, seed: 71 })
  direct = createDevchainLiteServer(scene.chain, { pool: scene.pool, now: () => NOW })
  wired = createLiteServerOver(async (query, options) => {
    const { signal } = options
    const answer = await answerLiteQuery(direct, query, {
      limitMs: 60_000,
      ...(signal === undefined ? {} : { signal }),
    })
    if (answer === null) throw new Error('no answer')
    return answer
  })
})
afterAll(async () => {
  direct.close()
  await scene.close()
})

const master = { workchain: MASTERCHAIN, shard: WHOLE_SHARD }
const base = { workchain: 0, shard: WHOLE_SHARD }
const other = new Uint8Array(32).fill(9)
const head = (): BlockIdExt => scene.chain.head().master.id
const shardHead = (): BlockIdExt => {
  const { shard } = scene.chain.head()
  if (shard === null) throw new Error('a shard block is expected')
  return shard.id
}
const blockAt = (workchain: number, seqno: number): BlockIdExt => {
  const id = scene.blocks(workchain)[seqno - 1]
  if (id === undefined) throw new Error('a block is expected')
  return id
}

/** Bytes as text, so that it does not matter which kind of array has them. */
const plain = (value: unknown): unknown => {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex')
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plain(one)]))
  return value
}

const outcomeOf = async (work: Promise<unknown>): Promise<unknown> => {
  try {
    return plain(await work)
  } catch (error) {
    if (!(error instanceof LiteError)) throw error
    return `${error.code} ${error.message}`
  }
}

async function someAccount() {
  for (const id of [...scene.blocks(0)].reverse()) {
    const account = (await scene.touched(id)).at(-1)?.account
    if (account === undefined) continue
    const { shardAccount } = verifyAccount(head(), account, await direct.accountState(head(), account))
    if (shardAccount !== null) return { account, lt: shardAccount.lastTransLt, hash: shardAccount.lastTransHash }
  }
  throw new Error('a touched account is expected')
}

type Verb = Exclude<
  keyof LiteServer,
  'kind' | 'name' | 'lastVerb' | 'blockRoot' | 'attempt' | 'each' | 'heard' | 'onHead' | 'onAway'
>
type Call = (lite: LiteServer) => Promise<unknown>

const stack = writeBoc(beginCell().storeUint(0, 24).end())

/** Each verb in its forms. */
const CALLS: { readonly [V in Verb]: readonly Call[] } = {
  masterchainInfo: [(l) => l.masterchainInfo(), (l) => l.masterchainInfo({ waitSeqno: 2 })],
  waitMasterchainSeqno: [(l) => l.waitMasterchainSeqno(1), (l) => l.waitMasterchainSeqno(head().seqno + 101)],
  lookup: [
    (l) => l.lookup({ ...master, seqno: 3 }),
    (l) => l.lookup({ ...base, lt: 3_000_000n }, 127),
    (l) => l.lookup({ ...master, utime: 5 }, 1),
    (l) => l.lookup({ ...master, seqno: 1_000_000 }),
    (l) => l.lookup({ workchain: 0, shard: 0x1234_5678_9abc_def0n, seqno: 1 }),
  ],
  lookupWithProof: [
    (l) => l.lookupWithProof({ ...base, seqno: 3 }, head()),
    (l) => l.lookupWithProof({ ...base, lt: 3_000_000n }, head()),
    (l) => l.lookupWithProof({ ...master, utime: 5 }, head()),
    (l) => l.lookupWithProof(shardHead(), blockAt(MASTERCHAIN, 1)),
  ],
  header: [
    ...[0, 1, 16, 127].map(
      (mode): Call =>
        (l) =>
          l.header(head(), mode),
    ),
    (l) => l.header(shardHead()),
  ],
  block: [(l) => l.block(head()), (l) => l.block({ ...head(), rootHash: other })],
  state: [(l) => l.state(head()), (l) => l.state(scene.chain.reader.zerostates.base.id)],
  accountState: [
    async (l) => l.accountState(head(), (await someAccount()).account),
    (l) => l.accountState(head(), { workchain: 0, hash: other }),
    (l) => l.accountState(head(), { workchain: 7, hash: other }),
  ],
  accountStatePruned: [async (l) => l.accountStatePruned(shardHead(), (await someAccount()).account)],
  runMethod: [0, 4, 7, 0x3f, 64].flatMap((mode): readonly Call[] => [
    async (l) =>
      l.runMethod(head(), { account: (await someAccount()).account, methodId: 85_143, params: new Uint8Array(), mode }),
    (l) =>
      l.runMethod(head(), {
        account: { workchain: -1, hash: new Uint8Array(32).fill(0x55) },
        methodId: 85_143,
        params: stack,
        mode,
      }),
  ]),
  transactions: [
    async (l) => {
      const { account, lt, hash } = await someAccount()
      return await l.transactions({ account, lt, hash, count: 16 })
    },
    (l) => l.transactions({ account: { workchain: 0, hash: other }, lt: 7n, hash: other, count: 1 }),
  ],
  oneTransaction: [
    async (l) => {
      const { account, lts } = (await scene.touched(shardHead()))[0] ?? { account: base, lts: [] }
      return 'hash' in account ? await l.oneTransaction(shardHead(), { account, lt: lts[0] ?? 0n }) : null
    },
    (l) => l.oneTransaction(head(), { account: { workchain: -1, hash: other }, lt: 1n }),
  ],
  listTransactions: [
    (l) => l.listTransactions(head(), { count: 3 }),
    (l) => l.listTransactions(head(), { count: 300, reverse: true, wantProof: true }),
    (l) => l.listTransactions(shardHead(), { count: 2, after: { account: other, lt: 1n }, wantProof: true }),
  ],
  listTransactionsExt: [
    (l) => l.listTransactionsExt(head(), { count: 3 }),
    (l) => l.listTransactionsExt(shardHead(), { count: 300, reverse: true, wantProof: true }),
  ],
  config: [
    (l) => l.config(head(), 'all'),
    (l) => l.config(head(), [8, 34, -71, 999], 128),
    (l) => l.config(head(), [8], 0x8000),
    (l) => l.config(shardHead(), 'all'),
  ],
  validatorStats: [
    (l) => l.validatorStats(head(), { limit: 5 }),
    (l) => l.validatorStats(head(), { limit: 5, startAfter: new Uint8Array(32), inclusive: true }),
    (l) => l.validatorStats(head(), { limit: 5, startAfter: other, modifiedAfter: 7 }),
    (l) => l.validatorStats(head(), { limit: 0 }),
  ],
  libraries: [(l) => l.libraries(librariesOf(scene))],
  librariesWithProof: [0, 1, 2].map(
    (mode): Call =>
      (l) =>
        l.librariesWithProof(head(), librariesOf(scene), mode),
  ),
  shards: [(l) => l.shards(head()), (l) => l.shards(shardHead())],
  shardInfo: [
    (l) => l.shardInfo(head(), { ...base, exact: true }),
    (l) => l.shardInfo(head(), { workchain: 0, shard: 1n << 61n, exact: true }),
  ],
  blockProof: [
    (l) => l.blockProof(blockAt(MASTERCHAIN, 2), null),
    (l) => l.blockProof(blockAt(MASTERCHAIN, 2), null, 2),
    (l) => l.blockProof(blockAt(MASTERCHAIN, 2), blockAt(MASTERCHAIN, 5), 0),
    (l) => l.blockProof(blockAt(MASTERCHAIN, 2), blockAt(MASTERCHAIN, 5)),
    (l) => l.blockProof(head(), blockAt(MASTERCHAIN, 1)),
    (l) => l.blockProof({ ...head(), rootHash: other }, null),
  ],
  shardBlockProof: [(l) => l.shardBlockProof(blockAt(0, 2)), (l) => l.shardBlockProof(head())],
  queueSizes: [(l) => l.queueSizes(), (l) => l.queueSizes(base)],
  blockQueueSize: [(l) => l.blockQueueSize(head(), true), (l) => l.blockQueueSize(shardHead())],
  dispatchQueues: [
    (l) => l.dispatchQueues(head(), { count: 5, after: other, wantProof: true }),
    (l) => l.dispatchQueues(shardHead(), { count: 5 }),
  ],
  dispatchMessages: [
    (l) => l.dispatchMessages(shardHead(), { count: 5, account: other, afterLt: 0n, wantProof: true }),
    (l) =>
      l.dispatchMessages(head(), { count: 1, account: other, afterLt: 9n, onlyThisAccount: true, wantBodies: true }),
  ],
  send: [(l) => l.send(Buffer.from('noise'))],
}

describe.each(Object.keys(CALLS) as Verb[])('%s', (verb) => {
  test.each(CALLS[verb].map((call, i) => [i, call] as const))(
    'over the wire as in the process: %i',
    async (_, call) => {
      expect(await outcomeOf(call(wired))).toEqual(await outcomeOf(call(direct)))
    },
  )
})

const int = fc.oneof(fc.constantFrom(0, 1, 2, -1, 16), fc.integer())
const seqno = fc.nat()
const long = fc.bigInt(0n, (1n << 64n) - 1n)
const hash = fc.uint8Array({ minLength: 32, maxLength: 32 })
const place = fc.record({ workchain: fc.oneof(fc.constantFrom(0, -1), int), shard: long })
const strange = fc.record({ workchain: int, shard: long, seqno, rootHash: hash, fileHash: hash })

test('behavior: whatever fits the wire is refused alike', async () => {
  const query = fc.record({
    place,
    strange,
    int,
    long,
    hash,
    seqno,
    count: fc.nat(300),
    params: fc.array(int, { maxLength: 5 }),
  })
  await fc.assert(
    fc.asyncProperty(query, async (q) => {
      const account = { workchain: q.place.workchain, hash: q.hash }
      const calls: readonly Call[] = [
        (l) => l.lookup({ ...q.place, seqno: q.seqno }, q.count),
        (l) => l.lookup({ ...q.place, lt: q.long }),
        (l) => l.lookupWithProof({ ...q.place, utime: q.seqno }, q.strange),
        (l) => l.header(q.strange, q.count),
        (l) => l.accountState(head(), account),
        (l) => l.transactions({ account, lt: q.long, hash: q.hash, count: q.count }),
        (l) => l.listTransactions(head(), { count: q.count, after: { account: q.hash, lt: q.long } }),
        (l) => l.config(head(), q.params),
        (l) => l.blockProof(q.strange, null),
        (l) => l.shardInfo(head(), { ...q.place, exact: true }),
      ]
      for (const call of calls) expect(await outcomeOf(call(wired))).toEqual(await outcomeOf(call(direct)))
    }),
    { numRuns: 40 },
  )
})

test('behavior: heads are reported as they come, and no longer after the end', async () => {
  const heard: number[] = []
  const before = head().seqno
  const stop = wired.onHead(({ seqno: number }) => heard.push(number))
  await wired.masterchainInfo()
  for (const count of [1, 2]) {
    await scene.chain.control.mine(1)
    await expect.poll(() => heard.length).toBe(count)
  }
  stop()
  await scene.chain.control.mine(1)
  await wired.waitMasterchainSeqno(before + 3)
  expect(heard).toEqual([before + 1, before + 2])
})

test('error: waits beyond what the wire can express are refused as those that are too far', async () => {
  const refusal = '651 too big masterchain block seqno'
  for (const seqno of [2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 53]) {
    for (const server of [direct, wired]) {
      expect(await outcomeOf(server.waitMasterchainSeqno(seqno))).toBe(refusal)
      expect(await outcomeOf(server.shards(head(), { waitSeqno: seqno }))).toBe(refusal)
    }
  }
})
