// Fetches masterchain blocks with the shard blocks they are the first to commit.

import {
  type BlockIdExt,
  type LiteServer,
  MASTERCHAIN,
  ProofError,
  previousBlocksOf,
  verifyBlock,
  verifyBlockRoot,
  WHOLE_SHARD,
} from '../../node/index.ts'
import { IndexerError } from '../errors.ts'
import { parseBlock } from '../parse/block.ts'
import type { Lanes } from './lanes.ts'
import { type BlockContent, bySeqno, placeOf, type ReadBlock, type Step, type Tip } from './step.ts'

export interface StepReaderParts {
  readonly node: LiteServer
  /** Bounds what the node is asked at once. */
  readonly lanes: Lanes
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** More blocks than this between two masterchain blocks are no shard's, but a way that leads nowhere. */
const MOST_BLOCKS = 20_000

export class StepReader {
  readonly #parts: StepReaderParts

  constructor(parts: StepReaderParts) {
    this.#parts = parts
  }

  /** The id of a masterchain block, as the node has it: the block itself is verified by it, and its place by its parent. */
  async named(seqno: number): Promise<BlockIdExt> {
    const { node, lanes, timeoutMs, signal } = this.#parts
    const query = { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno }
    const { id } = await lanes.run(() => node.lookup(query, 0, { timeoutMs, signal }))
    if (id.workchain !== MASTERCHAIN || id.shard !== WHOLE_SHARD || id.seqno !== seqno)
      throw new ProofError('answer', `block ${placeOf(id)} where masterchain block ${seqno} was looked for`)
    return id
  }

  fetch(id: BlockIdExt): Promise<BlockContent> {
    const { node, lanes, timeoutMs, signal } = this.#parts
    const options = { timeoutMs, signal }
    return lanes.run((): Promise<BlockContent> => node.blockRoot?.(id, options) ?? node.block(id, options))
  }

  /** A masterchain block that is at hand, and what it leaves for the next one. */
  master(id: BlockIdExt, content: BlockContent, { globalVersion }: Tip): Pick<Step, 'master' | 'tip'> {
    const master = readBlock(id, content, { mcSeqno: id.seqno, globalVersion })
    const facts = master.facts.master
    if (facts === null) throw new IndexerError('malformed', `block ${placeOf(id)} is none of the masterchain`)
    const tops = new Set(facts.shardTops.map(placeOf))
    return { master, tip: { id, tops, globalVersion: facts.globalVersion ?? globalVersion } }
  }

  /** The shard blocks a masterchain block commits that none before it did. */
  async shards({ facts }: ReadBlock, { tops, globalVersion }: Tip): Promise<ReadBlock[]> {
    const { mcSeqno } = facts.block
    const found = new Map<string, Promise<ReadBlock>>()
    const visit = async (id: BlockIdExt): Promise<void> => {
      const place = placeOf(id)
      if (id.seqno === 0 || tops.has(place) || found.has(place)) return
      if (found.size >= MOST_BLOCKS) throw new IndexerError('gap', `no way leads back from block ${place}`)
      const block = this.fetch(id).then((content) => readBlock(id, content, { mcSeqno, globalVersion }))
      found.set(place, block)
      await Promise.all((await block).previous.map(visit))
    }
    await Promise.all((facts.master?.shardTops ?? []).map(visit))
    return (await Promise.all(found.values())).sort(bySeqno)
  }
}

interface Place {
  readonly mcSeqno: number
  readonly globalVersion: number | undefined
}

function readBlock(id: BlockIdExt, content: BlockContent, { mcSeqno, globalVersion }: Place): ReadBlock {
  const proven = content instanceof Uint8Array ? verifyBlock(id, content) : verifyBlockRoot(id, content)
  const facts = parseBlock(id, proven.root, { mcSeqno, ...(globalVersion === undefined ? {} : { globalVersion }) })
  return { id, content, previous: previousBlocksOf(proven), facts }
}
