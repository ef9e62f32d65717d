// Blocks of v3, held against what they are by definition.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { BlockRow } from '../../server/store/index.ts'
import { base64, byCursor, byOffset, get, hashForms, hexShard, pageOf } from '../setup/v3Ask.ts'
import { v3ForAllTests } from '../setup/v3Chain.ts'
import { type BlockQuestion, blocksLike, type Sort } from '../setup/v3Model.ts'

const chain = v3ForAllTests({ transactions: 300 })
const service = () => chain().service
const rows = () => chain().rows

const sort = fc.constantFrom<Sort>('asc', 'desc')
/** Left out so many times as often as not. */
const some = <T>(one: fc.Arbitrary<T>, weight = 5) =>
  fc.oneof({ weight, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: one })
const given = <T extends object>(all: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as never
const block = fc.nat().map((n) => rows().blocks[n % rows().blocks.length] as BlockRow)

const question: fc.Arbitrary<BlockQuestion> = block
  .chain((anchor) => {
    const one = fc.oneof({ weight: 5, arbitrary: fc.constant(anchor) }, block)
    return fc.record({
      workchain: some(fc.constantFrom(anchor.workchain, 0, 5)),
      shard: some(one.map(({ shard }) => shard)),
      seqno: some(
        one.map(({ seqno }) => seqno),
        8,
      ),
      rootHash: some(
        one.map(({ rootHash }) => rootHash),
        12,
      ),
      fileHash: some(
        one.map(({ fileHash }) => fileHash),
        12,
      ),
      mcSeqno: some(
        one.map(({ mcSeqno }) => mcSeqno),
        8,
      ),
      startUtime: some(block.map(({ genUtime }) => genUtime)),
      endUtime: some(block.map(({ genUtime }) => genUtime)),
      startLt: some(block.map(({ startLt }) => startLt)),
      endLt: some(block.map(({ startLt }) => startLt)),
    })
  })
  .map(given)

function queryFor(requested: BlockQuestion, spelling: number): Record<string, unknown> {
  const hash = (bytes: Uint8Array | undefined) => bytes && hashForms(bytes)[spelling % 7]
  const { shard } = requested
  return given({
    workchain: requested.workchain,
    shard: shard === undefined ? undefined : [hexShard(shard), `0x${hexShard(shard)}`, String(shard)][spelling % 3],
    seqno: requested.seqno,
    root_hash: hash(requested.rootHash),
    file_hash: hash(requested.fileHash),
    mc_seqno: requested.mcSeqno,
    start_utime: requested.startUtime,
    end_utime: requested.endUtime,
    start_lt: requested.startLt,
    end_lt: requested.endLt,
  })
}

const named = (row: BlockRow) => ({ workchain: row.workchain, shard: hexShard(row.shard), seqno: row.seqno })
const namedOnWire = ({ workchain, shard, seqno }: Readonly<Record<string, unknown>>) => ({ workchain, shard, seqno })
const namesIn = (body: Readonly<Record<string, unknown>>) =>
  (body.blocks as Readonly<Record<string, unknown>>[]).map(namedOnWire)

const byPlace = (some: readonly BlockRow[]): BlockRow[] =>
  [...some].sort(
    (a, b) => a.workchain - b.workchain || (a.shard < b.shard ? -1 : a.shard > b.shard ? 1 : a.seqno - b.seqno),
  )

describe('blocks', () => {
  test('any filters, either way round, any page: the blocks by definition', async () => {
    let full = 0
    await fc.assert(
      fc.asyncProperty(
        question,
        sort,
        fc.nat({ max: 50 }),
        fc.nat({ max: 8 }),
        async (requested, order, spelling, offset) => {
          const expected = blocksLike(rows().blocks, requested, order)
          if (expected.length > offset) full++
          const limit = 1 + (spelling % 20)
          const query = { ...queryFor(requested, spelling), sort: order, limit, offset }
          const { rows: found, cursor } = await pageOf(service(), 'blocks', query)
          expect(found.map(namedOnWire)).toEqual(expected.slice(offset, offset + limit).map(named))
          expect(cursor === null).toBe(expected.length <= offset + limit)
        },
      ),
      { numRuns: 150 },
    )
    expect(full).toBeGreaterThan(50)
  })

  test('pages by offset and by cursor add up to the whole, and one way is the other reversed', async () => {
    for (const query of [{}, { workchain: 0 }, { workchain: -1 }, { shard: 'A000000000000000' }, { start_utime: 1 }]) {
      const whole = (await pageOf(service(), 'blocks', { ...query, limit: 1000 })).rows
      expect(whole.length).toBeGreaterThan(5)
      const limit = Math.ceil(whole.length / 4)
      expect(await byOffset(service(), 'blocks', { ...query, limit })).toEqual(whole)
      expect(await byCursor(service(), 'blocks', { ...query, limit })).toEqual(whole)
      const upwards = await byCursor(service(), 'blocks', { ...query, limit, sort: 'asc' })
      const times = (list: typeof whole) => list.map(({ gen_utime }) => gen_utime)
      expect(times(upwards)).toEqual(times(whole).reverse())
    }
  })

  test('a block has all of its header', async () => {
    const row = rows().blocks.find(({ workchain }) => workchain === 0) as BlockRow
    const { body } = await get(service(), 'blocks', { root_hash: base64(row.rootHash) })
    const [found] = body.blocks as Record<string, unknown>[]
    expect(found).toMatchObject({
      ...named(row),
      file_hash: base64(row.fileHash),
      gen_utime: String(row.genUtime),
      start_lt: String(row.startLt),
      tx_count: row.txCount,
      masterchain_block_ref: { workchain: -1, shard: '8000000000000000', seqno: row.mcSeqno },
      prev_blocks: row.prevBlocks.map(({ workchain, shard, seqno }) => ({ workchain, shard: hexShard(shard), seqno })),
    })
  })

  test('none is an empty list, of an unknown masterchain block too', async () => {
    const { status, body } = await get(service(), 'blocks', { mc_seqno: 99999999 })
    expect([status, body]).toEqual([200, { blocks: [], cursor: null }])
  })
})

describe('masterchain blocks', () => {
  test('masterchainInfo: the first and the last that are indexed', async () => {
    const masters = rows().blocks.filter(({ workchain }) => workchain === -1)
    const { body } = await get(service(), 'masterchainInfo')
    expect(body).toMatchObject({
      first: named(masters[0] as BlockRow),
      last: named(masters.at(-1) as BlockRow),
    })
  })

  test('masterchainBlockShardState: itself and the newest block of every shard', async () => {
    const tops = rows().tops.filter(({ mcSeqno }) => mcSeqno === 1005)
    const at = tops.map(({ workchain, shard, seqno }) =>
      rows().blocks.find((row) => row.workchain === workchain && row.shard === shard && row.seqno === seqno),
    )
    const { body } = await get(service(), 'masterchainBlockShardState', { seqno: 1005 })
    expect(namesIn(body)).toEqual(byPlace(at as BlockRow[]).map(named))
    expect(namesIn(body)[0]).toMatchObject({ workchain: -1, seqno: 1005 })
  })

  test('masterchainBlockShards: all it committed, by shard or as sorted', async () => {
    const committed = rows().blocks.filter(({ mcSeqno }) => mcSeqno === 1005)
    const { body } = await get(service(), 'masterchainBlockShards', { seqno: 1005 })
    expect(namesIn(body)).toEqual(byPlace(committed).map(named))
    for (const order of ['asc', 'desc'] as const) {
      const sorted = blocksLike(committed, {}, order).map(named)
      const query = { seqno: 1005, sort: order, limit: 2 }
      expect((await byCursor(service(), 'masterchainBlockShards', query)).map(namedOnWire)).toEqual(sorted)
    }
    const behind = await get(service(), 'masterchainBlockShards', { seqno: 1005, offset: 100 })
    expect([behind.status, behind.body]).toEqual([200, { blocks: [], cursor: null }])
  })

  test.each(['masterchainBlockShardState', 'masterchainBlockShards'])('error: %s of none', async (path) => {
    for (const query of [{}, { seqno: '' }, { seqno: 7 }, { seqno: -5 }]) {
      const { status, body } = await get(service(), path, query)
      expect([status, body]).toEqual([404, { error: 'blocks not found' }])
    }
    expect((await get(service(), path, { seqno: 'last' })).status).toBe(422)
  })
})
