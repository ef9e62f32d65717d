// Fetches what tokens name, a few at a time by shares of hosts: no token waits for the hosts of others. What is due is read page
// by page, and passed over where its host has its share waiting already.

import { type LaneLimits, Lanes } from '../fairness/index.ts'
import type { Log } from '../observe/index.ts'
import { LeanAbort, pause } from '../process/index.ts'
import type { DueLink } from '../store/index.ts'
import { type LinkShare, linkShareOf } from './linkShare.ts'
import type { SilentHosts } from './silentHosts.ts'
import { WaitingLinks } from './waitingLinks.ts'

export interface PumpOptions {
  readonly lanes: Pick<LaneLimits, 'total' | 'reserve' | 'perCaller'>
  /** Those that are due behind this one, or from the beginning, in order. */
  readonly readDue: (after: DueLink | null, most: number) => Promise<readonly DueLink[]>
  /** Fetches what one token names, if it is still due, and writes it. Rejects only when the database fails. */
  readonly work: (account: Uint8Array, signal: AbortSignal) => Promise<void>
  readonly silent: SilentHosts
  readonly ipfsGateway: string
  readonly isOurs: () => boolean
  readonly pollMs: number
  /** What is delayed when the database fails, for the log. */
  readonly waiting: string
  readonly log: Pick<Log, 'warn'>
}

/** A page is read in three milliseconds, and a hundred thousand tokens are passed over in some seconds. */
const PAGE = 500
const PAGE_PAUSE_MS = 10
const TROUBLE_MS = 10_000
const WAITING = { most: 4_000, ofSite: 800 }
const QUEUE = { perTurn: 4, waitingPerCaller: Number.POSITIVE_INFINITY }

const keyOf = (account: Uint8Array): string => Buffer.from(account).toString('latin1')

export class LinkPump {
  readonly #options: PumpOptions
  readonly #lanes: Lanes
  readonly #waiting = new WaitingLinks(WAITING)
  /** Tokens that wait or are fetched, by key. */
  readonly #running = new Map<string, Promise<void>>()
  readonly #end = new LeanAbort()
  readonly #done: Promise<void>
  #trouble: Promise<void> | null = null

  constructor(options: PumpOptions) {
    this.#options = options
    this.#lanes = new Lanes({ ...options.lanes, ...QUEUE })
    this.#done = this.#look()
  }

  /** Ends what is going on. */
  async close(): Promise<void> {
    this.#end.abort()
    await this.#done
    await Promise.all(this.#running.values())
  }

  async #look(): Promise<void> {
    const { isOurs, pollMs } = this.#options
    const { signal } = this.#end
    let last: DueLink | null = null
    while (!signal.aborted) {
      try {
        await this.#trouble
        last = isOurs() ? await this.#takePage(last) : null
      } catch (error) {
        await this.#failed(error)
      }
      await pause(last === null ? pollMs : PAGE_PAUSE_MS, signal)
    }
  }

  /** The last one of the page; null at the end of all. */
  async #takePage(after: DueLink | null): Promise<DueLink | null> {
    const page = await this.#options.readDue(after, PAGE)
    for (const due of page) this.#offer(due)
    return page.length < PAGE ? null : (page.at(-1) ?? null)
  }

  #offer({ account, link }: DueLink): void {
    const key = keyOf(account)
    if (this.#running.has(key)) return
    const share = linkShareOf(link, this.#options.ipfsGateway)
    if (this.#options.silent.isResting(share.host) || !this.#waiting.hasRoom(share)) return
    this.#waiting.enter(share)
    const run = this.#run(account, share).finally(() => {
      this.#waiting.leave(share)
      this.#running.delete(key)
    })
    this.#running.set(key, run)
  }

  async #run(account: Uint8Array, { site, host }: LinkShare): Promise<void> {
    const { signal } = this.#end
    try {
      await this.#lanes.enter(site, signal, host)
    } catch (error) {
      if (signal.aborted) return
      throw error
    }
    const began = performance.now()
    try {
      await this.#trouble
      // What is not fetched is still due, and read again.
      if (signal.aborted || !this.#options.isOurs() || this.#options.silent.isResting(host)) return
      await this.#options.work(account, signal)
    } catch (error) {
      await this.#failed(error)
    } finally {
      this.#lanes.leave(site, { cost: performance.now() - began, kind: host })
    }
  }

  /** The database failed: anything a host does is a result. All wait, and it is logged once. */
  #failed(error: unknown): Promise<void> {
    const { log, waiting } = this.#options
    const { signal } = this.#end
    if (signal.aborted) return Promise.resolve()
    if (this.#trouble === null) {
      log.warn({ err: error }, `${waiting} paused: the database failed`)
      this.#trouble = pause(TROUBLE_MS, signal).finally(() => {
        this.#trouble = null
      })
    }
    return this.#trouble
  }
}
