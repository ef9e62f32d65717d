// A get-method by way of the lite server and by way of one that verifies it: the same bytes, and the same refusals.

import { beginCell, Cell, serializeTuple, type TupleItem } from '@ton/core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMethodRunner } from '../../../../server/contracts/index.ts'
import {
  createRemoteChain,
  createVerifiedLiteServer,
  LiteError,
  type LiteServer,
  runParts,
  Trust,
} from '../../../../server/node/index.ts'
import { bornWallet } from '../wallets.ts'
import { type LiteScene, openScene } from './liteScene.ts'

let scene: LiteScene
let passedOn: LiteServer
beforeAll(async () => {
  scene = await openScene({ messages: 2, seed: 51 })
  const trust = new Trust(scene.lite)
  const runMethod = createMethodRunner({ chain: createRemoteChain(scene.lite, { trust }), pool: scene.pool })
  passedOn = createVerifiedLiteServer(scene.lite, trust, { runMethod })
})
afterAll(() => scene.close())

const SEQNO = 85_143
const MOST_BYTES = 65_535

const int = (value: number): TupleItem => ({ type: 'int', value: BigInt(value) })
const bytes = (count: number): Cell =>
  Array.from({ length: count }).reduce<Cell>(
    (next, _, i) => beginCell().storeBuffer(Buffer.alloc(120, i)).storeRef(next).endCell(),
    Cell.EMPTY,
  )
const large: TupleItem = { type: 'cell', cell: bytes(480) }
const stackOf = (...items: TupleItem[]): Buffer => serializeTuple(items).toBoc()

const run = async (server: LiteServer, params: Uint8Array, mode: number, methodId = SEQNO) => {
  const account = { workchain: 0, hash: bornWallet(0).address.id }
  const asked = server.runMethod(scene.chain.head().master.id, { account, methodId, params, mode })
  return await asked.then(
    ({ exitCode, result, shardProof, proof }) => ({ exitCode, result: Buffer.from(result), shardProof, proof }),
    (error: unknown) => (error instanceof LiteError ? { code: error.code, message: error.message } : error),
  )
}

test.each<[string, Uint8Array, number, number?]>([
  ['no parameters', new Uint8Array(), runParts.result],
  ['a method that does not exist', new Uint8Array(), runParts.result, 7],
  ['no result', stackOf(int(1)), 0],
  ['many numbers', stackOf(...Array.from({ length: 900 }, (_, i) => int(i))), runParts.result | runParts.proof],
  ['a large cell', stackOf(large), runParts.result],
  ['more than is allowed', stackOf(large, { type: 'cell', cell: bytes(479) }, int(1)), runParts.result],
  ['bytes that are none', Buffer.from('b5ee9c', 'hex'), runParts.result],
  ['a mode that is none', new Uint8Array(), 64],
])('%s', async (_name, params, mode, methodId) => {
  const direct = await run(scene.lite, params, mode, methodId)
  const other = await run(passedOn, params, mode, methodId)
  expect(other).toEqual(direct)
})

test('a result has no checksum, as those of lite servers have none', async () => {
  const answer = await run(scene.lite, stackOf(int(3)), runParts.result)
  const { result } = answer as { result: Buffer }
  expect(result.subarray(0, 5).toString('hex')).toBe('b5ee9c7201')
  expect(Cell.fromBoc(result)).toHaveLength(1)
})

test('parameters of more than 64 kB are refused in the words of lite servers', async () => {
  expect(stackOf(large).length).toBeLessThanOrEqual(MOST_BYTES)
  for (const server of [scene.lite, passedOn])
    expect(await run(server, new Uint8Array(MOST_BYTES + 1), runParts.result)).toMatchObject({
      message: 'more than 64k parameter bytes passed',
    })
})
