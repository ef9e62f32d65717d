import { expect, test } from 'vitest'
import { indexedBlockHandlers, type KnownIndex } from '../../../server/methods/v3/blocks.ts'
import { PATIENCE_MS } from '../../setup/memoryStore.ts'
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
  // A call waits for one second only; a busy machine takes longer for the look.
  const patient: KnownIndex = {
    indexed: () => reader.indexed(),
    lookSoon: (seqno) => reader.lookSoon(seqno),
    waitFor: (seqno, options) => reader.waitFor(seqno, { ...options, timeoutMs: PATIENCE_MS }),
  }
  const handler = indexedBlockHandlers(database.read, patient)['v3.masterchainInfo']
  const known = Promise.resolve(handler({}, call)).then((info) => [info, reader.indexed()?.seqno])
  expect(await known).toMatchObject([{ last: { seqno: headSeqno(chain) } }, headSeqno(chain)])
})
