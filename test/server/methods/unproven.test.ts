// A lite server that answers with something else than what it was asked for.

import { describe, expect, test } from 'vitest'
import { NO_MODIFIERS } from '../../../server/methods/index.ts'
import { createSuspendedReader } from '../../../server/methods/suspended.ts'
import { accountHandlers } from '../../../server/methods/v2/accounts.ts'
import { blockHandlers } from '../../../server/methods/v2/blocks.ts'
import { configurationHandlers } from '../../../server/methods/v2/configuration.ts'
import { LiteError, type LiteServer, MASTERCHAIN, WHOLE_SHARD } from '../../../server/node/index.ts'
import { parseAddress } from '../../../shared/address.ts'

const id = {
  workchain: MASTERCHAIN,
  shard: WHOLE_SHARD,
  seqno: 7,
  rootHash: new Uint8Array(32).fill(1),
  fileHash: new Uint8Array(32).fill(2),
}
const init = { workchain: MASTERCHAIN, rootHash: new Uint8Array(32), fileHash: new Uint8Array(32) }
const NOTHING = new Uint8Array(0)
const JUNK = Buffer.from('te6cckEBAQEAAgAAAEysuc0=', 'base64')

const lying = (junk: Uint8Array) =>
  ({
    masterchainInfo: async () => ({ last: id, init }),
    lookup: async () => ({ id, mode: 0, headerProof: junk }),
    header: async () => ({ id, mode: 0, headerProof: junk }),
    accountState: async () => ({ id, shardBlock: id, shardProof: junk, proof: junk, state: junk }),
    config: async () => ({ mode: 0, id, stateProof: junk, configProof: junk }),
    libraries: async () => [{ hash: new Uint8Array(32), data: junk }],
    shards: async () => ({ id, proof: junk, data: junk }),
    blockProof: async () => ({ complete: true, from: id, to: id, steps: [] }),
    shardBlockProof: async () => ({ masterchainId: { ...id, seqno: 3 }, links: [] }),
    queueSizes: async () => ({ shards: [], externalLimit: 0 }),
  }) as unknown as LiteServer

const call = {
  caller: {} as never,
  requestId: 'test',
  signal: new AbortController().signal,
  timeoutMs: 3000,
  modifiers: NO_MODIFIERS,
}
const address = parseAddress(`0:${'11'.repeat(32)}`)
if (!address) throw new Error('no address')
const shard = -(1n << 63n)

describe.each([
  ['nothing', NOTHING],
  ['another cell', JUNK],
  ['no cells', new Uint8Array([1, 2, 3])],
])('error: %s in place of a proof', (_, junk) => {
  const node = lying(junk)
  const accounts = accountHandlers(node)
  const blocks = blockHandlers(node)
  const configuration = configurationHandlers(node)

  test.each([
    ['getAddressInformation', () => accounts.getAddressInformation({ address }, call)],
    ['getExtendedAddressInformation', () => accounts.getExtendedAddressInformation({ address }, call)],
    ['getWalletInformation', () => accounts.getWalletInformation({ address }, call)],
    ['getShardAccountCell', () => accounts.getShardAccountCell({ address }, call)],
    ['getBlockHeader', () => blocks.getBlockHeader({ workchain: -1, shard, seqno: 7 }, call)],
    ['getShards', () => blocks.getShards({ seqno: 7 }, call)],
    ['getMasterchainBlockSignatures', () => blocks.getMasterchainBlockSignatures({ seqno: 7 }, call)],
    ['getShardBlockProof', () => blocks.getShardBlockProof({ workchain: -1, shard, seqno: 7 }, call)],
    ['getConfigParam', () => configuration.getConfigParam({ param: 1 }, call)],
    ['getConfigAll', () => configuration.getConfigAll({}, call)],
    ['getLibraries', () => configuration.getLibraries({ libraries: [new Uint8Array(32)] }, call)],
  ])('%s is refused as an upstream that cannot be believed', async (_name, ask) => {
    await expect(ask()).rejects.toMatchObject({
      name: 'ApiError',
      kind: 'upstream',
      message: expect.stringMatching(/^LITE_SERVER_UNKNOWN: answer is not proven: ./),
    })
  })
})

test('a list of suspended accounts that could not be read is asked for again', async () => {
  let asked = 0
  const read = createSuspendedReader({
    config: async () => {
      asked++
      throw new LiteError('notReady', 'not yet')
    },
  })
  for (let i = 0; i < 2; i++) await expect(read(id, call.signal)).rejects.toMatchObject({ kind: 'upstream' })
  expect(asked).toBe(2)
})
