// Fetches descriptions that tokens keep outside the chain.

import { type MetadataResult, readDueMetadata, readQueuedMetadata } from '../store/index.ts'
import { createDescriptionWriter } from './descriptionWriter.ts'
import { FetchError, failureOf } from './fetchError.ts'
import { fetchPublic } from './fetchPublic.ts'
import type { PumpOptions } from './linkPump.ts'
import type { MetadataOptions } from './metadataOptions.ts'
import { metadataText } from './metadataText.ts'
import { targetOf } from './uri.ts'

/** Failed fetches are retried after an hour, then after twice as long each time, a day at most. */
const FIRST_RETRY_S = 3_600
const LONGEST_RETRY_S = 86_400
const MOST_ATTEMPTS = 8

/** Time of the next retry after so many failures, unix seconds; null for never. */
export function retryAt({ code }: FetchError, attempts: number, now: number): number | null {
  if (code === 'refused' || attempts + 1 >= MOST_ATTEMPTS) return null
  return now + Math.min(LONGEST_RETRY_S, FIRST_RETRY_S * 2 ** attempts)
}

async function descriptionAt(uri: string, options: MetadataOptions, signal: AbortSignal): Promise<string> {
  const { ipfsGateway, rules = {} } = options
  const place = targetOf(uri, ipfsGateway)
  if (place.kind === 'data') return await metadataText(place.bytes)
  const answer = await fetchPublic(place.url, rules, signal)
  try {
    return await metadataText(answer)
  } catch (cause) {
    if (!(cause instanceof FetchError)) throw cause
    // Makers of tokens mend such files, at the same address.
    throw new FetchError('failed', cause.message, { cause })
  }
}

/** The work of a pump: each token's description is fetched, and what came of it is written. */
export function createDescriptions(options: MetadataOptions): Pick<PumpOptions, 'lanes' | 'readDue' | 'work'> {
  const { database, log, now = Date.now } = options
  const write = createDescriptionWriter(options)
  const seconds = (): number => Math.floor(now() / 1000)

  async function work(account: Uint8Array, signal: AbortSignal): Promise<void> {
    const fetchedAt = seconds()
    const queued = await database.transaction((sql) => readQueuedMetadata(sql, { account, now: fetchedAt }))
    if (queued === undefined || signal.aborted) return
    const { uri, attempts } = queued
    let found: Pick<MetadataResult, 'json' | 'retryAt'>
    try {
      found = { json: await descriptionAt(uri, options, signal), retryAt: null }
    } catch (error) {
      const failure = failureOf(error, { log, uri, signal })
      found = { json: null, retryAt: retryAt(failure, attempts, fetchedAt) }
    }
    if (!signal.aborted) await write({ account, uri, fetchedAt, ...found })
  }

  return {
    lanes: { total: 8, reserve: 8, perCaller: 4 },
    readDue: (after, most) => database.transaction((sql) => readDueMetadata(sql, { now: seconds(), most, after })),
    work,
  }
}
