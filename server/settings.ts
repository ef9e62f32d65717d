// Every setting, once: the schema that parses it, its default and what it is for. `--help`, the environment, the config
// file and the table in the README are all read off this object.

import { z } from 'zod'
import { NETWORKS } from '../shared/network.ts'
import { defaultLimits } from './http/index.ts'

const count = (fallback: number) => z.int().min(1).default(fallback)
const bytes = (fallback: number) =>
  z
    .int()
    .min(1024)
    .max(512 * 1024 * 1024)
    .default(fallback)
const ms = (fallback: number) => z.int().min(10).max(600_000).default(fallback)

export const Settings = z.strictObject({
  port: z.int().min(0).max(65535).default(8081).describe('port to listen on; 0 takes a free one'),
  host: z.string().min(1).default('127.0.0.1').describe('address to listen on; 0.0.0.0 for all'),
  data: z.string().min(1).default('.tonrpc').describe('folder for keys and chain data'),
  network: z.enum(NETWORKS).default('devnet').describe('chain to serve'),
  limits: z
    .enum(['auto', 'on', 'off'])
    .default('auto')
    .describe('rate limits; auto leaves out callers on this machine when the network is devnet'),
  trustProxy: z
    .array(z.string())
    .default([])
    .describe('proxies whose X-Forwarded-For is believed: addresses or ranges like 10.0.0.0/8'),
  corsOrigins: z.array(z.string()).default(['*']).describe('origins of pages that may call; * for any'),
  publicUrl: z.string().default('').describe('address callers reach the service at, for the documents'),
  logFormat: z
    .enum(['auto', 'json', 'pretty'])
    .default('auto')
    .describe('auto is pretty on a terminal, else JSON lines'),
  logLevel: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info').describe('least level that is logged'),
  bodyBytes: bytes(defaultLimits.bodyBytes).describe('largest request body'),
  batchItems: count(defaultLimits.batchItems).describe('calls in one batch without a key'),
  batchItemsWithKey: count(defaultLimits.batchItemsWithKey).describe('calls in one batch with a key'),
  replyBytes: bytes(defaultLimits.replyBytes).describe('largest reply to one batch; calls beyond it are refused'),
  callMs: ms(10_000).describe('longest a call may run'),
  memoryMb: z.int().min(1).max(65536).default(64).describe('memory for remembered answers'),
  connections: count(defaultLimits.connections).describe('open connections in all'),
  connectionsPerAddress: count(defaultLimits.connectionsPerAddress).describe('open connections from one address'),
  sockets: count(defaultLimits.sockets).describe('open WebSocket connections'),
  drainMs: ms(defaultLimits.drainMs).describe('longest wait for running calls when stopping'),
})

export type Config = Readonly<z.output<typeof Settings>>

type SettingName = keyof Config & string

export interface Setting {
  readonly name: SettingName
  /** `--trust-proxy` */
  readonly flag: string
  /** `TONRPC_TRUST_PROXY` */
  readonly env: string
  readonly kind: 'number' | 'text' | 'list'
  /** What may stand there, in words. */
  readonly values: string
  readonly fallback: string
  readonly description: string
}

export const ENV_PREFIX = 'TONRPC_'

const kebab = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

function describe(name: string, part: z.core.JSONSchema.JSONSchema): Setting {
  const kind = part.type === 'integer' ? 'number' : part.type === 'array' ? 'list' : 'text'
  const fallback = Array.isArray(part.default) ? part.default.join(',') : String(part.default ?? '')
  const choices = Array.isArray(part.enum) ? part.enum.map(String).join(', ') : null
  const values =
    choices ?? (kind === 'number' ? 'whole number' : kind === 'list' ? 'list, separated by commas' : 'text')
  return {
    name: name as SettingName,
    flag: kebab(name),
    env: ENV_PREFIX + kebab(name).replaceAll('-', '_').toUpperCase(),
    kind,
    values,
    fallback,
    description: part.description ?? '',
  }
}

/** The settings as data, in the order they are written above. */
export const settings: readonly Setting[] = Object.entries(
  z.toJSONSchema(Settings, { io: 'input' }).properties ?? {},
).map(([name, part]) => describe(name, part as z.core.JSONSchema.JSONSchema))
