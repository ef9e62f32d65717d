import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { isInShard, prefixOf, shardHolds } from '../../../server/node/blockId.ts'

test('an account is in the shards whose prefix it begins with, whatever their depth', () => {
  for (let n = 0; n < 50; n++) {
    const hash = createHash('sha256').update(String(n)).digest()
    for (let depth = 0; depth < 64; depth++) {
      const mark = 1n << BigInt(63 - depth)
      const own = BigInt.asUintN(64, (prefixOf(hash) & ~(2n * mark - 1n)) | mark)
      const shards = [
        own,
        BigInt.asIntN(64, own),
        ...Array.from({ length: depth }, (_, i) => own ^ (1n << BigInt(63 - i))),
      ]
      expect(shards.map((shard) => isInShard(shard, hash))).toEqual([true, true, ...Array(depth).fill(false)])
      expect(shards.map((shard) => shardHolds(shard, prefixOf(hash)))).toEqual(shards.map((s) => isInShard(s, hash)))
    }
  }
})
