// The queue: tokens whose description is elsewhere, some of them at a time.

import type { Log } from '../log.ts'
import {
  type Database,
  type MetadataResult,
  readWantedMetadata,
  type WantedMetadata,
  writeMetadata,
} from '../store/index.ts'
import { descriptionText } from './description.ts'
import { FetchError } from './fetchError.ts'
import { type FetchRules, fetchPublic } from './fetchPublic.ts'
import { placeOf } from './uri.ts'

export interface MetadataOptions {
  readonly database: Pick<Database, 'transaction'>
  readonly log: Pick<Log, 'warn'>
  /** Where `ipfs:` links are asked for: an https address. */
  readonly ipfsGateway: string
  readonly rules?: FetchRules
  /** How often to look for tokens. */
  readonly pollMs?: number
  /** Unix milliseconds. */
  readonly now?: () => number
}

export interface Metadata {
  /** Ends what is going on. */
  close(): Promise<void>
}

const AT_ONCE = 8
const POLL_MS = 1_000
const TROUBLE_MS = 10_000
/** What could not be had is asked for again after an hour, then twice as long each time, a day at most. */
const FIRST_RETRY_S = 3_600
const LONGEST_RETRY_S = 86_400
const MOST_ATTEMPTS = 8

class Queue {
  readonly #options: MetadataOptions
  readonly #end = new AbortController()
  readonly #done: Promise<void>

  constructor(options: MetadataOptions) {
    this.#options = options
    this.#done = this.#run()
  }

  async close(): Promise<void> {
    this.#end.abort()
    await this.#done
  }

  async #run(): Promise<void> {
    const { pollMs = POLL_MS, log } = this.#options
    while (!this.#end.signal.aborted) {
      try {
        if ((await this.#round()) === 0) await this.#pause(pollMs)
      } catch (error) {
        // The database: whatever a host does is a result.
        if (this.#end.signal.aborted) return
        log.warn({ err: error }, 'descriptions of tokens wait')
        await this.#pause(TROUBLE_MS)
      }
    }
  }

  /** How many were asked for. */
  async #round(): Promise<number> {
    const { database, now = Date.now } = this.#options
    const seconds = Math.floor(now() / 1000)
    const wanted = await database.transaction((sql) => readWantedMetadata(sql, { now: seconds, most: AT_ONCE }))
    const results = await Promise.all(wanted.map((one) => this.#get(one, seconds)))
    if (this.#end.signal.aborted || results.length === 0) return 0
    await database.transaction((sql) => writeMetadata(sql, results))
    return results.length
  }

  async #get({ account, uri, attempts }: WantedMetadata, seconds: number): Promise<MetadataResult> {
    const result = { account, uri, fetchedAt: seconds }
    try {
      return { ...result, json: await this.#description(uri), retryAt: null }
    } catch (error) {
      if (!(error instanceof FetchError)) throw error
      const isLast = error.code === 'refused' || attempts + 1 >= MOST_ATTEMPTS
      const pause = Math.min(LONGEST_RETRY_S, FIRST_RETRY_S * 2 ** attempts)
      return { ...result, json: null, retryAt: isLast ? null : seconds + pause }
    }
  }

  async #description(uri: string): Promise<string> {
    const { ipfsGateway, rules = {} } = this.#options
    const place = placeOf(uri, ipfsGateway)
    return descriptionText(place.kind === 'data' ? place.bytes : await fetchPublic(place.url, rules, this.#end.signal))
  }

  #pause(ms: number): Promise<void> {
    const { signal } = this.#end
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', end)
        resolve()
      }
      const timer = setTimeout(end, ms)
      signal.addEventListener('abort', end, { once: true })
      if (signal.aborted) end()
    })
  }
}

/** Begins to fetch descriptions, as long as there are any to fetch. */
export const startMetadata = (options: MetadataOptions): Metadata => new Queue(options)
