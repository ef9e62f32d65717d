// Steps with their blocks, read back from the journal when they are not in memory. A record's checksum was verified when it
// was read, and the hashes in its blocks were computed when they were made: neither is computed again.

import { LRUCache } from 'lru-cache'
import { type Cell, hashToBytes, MAX_DEPTH, readBoc, readingBoc, sameBytes, sha256 } from '../../cell/index.ts'
import { inPieces, oneFlight, type Slicing } from '../../fairness/index.ts'
import {
  type Journal,
  type JournalBlock,
  masterBocIn,
  RecordType,
  type StepRecord,
  unpackBlocks,
} from '../journal/index.ts'
import { MASTERCHAIN, type ValidatorSignature } from '../state/index.ts'
import type { BlockIndex } from './blockIndex.ts'

/** Bytes of blocks in the cache. */
const KEPT_BYTES = 4 * 1024 * 1024
/**
 * Of those, bytes of blocks whose cells are cached too: they take twelve times as much, and V8 leaves holes of the same size
 * where cells of changing ages were. Older blocks are read for single answers, and parsed again for each.
 */
const PARSED_BYTES = 512 * 1024

export interface StoredBlock {
  readonly facts: JournalBlock
  readonly boc: Uint8Array
  /** Parsed on first use, a large one in pieces. */
  root(slicing?: Slicing): Promise<Cell>
  /** Of a masterchain block; shard blocks need none. */
  readonly signatures: readonly ValidatorSignature[]
}

export interface StoredStep {
  readonly record: StepRecord
  /** Both are parsed on first use. */
  readonly masterRoot: Cell
  readonly shardRoot: Cell | null
}

const LIMITS = { maxDepth: MAX_DEPTH, isOwn: true } as const
/** A smaller block is parsed within a millisecond. */
const LARGE_BLOCK = 64 << 10

export const parseStored = (boc: Uint8Array): Cell => readBoc(boc, LIMITS)

/** The masterchain's part of a step. */
export interface MasterStep {
  readonly facts: JournalBlock
  readonly boc: Uint8Array
}

interface Roots {
  readonly masterRoot: Cell | null
  readonly shardRoot: Cell | null
}

export const sizeOfStep = ({ record }: Pick<StoredStep, 'record'>): number =>
  record.masterBoc.length + (record.shardBoc?.length ?? 0)

/** A step whose blocks are parsed when they are needed, and again when their cells were dropped since. */
class CachedStep implements StoredStep {
  readonly record: StepRecord
  readonly #onRead: (step: CachedStep) => void
  #masterRoot: Cell | null
  #shardRoot: Cell | null
  /** Whether each of them, being small, was parsed for one answer. */
  #masterOnce = false
  #shardOnce = false
  /** Being parsed in pieces, by their bytes. Most are small. */
  #opening: Map<Uint8Array, Promise<Cell>> | null = null

  constructor(record: StepRecord, roots: Roots, onRead: (step: CachedStep) => void) {
    this.record = record
    this.#masterRoot = roots.masterRoot
    this.#shardRoot = roots.shardRoot
    this.#onRead = onRead
  }

  get masterRoot(): Cell {
    this.#onRead(this)
    this.#masterRoot ??= parseStored(this.record.masterBoc)
    return this.#masterRoot
  }

  get shardRoot(): Cell | null {
    const { shardBoc } = this.record
    if (shardBoc === null) return null
    this.#onRead(this)
    this.#shardRoot ??= parseStored(shardBoc)
    return this.#shardRoot
  }

