// The service over a chain of the public C++ node whose one shard splits, and whose halves are merged again, over the wire of
// lite servers: shards, look-ups, headers, accounts and their histories across both, in v2 and in the index.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openCell } from '../../../server/cell/index.ts'
import {
  answerLiteQuery,
  type BlockIdExt,
  LiteError,
  MASTERCHAIN,
  previousBlocksOf,
  shardHolds,
  shardTopsOf,
  WHOLE_SHARD,
} from '../../../server/node/index.ts'
import { createLiteServerOver } from '../../../server/node/liteApi/index.ts'
import { accountBlocksOf, accountsOf, blockExtraOf, loadShardState } from '../../../server/tlb/index.ts'
import { type MergedChain, withMergedShards } from '../../setup/mergedShards.ts'
import { chainServer, type RecordedBlock, recordedChain, stateName } from '../../setup/recordedBlocks.ts'
import { recordedReads } from '../../setup/recordedReads.ts'
import { serve } from '../../setup/service.ts'

let chain: MergedChain
let service: Awaited<ReturnType<typeof serve>>
let folder: string

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
const signed = (shard: bigint): string => String(BigInt.asIntN(64, shard))
const nameOf = ({ workchain, shard, seqno, rootHash, fileHash }: BlockIdExt) => ({
  workchain,
  shard: signed(shard),
  seqno,
  root_hash: base64(rootHash),
  file_hash: base64(fileHash),
})

