// Where to find which block. Step n made masterchain block n, and with it at most one block of the basechain; the list
// grows at its end and shrinks there when the chain is reverted. There is an entry for every block, so it is
// compact: hashes as strings, and facts created on each read.

import { type BinaryHash, hashFromBytes, hashToBytes } from '../../cell/index.ts'
import { FULL_SHARD } from '../../tlb/index.ts'
import type { JournalBlock, StepFacts } from '../journal/index.ts'
import type { Position } from '../log/index.ts'
import { BASECHAIN, MASTERCHAIN } from '../state/index.ts'

export interface IndexedStep extends StepFacts {
  /** Position of the record with both blocks. */
  readonly at: Position
}

/** A block as it is listed here. */
export interface BlockEntry {
  readonly seqno: number
  readonly rootHash: BinaryHash
  readonly fileHash: BinaryHash
  readonly startLt: bigint
  readonly endLt: bigint
  readonly utime: number
  readonly isKey: boolean
  readonly transactions: number
  /** The step that made it. */
  readonly step: number
}

interface Step {
  readonly master: BlockEntry
  readonly shard: BlockEntry | null
  readonly clockOffset: number
  readonly segment: number
  readonly offset: number
}

export const blockFactsOf = (workchain: number, entry: BlockEntry): JournalBlock => ({
  id: {
    workchain,
    shard: FULL_SHARD,
    seqno: entry.seqno,
    rootHash: hashToBytes(entry.rootHash),
    fileHash: hashToBytes(entry.fileHash),
  },
  startLt: entry.startLt,
  endLt: entry.endLt,
  utime: entry.utime,
  isKey: entry.isKey,
  transactions: entry.transactions,
})

const entryOf = ({ id, startLt, endLt, utime, isKey, transactions }: JournalBlock, step: number): BlockEntry => ({
  seqno: id.seqno,
  rootHash: hashFromBytes(id.rootHash),
  fileHash: hashFromBytes(id.fileHash),
  startLt,
  endLt,
  utime,
  isKey,
  transactions,
  step,
})

/** The first of so many places that is reached, where all after one that is are; their number when none is. */
function firstPlace(count: number, isReached: (place: number) => boolean): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >> 1
    if (isReached(middle)) high = middle
    else low = middle + 1
  }
  return low
}

export class BlockIndex {
  readonly #steps: Step[] = []
  readonly #shard: BlockEntry[] = []
  /** Step by root hash, negative for blocks of the masterchain. */
  readonly #byRoot = new Map<BinaryHash, number>()
  /** Seqnos of key blocks, which may be a million blocks apart. */
  readonly #keys: number[] = []

  /** How many steps there are, which is the seqno of the newest masterchain block. */
  get length(): number {
    return this.#steps.length
  }

  add({ master, shard, clockOffset, at }: IndexedStep): void {
    const number = this.#steps.length + 1
    const masterEntry = entryOf(master, number)
    const shardEntry = shard === null ? null : entryOf(shard, number)
    this.#steps.push({ master: masterEntry, shard: shardEntry, clockOffset, segment: at.segment, offset: at.offset })
    this.#byRoot.set(masterEntry.rootHash, -number)
    if (master.isKey) this.#keys.push(number)
    if (shardEntry === null) return
    this.#shard.push(shardEntry)
    this.#byRoot.set(shardEntry.rootHash, number)
  }

  /** Drops every step after this one. */
  truncate(length: number): void {
    while (this.#steps.length > length) {
      const step = this.#steps.pop()
      if (step === undefined) return
      this.#byRoot.delete(step.master.rootHash)
      if (step.master.isKey) this.#keys.pop()
      if (step.shard === null) continue
      this.#byRoot.delete(step.shard.rootHash)
      this.#shard.pop()
    }
  }

  step(seqno: number): IndexedStep | undefined {
    const step = this.#steps[seqno - 1]
    if (step === undefined) return undefined
    const { master, shard, clockOffset, segment, offset } = step
    return {
      master: blockFactsOf(MASTERCHAIN, master),
      shard: shard === null ? null : blockFactsOf(BASECHAIN, shard),
      clockOffset,
      at: { segment, offset },
    }
  }

  /** The step that made a block; undefined for blocks of other chains. */
  stepOf(facts: JournalBlock): number | undefined {
    const step = this.#byRoot.get(hashFromBytes(facts.id.rootHash))
    return step === undefined ? undefined : Math.abs(step)
  }

  bySeqno(workchain: number, seqno: number): JournalBlock | undefined {
    const entry = this.#entry(workchain, seqno)
    return entry === undefined ? undefined : blockFactsOf(workchain, entry)
  }

  /** Seqno of the first key block after a seqno. */
  keyAfter(seqno: number): number | undefined {
    return this.#keys[firstPlace(this.#keys.length, (place) => (this.#keys[place] ?? seqno) > seqno)]
  }

  byRootHash(rootHash: Uint8Array): JournalBlock | undefined {
    const step = this.#byRoot.get(hashFromBytes(rootHash))
    if (step === undefined) return undefined
    const found = this.step(Math.abs(step))
    return (step < 0 ? found?.master : found?.shard) ?? undefined
  }

  /** The first block that ends at or after a logical time. */
  byLt(workchain: number, lt: bigint): JournalBlock | undefined {
    const entry = this.entryByLt(workchain, lt)
    return entry === undefined ? undefined : blockFactsOf(workchain, entry)
  }

  /** The same without its facts, which a walk over many blocks does not need of each. */
  entryByLt(workchain: number, lt: bigint): BlockEntry | undefined {
    return this.#first(workchain, ({ endLt }) => endLt >= lt)
  }

  /** The first block made at or after a time. */
  byUtime(workchain: number, utime: number): JournalBlock | undefined {
    const entry = this.#first(workchain, (one) => one.utime >= utime)
    return entry === undefined ? undefined : blockFactsOf(workchain, entry)
  }

  /** How many blocks a chain has. */
  count(workchain: number): number {
    if (workchain === MASTERCHAIN) return this.#steps.length
    return workchain === BASECHAIN ? this.#shard.length : 0
  }

  // Both times never decrease: binary search.
  #first(workchain: number, isReached: (entry: BlockEntry) => boolean): BlockEntry | undefined {
    const before = firstPlace(this.count(workchain), (place) => {
      const entry = this.#entry(workchain, place + 1)
      return entry === undefined || isReached(entry)
    })
    return this.#entry(workchain, before + 1)
  }

  #entry(workchain: number, seqno: number): BlockEntry | undefined {
    if (workchain === MASTERCHAIN) return this.#steps[seqno - 1]?.master
    return workchain === BASECHAIN ? this.#shard[seqno - 1] : undefined
  }
}
