import { expect, test } from 'vitest'
import { beginCell, buildDict } from '../../../server/cell/index.ts'
import { createSuspendedReader } from '../../../server/methods/v2/accounts.ts'
import { LiteError, MASTERCHAIN, WHOLE_SHARD } from '../../../server/node/index.ts'
import { configKind } from '../../../server/tlb/index.ts'

const id = {
  workchain: MASTERCHAIN,
  shard: WHOLE_SHARD,
  seqno: 7,
  rootHash: new Uint8Array(32).fill(1),
  fileHash: new Uint8Array(32).fill(2),
}

test('a list of suspended accounts that could not be read is read again', async () => {
  let requested = 0
  const read = createSuspendedReader({
    config: async () => {
      requested++
      throw new LiteError('notReady', 'not yet')
    },
  })
  for (let i = 0; i < 2; i++)
    await expect(read(id, new AbortController().signal)).rejects.toMatchObject({ kind: 'notReady' })
  expect(requested).toBe(2)
})

test('a list of suspended accounts that means nothing suspends none, as with nodes, and accounts are shown', async () => {
  const params = buildDict(configKind, [[44, beginCell().storeUint(0xabcdef, 24).end()]])
  const config = { address: new Uint8Array(32), params }
  const read = createSuspendedReader({ config: async () => ({ config, params: new Map(params), globalBalance: null }) })
  expect(await read(id, new AbortController().signal)).toBeNull()
})
