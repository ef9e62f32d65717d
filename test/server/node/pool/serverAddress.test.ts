// Which blocks a server has that lists only part of the chain.

import { expect, test } from 'vitest'
import { type ChainSlice, hasBlock } from '../../../../server/node/pool/serverAddress.ts'

const hash = new Uint8Array(32)
const whole = 1n << 63n
const block = (workchain: number, shard: bigint, seqno: number) => ({
  workchain,
  shard,
  seqno,
  rootHash: hash,
  fileHash: hash,
})

const slices: readonly ChainSlice[] = [
  { workchain: -1, shard: whole, fromSeqno: 10, toSeqno: 20 },
  // The left half, as the signed number of a configuration.
  { workchain: 0, shard: BigInt.asIntN(64, 0x4000000000000000n) },
  { workchain: 0, shard: BigInt.asIntN(64, 0xa000000000000000n), toSeqno: 5 },
]

test.each([
  [block(-1, whole, 9), false],
  [block(-1, whole, 10), true],
  [block(-1, whole, 21), false],
  [block(0, 0x4000000000000000n, 1_000), true],
  // A part of the left half, and the shard around it.
  [block(0, 0x2000000000000000n, 1), true],
  [block(0, whole, 1), true],
  [block(0, 0xe000000000000000n, 1), false],
  [block(0, 0xa000000000000000n, 5), true],
  [block(0, 0xa000000000000000n, 6), false],
  [block(1, whole, 1), false],
])('%#', (id, has) => {
  expect(hasBlock(slices, id)).toBe(has)
  expect(hasBlock(null, id)).toBe(true)
})
