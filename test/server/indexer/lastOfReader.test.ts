import { expect, test } from 'vitest'
import { indexedBlockHandlers } from '../../../server/methods/v3/blocks.ts'
import type { SqlRow } from '../../../server/store/index.ts'
import { call } from './assets/assetScene.ts'
import { headSeqno, index, openNode, openStore, upToDate } from './indexScene.ts'

const HOUR_MS = 3_600_000

test('a process that only reads reports a newest block once it has dropped the lists of the one before', async () => {
  const { chain, node } = await openNode()
  const database = await openStore()
  const writer = index({ node, database })
  await upToDate(writer, chain)
  const reader = index({ node, database, writes: false, watchMs: HOUR_MS })
  await upToDate(reader, chain)
  await chain.control.mine(1)
  await upToDate(writer, chain)
  // It is woken once the newer block was read.
  const store: typeof database.read = {
    ...database.read,
    query: <R extends SqlRow>(...asked: Parameters<typeof database.read.query>) =>
      database.read.query<R>(...asked).finally(() => {
        setImmediate(() => reader.lookSoon(headSeqno(chain)))
      }),
  }
  const handler = indexedBlockHandlers(store, reader)['v3.masterchainInfo']
  const known = Promise.resolve(handler({}, call)).then((info) => [info, reader.indexed()?.seqno])
  expect(await known).toMatchObject([{ last: { seqno: headSeqno(chain) } }, headSeqno(chain)])
})
