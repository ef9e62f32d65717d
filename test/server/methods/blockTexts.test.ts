// Pages of blocks are written from the columns as the database sent them: the same text as from rows, whatever these have.

import { describe, expect, onTestFinished, test } from 'vitest'
import { toIndexedBlock } from '../../../server/methods/view/v3/block.ts'
import { blocksRead, readPage, type SortDirection, writeMasterBlocks } from '../../../server/store/index.ts'
import type { BlockFilter } from '../../../server/store/read/blocks.ts'
import { ask } from '../../setup/calls.ts'
import { type Driver, drivers } from '../../setup/database.ts'
import { emptyStore } from '../../setup/emptiedStore.ts'
import { filledRows } from '../../setup/filler.ts'
import { serveV3Over } from '../../setup/v3Chain.ts'

const [filled] = filledRows({ transactions: 120, accounts: 12, atOnce: 20 })
const usual = filled?.blocks.find(({ workchain }) => workchain === 0)
if (filled === undefined || usual === undefined) throw new Error('nothing was filled')

const of63Bits = 2n ** 63n - 1n
const of32Bits = 2 ** 32 - 1
const lowest = -(2 ** 31)
const hash = (byte: number): Uint8Array => new Uint8Array(32).fill(byte)
const shard = (bits: bigint): bigint => BigInt.asIntN(64, bits << 56n)

/** The least and the most that a row can have. */
const odd = [
  { shard: shard(0x40n), afterSplit: true, prevBlocks: [] },
  {
    shard: shard(0xc0n),
    afterMerge: true,
    wantMerge: true,
    keyBlock: true,
    vertSeqnoIncr: true,
    prevBlocks: [0x60n, 0xe0n].map((bits) => ({ workchain: 0, shard: shard(bits), seqno: 2 ** 31 - 1 })),
  },
  {
    workchain: -77,
    shard: shard(0x01n),
    globalId: lowest,
    version: of32Bits,
    flags: 255,
    beforeSplit: true,
    wantSplit: true,
    vertSeqno: of32Bits,
    genUtime: of32Bits,
    startLt: of63Bits,
    endLt: of63Bits,
    validatorListHashShort: lowest,
    genCatchainSeqno: of32Bits,
    minRefMcSeqno: -1,
    prevKeyBlockSeqno: of32Bits,
    masterRefSeqno: of32Bits,
    txCount: 2 ** 31 - 1,
    createdBy: hash(255),
  },
  { shard: shard(0x02n), startLt: 0n, endLt: 2n ** 53n + 1n, genUtime: 0, txCount: 0, createdBy: hash(0) },
]

async function setUp(driver: Driver) {
  const store = await emptyStore(driver)
  onTestFinished(() => store[Symbol.asyncDispose]())
  const blocks = odd.map((fields, i) => ({ ...usual, ...fields, rootHash: hash(i + 1), fileHash: hash(i + 101) }))
  // The cast: all members of a block are given.
  const rows = { ...filled, blocks: [...(filled?.blocks ?? []), ...blocks] } as NonNullable<typeof filled>
  await store.transaction((to) => writeMasterBlocks(to, rows))
  const service = await serveV3Over(store.read)
  onTestFinished(() => service[Symbol.asyncDispose]())
  return { store, service }
}

const filters: readonly (readonly [query: string, filter: BlockFilter])[] = [
  ['', {}],
  ['workchain=0', { workchain: 0 }],
  ['workchain=-1', { workchain: -1 }],
  [`mc_seqno=${usual.mcSeqno}`, { mcSeqno: usual.mcSeqno }],
  [`start_utime=${usual.genUtime}`, { startUtime: usual.genUtime }],
  [`root_hash=${'02'.repeat(32)}`, { rootHash: hash(2) }],
  [`root_hash=${'fe'.repeat(32)}`, { rootHash: hash(0xfe) }],
]

describe.each(drivers)('%s', (driver) => {
  test('pages are the text of their rows, with each filter, from both ends', async () => {
    const { store, service } = await setUp(driver)
    const sorts: readonly SortDirection[] = ['asc', 'desc']
    const seen = new Set<number | undefined>()
    for (const [query, filter] of filters)
      for (const sort of sorts)
        for (const limit of [2, 1000]) {
          const { rows, next } = await readPage(store.read, blocksRead(filter, { limit, offset: 0, after: null }, sort))
          for (const { rootHash } of rows) seen.add(rootHash[0])
          const { text } = await ask(service, `/api/v3/blocks?${query}&sort=${sort}&limit=${limit}`)
          const list = `{"blocks":${JSON.stringify(rows.map(toIndexedBlock))},"cursor":${next === null ? 'null' : '"'}`
          expect(text.startsWith(list), `${query} ${sort} ${limit}: ${text.slice(0, 300)}`).toBe(true)
        }
    expect(odd.every((_, i) => seen.has(i + 1))).toBe(true)
    const { text } = await ask(service, `/api/v3/masterchainBlockShards?seqno=${usual.mcSeqno}`)
    const of = blocksRead({ mcSeqno: usual.mcSeqno }, { limit: 10, offset: 0, after: null }, null)
    const { rows } = await readPage(store.read, of)
    expect(text.startsWith(`{"blocks":${JSON.stringify(rows.map(toIndexedBlock))}`)).toBe(true)
  })
})
