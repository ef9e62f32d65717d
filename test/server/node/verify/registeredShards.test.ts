// A proof of the shards of a block is believed again only as it was: for that block, with all its bytes.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { beginCell, makeProof, readBoc, readBocRoots, writeBoc } from '../../../../server/cell/index.ts'
import { verifyAccount } from '../../../../server/node/verify/index.ts'
import { treeOf } from '../../../setup/cellTree.ts'
import { liteOf, openChain } from '../../devchain/devchains.ts'

test('behavior: neither for another block, nor with a bit changed', async () => {
  const { chain } = await openChain()
  const lite = await liteOf(chain)
  await chain.control.mine(2)
  const older = chain.head().master.id
  await chain.control.mine(1)
  const newer = chain.head().master.id
  const accountOf = (byte: number) => ({ workchain: 0, hash: new Uint8Array(32).fill(byte) })
  const answers = await Promise.all([1, 2].map((byte) => lite.accountState(older, accountOf(byte))))
  const [first, second] = answers
  if (first === undefined || second === undefined) throw new Error('No answer')
  expect(second.shardProof).toEqual(first.shardProof)
  for (const [at, answer] of answers.entries())
    expect(verifyAccount(older, accountOf(at + 1), answer).account).toBeNull()

  expect(() => verifyAccount(newer, accountOf(1), { ...first, id: newer })).toThrow(/^the proof of block/)
  for (let at = 0; at < first.shardProof.length; at += 7) {
    const shardProof = new Uint8Array(first.shardProof)
    shardProof[at] = (shardProof[at] ?? 0) ^ 1
    expect(() => verifyAccount(older, accountOf(1), { ...first, shardProof })).toThrow()
  }
  expect(verifyAccount(older, accountOf(1), first).block?.seqno).toBe(first.shardBlock.seqno)
  const { shardProof } = await lite.accountState(newer, accountOf(1))
  expect(shardProof).not.toEqual(first.shardProof)
})

test('behavior: a proof that shows a whole state is not kept', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const { chain } = await openChain()
  const lite = await liteOf(chain)
  const large = { workchain: -1, id: new Uint8Array(32).fill(9) }
  await chain.control.setAccount({ ...large, balance: 1n, code: beginCell().end(), data: treeOf(12_000) })
  const account = { workchain: 0, hash: new Uint8Array(32).fill(1) }
  // Buffers are freed by a thread of the engine, some time after a collection.
  const inMemory = async (): Promise<number> => {
    let least = Number.POSITIVE_INFINITY
    for (let i = 0; i < 50; i++) {
      collect()
      least = Math.min(least, process.memoryUsage().arrayBuffers)
      await nextTurn()
    }
    return least
  }
  const before = await inMemory()
  let bytes = 0
  for (let i = 0; i < 16; i++) {
    await chain.control.mine(1)
    const { id } = chain.head().master
    const answer = await lite.accountState(id, account)
    const [block] = readBocRoots(answer.shardProof, { maxRoots: 2 })
    if (block === undefined) throw new Error('No proof')
    const state = readBoc((await lite.state(id)).data, { maxDepth: 1024 })
    const shardProof = writeBoc([block, makeProof(state, () => true)])
    bytes += shardProof.length
    expect(verifyAccount(id, account, { ...answer, shardProof }).account).toBeNull()
  }
  expect(bytes).toBeGreaterThan(2_000_000)
  expect((await inMemory()) - before).toBeLessThan(bytes)
})
