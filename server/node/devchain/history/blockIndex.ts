// Where to find which block. Step n made masterchain block n, and with it at most one block of the basechain; the list
// grows at its end and shrinks there when the chain is reverted.

import { type Hash, hashFromBytes } from '../../../cell/index.ts'
import type { BlockFacts, StepFacts } from '../journal/index.ts'
import type { Position } from '../log/index.ts'
import { MASTERCHAIN } from '../state/index.ts'

export interface IndexedStep extends StepFacts {
  /** Where the record with both blocks stands. */
  readonly at: Position
}

interface Numbered {
  readonly facts: BlockFacts
  /** The step that made it. */
  readonly step: number
}

export class BlockIndex {
  readonly #steps: IndexedStep[] = []
  readonly #shard: Numbered[] = []
  readonly #byRoot = new Map<Hash, Numbered>()

  /** How many steps there are, which is the seqno of the newest masterchain block. */
  get length(): number {
    return this.#steps.length
  }

  add(step: IndexedStep): void {
    this.#steps.push(step)
    this.#name(step.master)
    if (step.shard !== null) this.#shard.push(this.#name(step.shard))
  }

  /** Forgets every step after this one. */
  truncate(length: number): void {
    while (this.#steps.length > length) {
      const step = this.#steps.pop()
      if (step === undefined) return
      this.#byRoot.delete(hashFromBytes(step.master.id.rootHash))
      if (step.shard === null) continue
      this.#byRoot.delete(hashFromBytes(step.shard.id.rootHash))
      this.#shard.pop()
    }
  }

  step(seqno: number): IndexedStep | undefined {
    return this.#steps[seqno - 1]
  }

  /** The step that made a block; undefined for blocks of other chains. */
  stepOf(facts: BlockFacts): number | undefined {
    return this.#byRoot.get(hashFromBytes(facts.id.rootHash))?.step
  }

  bySeqno(workchain: number, seqno: number): BlockFacts | undefined {
    return workchain === MASTERCHAIN ? this.step(seqno)?.master : this.#shard[seqno - 1]?.facts
  }

  byRootHash(rootHash: Uint8Array): BlockFacts | undefined {
    return this.#byRoot.get(hashFromBytes(rootHash))?.facts
  }

  /** The first block that ends at or after a logical time. */
  byLt(workchain: number, lt: bigint): BlockFacts | undefined {
    return this.#first(workchain, (facts) => facts.endLt >= lt)
  }

  /** The first block made at or after a time. */
  byUtime(workchain: number, utime: number): BlockFacts | undefined {
    return this.#first(workchain, (facts) => facts.utime >= utime)
  }

  /** How many blocks a chain has. */
  count(workchain: number): number {
    return workchain === MASTERCHAIN ? this.#steps.length : this.#shard.length
  }

  // Both times only ever grow, so halving finds the place.
  #first(workchain: number, isReached: (facts: BlockFacts) => boolean): BlockFacts | undefined {
    let low = 1
    let high = this.count(workchain) + 1
    while (low < high) {
      const middle = (low + high) >> 1
      const facts = this.bySeqno(workchain, middle)
      if (facts === undefined || isReached(facts)) high = middle
      else low = middle + 1
    }
    return this.bySeqno(workchain, low)
  }

  #name(facts: BlockFacts): Numbered {
    const numbered = { facts, step: this.#steps.length }
    this.#byRoot.set(hashFromBytes(facts.id.rootHash), numbered)
    return numbered
  }
}
