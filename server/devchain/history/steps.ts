// Steps with their blocks, read back from the journal when they are no longer at hand.

import { LRUCache } from 'lru-cache'
import { type Cell, readBoc } from '../../cell/index.ts'
import { type BlockFacts, type Journal, RecordType, type StepRecord, unpackStep } from '../journal/index.ts'
import { MASTERCHAIN } from '../state/index.ts'
import type { BlockIndex } from './blockIndex.ts'

/** Bytes of blocks kept parsed. Their cells take some twelve times as much: 50 MB when full. */
const KEPT_BYTES = 4 * 1024 * 1024

export interface StoredBlock {
  readonly facts: BlockFacts
  readonly boc: Uint8Array
  readonly root: Cell
  /** Of the validator; null for shard blocks, which need none. */
  readonly signature: Uint8Array | null
}

export interface StoredStep {
  readonly record: StepRecord
  readonly masterRoot: Cell
  readonly shardRoot: Cell | null
}

export const parseBlock = (boc: Uint8Array): Cell => readBoc(boc, { maxDepth: 1024 })

export class Steps {
  readonly #index: BlockIndex
  readonly #journal: Journal
  readonly #kept = new LRUCache<number, StoredStep>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ record }) => record.masterBoc.length + (record.shardBoc?.length ?? 0),
  })

  constructor(index: BlockIndex, journal: Journal) {
    this.#index = index
    this.#journal = journal
  }

  /** Keeps a step that was just made. */
  remember(seqno: number, step: StoredStep): void {
    this.#kept.set(seqno, step)
  }

  /** Forgets every step after this one. */
  truncate(seqno: number): void {
    for (const kept of [...this.#kept.keys()]) if (kept > seqno) this.#kept.delete(kept)
  }

  /** The step that made masterchain block `seqno`. Rejects when there is none. */
  async load(seqno: number): Promise<StoredStep> {
    const kept = this.#kept.get(seqno)
    if (kept !== undefined) return kept
    const record = await this.record(seqno)
    const { masterBoc, shardBoc } = record
    const step = {
      record,
      masterRoot: parseBlock(masterBoc),
      shardRoot: shardBoc === null ? null : parseBlock(shardBoc),
    }
    this.#kept.set(seqno, step)
    return step
  }

  /** The same as it was written down. */
  async record(seqno: number): Promise<StepRecord> {
    const kept = this.#kept.get(seqno)
    if (kept !== undefined) return kept.record
    const indexed = this.#index.step(seqno)
    if (indexed === undefined) throw new Error(`There is no step ${seqno}`)
    const { type, payload } = await this.#journal.read(indexed.at)
    if (type !== RecordType.step) throw new Error(`Step ${seqno} is not where it should be`)
    return unpackStep(payload)
  }

  /** A block with its bytes. Rejects when it is not one of this chain, any more. */
  async block(facts: BlockFacts): Promise<StoredBlock> {
    const seqno = this.#index.stepOf(facts)
    if (seqno === undefined) throw new Error('There is no such block')
    const { record, masterRoot, shardRoot } = await this.load(seqno)
    if (facts.id.workchain === MASTERCHAIN)
      return { facts, boc: record.masterBoc, root: masterRoot, signature: record.signature }
    if (record.shardBoc === null || shardRoot === null) throw new Error('There is no such block')
    return { facts, boc: record.shardBoc, root: shardRoot, signature: null }
  }
}
