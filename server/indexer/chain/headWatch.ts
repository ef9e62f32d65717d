// The newest masterchain block: told of by the node as it comes, and asked for now and then in case it was not.

import type { BlockIdExt, Chain } from '../../node/index.ts'

export interface HeadWatchOptions {
  readonly pollMs: number
  /** How long the node may take to answer. */
  readonly timeoutMs: number
}

export class HeadWatch {
  readonly #chain: Pick<Chain, 'head' | 'onHead'>
  readonly #options: HeadWatchOptions
  readonly #stop: () => void
  #newest: BlockIdExt | null = null
  /** How often the node told of a block by itself. */
  #told = 0
  #wake: (() => void) | null = null

  constructor(chain: Pick<Chain, 'head' | 'onHead'>, options: HeadWatchOptions) {
    this.#chain = chain
    this.#options = options
    this.#stop = chain.onHead((report) => {
      // A chain that is lost for now is asked at its next poll, and says then what is wrong.
      if (report.kind === 'lost') return
      this.#told++
      this.#newest = report.id
      this.#wake?.()
    })
  }

  /** The newest block as it was told last; null before the first time. */
  get newest(): BlockIdExt | null {
    return this.#newest
  }

  /** Asks the node. Rejects as it does. */
  async ask(signal: AbortSignal): Promise<BlockIdExt> {
    const told = this.#told
    const { id } = await this.#chain.head({ timeoutMs: this.#options.timeoutMs, signal })
    // What was told meanwhile is newer than an answer.
    if (told === this.#told) this.#newest = id
    return this.#newest ?? id
  }

  /** Resolves with the newest block as soon as it is one that `fits`. Rejects when the node does not answer. */
  async when(fits: (newest: BlockIdExt) => boolean, signal: AbortSignal): Promise<BlockIdExt> {
    for (let newest = this.#newest ?? (await this.ask(signal)); ; newest = this.#newest ?? newest) {
      signal.throwIfAborted()
      if (fits(newest)) return newest
      if (!(await this.#isTold(signal))) await this.ask(signal)
    }
  }

  /** Whether the node told of a block before it was time to ask. */
  #isTold(signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (told: boolean): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', leave)
        this.#wake = null
        resolve(told)
      }
      const leave = (): void => end(true)
      const timer = setTimeout(() => end(false), this.#options.pollMs)
      signal.addEventListener('abort', leave, { once: true })
      this.#wake = () => end(true)
    })
  }

  close(): void {
    this.#stop()
  }
}
