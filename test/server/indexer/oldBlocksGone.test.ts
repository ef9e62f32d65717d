// No lite server keeps the next block of an index that is far behind.

import { expect, test } from 'vitest'
import { createRemoteChain, LiteError, type LiteServer, MASTERCHAIN, Trust } from '../../../server/node/index.ts'
import { chainServer, recordedChain } from '../../setup/recordedBlocks.ts'
import { index, openStore } from './indexScene.ts'

const NEWEST = 65

test.each([
  [2, true],
  [NEWEST, false],
])('error: block %i is in no database: that archive servers are needed is said: %s', async (gone, isSaid) => {
  const { server: whole, reveal } = chainServer(await recordedChain())
  reveal(NEWEST)
  const missing = new LiteError('notReady', `seqno=${gone}: seqno not in db`)
  const server: LiteServer = {
    ...whole,
    block: (id, options) =>
      id.workchain === MASTERCHAIN && id.seqno === gone ? Promise.reject(missing) : whole.block(id, options),
  }
  const node = createRemoteChain(server, { trust: new Trust(server, { policy: 'off' }) })
  const indexer = index({ node, database: await openStore(), indexFrom: { seqno: gone }, network: 'custom' })
  await expect.poll(() => indexer.status().trouble).toContain('not in db')
  expect(indexer.status().trouble?.includes('add an archive server') ?? false).toBe(isSaid)
})
