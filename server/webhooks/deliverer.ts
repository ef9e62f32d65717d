// Runs a delivery for each webhook, in the one process that writes the index.

import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, readWebhookRevisions, StoreError, type WebhookRow } from '../store/index.ts'
import { AttemptSlots } from './attemptSlots.ts'
import type { Post } from './postWebhook.ts'
import { Runner, type RunnerParts } from './runner.ts'
import { claim } from './webhook.ts'

export interface DelivererParts extends RunnerParts {
  readonly database: Pick<Database, 'transaction' | 'kind'>
  /** Whether this process delivers now, of several on one database. */
  readonly isOurs: () => boolean
  /** Owners whose keys hold; webhooks of others rest. */
  readonly holders: () => Promise<ReadonlySet<string>>
  readonly pollMs?: number
}

type Found = Pick<WebhookRow, 'id' | 'owner' | 'revision'>

interface Running {
  readonly revision: bigint
  readonly stop: AbortController
  readonly done: Promise<void>
}

/** Between looks for changes by other processes, and for keys that were revoked. */
const POLL_MS = 1_000
const TROUBLE_MS = 2_000

const isClosed = (error: unknown): boolean => error instanceof StoreError && error.code === 'closed'

export class Deliverer {
  readonly #parts: DelivererParts
  readonly #running = new Map<bigint, Running>()
  readonly #slots = new AttemptSlots()
  readonly #end = new AbortController()
  /** Whether there may be a webhook: without one the database is left alone. */
  #isLooking = true
  /** Looked at one by one, between looks at all of them. */
  readonly #changed = new Set<bigint>()
  /** When all were looked at; none of the time before. */
  #lookedAt = Number.NEGATIVE_INFINITY
  #holders: ReadonlySet<string> = new Set()
  #endPause = (): void => undefined
  readonly #done: Promise<void>

  /** Begins at once. */
  constructor(parts: DelivererParts) {
    this.#parts = parts
    this.#done = this.#run()
  }

  /** Looks at a webhook that was added, changed or removed. */
  changed(id: bigint): void {
    this.#changed.add(id)
    this.#isLooking = true
    this.#endPause()
  }

  async close(): Promise<void> {
    this.#end.abort()
    this.#endPause()
    await this.#done
    await Promise.all([...this.#running].map(([id, one]) => this.#stop(id, one)))
  }

  async #run(): Promise<void> {
    const { signal } = this.#end
    while (!signal.aborted) {
      let ms: number
      try {
        ms = await this.#look()
      } catch (error) {
        if (signal.aborted || isClosed(error)) return
        this.#parts.log.warn({ err: error }, 'webhooks cannot be read')
        this.#lookedAt = Number.NEGATIVE_INFINITY
        ms = TROUBLE_MS
      }
      // What has changed during the look has ended no pause.
      if (this.#changed.size === 0) await this.#pause(ms)
    }
  }

  /** Looks at all webhooks where that is due, else at those that were changed. Returns the milliseconds to the next look. */
  async #look(): Promise<number> {
    const { pollMs = POLL_MS } = this.#parts
    const left = this.#lookedAt + pollMs - performance.now()
    if (left > 0) {
      if (this.#changed.size > 0) await this.#lookAtChanged()
      return left
    }
    if (this.#isLooking) await this.#lookAtAll()
    return pollMs
  }

  /** Resolves after some milliseconds, when a webhook has changed, or at the end. */
  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.#endPause = () => {
        clearTimeout(timer)
        resolve()
      }
      if (this.#end.signal.aborted) this.#endPause()
    })
  }

  async #lookAtAll(): Promise<void> {
    const { database } = this.#parts
    this.#changed.clear()
    const isOurs = this.#parts.isOurs()
    const rows = isOurs ? await this.#read(null) : []
    if (rows.length > 0) this.#holders = await this.#parts.holders()
    this.#lookedAt = performance.now()
    await this.#follow(rows, [...this.#running.keys()])
    this.#isLooking = !isOurs || rows.length > 0 || database.kind === 'postgres'
  }

  async #lookAtChanged(): Promise<void> {
    const ids = [...this.#changed]
    this.#changed.clear()
    if (!this.#parts.isOurs()) return
    const rows = await this.#read(ids)
    const isKnown = ({ owner }: Found): boolean => owner === '' || this.#holders.has(owner)
    if (!rows.every(isKnown)) this.#holders = await this.#parts.holders()
    await this.#follow(rows, ids)
  }

  #read(ids: readonly bigint[] | null): Promise<readonly Found[]> {
    return this.#parts.database.transaction((to) => readWebhookRevisions(to, ids))
  }

  /** Of these ids, stops what was changed or removed, and starts what is new. */
  async #follow(rows: readonly Found[], ids: readonly bigint[]): Promise<void> {
    const wanted = new Map(
      rows.filter(({ owner }) => owner === '' || this.#holders.has(owner)).map((row) => [row.id, row]),
    )
    await Promise.all(
      ids.map(async (id) => {
        const one = this.#running.get(id)
        if (one !== undefined && wanted.get(id)?.revision !== one.revision) await this.#stop(id, one)
      }),
    )
    for (const row of wanted.values()) if (!this.#running.has(row.id)) this.#start(row)
  }

  #start({ id, revision }: Found): void {
    const stop = new AbortController()
    this.#running.set(id, { revision, stop, done: this.#deliver(id, stop.signal) })
  }

  async #stop(id: bigint, one: Running): Promise<void> {
    one.stop.abort()
    await one.done
    this.#running.delete(id)
  }

  async #deliver(id: bigint, signal: AbortSignal): Promise<void> {
    const { database, notices, log } = this.#parts
    while (!signal.aborted) {
      try {
        const webhook = await database.transaction((to) => claim(to, notices, id))
        if (webhook === null) return
        const { owner, endpoint } = webhook.row
        const post: Post = (posting, until) =>
          this.#slots.run(`${owner} ${endpoint}`, until, () => this.#parts.post(posting, until))
        await new Runner({ ...this.#parts, post }, webhook, signal).run()
        return
      } catch (error) {
        if (signal.aborted || isClosed(error)) return
        log.warn({ err: error, webhook: String(id) }, 'webhook paused')
        await sleep(TROUBLE_MS, undefined, { signal }).catch(() => undefined)
      }
    }
  }
}
