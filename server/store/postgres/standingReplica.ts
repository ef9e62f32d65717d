// A replica that gets nothing more: its replay was paused, or it was made a primary. It answers as ever, with what it had then.
// One that is long behind its primary counts as standing, too.

import type { MasterId } from '../database.ts'

/** Looks in a row that find it at one block while its primary is at another. */
const LOOKS = 3
/** By so many looks it may be behind. */
const LATE_LOOKS = 5

export interface StandingOptions {
  /** The newest block there; null for none. */
  readonly ofReplica: () => Promise<MasterId | null>
  readonly ofPrimary: () => Promise<MasterId | null>
  /** Called with the newest block of the primary. */
  readonly onStanding: (head: MasterId) => void
}

export class StandingReplica {
  readonly #options: StandingOptions
  #at = ''
  #looks = 0
  /** Blocks of the primary at the last looks, the oldest first. */
  #primaries: number[] = []

  constructor(options: StandingOptions) {
    this.#options = options
  }

  /** Never rejects: of a server that does not answer, reads find out. */
  async look(): Promise<void> {
    const { ofReplica, ofPrimary, onStanding } = this.#options
    try {
      const replica = await ofReplica()
      const primary = await ofPrimary()
      const at = nameOf(replica)
      this.#looks = at === nameOf(primary) ? 0 : at === this.#at ? this.#looks + 1 : 1
      this.#at = at
      this.#primaries = [...this.#primaries, primary?.seqno ?? 0].slice(-LATE_LOOKS - 1)
      const [then = 0] = this.#primaries.length > LATE_LOOKS ? this.#primaries : []
      const isLate = (replica?.seqno ?? 0) < then
      if (primary !== null && (this.#looks >= LOOKS || isLate)) onStanding(primary)
    } catch {
      this.#looks = 0
      this.#primaries = []
    }
  }
}

const nameOf = (head: MasterId | null): string =>
  head === null ? '' : `${head.seqno} ${Buffer.from(head.rootHash).toString('hex')}`
