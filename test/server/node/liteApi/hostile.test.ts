// Bytes of strangers: requests of every function with some of their bytes changed, cut or repeated. All meet an answer, a
// refusal or silence, and none is a fault of the program.

import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDevchainLiteServer } from '../../../../server/devchain/index.ts'
import { answerLiteQuery, type LiteServer } from '../../../../server/node/index.ts'
import { createLiteServerOver } from '../../../../server/node/liteApi/index.ts'
import { wrapQuery } from '../../../../server/tl/index.ts'
import { type LiteScene, openScene } from './scene.ts'

let scene: LiteScene
let server: LiteServer
let queries: readonly Uint8Array[]
beforeAll(async () => {
  scene = await openScene({ messages: 6, seed: 91 })
  server = createDevchainLiteServer(scene.chain, { pool: scene.pool })
  queries = await everyQuery()
})
afterAll(() => scene.close())

/** One query of each function, as a client writes it; the first two wait for a block. */
async function everyQuery(): Promise<readonly Uint8Array[]> {
  const written: Uint8Array[] = []
  const writer = createLiteServerOver((query) => {
    written.push(query)
    return Promise.resolve(new Uint8Array())
  })
  const id = scene.chain.head().master.id
  const hash = new Uint8Array(32).fill(0x33)
  const account = { workchain: -1, hash }
  const base = { workchain: 0, shard: 1n << 63n }
  await Promise.allSettled([
    writer.masterchainInfo({ waitSeqno: 2 }),
    writer.waitMasterchainSeqno(1),
    writer.lookup({ ...base, lt: 5n }, 3),
    writer.lookupWithProof({ ...base, utime: 5 }, id),
    writer.header(id, 127),
    writer.block(id),
    writer.state(id),
    writer.accountState(id, account),
    writer.accountStatePruned(id, account),
    writer.runMethod(id, { account, methodId: 86_535, params: new Uint8Array(), mode: 7 }),
    writer.transactions({ account, lt: 5n, hash, count: 3 }),
    writer.oneTransaction(id, { account, lt: 5n }),
    writer.listTransactions(id, { count: 5, after: { account: hash, lt: 1n }, wantProof: true }),
    writer.listTransactionsExt(id, { count: 5, reverse: true }),
    writer.config(id, 'all'),
    writer.config(id, [8, 34], 128),
    writer.validatorStats(id, { limit: 3, startAfter: hash, modifiedAfter: 1 }),
    writer.libraries([hash]),
    writer.librariesWithProof(id, [hash], 1),
    writer.shards(id),
    writer.shardInfo(id, { ...base, exact: true }),
    writer.blockProof(id, id),
    writer.shardBlockProof(id),
    writer.queueSizes(base),
    writer.blockQueueSize(id, true),
    writer.dispatchQueues(id, { count: 3, after: hash }),
    writer.dispatchMessages(id, { count: 3, account: hash, afterLt: 1n, wantBodies: true }),
    writer.send(Buffer.from('noise')),
  ])
  return written
}

const change = fc.record({ at: fc.nat(), byte: fc.nat(255) })
const altered = fc.record({ which: fc.nat(), changes: fc.array(change, { maxLength: 4 }), cut: fc.option(fc.nat()) })

test('error: no bytes from the wire cause a fault', async () => {
  const faults: unknown[] = []
  const ask = async (bytes: Uint8Array): Promise<void> => {
    const answer = await answerLiteQuery(server, bytes, { onFault: (name, error) => faults.push([name, error]) })
    expect(answer === null || answer.length >= 4).toBe(true)
  }
  for (const query of queries) await ask(query)
  // A changed wait is a longer one.
  const [, , ...others] = queries
  await fc.assert(
    fc.asyncProperty(altered, async ({ which, changes, cut }) => {
      const bytes = new Uint8Array(others[which % others.length] ?? [])
      for (const { at, byte } of changes) bytes[at % bytes.length] = byte
      await ask(cut === null ? bytes : bytes.subarray(0, cut % bytes.length))
    }),
    { numRuns: 1500 },
  )
  // Most changes of the wrapper are met with silence: here they are behind it.
  await fc.assert(
    fc.asyncProperty(altered, async ({ which, changes }) => {
      const query = others[which % others.length] ?? new Uint8Array(20)
      const request = new Uint8Array(query.subarray(query[4] === 0xfe ? 8 : 5))
      for (const { at, byte } of changes) request[4 + (at % Math.max(1, request.length - 4))] = byte
      await ask(wrapQuery(request))
    }),
    { numRuns: 1500 },
  )
  expect(queries).toHaveLength(28)
  expect(faults).toEqual([])
})
