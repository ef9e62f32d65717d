// A proof of the newest block that many callers wait for. The first of them began it, on the server that its call was given.

import { isSameBlock } from '../blockId.ts'
import { LiteError } from '../liteErrors.ts'
import type { LiteServer } from '../liteServer.ts'
import { type Clock, sleepOn } from '../systemClock.ts'
import type { Claim } from './proofWalk.ts'

/** After a server was silent for so long, another one proves its claim beside it. */
const SILENT_MS = 1_000

const isSameServer = (one: LiteServer, other: LiteServer): boolean =>
  one === other || (one.name !== undefined && one.name === other.name)

/** The caller that began it has gone, or another server was quicker. */
export const isCancelled = (error: unknown): boolean => error instanceof LiteError && error.kind === 'cancelled'

interface SharedProofParts {
  readonly claim: Claim
  readonly timer: Clock
  /** The proof that this one takes the place of, as its server is silent. */
  readonly left: SharedProof | null
}

export class SharedProof {
  readonly claim: Claim
  readonly done: Promise<void>
  readonly #timer: Clock
  /** Where all servers are slow, the next one begins later each time. */
  readonly #silentMs: number
  #heardAt: number
  #isDone = false

  constructor({ claim, timer, left }: SharedProofParts, work: () => Promise<void>) {
    this.claim = claim
    this.#timer = timer
    this.#silentMs = left === null ? SILENT_MS : left.#silentMs * 2
    this.#heardAt = timer.now()
    this.done = work().finally(() => {
      this.#isDone = true
    })
  }

  /** Its server has answered a call. */
  answered(): void {
    this.#heardAt = this.#timer.now()
  }

  /** Whether a caller with another server is to begin anew. */
  isLeftBy(own: Claim): boolean {
    return this.#left <= 0 && !isSameServer(this.claim.server, own.server)
  }

  /**
   * Waits for it, up to the timeout and the signal of the caller, or until its server has been silent for long and the caller has
   * another one. Its failure is this caller's only when the same server would fail again.
   */
  async join(own: Claim, wait: (work: Promise<void>) => Promise<void>): Promise<void> {
    const isMine = isSameServer(this.claim.server, own.server)
    const enough = new AbortController()
    try {
      await wait(isMine ? this.done : Promise.race([this.done, this.#silence(enough.signal)]))
    } catch (error) {
      if (!this.#isDone) throw error
      // That proof is for another claim, which may be a lie; this claim is proven separately.
      if (!isSameBlock(this.claim.id, own.id)) return
      if (isMine && !isCancelled(error)) throw error
    } finally {
      enough.abort()
    }
  }

  get #left(): number {
    return this.#silentMs - (this.#timer.now() - this.#heardAt)
  }

  async #silence(signal: AbortSignal): Promise<void> {
    while (this.#left > 0 && !signal.aborted) await sleepOn(this.#timer, this.#left, signal)
  }
}
