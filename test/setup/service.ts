// A whole service for a test: a free port, a data folder of its own, an empty chain and no log unless requested. It goes
// away with its scope.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { createFileKeyStore, type KeyOrder } from '../../server/access/index.ts'
import { serveRegistry } from '../../server/app/serving/serveRegistry.ts'
import type { MethodSet, ServedMethods, Service, ServiceParts } from '../../server/app/serving/serviceParts.ts'
import { type Config, Settings } from '../../server/app/settings/settings.ts'
import { startService } from '../../server/app/startService.ts'
import { createDrawing } from '../../server/docs/createDrawing.ts'
import type { HttpLimits } from '../../server/http/index.ts'
import type { Connect } from '../../server/node/index.ts'
import { createLog, type Log } from '../../server/observe/index.ts'
import type { Registry } from '../../shared/registry.ts'

export interface TestService extends AsyncDisposable, ServedMethods {
  readonly port: number
  readonly data: string
  /** Issues a key in the service's data folder; `network` decides whether it fits. */
  newKey(order?: Partial<KeyOrder>): Promise<{ readonly key: string; readonly id: string }>
  revoke(id: string): Promise<void>
}

export interface TestOptions {
  readonly config?: Partial<Config>
  readonly limits?: Partial<HttpLimits>
  readonly log?: Log
  readonly now?: () => number
  /** How long predictions hold in streams. */
  readonly streamTimes?: ServiceParts['streamTimes']
  /** How lite servers are reached. */
  readonly connect?: Connect
  /** Open the index, too: it takes a moment, and most tests ask nothing of it. */
  readonly withIndex?: boolean
  /** Fills the data folder before the service begins. */
  readonly begin?: (data: string) => Promise<void>
  /** Compare results with their schemas, as by default; benchmarks measure without that. */
  readonly checkResults?: boolean
}

/** So long may anything take: a busy machine must not meet the bounds of the service in a test that is not of them. */
const PATIENT = { callMs: 600_000, runMs: 60_000, statementMs: 300_000 }
const FOLLOW_MS = 300_000
/** The embedded chain has a block at once, while an index of another one may stay empty. */
const FIRST_BLOCK_MS = 300_000
const EMULATION_MS = 60_000
/** A block of a stream waits for predictions of messages sent before it, 250 ms by default. */
const PATIENT_STREAMS = { predictionMs: 60_000 }
/** On a slow machine, too, a block takes in all messages that wait. */
const PATIENT_BLOCKS = { maxTransactions: 1000, maxMs: 60_000 }
/** An endpoint of webhooks that a test holds is not tried again meanwhile. */
const WEBHOOK_MS = 300_000
const PATIENT_PAGES = { pageMs: 60_000, pageCallsMs: 60_000 }
const PATIENT_HTTP = {
  headersMs: 120_000,
  requestMs: 300_000,
  unreadMs: 300_000,
  batchMs: 300_000,
  lateMs: 300_000,
  ...PATIENT_PAGES,
}

/** A lite server that is not there: of a network a test does not read from. */
const UNUSED = `127.0.0.1:1:${Buffer.alloc(32, 1).toString('base64')}`

const silent = createLog({ format: 'json', level: 'silent' })

async function start<S extends ServedMethods>(
  options: TestOptions,
  run: (parts: Parameters<typeof startService>[0]) => Promise<S>,
): Promise<S & TestService> {
  const data = await mkdtemp(join(tmpdir(), 'tonrpc-test-'))
  await options.begin?.(data)
  const isRemote = (options.config?.network ?? 'devnet') !== 'devnet'
  const liteservers = isRemote ? UNUSED : ''
  const settings = { port: 0, data, logLevel: 'silent', seed: 'none', liteservers, ...PATIENT }
  const config = Settings.parse({ ...settings, ...options.config })
  const { log = silent, limits = {}, now, streamTimes = {}, connect, withIndex = false } = options
  const service = await run({
    config,
    log,
    limits: { ...PATIENT_HTTP, ...limits },
    checkResults: options.checkResults ?? true,
    withoutIndex: !withIndex,
    followMs: FOLLOW_MS,
    firstBlockMs: isRemote ? undefined : FIRST_BLOCK_MS,
    emulationMs: EMULATION_MS,
    blockLimits: PATIENT_BLOCKS,
    webhookMs: WEBHOOK_MS,
    streamTimes: { ...PATIENT_STREAMS, ...streamTimes },
    ...(now ? { now } : {}),
    ...(connect ? { connect } : {}),
  })
  const store = createFileKeyStore(data)
  return {
    ...service,
    data,
    port: Number(new URL(service.url).port),
    async newKey(order = {}) {
      const plan = { network: config.network, plan: 'free', perSecond: null, label: '', expiresAt: null } as const
      const { key, record } = await store.create({ ...plan, ...order })
      return { key, id: record.id }
    },
    async revoke(id) {
      await store.revoke(id)
    },
    async [Symbol.asyncDispose]() {
      await service.close()
      await rm(data, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** The service as it ships. */
export const serve = (options: TestOptions = {}): Promise<Service & TestService> => start(options, startService)

/** The same service around made-up methods. */
export const serveMethods = <R extends Registry>(
  methods: MethodSet<R>,
  options: TestOptions = {},
): Promise<TestService> => start(options, (parts) => serveRegistry(parts, { drawing: createDrawing, ...methods }))

/** One service, or what else is disposed of, for all tests of a file. */
export function forAllTests<T extends AsyncDisposable>(make: () => Promise<T>): () => T {
  let running: T | undefined
  beforeAll(async () => {
    running = await make()
  })
  afterAll(() => running?.[Symbol.asyncDispose]())
  return () => {
    if (!running) throw new Error('no test is running')
    return running
  }
}
