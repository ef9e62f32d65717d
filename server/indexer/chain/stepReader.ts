// Fetches masterchain blocks with the shard blocks they are the first to commit.

import { type BinaryHash, type Cell, hashFromBytes, openCell } from '../../cell/index.ts'
import { type BlockFacts, parsingBlock } from '../../facts/index.ts'
import { inPieces, SlicedWork } from '../../fairness/index.ts'
import { type BlockIdExt, type Chain, masterBlock, previousBlocksOf, type WholeBlock } from '../../node/index.ts'
import { blockExtraOf, inMsgsOf, loadBlock } from '../../tlb/index.ts'
import { IndexerError } from '../indexerError.ts'
import { type Asking, askNode } from './asking.ts'
import { blockPlaceOf, bySeqno, type ReadBlock, type ReadStep, type StepBlock, type Tip } from './chainStep.ts'

export interface StepReaderParts extends Asking {
  readonly chain: Pick<Chain, 'head' | 'idOf' | 'block'>
}

/** More blocks than this between two masterchain blocks are no shard's, but a way that leads nowhere. */
const MOST_BLOCKS = 20_000

export class StepReader {
  readonly #parts: StepReaderParts
  #slices = new SlicedWork()
  /** Blocks that are being read. */
  #reading = 0
  #last: Promise<unknown> = Promise.resolve()

  constructor(parts: StepReaderParts) {
    this.#parts = parts
  }

  /** The id of a masterchain block. */
  named(seqno: number): Promise<BlockIdExt> {
    return askNode(this.#parts, (options) => masterBlock(this.#parts.chain, seqno, options))
  }

  /** `mcSeqno`: the masterchain block that registered it. */
  fetch(id: BlockIdExt, mcSeqno = id.seqno): Promise<WholeBlock> {
    return askNode(this.#parts, (options) => this.#parts.chain.block(id, { ...options, exists: true, mcSeqno }))
  }

  /** What a masterchain block says, and what it leaves for the next one. */
  async master(block: WholeBlock, { globalVersion }: Tip): Promise<Pick<ReadStep, 'master' | 'tip'>> {
    const { id } = block
    const master = await this.#read(block, { mcSeqno: id.seqno, globalVersion })
    const facts = master.facts.master
    if (facts === null) throw new IndexerError('malformed', `block ${blockPlaceOf(id)} is not a masterchain block`)
    const tops = new Set(facts.shardTops.map(blockPlaceOf))
    return { master, tip: { id, tops, globalVersion: facts.globalVersion ?? globalVersion } }
  }

  /** The shard blocks a masterchain block commits that none before it did. */
  async shards({ facts }: Pick<StepBlock, 'facts'>, { tops, globalVersion }: Tip): Promise<ReadBlock[]> {
    const { mcSeqno } = facts.block
    const found = new Map<string, Promise<ReadBlock>>()
    const visit = async (id: BlockIdExt): Promise<void> => {
      const place = blockPlaceOf(id)
      if (id.seqno === 0 || tops.has(place) || found.has(place)) return
      if (found.size >= MOST_BLOCKS)
        throw new IndexerError('gap', `block ${place} is not connected to an indexed one within ${MOST_BLOCKS} blocks`)
      const block = this.fetch(id, mcSeqno).then((one) => this.#read(one, { mcSeqno, globalVersion }))
      found.set(place, block)
      await Promise.all((await block).previous.map(visit))
    }
    await Promise.all((facts.master?.shardTops ?? []).map(visit))
    return (await Promise.all(found.values())).sort(bySeqno)
  }

  /** One block after the other, all in one slice of each turn: sixteen with a slice each held the event loop for 60 ms. */
  async #read(block: WholeBlock, setting: BlockSetting): Promise<ReadBlock> {
    if (this.#reading++ === 0) this.#slices = new SlicedWork()
    const read = this.#last.then(() => readBlock(block, setting, this.#slices))
    this.#last = read.catch(() => undefined)
    try {
      return await read
    } finally {
      this.#reading--
    }
  }
}

interface BlockSetting {
  readonly mcSeqno: number
  readonly globalVersion: number | undefined
}

async function readBlock(
  block: WholeBlock,
  { mcSeqno, globalVersion }: BlockSetting,
  slices: SlicedWork,
): Promise<ReadBlock> {
  const { id, root } = block
  const context = { mcSeqno, ...(globalVersion === undefined ? {} : { globalVersion }) }
  const facts = await inPieces(parsingBlock(id, root, context), slices)
  const fromNobody = await inPieces(lookingForSenders(facts, root), slices)
  return { id, previous: previousBlocksOf(block), facts, fromNobody, keyRoot: facts.block.keyBlock ? root : null }
}

/** The chain itself makes messages that count as just sent. One from another block waited in a queue. */
function* lookingForSenders({ transactions }: BlockFacts, root: Cell): Generator<void, Set<BinaryHash>> {
  const found = new Set<BinaryHash>()
  let arrivals: ReturnType<typeof inMsgsOf> | undefined
  for (const { inMessage } of transactions) {
    if (inMessage?.kind !== 'internal' || inMessage.outTxHash !== null) continue
    arrivals ??= inMsgsOf(blockExtraOf(loadBlock(openCell(root))))
    if (arrivals.get(inMessage.hash)?.kind === 'immediate') found.add(hashFromBytes(inMessage.hash))
    yield
  }
  return found
}
