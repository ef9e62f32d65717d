// Steps with their blocks, read back from the journal when they are no longer at hand.

import { LRUCache } from 'lru-cache'
import { type Cell, readBoc } from '../../cell/index.ts'
import { type BlockFacts, type Journal, RecordType, type StepRecord, unpackStep } from '../journal/index.ts'
import { type BlockSignature, MASTERCHAIN } from '../state/index.ts'
import type { BlockIndex } from './blockIndex.ts'

/** Bytes of blocks kept parsed. Their cells take some twelve times as much: 50 MB when full. */
const KEPT_BYTES = 4 * 1024 * 1024

export interface StoredBlock {
  readonly facts: BlockFacts
  readonly boc: Uint8Array
  readonly root: Cell
  /** Of a masterchain block; shard blocks need none. */
  readonly signatures: readonly BlockSignature[]
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
  readonly #firstSigner: Uint8Array
  readonly #kept = new LRUCache<number, StoredStep>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ record }) => record.masterBoc.length + (record.shardBoc?.length ?? 0),
  })

  /** `firstSigner` is the short id of the validator whose signatures were stored without one. */
  constructor(index: BlockIndex, journal: Journal, firstSigner: Uint8Array) {
    this.#index = index
    this.#firstSigner = firstSigner
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
      return { facts, boc: record.masterBoc, root: masterRoot, signatures: this.#named(record) }
    if (record.shardBoc === null || shardRoot === null) throw new Error('There is no such block')
    return { facts, boc: record.shardBoc, root: shardRoot, signatures: [] }
  }

  #named({ signatures }: StepRecord): BlockSignature[] {
    return signatures.map(({ nodeIdShort, signature }) => ({
      nodeIdShort: nodeIdShort ?? this.#firstSigner,
      signature,
    }))
  }
}
