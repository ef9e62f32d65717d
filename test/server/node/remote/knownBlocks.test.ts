// Ids of masterchain blocks that were proven before: they take no call of a server.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { beginCell, readBoc, writeBoc } from '../../../../server/cell/index.ts'
import {
  type Chain,
  createRemoteChain,
  type LiteServer,
  MASTERCHAIN,
  WHOLE_SHARD,
} from '../../../../server/node/index.ts'
import { Trust } from '../../../../server/node/remote/openTrust.ts'
import type { ProofPolicy } from '../../../../server/node/remote/trustOptions.ts'
import { treeOf } from '../../../setup/cellTree.ts'
import { lyingServer } from '../../../setup/lyingServer.ts'
import { wholeProof } from '../../../setup/recordedBlocks.ts'
import { type LiteScene, openScene } from '../../devchain/lite/liteScene.ts'

let scene: LiteScene
beforeAll(async () => {
  scene = await openScene({ messages: 8, seed: 3 })
})
afterAll(() => scene.close())

const at = (seqno: number) => ({ workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno })
const blockAt = (seqno: number) => scene.blocks(MASTERCHAIN)[seqno - 1]

function open(policy: ProofPolicy = 'full', lite: LiteServer = scene.lite) {
  const { node, requested } = lyingServer(lite, null)
  const chain = createRemoteChain(node, { trust: new Trust(node, { policy }) })
  /** What a read calls the server for. */
  const calls = async (read: (chain: Chain) => Promise<unknown>): Promise<readonly string[]> => {
    requested.clear()
    await read(chain)
    return [...requested]
  }
  return { chain, calls }
}

test('behavior: the head, what was found, and the block before it', async () => {
  const { chain, calls } = open()
  const { id: head } = await chain.head()
  expect(await calls(() => chain.idOf(at(head.seqno)))).toEqual([])
  expect(await calls(() => chain.idOf(at(3)))).toEqual(['lookupWithProof'])
  expect(await calls(() => chain.idOf(at(3)))).toEqual([])
  expect(await calls(() => chain.idOf(at(2)))).toEqual([])
  expect(await chain.idOf(at(3))).toEqual(blockAt(3))
  expect(await chain.idOf(at(2))).toEqual(blockAt(2))
})

test('behavior: the header of a block whose id is known takes no proof of the block', async () => {
  const { chain, calls } = open()
  await chain.find(at(3))
  expect(await calls(() => chain.find(at(2)))).toEqual(['header'])
  expect((await chain.find(at(2))).info.seqno).toBe(2)
})

test('behavior: a header for which the server shows a large block is not kept', async () => {
  const account = { workchain: MASTERCHAIN, id: new Uint8Array(32).fill(9), balance: 1n }
  await scene.chain.control.setAccount({ ...account, code: beginCell().end(), data: treeOf(1_000) })
  const large = scene.chain.head().master.id.seqno
  await scene.chain.control.mine(2)
  const { chain, calls } = open('full', {
    ...scene.lite,
    async header(id, ...options) {
      const root = readBoc(await scene.lite.block(id), { maxDepth: 1024 })
      return { ...(await scene.lite.header(id, ...options)), headerProof: writeBoc(wholeProof(root)) }
    },
  })
  await chain.find(at(large + 1))
  for (let i = 0; i < 2; i++) expect(await calls(() => chain.find(at(large)))).toEqual(['header'])
})

test('behavior: a head is known when it has become an older block', async () => {
  const { chain, calls } = open()
  const { id: before } = await chain.head()
  await chain.idOf(at(before.seqno))
  await scene.chain.control.mine(2)
  expect((await chain.head()).id.seqno).toBe(before.seqno + 2)
  expect(await calls(() => chain.idOf(at(before.seqno)))).toEqual([])
  expect(await chain.idOf(at(before.seqno))).toEqual(before)
})

test('behavior: a head that is the word of a server is asked for again, and proven in its turn', async () => {
  for (const [policy, verb] of [
    ['off', 'lookup'],
    ['sampled', 'lookupWithProof'],
  ] as const) {
    const { chain, calls } = open(policy)
    const { id: head } = await chain.head()
    expect(await calls(() => chain.idOf(at(head.seqno)))).toEqual([verb])
  }
})

test('error: blocks of shards, and blocks that are not there', async () => {
  const { chain, calls } = open()
  await chain.idOf(at(3))
  const shard = { workchain: 0, shard: WHOLE_SHARD, seqno: 3 }
  expect(await calls(async () => expect((await chain.idOf(shard)).workchain).toBe(0))).toEqual(['lookupWithProof'])
  await expect(chain.idOf(at(1_000_000))).rejects.toThrow()
  await expect(chain.idOf(at(0xffff_ffff))).rejects.toThrow()
})
