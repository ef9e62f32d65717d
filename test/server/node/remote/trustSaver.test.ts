// When proven blocks are written, and the log lines of a file that cannot be, such as on a full disk.

import { expect, test } from 'vitest'
import { MASTERCHAIN, WHOLE_SHARD } from '../../../../server/node/index.ts'
import { recordOf, type TrustRecord } from '../../../../server/node/remote/trustFile.ts'
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

test('heads are written every ten seconds, key blocks at once, and at the end the newest', async () => {
  const written: number[] = []
  let now = 0
  const write = async ({ last }: TrustRecord): Promise<void> => void written.push(last.id.seqno)
  const store = { name: 'trust.json', read: async () => null, write }
  const saver = new TrustSaver({ store, onTrouble: () => undefined, clock: () => now })
  const keep = async (seqno: number, isKey = false): Promise<void> => {
    const last = { id: { ...zerostate, seqno }, utime: 0 }
    saver.keep({ ...recordOf({ zerostate, block: zerostate }), last }, { isKey })
    await new Promise(setImmediate)
  }
  await keep(1)
  now = 9_999
  await keep(2)
  expect(written).toEqual([1])
  await keep(3, true)
  now = 19_998
  await keep(4)
  expect(written).toEqual([1, 3])
  now = 19_999
  await keep(5)
  await keep(6)
  expect(written).toEqual([1, 3, 5])
  await saver.flush()
  expect(written).toEqual([1, 3, 5, 6])
})
