// Sends blocks to the watchers of the v4 interface: first the newest, then each one once it is indexed. Blocks are read only
// while there is a watcher, and the text of a block is made once for all.

import { inSlices, SlicedWork } from '../fairness/index.ts'
import { changesText, headText } from '../methods/index.ts'
import type { Log } from '../observe/index.ts'
import type { BlockRows, BlockRowsFeed } from '../store/index.ts'
import { followFeed } from './followFeed.ts'
import type { Sink } from './subscriber.ts'

/** What a watcher is sent: that there is a block, or which accounts it changed. */
export type Watched = 'heads' | 'changes'

export interface BlockWatchParts {
  readonly feed: Pick<BlockRowsFeed, 'head' | 'from'>
  readonly log: Pick<Log, 'warn'>
}

const SUBJECT = 'watchers'

export class BlockWatch {
  readonly #parts: BlockWatchParts
  readonly #watchers: Readonly<Record<Watched, Set<Sink>>> = { heads: new Set(), changes: new Set() }
  #running: AbortController | null = null
  #newest: BlockRows | null = null
  /** Of the newest block; each is made when it is first sent. */
  #texts: Partial<Record<Watched, string>> = {}
  /** All watchers, also those that wait for their first block. */
  #count = 0
  #tasks: Promise<void> = Promise.resolve()

  constructor(parts: BlockWatchParts) {
    this.#parts = parts
  }

  /** Sends to a sink until the returned function is called. */
  add(watched: Watched, sink: Sink): () => void {
    const watchers = this.#watchers[watched]
    let isGone = false
    this.#count++
    void this.#run(async () => {
      if (isGone) return
      watchers.add(sink)
      await this.#send(watched, [sink])
    })
    if (this.#running === null) this.#start()
    return () => {
      if (isGone) return
      isGone = true
      watchers.delete(sink)
      if (--this.#count === 0) this.close()
    }
  }

  close(): void {
    this.#running?.abort()
    this.#running = null
    this.#newest = null
  }

  #start(): void {
    const running = new AbortController()
    const { signal } = running
    this.#running = running
    const { feed, log } = this.#parts
    void followFeed(feed, feed.head()?.seqno ?? 0, {
      signal,
      onItem: async (item) => {
        if (item.kind === 'block') await this.#run(() => this.#block(item.rows, signal))
        else this.#startAgain()
      },
      onPause: (error) => log.warn({ err: error }, 'watchers of blocks paused'),
    })
  }

  /** After a revert: sends all watchers the block that is the newest now. */
  #startAgain(): void {
    this.close()
    this.#start()
  }

  /** Tasks run one after the other, so that no watcher is sent an older block after a newer one. */
  #run(task: () => Promise<void>): Promise<void> {
    this.#tasks = this.#tasks.then(task).catch((error: unknown) => {
      this.#parts.log.warn({ err: error }, 'block not reported to watchers')
    })
    return this.#tasks
  }

  async #block(rows: BlockRows, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return
    this.#newest = rows
    this.#texts = {}
    for (const watched of ['heads', 'changes'] as const) await this.#send(watched, [...this.#watchers[watched]])
  }

  async #send(watched: Watched, sinks: readonly Sink[]): Promise<void> {
    const rows = this.#newest
    if (rows === null || sinks.length === 0) return
    const slices = new SlicedWork({ subject: SUBJECT })
    const text = this.#texts[watched] ?? (watched === 'heads' ? headText(rows) : await changesText(rows, slices))
    this.#texts[watched] = text
    await inSlices(sinks, (sink) => sink.send(text, null), slices)
  }
}
