// Dictionaries of first amounts, one at a time and with a pause after each: they are larger than descriptions and take
// longer to read.

import { type AirdropAmount, noteAirdrop, readQueuedAirdrop, StoreError, writeAirdropAmounts } from '../store/index.ts'
import { retryAt } from './descriptions.ts'
import { failureOf } from './fetchError.ts'
import { fetchPublic } from './fetchPublic.ts'
import type { MetadataOptions } from './metadataOptions.ts'
import { readAirdrop } from './readAirdrop.ts'
import { targetOf } from './uri.ts'

/** Some sixty thousand amounts. */
const MOST_BYTES = 4 << 20
const TIMEOUT_MS = 20_000

async function bytesAt(uri: string, options: MetadataOptions, signal: AbortSignal): Promise<Uint8Array> {
  const { ipfsGateway, rules = {} } = options
  const place = targetOf(uri, ipfsGateway)
  if (place.kind === 'data') return place.bytes
  // Whatever it is called: what it is shows by its hash.
  const own = { mostBytes: MOST_BYTES, timeoutMs: TIMEOUT_MS, types: null }
  return await fetchPublic(place.url, { ...own, ...rules }, signal)
}

/** A round. Resolves with 0, so that a pause follows. */
export async function fetchAirdrop(options: MetadataOptions, signal: AbortSignal): Promise<number> {
  const { database, now = Date.now } = options
  const seconds = Math.floor(now() / 1000)
  const wanted = await database.transaction((sql) => readQueuedAirdrop(sql, seconds))
  if (wanted === undefined) return 0
  const { uri, root, attempts } = wanted
  const write = (part: readonly AirdropAmount[]) => database.transaction((sql) => writeAirdropAmounts(sql, root, part))
  let again: number | null = null
  try {
    const bytes = await bytesAt(uri, options, signal)
    for await (const part of readAirdrop(bytes, root, signal)) await write(part)
  } catch (error) {
    if (error instanceof StoreError) throw error
    if (signal.aborted) return 0
    again = retryAt(failureOf(error, { log: options.log, uri, signal }), attempts, seconds)
  }
  await database.transaction((sql) => noteAirdrop(sql, wanted, again))
  return 0
}
