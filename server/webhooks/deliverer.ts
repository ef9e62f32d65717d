// Runs a delivery for each webhook, in the one process that writes the index.

import type { KeyRights } from '../access/index.ts'
import { Lanes } from '../fairness/index.ts'
import { failureText, pause, SameTrouble, waitAtMost } from '../process/index.ts'
import { type Database, readWebhookRevisions, readWebhooksMark, StoreError, type WebhookRow } from '../store/index.ts'
import { isOfAnyAccount } from '../streaming/index.ts'
import { AttemptSlots } from './attemptSlots.ts'
import { DeliveryWrites } from './deliveryWrites.ts'
import type { Post } from './postWebhook.ts'
import { Runner, type RunnerParts } from './runner.ts'
import { WaitingRoom } from './waitingRoom.ts'
import { type ClaimedWebhook, claim, readClaim } from './webhook.ts'
import { eventsOf, type ReadEvents } from './webhookEvent.ts'

export interface DelivererParts extends Omit<RunnerParts, 'room' | 'writes' | 'events'> {
  readonly database: Pick<Database, 'transaction' | 'kind'>
  /** Whether this process delivers now, of several on one database. */
  readonly isOurs: () => boolean
  /** Owners whose keys hold, and what these may; webhooks of others rest, and so do those of all accounts without the right. */
  readonly holders: () => Promise<ReadonlyMap<string, KeyRights>>
  readonly pollMs?: number
  readonly closeMs?: number
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
/** For a database that hangs: what it was to store is posted again after the next start. */
const CLOSE_MS = 5_000
/** No other process changes the webhooks of an embedded database. */
const EMBEDDED = 'embedded'

/**
 * Limits how many webhooks are claimed or read events of a block at once. A start begins all webhooks, and a block wakes all that
 * it has events for: a thousand put two thousand statements into the queue of the database, which refuses what waits there for 3 s,
 * and held the event loop for 60 ms.
 */
const READINGS = { total: 8, perCaller: 8, perTurn: 1, waitingPerCaller: Number.POSITIVE_INFINITY }

const isClosed = (error: unknown): boolean => error instanceof StoreError && error.code === 'closed'

export class Deliverer {
  readonly #parts: DelivererParts
  readonly #running = new Map<bigint, Running>()
  readonly #slots = new AttemptSlots()
  readonly #readings = new Lanes(READINGS)
  readonly #room: WaitingRoom
  readonly #writes: DeliveryWrites
  readonly #end = new AbortController()
  /** All there is to deliver, as of a mark; null for none. */
  readonly #found = new Map<bigint, Found>()
  #mark: string | null = null
  /** Looked at one by one, between looks at all of them. */
  readonly #changed = new Set<bigint>()
  /** When all were last read; minus infinity before. */
  #lookedAt = Number.NEGATIVE_INFINITY
  #holders: ReadonlyMap<string, KeyRights> = new Map()
  /** Revisions of webhooks that are about all accounts, as it was read when they were claimed. */
  readonly #ofAll = new Map<bigint, bigint>()
  #endPause = (): void => undefined
  readonly #trouble = new SameTrouble()
  /** Shared by all webhooks: a full disk stops each of them, and is logged once. */
  readonly #paused = new SameTrouble()
  readonly #done: Promise<void>

  /** Begins at once. */
  constructor(parts: DelivererParts) {
    this.#parts = parts
    this.#room = new WaitingRoom(parts)
    this.#writes = new DeliveryWrites(parts.database)
    this.#done = this.#run()
  }

  /** Looks at a webhook that was added, changed or removed. */
  changed(id: bigint): void {
    this.#changed.add(id)
    this.#endPause()
  }

  async close(): Promise<void> {
    const { closeMs = CLOSE_MS } = this.#parts
    this.#end.abort()
    this.#endPause()
    const ended = this.#done.then(() => Promise.all([...this.#running].map(([id, one]) => this.#stop(id, one))))
    await waitAtMost(ended, closeMs)
  }

