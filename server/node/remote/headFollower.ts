// Follows the heads a server reports and notifies listeners of the proven ones, also of those that a call has proven first: its
// caller must not see them earlier than others.

import { failureText } from '../../process/index.ts'
import type { BlockIdExt } from '../blockId.ts'
import type { HeadReport } from '../chain.ts'
import type { LiteServer } from '../liteServer.ts'
import type { Trust } from './openTrust.ts'

type Listener = (report: HeadReport) => void

const FIRST_RETRY_MS = 1000
const MOST_RETRY_MS = 30_000
/** Reports that wait for their proof. */
const MOST_CLAIMS = 16

export class HeadFollower {
  readonly #server: Pick<LiteServer, 'onHead' | 'onAway'>
  readonly #trust: Trust
  readonly #listeners = new Map<symbol, { readonly listener: Listener; reported: number }>()
  #stop: (() => void) | null = null
  #claims: BlockIdExt[] = []
  #running = false
  #retry: ReturnType<typeof setTimeout> | undefined
  #retryMs = FIRST_RETRY_MS
  #branch = 0

  constructor(server: Pick<LiteServer, 'onHead' | 'onAway'>, trust: Trust) {
    this.#server = server
    this.#trust = trust
  }

  follow(listener: Listener): () => void {
    const key = Symbol()
    this.#listeners.set(key, { listener, reported: 0 })
    this.#stop ??= this.#start()
    return () => {
      this.#listeners.delete(key)
      if (this.#listeners.size > 0) return
      this.#stop?.()
      this.#stop = null
      clearTimeout(this.#retry)
    }
  }

  #start(): () => void {
    // Reverts of before are no news to those who begin to listen.
    this.#branch = this.#trust.head?.branch ?? 0
    const stops = [
      this.#trust.onHead((id) => this.#tell(id)),
      this.#server.onHead((id) => {
        this.#claims.push(id)
        if (this.#claims.length > MOST_CLAIMS) this.#claims.shift()
        void this.#prove()
      }),
      // What was read at the last head is not the newest any more, for all that is known.
      this.#server.onAway?.(() => this.#report({ kind: 'lost', reason: 'no lite server can be called' })),
    ]
    return () => {
      for (const stop of stops) stop?.()
    }
  }

  #tell(id: BlockIdExt): void {
    const branch = this.#trust.head?.branch ?? 0
    const isOther = branch !== this.#branch
    this.#branch = branch
    for (const one of this.#listeners.values()) {
      if (id.seqno <= one.reported && !isOther) continue
      one.reported = id.seqno
      one.listener({ kind: 'head', id, isOther })
    }
  }

  /** Proves the reported heads, the last one first: it makes lower ones superfluous. */
  async #prove(): Promise<void> {
    if (this.#running) return
    this.#running = true
    clearTimeout(this.#retry)
    while (this.#stop !== null) {
      const claimed = this.#claims.pop()
      if (claimed === undefined) break
      try {
        const { id } = await this.#trust.reach(claimed)
        this.#claims = this.#claims.filter(({ seqno }) => seqno > id.seqno)
        const isBack = claimed.seqno < id.seqno && (await this.#trust.confirm())
        this.#tell(isBack ? (await this.#trust.reach(claimed)).id : id)
        this.#retryMs = FIRST_RETRY_MS
      } catch (error) {
        if (await this.#isServed()) continue
        this.#report({ kind: 'lost', reason: failureText(error) })
        if (this.#claims.length === 0) this.#later(claimed)
      }
    }
    this.#running = false
  }

  /** What one server reports may be made up: whether what any of them reports can be proven. */
  async #isServed(): Promise<boolean> {
    try {
      this.#tell((await this.#trust.readNewest()).id)
      return true
    } catch {
      return false
    }
  }

  #report(report: HeadReport): void {
    for (const { listener } of this.#listeners.values()) listener(report)
  }

  /** Retries: the next head may take long, and the server may recover earlier. */
  #later(claimed: BlockIdExt): void {
    if (this.#stop === null) return
    this.#retry = setTimeout(() => {
      if (this.#claims.length === 0) this.#claims.push(claimed)
      void this.#prove()
    }, this.#retryMs)
    this.#retry.unref()
    this.#retryMs = Math.min(this.#retryMs * 2, MOST_RETRY_MS)
  }
}
