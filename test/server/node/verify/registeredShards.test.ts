// A proof of the shards of a block is believed again only as it was: for that block, with all its bytes.

import { expect, test } from 'vitest'
import { verifyAccount } from '../../../../server/node/verify/index.ts'
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
