// What processes that answer callers have in common: the bounds of HTTP, what documents say of the service, its options.

import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { V2_VERSION, V3_VERSION } from '../../shared/version.ts'
import { type Access, createAddressRanges, isLoopback } from '../access/index.ts'
import type { ServiceFacts } from '../docs/index.ts'
import { ConnectionSeats, defaultLimits, type HttpLimits, type HttpOptions, type PluginScript } from '../http/index.ts'
import { createPictures } from '../metadata/index.ts'
import { codeOf, planMemory } from '../process/index.ts'
import type { Config } from './settings/settings.ts'
import { StartRefused } from './startRefused.ts'

const MIB = 1 << 20

/** An eighth of the memory and at most a gigabyte, but at least eight of the largest replies. */
function heldBytesOf({ memory, replyBytes }: Config): number {
  const eighth = planMemory(memory).total / 8
  return Math.max(8 * replyBytes, Math.min(1024, Math.floor(eighth)) * MIB)
}

export const limitsOf = (config: Config, further: Partial<HttpLimits> = {}): HttpLimits => ({
  ...defaultLimits,
  bodyBytes: config.bodyBytes,
  v3HeadBytes: config.v3HeadBytes,
  batchItems: config.batchItems,
  batchItemsWithKey: config.batchItemsWithKey,
  replyBytes: config.replyBytes,
  connections: config.connections,
  connectionsPerAddress: config.connectionsPerAddress,
  sockets: config.sockets,
  drainMs: config.drainMs,
  heldBytes: heldBytesOf(config),
  ...further,
})

/** The bounds in force, for the documents. */
const shownLimits = (limits: HttpLimits, callMs: number): Record<string, number> => ({
  bodyBytes: limits.bodyBytes,
  urlBytes: limits.urlBytes,
  headerBytes: limits.headerBytes,
  v3HeadBytes: limits.v3HeadBytes,
  batchItems: limits.batchItems,
  batchItemsWithKey: limits.batchItemsWithKey,
  replyBytes: limits.replyBytes,
  jsonDepth: limits.jsonDepth,
  frameBytes: limits.frameBytes,
  callMs,
})

/** Whether pages for people are served, and whether their calls have a budget of their own. */
function explorerOf({ explorer, network, host }: Config): 'on' | 'off' | 'public' {
  if (explorer !== 'auto') return explorer
  return network === 'devnet' || host === 'localhost' || isLoopback(host) ? 'on' : 'off'
}

export const pageFactsOf = (config: Config, limits: HttpLimits): ServiceFacts => ({
  title: 'tonrpc',
  versions: { v2: V2_VERSION, v3: V3_VERSION },
  network: config.network,
  limits: shownLimits(limits, config.callMs),
  publicUrl: config.publicUrl || undefined,
  explorer: explorerOf(config) !== 'off',
})

const MOST_PLUGIN_BYTES = 1 << 20

/** Throws StartRefused. */
function readBounded(path: string): Buffer {
  try {
    if (statSync(path).size <= MOST_PLUGIN_BYTES) return readFileSync(path)
  } catch (error) {
    throw new StartRefused(`--explorer-plugin: ${path} cannot be read: ${codeOf(error)}`)
  }
  throw new StartRefused(`--explorer-plugin: ${path} is longer than ${MOST_PLUGIN_BYTES} bytes`)
}

/** The operator's script with decoders for the explorer; null for no path. Throws StartRefused when there is no such script. */
function readPlugin(path: string): PluginScript | null {
  if (path === '') return null
  const body = readBounded(path)
  const hash = createHash('sha256').update(body).digest('hex')
  return { path: `explorer/plugin/${hash}.js`, body }
}

export const httpOptionsOf = (config: Config, limits: HttpLimits): HttpOptions => ({
  network: config.network,
  publicUrl: config.publicUrl || null,
  explorer: explorerOf(config),
  plugin: readPlugin(config.explorerPlugin),
  pictureAt: createPictures({ ipfsGateway: config.ipfsGateway, fetches: config.metadata === 'on' }),
  fetchesPictures: config.metadata === 'on',
  corsOrigins: config.corsOrigins,
  proxies: createAddressRanges(config.trustProxy),
  controlToken: config.controlToken,
  adminToken: config.adminToken,
  controlOrigins: config.controlOrigins,
  limits,
})

export function seatsOf(access: Access, { proxies, limits }: HttpOptions, now?: () => number): ConnectionSeats {
  /** An address that speaks for many, or that nothing is limited for. */
  const isExempt = (address: string): boolean => {
    const caller = access.identify(undefined, address)
    return proxies.has(address) || (!(caller instanceof Promise) && caller.tier === null)
  }
  return new ConnectionSeats(limits, isExempt, now)
}
