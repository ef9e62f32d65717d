import { expect, test } from 'vitest'
import { indexedBlockHandlers } from '../../../server/methods/v3/blocks.ts'
import { call } from './assets/assetScene.ts'
import { headSeqno, index, openNode, openStore, upToDate } from './indexScene.ts'

const HOUR_MS = 3_600_000

test('a process that only reads looks at the index before it reports a newer block than it knows, so that its lists have that block', async () => {
  const { chain, node } = await openNode()
  const database = await openStore()
  const writer = index({ node, database })
  await upToDate(writer, chain)
  const reader = index({ node, database, writes: false, watchMs: HOUR_MS })
  await upToDate(reader, chain)
  await chain.control.mine(1)
  await upToDate(writer, chain)
  const handler = indexedBlockHandlers(database.read, reader)['v3.masterchainInfo']
  const known = Promise.resolve(handler({}, call)).then((info) => [info, reader.indexed()?.seqno])
  expect(await known).toMatchObject([{ last: { seqno: headSeqno(chain) } }, headSeqno(chain)])
})
