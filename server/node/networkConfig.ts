// Parses `global.config.json`, the network configuration that every TON client reads: lite servers and the blocks trust
// may start from; and the short form on one line.

import { z } from 'zod'
import { type BlockIdExt, MASTERCHAIN, WHOLE_SHARD } from './blockId.ts'
import { placeText } from './placeText.ts'
import type { ChainSlice, ServerAddress } from './pool/index.ts'
import type { NetworkFacts } from './remote/index.ts'

export interface NetworkConfig {
  readonly servers: readonly ServerAddress[]
  /** Null when the configuration names servers only. */
  readonly facts: NetworkFacts | null
  /** Why entries cannot be used, as text. */
  readonly skipped: readonly string[]
}

/** The text names the fault in the configuration and the remedy. */
export class NetworkConfigError extends Error {
  override readonly name = 'NetworkConfigError'
}

/** Strings and numbers of JSON, each as a whole: in text that is JSON no search begins within one. */
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g
/** Integers that a double would round: names of shards. */
const LONG_INTEGER = /^-?\d{16,}$/

/** JSON with such integers as strings of the same digits, and without what is null: programs write an empty list so. Throws SyntaxError. */
function parseExact(text: string): unknown {
  const plain = text.replace(/^\uFEFF/, '')
  JSON.parse(plain)
  const exact = plain.replace(TOKENS, (token) => (LONG_INTEGER.test(token) ? `"${token}"` : token))
  return JSON.parse(exact, (_, value: unknown) => value ?? undefined)
}

const KEY_BYTES = 32
const MOST_SERVERS = 256
/** In one of the lists that describe what a server has. */
const MOST_SHARDS = 256
const MOST_SLICES = 16
export const MOST_CONFIG_BYTES = 1 << 20

const bytes32 = z
  .string()
  .transform((text) => Buffer.from(text.replaceAll('-', '+').replaceAll('_', '/'), 'base64'))
  .refine((bytes) => bytes.length === KEY_BYTES, { error: 'not 32 bytes in base64' })
const int64 = z.union([z.int(), z.string().regex(/^-?\d{1,20}$/)]).transform((value) => BigInt(value))

const blockShape = z
  .object({ seqno: z.int().min(0), root_hash: bytes32, file_hash: bytes32 })
  .transform(({ seqno, root_hash: rootHash, file_hash: fileHash }): BlockIdExt => {
    return { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno, rootHash, fileHash }
  })

const shardInfo = z.object({
  shard_id: z.object({ workchain: z.int(), shard: int64 }),
  seqno: z.int().min(0).default(0),
})
type ShardInfo = z.output<typeof shardInfo>
const slice = z.union([
  z.object({
    '@type': z.literal('liteserver.descV2.sliceSimple'),
    shards: z.array(z.object({ workchain: z.int(), shard: int64 })).max(MOST_SHARDS),
  }),
  z.object({
    '@type': z.literal('liteserver.descV2.sliceTimed'),
    shards_from: z.array(shardInfo).max(MOST_SHARDS).default([]),
    shards_to: z.array(shardInfo).max(MOST_SHARDS).default([]),
  }),
])

const serverShape = z.object({
  ip: z
    .int({ error: 'not a number: name an address in text as "hostname"' })
    .min(-(2 ** 31))
    .max(2 ** 32 - 1)
    .optional(),
  hostname: z
    .string()
    .max(253)
    .regex(/^[^\s/\p{Cc}\p{Cf}]+$/u, { error: 'not the name of a host' })
    .optional(),
  port: z.int().min(0).max(65_535).default(0),
  id: z.object({ '@type': z.literal('pub.ed25519').default('pub.ed25519'), key: bytes32 }),
  slices: z.array(slice).max(MOST_SLICES).optional(),
})

const fileShape = z.object({
  liteservers: z.array(z.unknown()).default([]),
  liteservers_v2: z.array(z.unknown()).default([]),
  validator: z
    .object({
      zero_state: blockShape,
      init_block: blockShape.optional(),
      hardforks: z.array(blockShape).max(1_000).default([]),
    })
    .optional(),
})

const dotted = (ip: number): string => [24, 16, 8, 0].map((bits) => (ip >>> bits) & 0xff).join('.')

const isSameShard = (a: ShardInfo, b: ShardInfo): boolean =>
  a.shard_id.workchain === b.shard_id.workchain && a.shard_id.shard === b.shard_id.shard

/** A range per shard; a missing end is open. */
function slicesOf(part: z.output<typeof slice>): readonly ChainSlice[] {
  if ('shards' in part) return part.shards
  const { shards_from: from, shards_to: to } = part
  const begun = from.map((first): ChainSlice => {
    const last = to.find((one) => isSameShard(one, first))
    return { ...first.shard_id, fromSeqno: first.seqno, ...(last && { toSeqno: last.seqno }) }
  })
  const rest = to.filter((last) => !from.some((first) => isSameShard(first, last)))
  return [...begun, ...rest.map(({ shard_id, seqno }): ChainSlice => ({ ...shard_id, toSeqno: seqno }))]
}

