// The newest block as it is known while the node is asked for it.

import { expect, test } from 'vitest'
import { HeadWatch } from '../../../../server/indexer/chain/headWatch.ts'
import type { BlockIdExt, Chain, ChainHead } from '../../../../server/node/index.ts'

const blockOf = (seqno: number): BlockIdExt => ({
  workchain: -1,
  shard: 1n << 63n,
  seqno,
  rootHash: new Uint8Array(32).fill(seqno),
  fileHash: new Uint8Array(32),
})

test('a block that is reported while the node is asked is newer than its answer', async () => {
  let answer: (head: ChainHead) => void = () => undefined
  let report: Parameters<Chain['onHead']>[0] = () => undefined
  const chain: Pick<Chain, 'head' | 'onHead'> = {
    head: () =>
      new Promise((resolve) => {
        answer = resolve
      }),
    onHead(listener) {
      report = listener
      return () => undefined
    },
  }
  const watch = new HeadWatch(chain, { pollMs: 1000, timeoutMs: 1000 })
  const asked = watch.ask(new AbortController().signal)
  report({ kind: 'head', id: blockOf(6), isOther: false })
  answer({ id: blockOf(5), utime: 5, stateHash: new Uint8Array(32), zerostate: blockOf(0), now: 5 })
  expect([await asked, watch.newest]).toEqual([blockOf(6), blockOf(6)])
})
