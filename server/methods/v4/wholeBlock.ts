// A masterchain block together with the shard blocks it is the first to register, and the transactions of each.

import { parseAddress } from '../../../shared/address.ts'
import { ApiError } from '../../../shared/errors.ts'
import type { Api } from '../../../shared/registry.ts'
import { inSlices, SlicedWork, type Slicing } from '../../fairness/index.ts'
import { bounceableText } from '../view/texts.ts'
import { type Written, write, writeList, writeObject } from '../written.ts'
import { type AskV2, type BlockOfV2, MASTERCHAIN_OF_V2, toBlockOfV4 } from './askV2.ts'

/** 128 are eight blocks of each of 16 shards, as many as the public network makes between two of the masterchain. */
const MOST_BLOCKS = 256
const MOST_TRANSACTIONS = 50_000
const AT_ONCE = 10_000

const tooLarge = (what: string): ApiError =>
  new ApiError(
    'replyTooLarge',
    `the block has more than ${what}: read its parts with getShards and getBlockTransactions`,
  )

const placeOf = ({ workchain, shard, seqno }: BlockOfV2): string => `${workchain}:${shard}:${seqno}`

/** Shard blocks up to `tops` that are not known by then, in the order of their shards. */
async function newBlocks(tops: readonly BlockOfV2[], known: readonly BlockOfV2[], ask: AskV2): Promise<BlockOfV2[]> {
  const seen = new Set(known.map(placeOf))
  const found: BlockOfV2[] = []
  const left = [...tops]
  for (let block = left.pop(); block !== undefined; block = left.pop()) {
    if (block.seqno === 0 || seen.has(placeOf(block))) continue
    if (found.length === MOST_BLOCKS) throw tooLarge(`${MOST_BLOCKS} shard blocks`)
    seen.add(placeOf(block))
    found.push(block)
    if (seen.has(placeOf({ ...block, seqno: block.seqno - 1 }))) continue
    const { '@type': _, ...named } = block
    left.push(...(await ask('getBlockHeader', named)).prev_blocks)
  }
  return found.sort((a, b) => a.workchain - b.workchain || orderOf(a.shard, b.shard) || a.seqno - b.seqno)
}

const orderOf = (a: string, b: string): number => {
  const left = BigInt.asUintN(64, BigInt(a))
  const right = BigInt.asUintN(64, BigInt(b))
  return left === right ? 0 : left < right ? -1 : 1
}

type ListedTransactions = Api['getBlockTransactions']['result']

async function transactionsOf(block: BlockOfV2, room: number, ask: AskV2, slices: SlicedWork) {
  const { '@type': _, ...named } = block
  const shown: Written<unknown>[] = []
  for (let after: { after_lt?: string; after_hash?: string } = {}; ; ) {
    const page: ListedTransactions = await ask('getBlockTransactions', { ...named, count: AT_ONCE, ...after })
    if (shown.length + page.transactions.length > room) throw tooLarge(`${MOST_TRANSACTIONS} transactions`)
    await inSlices(
      page.transactions,
      ({ account, hash, lt }) => void shown.push(write({ account: friendly(account), hash, lt })),
      slices,
    )
    const last = page.transactions.at(-1)
    if (!page.incomplete || last === undefined) return shown
    after = { after_lt: last.lt, after_hash: last.account }
  }
}

function friendly(raw: string): string {
  const parsed = parseAddress(raw)
  return parsed === null ? raw : bounceableText(parsed.workchain, parsed.hash)
}

/** The block with a seqno; `exist` is false before the first and after the newest. */
export async function wholeBlock(seqno: number, ask: AskV2, slicing: Slicing) {
  const { last } = await ask('getMasterchainInfo', {})
  if (seqno < 1 || seqno > last.seqno) return { exist: false }
  const block = await ask('lookupBlock', { ...MASTERCHAIN_OF_V2, seqno })
  const { shards: tops } = await ask('getShards', { seqno })
  const { shards: before } = seqno === 1 ? { shards: [] } : await ask('getShards', { seqno: seqno - 1 })
  const slices = new SlicedWork(slicing)
  const shards: Written<unknown>[] = []
  let room = MOST_TRANSACTIONS
  for (const one of [block, ...(await newBlocks(tops, before, ask))]) {
    const transactions = await transactionsOf(one, room, ask, slices)
    room -= transactions.length
    shards.push(writeObject<object>({ ...toBlockOfV4(one), transactions: await writeList(transactions, slices) }))
  }
  return writeObject<object>({ exist: true, block: writeObject<object>({ shards: await writeList(shards, slices) }) })
}

/** The first block made at or after a time. */
export async function wholeBlockAt(unixtime: number, ask: AskV2, slicing: Slicing) {
  const { last } = await ask('getMasterchainInfo', {})
  const { gen_utime: newest } = await ask('getBlockHeader', { ...MASTERCHAIN_OF_V2, seqno: last.seqno })
  if (unixtime < 1 || unixtime > newest) return { exist: false }
  const { seqno } = await ask('lookupBlock', { ...MASTERCHAIN_OF_V2, unixtime })
  return wholeBlock(Math.max(1, seqno), ask, slicing)
}
