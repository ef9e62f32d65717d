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

export interface Deliverer {
  /** Looks at all webhooks again: one has changed. */
  changed(): void
  close(): Promise<void>
}

interface Running {
  readonly revision: bigint
  readonly stop: AbortController
  readonly done: Promise<void>
}

/** Between looks for changes by other processes, and for keys that were revoked. */
const POLL_MS = 1_000
const TROUBLE_MS = 2_000

export function startDeliverer(parts: DelivererParts): Deliverer {
  const running = new Map<bigint, Running>()
  const end = new AbortController()
  let nudge = (): void => undefined
  /** Whether there may be a webhook: without one the database is left alone. */
  let isLooking = true

  async function deliver(id: bigint, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const webhook = await parts.database.transaction((to) => claim(to, parts.notices, id))
        if (webhook !== null) await new Runner(parts, webhook, signal).run()
        return
      } catch (error) {
        if (signal.aborted || (error instanceof StoreError && error.code === 'closed')) return
        parts.log.warn({ err: error, webhook: String(id) }, 'webhook paused')
        await sleep(TROUBLE_MS, undefined, { signal }).catch(() => undefined)
      }
    }
  }

  function start({ id, revision }: WebhookRow): void {
    const stop = new AbortController()
    running.set(id, { revision, stop, done: deliver(id, stop.signal) })
  }

  async function stop(id: bigint, one: Running): Promise<void> {
    one.stop.abort()
    await one.done
    running.delete(id)
  }

  async function look(): Promise<void> {
    const isOurs = parts.isOurs()
    const rows = isOurs ? await parts.database.transaction((to) => readWebhookRows(to, null)) : []
    const holders = rows.length === 0 ? new Set<string>() : await parts.holders()
    const wanted = new Map(
      rows
        .filter(({ status, owner }) => status !== 'suspended' && (owner === '' || holders.has(owner)))
        .map((row) => [row.id, row]),
    )
    await Promise.all(
      [...running]
        .filter(([id, { revision }]) => wanted.get(id)?.revision !== revision)
        .map(([id, one]) => stop(id, one)),
    )
    for (const row of wanted.values()) if (!running.has(row.id)) start(row)
    isLooking = !isOurs || rows.length > 0 || parts.database.kind === 'postgres'
  }

  async function run(): Promise<void> {
    while (!end.signal.aborted) {
      let ms = parts.pollMs ?? POLL_MS
      try {
        if (isLooking) await look()
      } catch (error) {
        if (end.signal.aborted || (error instanceof StoreError && error.code === 'closed')) return
        parts.log.warn({ err: error }, 'webhooks cannot be read')
        ms = TROUBLE_MS
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms)
        nudge = () => {
          clearTimeout(timer)
          resolve()
        }
        if (end.signal.aborted) nudge()
      })
    }
  }

  const done = run()
  return {
    changed() {
      isLooking = true
      nudge()
    },
    async close() {
      end.abort()
      nudge()
      await done
      await Promise.all([...running].map(([id, one]) => stop(id, one)))
    },
  }
}