/** An address may be in brackets, as in a URL. */
const BRACKETS = /^\[([0-9a-f:.]+)\]$/i

function placeOf({ hostname, ip, port }: z.output<typeof serverShape>): { host: string; port: number } | null {
  const [, name, own] = /^([^:]+|\[.+\]):(\d{1,5})$/.exec(hostname ?? '') ?? []
  if (name !== undefined && port === 0) return { host: name.replace(BRACKETS, '$1'), port: Number(own) }
  const host = hostname?.replace(BRACKETS, '$1') ?? (ip === undefined ? undefined : dotted(ip))
  return host === undefined ? null : { host, port }
}

const isPort = (port: number): boolean => Number.isInteger(port) && port > 0 && port < 65_536

/** One entry of the file, or why it is invalid. */
function serverOf(entry: unknown): ServerAddress | string {
  const parsed = serverShape.safeParse(entry)
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0] ?? { path: [], message: 'unreadable' }
    return `${path.join('.') || 'entry'}: ${message}`
  }
  const place = placeOf(parsed.data)
  if (place === null || !isPort(place.port)) return 'it names no host and port'
  const { slices, id } = parsed.data
  return { ...place, name: placeText(place.host, place.port), key: id.key, slices: slices?.flatMap(slicesOf) ?? null }
}

/** An entry of the newer list replaces the older one of the same server. */
function merged(servers: readonly ServerAddress[]): readonly ServerAddress[] {
  const byName = new Map<string, ServerAddress>()
  for (const server of servers) byName.set(`${server.name} ${Buffer.from(server.key).toString('base64')}`, server)
  return [...byName.values()]
}

const COMPACT = /^[^\s/{]+:\d{1,5}:/

/** `host:port:key[,...]`. Throws NetworkConfigError. */
function parseCompact(text: string): NetworkConfig {
  const parts = text.split(',')
  if (parts.length > MOST_SERVERS)
    throw new NetworkConfigError(`the list names ${parts.length} lite servers: at most ${MOST_SERVERS} can be used`)
  const servers = parts.map((part): ServerAddress => {
    const [, named = '', digits, key = ''] = /^(.+):(\d{1,5}):([\w+/=-]{43,44})$/.exec(part.trim()) ?? []
    const host = named.replace(/^\[|\]$/g, '')
    const bytes = bytes32.safeParse(key)
    const port = Number(digits)
    if (host === '' || !isPort(port) || !bytes.success)
      throw new NetworkConfigError(
        `"${part.trim().slice(0, 80)}" is no lite server: write host:port:key, with its public key in base64`,
      )
    return { name: placeText(host, port), host, port, key: bytes.data, slices: null }
  })
  return { servers: merged(servers), facts: null, skipped: [] }
}

/** Whether a text names lite servers itself, and is no file and no URL. */
export const isCompact = (text: string): boolean => COMPACT.test(text)

/** Throws NetworkConfigError. `source`: the name of the file or the URL, for refusals. */
export function parseNetworkConfig(text: string, source: string): NetworkConfig {
  if (isCompact(text)) return parseCompact(text)
  let json: unknown
  try {
    json = parseExact(text)
  } catch (cause) {
    throw new NetworkConfigError(`${source} is not JSON: it has to be a global.config.json`, { cause })
  }
  const parsed = fileShape.safeParse(json)
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0] ?? { path: [], message: '' }
    throw new NetworkConfigError(`${source} is no global.config.json: ${path.join('.') || 'content'}: ${message}`)
  }
  const { liteservers, liteservers_v2: newer, validator } = parsed.data
  const lists = { liteservers, liteservers_v2: newer }
  for (const [list, { length }] of Object.entries(lists))
    if (length > MOST_SERVERS)
      throw new NetworkConfigError(
        `${source} names ${length} lite servers in ${list}: at most ${MOST_SERVERS} can be used; name a copy of it with fewer`,
      )
  const read = Object.entries(lists).flatMap(([list, entries]) =>
    entries.map((entry, i) => ({ where: `${list}[${i}]`, server: serverOf(entry) })),
  )
  const skipped = read.flatMap(({ where, server }) => (typeof server === 'string' ? [`${where}: ${server}`] : []))
  const servers = merged(read.flatMap(({ server }) => (typeof server === 'string' ? [] : [server])))
  if (servers.length === 0)
    throw new NetworkConfigError(`${source} names no lite server${skipped[0] === undefined ? '' : `; ${skipped[0]}`}`)
  const facts: NetworkFacts | null =
    validator === undefined
      ? null
      : { zerostate: validator.zero_state, init: validator.init_block ?? null, hardForks: validator.hardforks }
  if (facts !== null && facts.zerostate.seqno !== 0)
    throw new NetworkConfigError(`${source} is no global.config.json: its zero_state has a seqno`)
  return { servers, facts, skipped }
}
