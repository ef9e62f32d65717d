// Which lite servers to use, from `--liteservers`: a file, an address, or the servers themselves. A list from the internet
// comes over https, is fetched at most once a day, or once an hour while none of its servers answers, and stored in the data folder.

import { readFile, stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { FetchError } from '../../metadata/index.ts'
import {
  isCompact,
  MOST_CONFIG_BYTES,
  type NetworkConfig,
  NetworkConfigError,
  parseNetworkConfig,
} from '../../node/index.ts'
import type { Log } from '../../observe/index.ts'
import { isFromOutside } from '../../outbound/index.ts'
import { failureText, hasCode } from '../../process/index.ts'
import type { Config } from '../settings/settings.ts'
import { StartRefused } from '../startRefused.ts'
import { KeptList } from './keptList.ts'
import { fetchList, isNearby } from './listFetch.ts'

export interface ListedServers {
  readonly config: NetworkConfig
  /** The operator's own list, which may also define what to trust. */
  readonly isLocal: boolean
  /**
   * Reads or fetches the list again, where it is time for that; null when it has not changed. Rejects with ListFault when
   * that fails.
   */
  refresh(): Promise<NetworkConfig | null>
}

/** A list cannot be read or fetched, or is no configuration. The text is for the operator. */
export class ListFault extends Error {
  override readonly name = 'ListFault'
}

export type ListedAt = Pick<Config, 'liteservers' | 'network' | 'data'> & Partial<Pick<Config, 'forkFrom'>>

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const RETRY_MS = 300_000
/** Attempts of a start while the host of the list is busy, and the pause after the first; each one is longer by as much. */
const MOST_TRIES = 6
const BUSY_MS = 1_000

const PUBLISHED: Readonly<Record<string, string>> = {
  mainnet: 'https://ton.org/global.config.json',
  testnet: 'https://ton.org/testnet-global.config.json',
}

/** What to do on a network that is named without its servers. */
function howToName({ network, forkFrom = 'off' }: ListedAt): string {
  const published = PUBLISHED[network]
  const flag = forkFrom === 'off' ? '--network' : '--fork-from'
  return published === undefined
    ? `${flag} ${network} needs --liteservers with the global.config.json of that network; another tonrpc that runs ` +
        'with --lite-port serves its own at /global.config.json'
    : `${flag} ${network} needs to know its lite servers: add --liteservers ${published}, or name a file with that ` +
        'content or one of servers of your own'
}

const isUrl = (text: string): boolean => /^https?:\/\//i.test(text)

/** Fetches and keeps it, once it is known to be a configuration. The copy is for a start without the address: it may be missing. */
async function fetched(url: string, kept: KeptList, { isNear, log }: { isNear: boolean } & Pick<Listing, 'log'>) {
  const text = await fetchList(new URL(url), isNear)
  const config = parseNetworkConfig(text, url)
  await kept
    .write(text)
    .catch((error) => log.warn({ reason: failureText(error) }, 'lite servers: no copy of the list can be kept'))
  return { text, config }
}

interface Listing {
  readonly log: Pick<Log, 'warn'>
  readonly busyMs: number
  /** Whether the copy of a list is used for a day: not of one nearby, whose chain may be replaced at any time. */
  readonly isSteady: (isNear: boolean) => boolean
}

/** A start waits for a host that may only be starting itself. */
async function fetchedSoon(url: string, kept: KeptList, { isNear, log, busyMs }: { isNear: boolean } & Listing) {
  for (let tries = 1; ; tries++) {
    try {
      return await fetched(url, kept, { isNear, log })
    } catch (error) {
      if (!(error instanceof FetchError && error.code === 'busy') || tries === MOST_TRIES) throw error
      const again = `attempt ${tries + 1} of ${MOST_TRIES} follows`
      log.warn({ url, reason: failureText(error) }, `lite servers: the list cannot be fetched yet, ${again}`)
      await sleep(tries * busyMs)
    }
  }
}

/** The stored copy as a configuration; null when it is damaged: the list is fetched then. */
function copyOf(copy: Awaited<ReturnType<KeptList['read']>>, url: string) {
  try {
    return copy && { ...copy, config: parseNetworkConfig(copy.text, url) }
  } catch (error) {
    if (!(error instanceof NetworkConfigError)) throw error
    return null
  }
}

async function fromUrl(url: string, { data }: ListedAt, listing: Listing): Promise<ListedServers> {
  const { log, isSteady } = listing
  const kept = new KeptList(data, url)
  const read = await kept.read().catch((error: unknown) => {
    log.warn({ reason: failureText(error) }, 'lite servers: the copy of the list cannot be read')
    return null
  })
  const copy = copyOf(read, url)
  let at = performance.now() - Math.max(0, copy?.ageMs ?? 0)
  let triedAt = Number.NEGATIVE_INFINITY
  let text = copy?.text
  const again = async (isNear: boolean): Promise<NetworkConfig | null> => {
    const { config, text: now } = await fetched(url, kept, { isNear, log })
    at = performance.now()
    const isSame = now === text
    text = now
    return isSame ? null : config
  }
  // Servers that cannot be reached mostly mean that nothing can: a failure is repeated sooner than a success.
  const refresh = async (): Promise<NetworkConfig | null> => {
    const now = performance.now()
    const isNear = await isNearby(new URL(url))
    if (isSteady(isNear)) {
      if (now - at < HOUR_MS || now - triedAt < RETRY_MS) return null
      triedAt = now
    }
    // From an address in our own network the list is fetched at each check: its servers may have another port or key since a restart.
    return await again(isNear).catch((error: unknown) => {
      throw asFault(url, error)
    })
  }
  const isNear = await isNearby(new URL(url))
  if (isSteady(isNear) && copy !== null && copy.ageMs >= 0 && copy.ageMs < DAY_MS) {
    return { config: copy.config, isLocal: false, refresh }
  }
  try {
    const first = copy === null ? fetchedSoon : fetched
    const { config, text: now } = await first(url, kept, { ...listing, isNear })
    text = now
    at = performance.now()
    return { config, isLocal: false, refresh }
  } catch (error) {
    if (copy === null) throw error
    const why = isOfList(error) ? { reason: failureText(error) } : { err: error }
    const words = isOfList(error)
      ? 'the list cannot be fetched'
      : 'an error of this program kept the list from being fetched'
    log.warn({ url, ...why }, `lite servers: ${words}, the copy from before is used`)
    return { config: copy.config, isLocal: false, refresh }
  }
}

async function fromFile(path: string): Promise<ListedServers> {
  const read = async (): Promise<string> => {
    const { size } = await stat(path)
    if (size > MOST_CONFIG_BYTES) throw new NetworkConfigError(`${path} is longer than ${MOST_CONFIG_BYTES} bytes`)
    return await readFile(path, 'utf8')
  }
  let text = await read()
  const refresh = async (): Promise<NetworkConfig | null> => {
    try {
      const now = await read()
      if (now === text) return null
      const config = parseNetworkConfig(now, path)
      text = now
      return config
    } catch (error) {
      throw asFault(path, error)
    }
  }
  return { config: parseNetworkConfig(text, path), isLocal: true, refresh }
}

const isOfList = (error: unknown): boolean =>
  error instanceof FetchError || error instanceof NetworkConfigError || isFromOutside(error)

/** An error of this program is returned as it is. */
const asFault = (named: string, error: unknown): unknown =>
  isOfList(error) ? new ListFault(faultText(named, error), { cause: error }) : error

function faultText(named: string, error: unknown): string {
  if (error instanceof NetworkConfigError) return error.message
  const missing = hasCode(error, 'ENOENT')
    ? 'there is no such file'
    : hasCode(error, 'EISDIR')
      ? 'it is a folder'
      : failureText(error)
  return `${named} cannot be ${isUrl(named) ? 'fetched' : 'read'}: ${missing}`
}

const SAVED = '; saved on this machine it works as well: --liteservers ./global.config.json'

/** What else to try where an address of the internet fails. Refused ones say it in their own words. */
async function instead(named: string, error: unknown): Promise<string> {
  if (!(error instanceof FetchError) || error.code === 'refused') return ''
  return (await isNearby(new URL(named))) ? '' : SAVED
}

/** Logs what a list names and cannot be used. */
export function logSkipped({ skipped }: Pick<NetworkConfig, 'skipped'>, log: Pick<Log, 'warn'>): void {
  for (const entry of skipped) log.warn({ entry }, 'lite servers: an entry of the list cannot be used')
}

/** Throws StartRefused with what to do. */
export async function listServers(
  at: ListedAt,
  log: Pick<Log, 'warn'>,
  { isSteady = (isNear) => !isNear, busyMs = BUSY_MS }: Partial<Omit<Listing, 'log'>> = {},
): Promise<ListedServers> {
  const { liteservers: named } = at
  if (named === '') throw new StartRefused(howToName(at))
  try {
    if (isCompact(named))
      return { config: parseNetworkConfig(named, 'the list'), isLocal: true, refresh: async () => null }
    const listed = isUrl(named) ? await fromUrl(named, at, { log, isSteady, busyMs }) : await fromFile(named)
    logSkipped(listed.config, log)
    return listed
  } catch (error) {
    const fault = asFault(named, error)
    if (!(fault instanceof ListFault)) throw fault
    throw new StartRefused(`--liteservers: ${fault.message}${await instead(named, error)}`, { cause: error })
  }
}
