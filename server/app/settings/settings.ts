// Every setting, once: the schema that parses it, its default and what it is for. `--help`, the environment, the config
// file and the table in the README are all read off this schema.

import { z } from 'zod'
import { MINING_WORDS, parseInterval, parseMining } from '../../../shared/mining.ts'
import { NETWORKS } from '../../../shared/network.ts'
import { createAddressRanges } from '../../access/clientAddress.ts'
import { DEFAULT_VALIDATORS, MAX_VALIDATORS } from '../../devchain/validatorCount.ts'
import { defaultLimits } from '../../http/httpOptions.ts'
import { indexFromSetting, keepSetting } from './indexSpan.ts'
import { asBrowsersSend, isOrigin, isOriginOrAny } from './pageOrigin.ts'
import { isBase, isDatabase, isPostgres, isPublicBase, isRedis, withHost } from './settingAddresses.ts'

const count = (fallback: number) => z.int().min(1).default(fallback)
const bytes = (fallback: number) =>
  z
    .int()
    .min(1024)
    .max(512 * 1024 * 1024)
    .default(fallback)
const ms = (fallback: number) => z.int().min(10).max(600_000).default(fallback)

/** A text with a form of its own: the words are what the documents show and what a refusal says. */
const worded = (values: string, fits: (text: string) => boolean) =>
  z.string().overwrite(withHost).refine(fits, { error: values }).meta({ values })

const POSTGRES_WORDS =
  'an address of one host that begins with postgres://, where a / # ? of a password is written as %2F %23 %3F, and TLS is sslmode=verify-full'

/** Says of a list which of its items is wrong, and what would be right. */
const listOf = (takes: string, fits: (item: string) => boolean, written = (item: string) => item) =>
  z.array(
    z
      .string()
      .refine(fits, { error: `items that are ${takes}` })
      .overwrite(written),
  )

/** An address to listen on. Brackets are for URLs: what is copied from one is the address inside. */
const listened = () =>
  z
    .string()
    .min(1)
    .overwrite((text) => text.replace(/^\[(.+)\]$/, '$1'))
    .default('127.0.0.1')

function isAddressRange(item: string): boolean {
  try {
    return createAddressRanges([item]).size === 1
  } catch {
    return false
  }
}

/** Shorter ones can be guessed over the network. */
const TOKEN_LENGTH = 16
const TOKEN_WORDS = `a secret of at least ${TOKEN_LENGTH} ASCII characters`

// Callers send it in a header: other characters would arrive changed, and never match.
const isToken = (text: string): boolean =>
  text === '' || (text.length >= TOKEN_LENGTH && /^[!-~](?:[ -~]*[!-~])?$/.test(text))

/** Mounted secrets, such as those of Docker and Kubernetes. */
const secretFileOf = (flag: string) =>
  z
    .string()
    .default('')
    .meta({ takes: 'file', description: `file that holds the value of --${flag}` })