  /**
   * The root of the block in these bytes, which is one of this step's. Cells of a small one are cached when it is read again: most
   * old blocks are read once, and cells that outlive their answer are copied twice before they are dropped.
   */
  async openBlock(boc: Uint8Array, slicing?: Slicing): Promise<Cell> {
    const isMaster = boc === this.record.masterBoc
    const known = isMaster ? this.#masterRoot : this.#shardRoot
    if (known === null && boc.length < LARGE_BLOCK && !(isMaster ? this.#masterOnce : this.#shardOnce)) {
      if (isMaster) this.#masterOnce = true
      else this.#shardOnce = true
      return parseStored(boc)
    }
    if (known === null && boc.length >= LARGE_BLOCK) {
      this.#opening ??= new Map()
      const root = await oneFlight(this.#opening, boc, () => inPieces(readingBoc(boc, LIMITS), slicing))
      if (isMaster) this.#masterRoot ??= root
      else this.#shardRoot ??= root
    }
    const root = isMaster ? this.masterRoot : this.shardRoot
    if (root === null) throw new Error('A step without its shard block')
    return root
  }

  dropCells(): void {
    this.#masterRoot = null
    this.#shardRoot = null
  }
}

const UNPARSED: Roots = { masterRoot: null, shardRoot: null }

export class Steps {
  readonly #index: BlockIndex
  readonly #journal: Journal
  readonly #firstSigner: Uint8Array
  readonly #kept = new LRUCache<number, CachedStep>({
    maxSize: KEPT_BYTES,
    sizeCalculation: sizeOfStep,
    dispose: (step) => this.#parsed.delete(step),
  })
  readonly #parsed = new LRUCache<CachedStep, CachedStep>({
    // A larger step than all of it is cached alone.
    maxSize: PARSED_BYTES,
    sizeCalculation: (step) => Math.min(sizeOfStep(step), PARSED_BYTES),
    dispose: (step) => step.dropCells(),
  })
  readonly #wasRead = (step: CachedStep): void => {
    this.#parsed.set(step, step)
  }
  /** Being read, by the step's number. */
  #loading = new Map<number, Promise<CachedStep>>()

  /** `firstSigner` is the short id of the validator whose signatures were stored without one. */
  constructor(index: BlockIndex, journal: Journal, firstSigner: Uint8Array) {
    this.#index = index
    this.#firstSigner = firstSigner
    this.#journal = journal
  }

  /** Caches a new step. */
  cache(seqno: number, { record, masterRoot, shardRoot }: StoredStep): void {
    const step = new CachedStep(record, { masterRoot, shardRoot }, this.#wasRead)
    this.#kept.set(seqno, step)
    this.#wasRead(step)
  }

  /** Drops every step after this one from the cache. */
  truncate(seqno: number): void {
    for (const kept of [...this.#kept.keys()]) if (kept > seqno) this.#kept.delete(kept)
    this.#loading = new Map()
  }

  /** The step that made masterchain block `seqno`. Rejects when there is none. */
  load(seqno: number): Promise<StoredStep> {
    return this.#load(seqno)
  }

  /** Its masterchain block alone, for which a few kB are read, whatever the shard did. */
  async loadMaster(seqno: number): Promise<MasterStep> {
    const indexed = this.#index.step(seqno)
    if (indexed !== undefined && !this.#kept.has(seqno)) {
      const { type, payload } = await this.#journal.readStart(indexed.at)
      const boc = type === RecordType.step ? masterBocIn(payload) : undefined
      const facts = indexed.master
      if (boc !== undefined && sameBytes(hashToBytes(sha256(boc)), facts.id.fileHash)) return { facts, boc }
    }
    const { record } = await this.#load(seqno)
    return { facts: record.master, boc: record.masterBoc }
  }

  async #load(seqno: number): Promise<CachedStep> {
    return this.#kept.get(seqno) ?? (await oneFlight(this.#loading, seqno, () => this.#readCached(seqno)))
  }

  /** Cached unless the chain was reverted meanwhile. */
  async #readCached(seqno: number): Promise<CachedStep> {
    const loading = this.#loading
    const step = new CachedStep(await this.#read(seqno), UNPARSED, this.#wasRead)
    if (this.#loading === loading) this.#kept.set(seqno, step)
    return step
  }

  async #read(seqno: number): Promise<StepRecord> {
    const indexed = this.#index.step(seqno)
    if (indexed === undefined) throw new Error(`There is no step ${seqno}`)
    const { at, ...facts } = indexed
    const { type, payload } = await this.#journal.read(at)
    if (type !== RecordType.step) throw new Error(`Step ${seqno} is not where it should be`)
    return { ...facts, ...unpackBlocks(payload) }
  }

  /** A block with its bytes. Rejects when it is not, or no longer, part of this chain. */
  async block(facts: JournalBlock): Promise<StoredBlock> {
    const seqno = this.#index.stepOf(facts)
    if (seqno === undefined) throw new Error('There is no such block')
    const step = await this.#load(seqno)
    const { masterBoc, shardBoc } = step.record
    if (facts.id.workchain === MASTERCHAIN)
      return blockOf(facts, masterBoc, { step, signatures: this.#named(step.record) })
    if (shardBoc === null) throw new Error('There is no such block')
    return blockOf(facts, shardBoc, { step, signatures: [] })
  }

  #named({ signatures }: StepRecord): ValidatorSignature[] {
    return signatures.map(({ nodeIdShort, signature }) => ({
      nodeIdShort: nodeIdShort ?? this.#firstSigner,
      signature,
    }))
  }
}

interface PartOf {
  readonly step: CachedStep
  readonly signatures: readonly ValidatorSignature[]
}

const blockOf = (facts: JournalBlock, boc: Uint8Array, { step, signatures }: PartOf): StoredBlock => ({
  facts,
  boc,
  signatures,
  root: (slicing) => step.openBlock(boc, slicing),
})
