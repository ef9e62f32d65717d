// Fetches descriptions that tokens keep outside the chain, a few at a time.

import {
  type MetadataResult,
  type QueuedMetadata,
  readQueuedMetadata,
  type TokenMetadataRow,
  writeMetadata,
} from '../store/index.ts'
import { type FetchError, failureOf } from './fetchError.ts'
import { fetchPublic } from './fetchPublic.ts'
import type { MetadataOptions } from './metadataOptions.ts'
import { metadataText } from './metadataText.ts'
import { targetOf } from './uri.ts'

const AT_ONCE = 8
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
  return metadataText(place.kind === 'data' ? place.bytes : await fetchPublic(place.url, rules, signal))
}

/** Fetches the next ones that are due, and returns how many. */
export async function fetchDescriptions(options: MetadataOptions, signal: AbortSignal): Promise<number> {
  const { database, now = Date.now } = options
  const seconds = Math.floor(now() / 1000)

  async function get({ account, uri, attempts }: QueuedMetadata): Promise<MetadataResult> {
    const result: Omit<TokenMetadataRow, 'json'> = { account, uri, fetchedAt: seconds }
    try {
      return { json: await descriptionAt(uri, options, signal), retryAt: null, ...result }
    } catch (error) {
      const failure = failureOf(error, { log: options.log, uri, signal })
      return { json: null, retryAt: retryAt(failure, attempts, seconds), ...result }
    }
  }

  const wanted = await database.transaction((sql) => readQueuedMetadata(sql, { now: seconds, most: AT_ONCE }))
  const results = await Promise.all(wanted.map(get))
  if (signal.aborted || results.length === 0) return 0
  await database.transaction((sql) => writeMetadata(sql, results))
  return results.length
}
