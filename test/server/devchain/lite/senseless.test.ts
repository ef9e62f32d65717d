// Senseless arguments. A verb answers or rejects with a LiteError, never with anything else.

import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type AccountId,
  type BlockIdExt,
  LiteError,
  type LiteServer,
  MASTERCHAIN,
} from '../../../../server/node/index.ts'
import { type LiteScene, openScene } from './liteScene.ts'

let scene: LiteScene
let ids: readonly BlockIdExt[]
beforeAll(async () => {
  scene = await openScene({ messages: 6, seed: 51 })
  const { master, base } = scene.chain.reader.zerostates
  ids = [master.id, base.id, ...scene.blocks(MASTERCHAIN).slice(-3), ...scene.blocks(0).slice(-3)]
})
afterAll(() => scene.close())

const number = fc.oneof(
  fc.constantFrom(0, 1, -1, 2, 16, 1e9, 1e15, -1e15, 0.5, Number.NaN, Number.POSITIVE_INFINITY),
  fc.integer(),
)
const big = fc.oneof(fc.constantFrom(0n, 1n, -1n, 1n << 63n, 1n << 64n, 1n << 200n), fc.bigInt(0n, 1n << 64n))
const bytes = fc.oneof(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.uint8Array({ maxLength: 70 }))
const flag = fc.boolean()

const strangeId: fc.Arbitrary<BlockIdExt> = fc.record({
  workchain: number,
  shard: big,
  seqno: number,
  rootHash: bytes,
  fileHash: bytes,
})
const account: fc.Arbitrary<AccountId> = fc.record({ workchain: fc.oneof(fc.constantFrom(0, -1), number), hash: bytes })
const shard = fc.record({ workchain: fc.oneof(fc.constantFrom(0, -1), number), shard: big })
const mark = fc.oneof(fc.record({ seqno: number }), fc.record({ lt: big }), fc.record({ utime: number }))
const list = fc.record(
  { count: number, after: fc.record({ account: bytes, lt: big }), reverse: flag, wantProof: flag },
  { requiredKeys: ['count'] },
)

const query = fc.record({
  known: fc.nat(),
  strange: strangeId,
  isStrange: flag,
  account,
  shard,
  mark,
  list,
  number,
  other: number,
  big,
  bytes,
  flag,
  hashes: fc.array(bytes, { maxLength: 20 }),
  params: fc.oneof(fc.constant('all' as const), fc.array(number, { maxLength: 5 })),
})
type Query = typeof query extends fc.Arbitrary<infer Q> ? Q : never

const calls = (lite: LiteServer, id: BlockIdExt, q: Query): readonly (() => Promise<unknown>)[] => [
  () => lite.lookup({ ...q.shard, ...q.mark }, q.number),
  () => lite.lookupWithProof({ ...q.shard, ...q.mark }, id),
  () => lite.header(id, q.number),
  () => lite.block(id),
  () => lite.state(id),
  () => lite.accountState(id, q.account),
  () => lite.accountStatePruned(id, q.account),
  () => lite.runMethod(id, { account: q.account, methodId: q.number, params: q.bytes, mode: q.other }),
  () => lite.transactions({ account: q.account, lt: q.big, hash: q.bytes, count: q.number }),
  () => lite.oneTransaction(id, { account: q.account, lt: q.big }),
  () => lite.listTransactions(id, q.list),
  () => lite.listTransactionsExt(id, q.list),
  () => lite.config(id, q.params, q.number),
  () => lite.validatorStats(id, { limit: q.number, startAfter: q.bytes }),
  () => lite.libraries(q.hashes),
  () => lite.librariesWithProof(id, q.hashes, q.number),
  () => lite.shards(id),
  () => lite.shardInfo(id, { ...q.shard, exact: q.flag }),
  () => lite.blockProof(id, q.flag ? q.strange : null),
  () => lite.shardBlockProof(id),
  () => lite.queueSizes(q.shard),
  () => lite.blockQueueSize(id, q.flag),
  () => lite.send(q.bytes),
  () => lite.masterchainInfo({ waitSeqno: q.number, timeoutMs: 0 }),
]

test('error: every query is answered or refused with a LiteError', async () => {
  await fc.assert(
    fc.asyncProperty(query, async (q) => {
      const id = q.isStrange ? q.strange : (ids[q.known % ids.length] ?? q.strange)
      for (const [i, call] of calls(scene.lite, id, q).entries()) {
        const outcome: unknown = await call().then(
          () => null,
          (reason: unknown) => reason,
        )
        if (outcome !== null && !(outcome instanceof LiteError)) throw new Error(`call ${i}`, { cause: outcome })
      }
    }),
    { numRuns: 150 },
  )
  expect((await scene.lite.masterchainInfo()).last.workchain).toBe(MASTERCHAIN)
})
