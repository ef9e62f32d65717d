// The log lines of a trust file that cannot be written, such as on a full disk.

import { expect, test } from 'vitest'
import { MASTERCHAIN, WHOLE_SHARD } from '../../../../server/node/index.ts'
import { recordOf } from '../../../../server/node/remote/trustFile.ts'
import { TrustSaver } from '../../../../server/node/remote/trustSaver.ts'

const hash = new Uint8Array(32)
const zerostate = { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno: 0, rootHash: hash, fileHash: hash }

test('behavior: a disk that is full is named once, and again when it was not', async () => {
  const words: string[] = []
  let now = 0
  let failure: Error | null = new Error('no space left on device')
  const record = recordOf({ zerostate, block: zerostate })
  const write = async (): Promise<void> => {
    if (failure !== null) throw failure
  }
  const store = { name: 'trust.json', read: async () => null, write }
  const saver = new TrustSaver({ store, onTrouble: (text) => words.push(text), clock: () => now })
  const save = async (): Promise<void> => {
    now += 10_000
    saver.keep(record, { isKey: false })
    await saver.flush()
  }
  for (let i = 0; i < 20; i++) await save()
  expect(words).toHaveLength(1)
  const full = failure
  failure = null
  await save()
  failure = full
  await save()
  expect(words).toHaveLength(2)
})
