// The newest masterchain block: reported by the node as it comes, and polled in case a report is missed.

import { type BlockIdExt, type Chain, isSameBlock } from '../../node/index.ts'

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
  /** Whether it is from an answer, or a report, since the last refusal. */
  #isCertain = false
  /** Whether it could not be read when that was last tried, and no block was reported since. */
  #isLost = false
  #returns = 0
  /** Number of blocks that the node reported. */
  #reports = 0
  #wake: (() => void) | null = null

  constructor(chain: Pick<Chain, 'head' | 'onHead'>, options: HeadWatchOptions) {
    this.#chain = chain
    this.#options = options
    this.#stop = chain.onHead((report) => {
      // While the chain is lost, the next poll rejects with the reason.
      if (report.kind === 'lost') {
        this.#isLost = true
        return
      }
      if (this.#isLost) this.#returns++
      this.#isLost = false
      this.#reports++
      this.#isCertain = true
      this.#newest = report.id
      this.#wake?.()
    })
  }

  /** The newest block known; null before the first report. */
  get newest(): BlockIdExt | null {
    return this.#newest
  }

  /** Whether the newest block known is this one, and the node did not refuse to name it again. */
  isStill(id: BlockIdExt): boolean {
    return this.#isCertain && this.#newest !== null && isSameBlock(this.#newest, id)
  }

  /** Reads the head from the node. Rejects as the node does. */
  async ask(signal: AbortSignal): Promise<BlockIdExt> {
    const reports = this.#reports
    this.#isCertain = false
    const { id } = await this.#chain.head({ timeoutMs: this.#options.timeoutMs, signal }).catch((error: unknown) => {
      if (reports === this.#reports) this.#isLost = true
      throw error
    })
    this.#isCertain = true
    this.#isLost = false
    // A block reported meanwhile is newer than this answer.
    if (reports === this.#reports) this.#newest = id
    return this.#newest ?? id
  }

  /** Resolves with the newest block as soon as it is one that `fits`. Rejects when the node does not answer. */
  async when(fits: (newest: BlockIdExt) => boolean, signal: AbortSignal): Promise<BlockIdExt> {
    for (let newest = this.#newest ?? (await this.ask(signal)); ; newest = this.#newest ?? newest) {
      signal.throwIfAborted()
      if (fits(newest)) return newest
      if (!(await this.#isReported(signal))) await this.ask(signal)
    }
  }

  /** How often a block was reported after an outage. */
  get returns(): number {
    return this.#returns
  }

  /** Resolves after the time, or as soon as a block is reported after an outage. */
  async pause(ms: number, signal: AbortSignal): Promise<void> {
    const until = performance.now() + ms
    const returns = this.#returns
    for (let left = ms; left > 0 && returns === this.#returns && !signal.aborted; left = until - performance.now())
      await this.#isReported(signal, left)
  }

  /** Whether the node reported a block before the next poll was due. */
  #isReported(signal: AbortSignal, ms = this.#options.pollMs): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (isReported: boolean): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', leave)
        this.#wake = null
        resolve(isReported)
      }
      const leave = (): void => end(true)
      const timer = setTimeout(() => end(false), ms)
      signal.addEventListener('abort', leave, { once: true })
      this.#wake = () => end(true)
    })
  }

  close(): void {
    this.#stop()
  }
}