beforeAll(async () => {
  chain = withMergedShards(await recordedChain())
  const { server, reveal } = chainServer(chain, { more: recordedReads(chain) })
  reveal(chain.newest)
  folder = await mkdtemp(join(tmpdir(), 'tonrpc-sharded-'))
  const liteservers = join(folder, 'net.json')
  const { rootHash, fileHash } = chain.zerostate
  const hashes = { root_hash: base64(rootHash), file_hash: base64(fileHash) }
  const listed = { ip: 2130706433, port: 1, id: { key: base64(new Uint8Array(32).fill(1)) } }
  await writeFile(
    liteservers,
    JSON.stringify({
      liteservers: [listed],
      validator: { zero_state: { workchain: -1, shard: signed(WHOLE_SHARD), seqno: 0, ...hashes } },
    }),
  )
  const wire = createLiteServerOver(async (query, options) => {
    const answer = await answerLiteQuery(server, query, options)
    if (answer === null) throw new LiteError('protocol', 'no answer')
    return answer
  })
  service = await serve({
    connect: async () => ({ ...wire, close: () => undefined, onClose: () => undefined }),
    withIndex: true,
    config: { network: 'custom', liteservers, proofs: 'off', limits: 'off', indexFrom: '1' },
  })
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

const nameOfAccount = (hash: Uint8Array): string => `0:${Buffer.from(hash).toString('hex')}`

async function get(path: string, query: object): Promise<unknown> {
  const text = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
  const answer = await fetch(`${service.url}/api/${path}?${text.join('&')}`)
  const found = (await answer.json()) as { result?: unknown }
  if (!answer.ok) throw new Error(`${path}?${text.join('&')}: ${JSON.stringify(found)}`)
  return found.result ?? found
}

const isMerge = ({ info }: RecordedBlock): boolean => info.previous.length > 1

const ofShards = (): readonly RecordedBlock[] => chain.blocks.filter(({ id }) => id.workchain !== MASTERCHAIN)

/** Those at the split and at the merge with their neighbours, and a few others. */
const some = (): readonly RecordedBlock[] =>
  ofShards().filter((one) => one.info.afterSplit || one.info.beforeSplit || isMerge(one) || one.id.seqno % 25 === 0)

test('behavior: shards are those each masterchain block names', async () => {
  const counts: number[] = []
  for (const { id, block } of chain.blocks.filter((one) => one.id.workchain === MASTERCHAIN)) {
    const tops = shardTopsOf(block).map((top) => expect.objectContaining(nameOf(top.id)))
    const { shards } = (await get('v2/shards', { seqno: id.seqno })) as { shards: readonly unknown[] }
    expect(shards).toEqual(tops)
    if (counts.at(-1) !== shards.length) counts.push(shards.length)
  }
  expect(counts).toEqual([1, 2, 1])
})

test('behavior: blocks are found by number, logical time and time, on both sides of a split and of a merge', async () => {
  for (const { id, info } of some()) {
    const where = { workchain: 0, shard: signed(id.shard) }
    const found = expect.objectContaining(nameOf(id))
    expect(await get('v2/lookupBlock', { ...where, seqno: id.seqno })).toEqual(found)
    expect(await get('v2/lookupBlock', { ...where, lt: info.endLt })).toEqual(found)
    const { seqno } = (await get('v2/lookupBlock', { ...where, unixtime: info.genUtime })) as { seqno: number }
    expect(seqno).toBeLessThanOrEqual(id.seqno)
  }
  const left = some().filter(({ id }) => shardHolds(id.shard, 0n))
  expect(left.some(({ id }) => id.shard !== WHOLE_SHARD)).toBe(true)
  for (const { id } of left)
    expect(await get('v2/lookupBlock', { workchain: 0, shard: 0, seqno: id.seqno })).toMatchObject(nameOf(id))
})

test('behavior: headers say what was split and merged, and name the blocks before', async () => {
  const kinds = new Set<string>()
  for (const block of some()) {
    const { id, info } = block
    const at = { workchain: 0, shard: signed(id.shard), seqno: id.seqno }
    const flags = { after_merge: isMerge(block), after_split: info.afterSplit, before_split: info.beforeSplit }
    const prev_blocks = previousBlocksOf(block).map((one) => expect.objectContaining(nameOf(one)))
    expect(await get('v2/getBlockHeader', at)).toMatchObject({ ...flags, prev_blocks })
    for (const [name, is] of Object.entries(flags)) if (is) kinds.add(name)
  }
  expect([...kinds].toSorted()).toEqual(['after_merge', 'after_split', 'before_split'])
})

test('behavior: an account is the same in the half and in the whole', async () => {
  const { merged } = chain
  const after = chain.states.get(stateName(merged))
  if (after === undefined) throw new Error('no state')
  const accounts = [...accountsOf(loadShardState(openCell(after)))].map(([hash]) => nameOfAccount(hash))
  expect(accounts.length).toBeGreaterThan(1)
  let changed = 0
  for (const address of accounts) {
    const [before, now] = await Promise.all(
      [chain.newest - 1, chain.newest].map(
        async (seqno) => (await get('v2/getAddressInformation', { address, seqno })) as Record<string, unknown>,
      ),
    )
    const parts = (of: typeof now) => [of?.balance, of?.code, of?.data, of?.last_transaction_id]
    if (JSON.stringify(parts(before)) !== JSON.stringify(parts(now))) changed++
  }
  // By the one transaction of the merged block.
  expect(changed).toBe(1)
})

test('behavior: histories and the index go over a split and a merge', async () => {
  await expect
    .poll(async () => JSON.stringify(await (await fetch(`${service.url}/readyz`)).json()))
    .toContain(`block ${chain.newest}, 0 behind`)
  const own = ofShards().flatMap(({ id: { shard, seqno }, block }) =>
    [...accountBlocksOf(blockExtraOf(block))].flatMap(([account, { transactions }]) =>
      [...transactions].map(([lt, cell]) => {
        const at = { shard: shard.toString(16), seqno }
        return { account: nameOfAccount(account), lt: String(lt), hash: base64(cell.hashBytes()), at }
      }),
    ),
  )
  // In one half before the merge, and in the whole after it.
  expect(own.map(({ at }) => at.shard)).toEqual(['4000000000000000', '8000000000000000'])
  for (const { account, lt, hash, at } of own) {
    const history = (await get('v2/getTransactions', { address: account, limit: 100 })) as readonly unknown[]
    expect(history).toMatchObject([{ transaction_id: { lt, hash } }])
    const block_ref = expect.objectContaining({ shard: at.shard.toUpperCase(), seqno: at.seqno })
    const { transactions } = (await get('v3/transactions', { account })) as { transactions: readonly unknown[] }
    expect(transactions).toMatchObject([{ lt, hash, block_ref }])
  }
  for (const seqno of [chain.newest - 1, chain.newest]) {
    const master = chain.blocks.find(({ id }) => id.workchain === MASTERCHAIN && id.seqno === seqno)
    const { blocks } = (await get('v3/masterchainBlockShardState', { seqno })) as { blocks: { root_hash: string }[] }
    const tops = master === undefined ? [] : shardTopsOf(master.block).map(({ id }) => base64(id.rootHash))
    expect(blocks.map(({ root_hash }) => root_hash).toSorted()).toEqual(
      [...tops, ...(master === undefined ? [] : [base64(master.id.rootHash)])].toSorted(),
    )
  }
})
