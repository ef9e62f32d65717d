// Dictionaries of first amounts. They are larger than descriptions and take longer to read: that is done one at a time and with
// a pause after each, while others are fetched.

import { Lanes } from '../fairness/index.ts'
import { pause } from '../process/index.ts'
import {
  noteAirdrop,
  type QueuedAirdrop,
  readDueAirdrops,
  readQueuedAirdrop,
  StoreError,
  writeOwed,
} from '../store/index.ts'
import { retryAt } from './descriptions.ts'
import { failureOf } from './fetchError.ts'
import { fetchPublic } from './fetchPublic.ts'
import type { PumpOptions } from './linkPump.ts'
import { linkShareOf } from './linkShare.ts'
import type { MetadataOptions } from './metadataOptions.ts'
import { readAirdrop } from './readAirdrop.ts'
import { targetOf } from './uri.ts'

/** Some sixty thousand amounts. */
const MOST_BYTES = 4 << 20
const TIMEOUT_MS = 20_000
const READINGS = { total: 1, perCaller: 1, perTurn: 1, waitingPerCaller: Number.POSITIVE_INFINITY }

async function bytesAt(uri: string, options: MetadataOptions, signal: AbortSignal): Promise<Uint8Array> {
  const { ipfsGateway, rules = {} } = options
  const place = targetOf(uri, ipfsGateway)
  if (place.kind === 'data') return place.bytes
  // Whatever it is called: what it is shows by its hash.
  const own = { mostBytes: MOST_BYTES, timeoutMs: TIMEOUT_MS, types: null }
  return await fetchPublic(place.url, { ...own, ...rules }, signal)
}

/** The work of a pump: each jetton's dictionary is fetched, and its amounts are written. */
export function createAirdrops(
  options: MetadataOptions,
  pauseMs: number,
): Pick<PumpOptions, 'lanes' | 'readDue' | 'work'> {
  const { database, log, ipfsGateway, now = Date.now } = options
  const readings = new Lanes(READINGS)
  const seconds = (): number => Math.floor(now() / 1000)

  async function read({ uri, root }: QueuedAirdrop, signal: AbortSignal): Promise<void> {
    const bytes = await bytesAt(uri, options, signal)
    const { site } = linkShareOf(uri, ipfsGateway)
    await readings.enter(site, signal)
    const began = performance.now()
    try {
      for await (const part of readAirdrop(bytes, root, signal))
        await database.transaction((sql) => writeOwed(sql, root, part))
    } finally {
      await pause(pauseMs, signal)
      readings.leave(site, { cost: performance.now() - began })
    }
  }

  async function work(account: Uint8Array, signal: AbortSignal): Promise<void> {
    const began = seconds()
    const queued = await database.transaction((sql) => readQueuedAirdrop(sql, { account, now: began }))
    if (queued === undefined || signal.aborted) return
    const { uri, attempts } = queued
    let again: number | null = null
    try {
      await read(queued, signal)
    } catch (error) {
      if (error instanceof StoreError) throw error
      again = retryAt(failureOf(error, { log, uri, signal }), attempts, began)
    }
    if (!signal.aborted) await database.transaction((sql) => noteAirdrop(sql, queued, again))
  }

  return {
    lanes: { total: 4, reserve: 4, perCaller: 2 },
    readDue: (after, most) => database.transaction((sql) => readDueAirdrops(sql, { now: seconds(), most, after })),
    work,
  }
}
