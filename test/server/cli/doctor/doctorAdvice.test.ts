// What `tonrpc doctor` makes of what it found out.

import { expect, test } from 'vitest'
import { branchesAmong } from '../../../../server/cli/doctor/forks.ts'
import { adviceOn } from '../../../../server/cli/doctor/table.ts'
import { type BlockIdExt, MASTERCHAIN, WHOLE_SHARD } from '../../../../server/node/index.ts'

const blockOf = (byte: number): BlockIdExt => {
  const hash = new Uint8Array(32).fill(byte)
  return { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno: 5, rootHash: hash, fileHash: hash }
}

test('a server that names no block hides no fork of those behind it in the list', () => {
  const one = blockOf(1)
  const other = blockOf(2)
  const named = new Map([
    ['a', other],
    ['b', null],
    ['c', one],
    ['d', one],
  ])
  expect(branchesAmong(named)).toEqual([
    { id: one, servers: ['c', 'd'] },
    { id: other, servers: ['a'] },
  ])
})

test('a server that is a few blocks behind is as good as others', () => {
  const found = { steps: [], isUsable: true, head: null, skew: 0, oldest: 1, key: null }
  const lags = new Map([
    ['near', 10],
    ['far', 11],
  ])
  const servers = [...lags.keys()].map((server) => ({ ...found, server }))
  expect(adviceOn(servers, ({ server }) => lags.get(server) ?? null)).toEqual([
    'far: 11 blocks behind: it is not used for new blocks',
  ])
})
