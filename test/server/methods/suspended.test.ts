import { expect, test } from 'vitest'
import { createSuspendedReader } from '../../../server/methods/v2/accounts.ts'
import { LiteError, MASTERCHAIN, WHOLE_SHARD } from '../../../server/node/index.ts'

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