export const Settings = z.strictObject({
  port: z.int().min(0).max(65535).default(8081).describe('port to listen on; 0 for any free port'),
  host: listened().describe('address to listen on; 0.0.0.0 for all'),
  data: z.string().min(1).default('.tonrpc').describe('folder for keys and chain data'),
  network: z
    .enum(NETWORKS)
    .default('devnet')
    .describe(
      'chain to serve: the embedded devnet, a public network, or the one a configuration of --liteservers names',
    ),
  liteservers: z
    .string()
    .default('')
    .meta({
      takes: 'file|url',
      description:
        'where the lite servers of testnet, mainnet or a custom network are listed: a global.config.json, its https ' +
        'address (http in your own network), or host:port:key[,...]',
    }),
  liteserverRps: z
    .int()
    .min(0)
    .max(100_000)
    .default(0)
    .describe('calls per second to each lite server; 0 is 20 on testnet and mainnet, no limit on a custom network'),
  proofs: z
    .enum(['full', 'sampled', 'off'])
    .default('full')
    .describe('how blocks of a remote chain become trusted: full proves each, sampled one in 16, off believes servers'),
  trustStale: z
    .boolean()
    .default(false)
    .describe('accept a remote chain whose validators have not changed for two of their terms'),
  mining: worded(MINING_WORDS, (text) => parseMining(text) !== null)
    .default('auto')
    .describe('devnet: auto makes a block when a message arrives, 1s one each second, manual one per dev.mine'),
  blockTime: worded('a time like 500ms, 5s or 1m', (text) => parseInterval(text) !== null)
    .default('5s')
    .describe('devnet: time between empty blocks with mining at auto; grows to 1m while there are no calls'),
  globalId: z
    .int()
    .min(-(2 ** 31))
    .max(2 ** 31 - 1)
    .default(-3)
    .describe('devnet: network id of a new chain; wallets v5 sign with it, -3 is that of testnet'),
  validators: z
    .int()
    .min(1)
    .max(MAX_VALIDATORS)
    .default(DEFAULT_VALIDATORS)
    .describe('devnet: validators of a new chain; each signs every block, which bounds their number'),
  reset: z.boolean().default(false).describe('devnet: delete the chain and the index, start from block 1'),
  forkFrom: z
    .enum(['off', 'testnet', 'mainnet', 'custom'])
    .default('off')
    .describe('devnet: the network a new chain begins with, whose lite servers --liteservers lists; off for none'),
  forkSeqno: z
    .int()
    .min(0)
    .max(2 ** 31 - 1)
    .default(0)
    .describe('devnet: masterchain block at which a new chain is forked; 0 is the newest'),
  seed: z.enum(['demo', 'none']).default('demo').describe('devnet: content of a new chain: the demo, or none'),
  litePort: worded(
    'off or a port from 0 to 65535',
    (text) => text === 'off' || (/^\d{1,5}$/.test(text) && Number(text) <= 65_535),
  )
    .default('off')
    .describe('port to serve clients of lite servers on (ADNL over TCP): off, or a port; 0 for any free port'),
  liteHost: listened().describe('address to listen on for clients of lite servers'),
  liteTrusted: listOf('addresses or ranges like 10.0.0.0/8', isAddressRange)
    .default([])
    .describe(
      'lite clients whose messages are not limited, such as services of your own that limit their callers themselves: ' +
        'addresses or ranges like 10.0.0.0/8',
    ),
  role: z
    .enum(['both', 'api', 'index'])
    .default('both')
    .describe('api serves callers, index follows the chain and writes the database, both does both'),
  database: worded(`pglite or ${POSTGRES_WORDS}`, isDatabase).default('pglite').meta({
    description:
      'where the index is kept: pglite is in the data folder; postgres://user:password@host/name a PostgreSQL',
    secret: true,
  }),
  databaseFile: secretFileOf('database'),
  databaseRead: worded(POSTGRES_WORDS, (text) => text === '' || isPostgres(text))
    .default('')
    .meta({ description: 'address of a replica of the database, for reading', secret: true }),
  databaseReadFile: secretFileOf('database-read'),
  redis: worded(
    'an address like redis://host:6379, redis://:password@host or redis://user:password@host/0, where 0 is the number of a database, ' +
      'with TLS rediss://, without other parameters, as of a Sentinel, and where a % of a password is written as %25',
    (text) => text === '' || isRedis(text),
  )
    .default('')
    .meta({
      description:
        'address of a Redis or Valkey where several processes share budgets of callers, pending messages and heads',
      secret: true,
    }),
  redisFile: secretFileOf('redis'),
  workers: worded('auto or a number from 1 to 64', (text) => text === 'auto' || /^(?:[1-9]|[1-5]\d|6[0-4])$/.test(text))
    .default('1')
    .meta({
      takes: 'auto|count',
      description:
        'processes that answer callers; auto is the number of processors, by the quota of a container, at most 4 and one for ' +
        'each 256 MB, with a PostgreSQL, and 1 with the embedded database, which one process reads',
    }),
  databaseConnections: z
    .int()
    .min(1)
    .max(1000)
    .default(16)
    .describe('connections to a PostgreSQL for reading, which is how many reads of the index run at once'),
  indexFrom: indexFromSetting,
  keep: keepSetting,
  reindexFrom: z
    .int()
    .min(0)
    .max(2 ** 31 - 1)
    .default(0)
    .describe('delete the index from this masterchain block on, and index it again; 0 keeps all'),
  webhookPrivate: z
    .boolean()
    .default(false)
    .describe('let webhooks reach loopback and private addresses; for development, or a network of your own'),
  metadata: z.enum(['off', 'on']).default('off').describe('fetch off-chain token metadata (HTTP, IPFS)'),
  abi: z.string().default('').meta({
    takes: 'path',
    description:
      'file or folder of ABIs and builds (Tact, Tolk, Acton, Blueprint, TL-B), by which the explorer decodes',
  }),
  ipfsGateway: worded('an https address', (text) => /^https:\/\//.test(text) && URL.canParse(text))
    .default('https://ipfs.io')
    .describe('gateway for ipfs: links of tokens'),
  controlToken: worded(TOKEN_WORDS, isToken).default('').meta({
    description: 'secret that lets callers from elsewhere use dev.* methods, in header X-Control-Token',
    secret: true,
  }),
  controlTokenFile: secretFileOf('control-token'),
  adminToken: worded(TOKEN_WORDS, isToken)
    .default('')
    .meta({ description: 'secret that opens the administration of keys, in header X-Admin-Token', secret: true }),
  adminTokenFile: secretFileOf('admin-token'),
  controlOrigins: listOf('an origin like http://localhost:5173', isOrigin, asBrowsersSend)
    .default([])
    .describe('origins of pages that may use dev.* methods from a browser on this machine; a dapp under development'),
  limits: z
    .enum(['auto', 'on', 'off'])
    .default('auto')
    .describe('rate limits; auto exempts callers on this machine on devnet and custom networks'),
  trustProxy: listOf('addresses or ranges like 10.0.0.0/8', isAddressRange)
    .default([])
    .describe('proxies whose X-Forwarded-For is trusted: addresses or ranges like 10.0.0.0/8'),
  corsOrigins: listOf('* or an origin like https://example.com', isOriginOrAny, asBrowsersSend)
    .default(['*'])
    .describe('origins of pages that may call; * for any'),
  explorer: z
    .enum(['auto', 'on', 'off', 'public'])
    .default('auto')
    .describe(
      'pages for people at /: public gives their calls a budget of their own per address; auto is on for a devnet and ' +
        'where only this machine is listened to, else off',
    ),
  explorerPlugin: z.string().default('').meta({
    takes: 'file',
    description: 'script with decoders of your own for the explorer, which runs it in the browser of each visitor',
  }),
  publicUrl: worded(
    'an address that begins with http:// or https://, without a name, a password, ? and #',
    isPublicBase,
  )
    .default('')
    .describe('address callers reach the service at, for the documents'),
  logFormat: z
    .enum(['auto', 'json', 'pretty'])
    .default('auto')
    .describe('auto is pretty on a terminal, else JSON lines'),
  logLevel: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info').describe('minimum log level'),
  requestLog: z.string().min(1).default('off').meta({
    takes: 'off|stdout|file',
    description: 'where each request is logged as a JSON line: off, stdout, or a file',
  }),
  requestLogSample: count(1).describe('log one of so many requests; those that failed on our side always are'),
  otlpEndpoint: worded('an address that begins with http:// or https://', isBase).default('').meta({
    takes: 'url',
    alsoFrom: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    secret: true,
    description: 'OpenTelemetry collector for traces (OTLP JSON over HTTP); also read from OTEL_EXPORTER_OTLP_ENDPOINT',
  }),
  traceSample: count(1).describe('trace one of so many requests; a caller can decide for its own by traceparent'),
  bodyBytes: bytes(defaultLimits.bodyBytes).describe('largest request body'),
  v3HeadBytes: z
    .int()
    .min(1024)
    .max(16 * 1024 * 1024)
    .default(defaultLimits.v3HeadBytes)
    .describe('largest URL and headers together on paths of v3'),
  batchItems: count(defaultLimits.batchItems).describe('calls in one batch without a key'),
  batchItemsWithKey: count(defaultLimits.batchItemsWithKey).describe('calls in one batch with a key'),
  replyBytes: bytes(defaultLimits.replyBytes).describe(
    'largest reply to one batch; calls beyond it are refused, also some that were running',
  ),
  callMs: ms(10_000).describe('call timeout in ms'),
  runMs: ms(2_000).describe('timeout of a get-method or an emulated transaction, in ms'),
  statementMs: ms(3_000).describe('timeout of a statement that reads the index, in ms'),
  memory: z
    .int()
    .min(0)
    .max(1_048_576)
    .default(0)
    .describe('megabytes heaps are sized for; 0 is what the machine has, or its container'),
  memoryMb: z.int().min(1).max(65536).default(64).describe('megabytes for cached replies'),
  connections: count(defaultLimits.connections).describe('open connections in all'),
  connectionsPerAddress: count(defaultLimits.connectionsPerAddress).describe('open connections from one address'),
  sockets: count(defaultLimits.sockets).describe('open WebSockets and event streams'),
  stopDelayMs: z
    .int()
    .min(0)
    .max(60_000)
    .default(0)
    .describe('time from a stop signal, when /readyz turns to 503, until connections are closed, in ms; for proxies'),
  drainMs: ms(defaultLimits.drainMs).describe('maximum wait for running calls when stopping, in ms'),
})

export type Config = Readonly<z.output<typeof Settings>>

/** What names of settings begin with in the environment. */
export const ENV_PREFIX = 'TONRPC_'