  async #run(): Promise<void> {
    const { signal } = this.#end
    while (!signal.aborted) {
      let ms: number
      try {
        ms = await this.#look()
        this.#trouble.end()
      } catch (error) {
        if (signal.aborted || isClosed(error)) return
        if (this.#trouble.isNew(failureText(error))) this.#parts.log.warn({ err: error }, 'webhooks cannot be read')
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
    await this.#lookAtAll()
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
    if (this.#parts.isOurs()) await this.#readNews()
    else {
      this.#mark = null
      this.#found.clear()
    }
    await this.#readChanged()
    if (this.#isOwned(this.#found.values())) this.#holders = await this.#parts.holders()
    this.#lookedAt = performance.now()
    await this.#follow([...this.#running.keys(), ...this.#found.keys()])
  }

  /** Reads all webhooks, unless nothing has changed since they were read. */
  async #readNews(): Promise<void> {
    const { database } = this.#parts
    if (database.kind !== 'postgres' && this.#mark === EMBEDDED) return
    const before = this.#mark
    // Until it is read, nothing counts as known.
    this.#mark = null
    this.#changed.clear()
    await database.transaction(async (to) => {
      const mark = database.kind === 'postgres' ? await readWebhooksMark(to) : EMBEDDED
      const rows = mark === before ? [...this.#found.values()] : await readWebhookRevisions(to, null)
      this.#found.clear()
      for (const row of rows) this.#found.set(row.id, row)
      this.#mark = mark
    })
  }

  async #lookAtChanged(): Promise<void> {
    const ids = await this.#readChanged()
    const rows = ids.flatMap((id) => this.#found.get(id) ?? [])
    if (this.#isOwned(rows.filter((row) => !this.#isHeld(row)))) this.#holders = await this.#parts.holders()
    await this.#follow(ids)
  }

  async #readChanged(): Promise<readonly bigint[]> {
    const ids = [...this.#changed]
    if (ids.length === 0) return ids
    this.#changed.clear()
    if (!this.#parts.isOurs()) return []
    try {
      const rows = await this.#parts.database.transaction((to) => readWebhookRevisions(to, ids))
      for (const id of ids) this.#found.delete(id)
      for (const row of rows) this.#found.set(row.id, row)
      return ids
    } catch (error) {
      // What has changed is found by reading all.
      this.#mark = null
      throw error
    }
  }

  #isOwned(rows: Iterable<Found>): boolean {
    for (const { owner } of rows) if (owner !== '') return true
    return false
  }

  #isHeld({ id, owner, revision }: Found): boolean {
    if (owner === '') return true
    const rights = this.#holders.get(owner)
    return rights !== undefined && (rights.allAccounts || this.#ofAll.get(id) !== revision)
  }

  /** Of these ids, stops what was changed or removed, and starts what is new. */
  async #follow(ids: readonly bigint[]): Promise<void> {
    const wanted = (id: bigint): Found | undefined => {
      const row = this.#found.get(id)
      return row !== undefined && this.#isHeld(row) ? row : undefined
    }
    await Promise.all(
      ids.map(async (id) => {
        const one = this.#running.get(id)
        if (one !== undefined && wanted(id)?.revision !== one.revision) await this.#stop(id, one)
      }),
    )
    for (const id of ids) {
      if (!this.#found.has(id)) this.#ofAll.delete(id)
      const row = wanted(id)
      if (row !== undefined && !this.#running.has(id)) this.#start(row)
    }
  }

  #start(found: Found): void {
    const stop = new AbortController()
    this.#running.set(found.id, { revision: found.revision, stop, done: this.#deliver(found, stop.signal) })
  }

  async #stop(id: bigint, one: Running): Promise<void> {
    one.stop.abort()
    await one.done
    this.#running.delete(id)
  }

  /** A pause after trouble. Without the lead it goes on, as this process must claim nothing then. */
  async #rest(signal: AbortSignal): Promise<void> {
    do await pause(TROUBLE_MS, signal)
    while (!signal.aborted && !this.#parts.isOurs())
  }

  /** Owners take turns: one with many webhooks does not delay the others. */
  async #inTurn<T>(owner: string, signal: AbortSignal, read: () => Promise<T>): Promise<T> {
    await this.#readings.enter(owner, signal)
    try {
      return await read()
    } finally {
      this.#readings.leave(owner)
    }
  }

  /** One about all accounts is known as that from now on. */
  #isAllowed(found: Found, { filter: { subscription } }: ClaimedWebhook): boolean {
    if (subscription !== null && isOfAnyAccount(subscription)) this.#ofAll.set(found.id, found.revision)
    else this.#ofAll.delete(found.id)
    return this.#isHeld(found)
  }

  async #deliver(found: Found, signal: AbortSignal): Promise<void> {
    const { id, owner } = found
    const { database, notices, log } = this.#parts
    const trouble = new SameTrouble()
    while (!signal.aborted) {
      try {
        const claimed = await this.#inTurn(owner, signal, () => database.transaction((to) => claim(to, id)))
        if (claimed === null) return
        const webhook = await readClaim(notices, claimed)
        if (!this.#isAllowed(found, webhook)) {
          // The right may be back by the next look, which starts what is not running.
          this.#running.delete(id)
          return
        }
        const { endpoint } = webhook.row
        const post: Post = (posting, until) =>
          this.#slots.run(`${owner} ${endpoint}`, until, () => this.#parts.post(posting, until))
        const events: ReadEvents = (...of) => this.#inTurn(owner, signal, () => eventsOf(notices, ...of))
        const own = { post, events, room: this.#room, writes: this.#writes }
        if (!(await new Runner({ ...this.#parts, ...own }, webhook, signal).run())) return
        // The process that took it over may have lost the lead by now. This one claims it again, or nobody would deliver it.
        await this.#rest(signal)
      } catch (error) {
        if (signal.aborted || isClosed(error)) return
        const words = failureText(error)
        if (trouble.isNew(words) && this.#paused.isNew(words))
          log.warn({ err: error, webhook: String(id) }, 'webhook paused; others with the same trouble are not logged')
        await this.#rest(signal)
      }
    }
  }
}
