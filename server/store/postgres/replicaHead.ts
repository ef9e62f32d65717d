// Whether a replica has the newest block that this service has reported to callers. A replica that is behind would give them older
// answers, even when they ask for that block by its number.

import { pause } from '../../process/index.ts'
import type { MasterId } from '../database.ts'

const AGAIN_MS = 100
/** Looks in a row until the log says that it is behind. */
const PATIENT_LOOKS = 50

export interface ReplicaHeadOptions {
  /** Whether the replica has the block. `isLast`: and none after it. Rejects while it does not answer. */
  readonly has: (head: MasterId, isLast: boolean) => Promise<boolean>
  readonly closing: AbortSignal
  readonly onBehind: (head: MasterId) => void
  readonly onCaughtUp: () => void
}

export class ReplicaHead {
  readonly #options: ReplicaHeadOptions
  /** Null while there is none; undefined before the first one. */
  #head: MasterId | null | undefined
  /** The last one there was. */
  #last: MasterId | null = null
  #isLast = false
  #isThere = true
  #looking: Promise<void> | null = null
  /** Number of the current search; results of earlier ones are ignored. */
  #number = 0
  /** Looks in a row that did not find the block. */
  #behind = 0

  constructor(options: ReplicaHeadOptions) {
    this.#options = options
  }

  get isThere(): boolean {
    return this.#isThere
  }

  /** Resolves when the first look for the newest block is over; null while none runs. */
  get looking(): Promise<void> | null {
    return this.#looking
  }

  tell(head: MasterId | null): void {
    if (isSame(this.#head, head) || (this.#head === undefined && head === null)) return
    this.#head = head
    if (head !== null) {
      // Where a chain went back, a replica that is behind has this block and later ones, which are no more.
      this.#isLast = this.#last !== null && head.seqno <= this.#last.seqno
      this.#last = head
    }
    this.#begin()
  }

  /** Call it when the replica may have lost what it had, as after an outage. */
  doubt(): void {
    if (this.#isThere) this.#begin()
  }

  #begin(): void {
    const head = this.#head
    if (head === undefined) return
    const number = ++this.#number
    this.#isThere = false
    this.#looking = null
    if (head === null) return
    const first = this.#look(head, number).then(() => {
      if (this.#number !== number) return
      this.#looking = null
      if (!this.#isThere) void this.#lookAgain(head, number)
    })
    this.#looking = first
  }

  async #look(head: MasterId, number: number): Promise<void> {
    const { has, onBehind, onCaughtUp } = this.#options
    const isThere = await has(head, this.#isLast).catch(() => null)
    if (this.#number !== number) return
    if (isThere === false && ++this.#behind === PATIENT_LOOKS) onBehind(head)
    if (isThere !== true) return
    this.#isThere = true
    if (this.#behind >= PATIENT_LOOKS) onCaughtUp()
    this.#behind = 0
  }

  async #lookAgain(head: MasterId, number: number): Promise<void> {
    const { closing } = this.#options
    while (this.#number === number && !this.#isThere) {
      await pause(AGAIN_MS, closing, { ref: false })
      if (closing.aborted || this.#number !== number) return
      await this.#look(head, number)
    }
  }
}

const isSame = (a: MasterId | null | undefined, b: MasterId | null): boolean =>
  a && b ? a.seqno === b.seqno && Buffer.compare(a.rootHash, b.rootHash) === 0 : a === b
