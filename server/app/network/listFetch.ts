// Fetches a list of lite servers: from the internet over https, from this machine and its own network also without encryption.

import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { FetchError, fetchPublic } from '../../metadata/index.ts'
import { MOST_CONFIG_BYTES } from '../../node/index.ts'
import { isOwnNetwork } from '../../outbound/index.ts'
import { timeLimit } from '../../process/index.ts'
import { FETCH_MS, fetchNear } from './fetchNear.ts'

/** Whether a list is on this machine or in its private network. */
export async function isNearby({ hostname }: URL): Promise<boolean> {
  const host = hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0) return isOwnNetwork(host)
  const found = await lookup(host, { all: true }).catch(() => [])
  return found.length > 0 && found.every(({ address }) => isOwnNetwork(address))
}

/** `isNear`: by `isNearby`. Rejects with FetchError when the host or the network fails. */
export async function fetchList(url: URL, isNear: boolean): Promise<string> {
  if (isNear) return await fetchNear(url)
  if (url.protocol !== 'https:') {
    throw new FetchError('refused', 'http is for your own network: use https, or save the list and name the file')
  }
  // The operator named the port.
  const rules = { timeoutMs: FETCH_MS, mostBytes: MOST_CONFIG_BYTES, types: null, ports: ['', url.port] }
  return Buffer.from(await fetchPublic(url, rules, timeLimit(FETCH_MS))).toString('utf8')
}
