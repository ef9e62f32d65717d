// Waits of many clients for blocks that are yet to come. They take no calls of lite servers: the proven heads that are followed end
// them all, and a block that does not come is no fault of any server.

import { bounded } from '../bounded.ts'
import { LiteError } from '../liteErrors.ts'
import type { LiteOptions } from '../liteServer.ts'
import { FURTHEST_WAIT, LONGEST_WAIT_MS, tooFar } from '../waitLimits.ts'
import type { HeadFollower } from './headFollower.ts'
import type { TrustedHead } from './trustOptions.ts'

const late = (): LiteError => new LiteError('timeout', 'timeout')

export class HeadWaits {
  readonly #trust: TrustedHead
  readonly #follower: Pick<HeadFollower, 'follow'>

  constructor(trust: TrustedHead, follower: Pick<HeadFollower, 'follow'>) {
    this.#trust = trust
    this.#follower = follower
  }

  /** Resolves once a block of this seqno or a newer one is proven. Rejects with LiteError or ProofError. */
  async until(seqno: number, { timeoutMs = LONGEST_WAIT_MS, signal, share }: LiteOptions): Promise<void> {
    if (seqno <= this.#proven) return
    const bound = { ms: Math.min(timeoutMs, LONGEST_WAIT_MS), signals: [signal], late }
    await bounded(bound, async (own) => {
      await this.#trust.read({ signal: own, share })
      // The caller may have left meanwhile: nothing would end the wait but its block.
      own.throwIfAborted()
      if (seqno <= this.#proven) return
      if (seqno > this.#proven + FURTHEST_WAIT) throw tooFar()
      await this.#come(seqno, own)
    })
  }

  get #proven(): number {
    return this.#trust.head?.id.seqno ?? 0
  }

  #come(seqno: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = this.#follower.follow((report) => {
        if (report.kind !== 'head') return
        if (report.id.seqno >= seqno) resolve()
        // The awaited block will follow another one than the client knows.
        else if (report.isOther === true) reject(late())
        else return
        stop()
      })
      signal.addEventListener('abort', stop, { once: true })
    })
  }
}
