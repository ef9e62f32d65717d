// Waiting for the chain: calls that may only be answered once a masterchain block is there.

import { FURTHEST_WAIT, LiteError, type LiteOptions, LONGEST_WAIT_MS, tooFar } from '../../node/index.ts'
import type { LiteChain } from './chainSource.ts'

interface Waiter {
  /** Looks whether the block is there. */
  look(isUndone: boolean): void
  leave(): void
}

const gone = (): LiteError => new LiteError('cancelled', 'the query was cancelled')

export class Heads {
  readonly #chain: LiteChain
  readonly #waiting = new Set<Waiter>()
  readonly #stop: () => void

  constructor(chain: LiteChain) {
    this.#chain = chain
    this.#stop = chain.onHead(({ reorg }) => {
      for (const waiter of [...this.#waiting]) waiter.look(reorg !== null)
    })
  }

  /** Waits for the block that the options demand; null when it is there. Throws or rejects with LiteError, at once for a cancelled call. */
  wait({ waitSeqno, timeoutMs, signal }: LiteOptions): Promise<void> | null {
    if (signal?.aborted === true) throw gone()
    if (waitSeqno === undefined || waitSeqno <= this.#seqno) return null
    if (waitSeqno > this.#seqno + FURTHEST_WAIT) throw tooFar()
    return this.#wait(waitSeqno, timeoutMs, signal)
  }

  get #seqno(): number {
    return this.#chain.head().master.id.seqno
  }

  #wait(seqno: number, timeoutMs = LONGEST_WAIT_MS, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (error?: LiteError): void => {
        clearTimeout(timer)
        this.#waiting.delete(waiter)
        signal?.removeEventListener('abort', leave)
        if (error === undefined) resolve()
        else reject(error)
      }
      // The awaited block will follow another one than the caller knows: the caller must start again.
      const look = (isUndone: boolean): void => {
        if (this.#seqno >= seqno) end()
        else if (isUndone) end(new LiteError('timeout', 'timeout'))
      }
      const leave = (): void => end(gone())
      const delay = Math.max(0, Math.min(timeoutMs, LONGEST_WAIT_MS))
      const timer = setTimeout(() => end(new LiteError('timeout', 'timeout')), delay)
      const waiter: Waiter = { look, leave }
      this.#waiting.add(waiter)
      signal?.addEventListener('abort', leave, { once: true })
    })
  }

  /** Rejects all that wait for a block: none comes any more. */
  close(): void {
    this.#stop()
    for (const { leave } of [...this.#waiting]) leave()
  }
}
