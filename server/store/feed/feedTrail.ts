// The masterchain blocks that a process has read from the index, by which it notices that some were undone.

import type { MasterId } from '../database.ts'
import { Reverts } from './noticedReverts.ts'

/** Blocks that are known; those read first are forgotten first. */
const MOST_KNOWN = 10_000

export class Trail {
  readonly #hashes = new Map<number, Uint8Array>()
  readonly #reverts = new Reverts()
  #last = -1
  #forgotten = 0

  /** The newest known block. */
  get last(): number {
    return this.#last
  }

  /** The oldest known block. */
  get first(): number {
    let first = this.#last
    for (const seqno of this.#hashes.keys()) if (seqno < first) first = seqno
    return first
  }

  /** How many reverts there were. */
  get reverts(): number {
    return this.#reverts.count
  }

  /** How often all blocks were forgotten. */
  get forgotten(): number {
    return this.#forgotten
  }

  /** How often blocks that were known are not any more. */
  get losses(): number {
    return this.#reverts.count + this.#forgotten
  }

  /** The lowest block that stayed in all reverts but the first so many; null when there were no more. */
  lowestSince(reverts: number): number | null {
    return this.#reverts.lowestSince(reverts)
  }

  has({ seqno, rootHash }: MasterId): boolean {
    const known = this.#hashes.get(seqno)
    return known !== undefined && Buffer.compare(known, rootHash) === 0
  }

  /** Whether the block of this seqno is known as another one. */
  isOther(master: MasterId): boolean {
    return this.#hashes.has(master.seqno) && !this.has(master)
  }

  add(seqno: number, rootHash: Uint8Array): void {
    this.#hashes.set(seqno, rootHash)
    this.#last = Math.max(this.#last, seqno)
    if (this.#hashes.size <= MOST_KNOWN) return
    const [oldest] = this.#hashes.keys()
    if (oldest !== undefined) this.#hashes.delete(oldest)
  }

  /** Forgets all blocks, which is no revert. */
  forget(): void {
    this.#hashes.clear()
    this.#last = -1
    this.#forgotten++
  }

  /** Forgets the blocks above one, and counts that as a revert if there were any. */
  revertTo(seqno: number): void {
    if (this.#last <= seqno) return
    for (const one of [...this.#hashes.keys()]) if (one > seqno) this.#hashes.delete(one)
    this.#last = seqno
    this.#reverts.add(seqno)
  }
}
