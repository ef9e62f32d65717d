// Runs a delivery for each webhook, in the one process that writes the index.

import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, readWebhookRows, StoreError, type WebhookRow } from '../store/index.ts'
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
  readonly #end = new AbortController()
  /** Whether there may be a webhook: without one the database is left alone. */
  #isLooking = true
  #endPause = (): void => undefined
  readonly #done: Promise<void>

  /** Begins at once. */
  constructor(parts: DelivererParts) {
    this.#parts = parts
    this.#done = this.#run()
  }

  /** Looks at all webhooks again: one has changed. */
  changed(): void {
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
      let ms = this.#parts.pollMs ?? POLL_MS
      try {
        if (this.#isLooking) await this.#look()
      } catch (error) {
        if (signal.aborted || isClosed(error)) return
        this.#parts.log.warn({ err: error }, 'webhooks cannot be read')
        ms = TROUBLE_MS
      }
      await this.#pause(ms)
    }
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

  /** Stops what was changed or removed, and starts what is new. */
  async #look(): Promise<void> {
    const { database } = this.#parts
    const isOurs = this.#parts.isOurs()
    const rows = isOurs ? await database.transaction((to) => readWebhookRows(to, null)) : []
    const holders = rows.length === 0 ? new Set<string>() : await this.#parts.holders()
    const wanted = new Map(
      rows
        .filter(({ status, owner }) => status !== 'suspended' && (owner === '' || holders.has(owner)))
        .map((row) => [row.id, row]),
    )
    const outdated = [...this.#running].filter(([id, { revision }]) => wanted.get(id)?.revision !== revision)
    await Promise.all(outdated.map(([id, one]) => this.#stop(id, one)))
    for (const row of wanted.values()) if (!this.#running.has(row.id)) this.#start(row)
    this.#isLooking = !isOurs || rows.length > 0 || database.kind === 'postgres'
  }

  #start({ id, revision }: WebhookRow): void {
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
        if (webhook !== null) await new Runner(this.#parts, webhook, signal).run()
        return
      } catch (error) {
        if (signal.aborted || isClosed(error)) return
        log.warn({ err: error, webhook: String(id) }, 'webhook paused')
        await sleep(TROUBLE_MS, undefined, { signal }).catch(() => undefined)
      }
    }
  }
}
