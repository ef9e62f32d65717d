// The composition root: the one file that knows every room.

import { chainRegistry, type Registry, registry } from '../shared/registry.ts'
import { V2_VERSION, V3_VERSION } from '../shared/version.ts'
import { createAccess, createFileKeyStore, createTrustedProxies } from './access/index.ts'
import { type ChainSide, openEmbeddedChain, unreachableChain } from './chain.ts'
import { createDocs, type Docs } from './docs/index.ts'
import { createHttp, defaultLimits, type HttpLimits } from './http/index.ts'
import type { Log } from './log.ts'
import {
  createDevHandlers,
  createDispatch,
  createHandlers,
  createMemory,
  type Handlers,
  type Needs,
} from './methods/index.ts'
import { createMetrics } from './metrics.ts'
import type { AccountDescription, Progress } from './node/index.ts'
import type { Config } from './settings.ts'

export interface Service {
  readonly url: string
  /** Well-known accounts of the embedded chain. */
  readonly accounts: readonly AccountDescription[]
  /** Whether the chain has begun to play its demo. */
  readonly playsDemo: boolean
  close(): Promise<void>
}

/** Another set of methods, or tighter bounds: what tests play with. */
export interface Variation<R extends Registry> {
  readonly registry: R
  readonly handlers: (docs: Docs) => Handlers<R>
  /** What answers come from; left out for methods that need no chain. */
  readonly chain?: ChainSide
}

export interface ServiceParts {
  readonly config: Config
  readonly log: Log
  readonly limits?: Partial<HttpLimits>
  /** Hold every result against its schema. */
  readonly checkResults?: boolean
  /** Told how far the demo of a new chain has come, and when it is over. */
  readonly onDemo?: (progress: Progress) => void
  /** Milliseconds by which budgets fill and keys end; tests hold it still. */
  readonly now?: () => number
}

/** The bounds in force, for the documents. */
const shownLimits = (limits: HttpLimits, callMs: number): Record<string, number> => ({
  bodyBytes: limits.bodyBytes,
  urlBytes: limits.urlBytes,
  headerBytes: limits.headerBytes,
  batchItems: limits.batchItems,
  batchItemsWithKey: limits.batchItemsWithKey,
  replyBytes: limits.replyBytes,
  jsonDepth: limits.jsonDepth,
  frameBytes: limits.frameBytes,
  callMs,
})

/** The service with its own methods. */
export async function startService(parts: ServiceParts): Promise<Service> {
  const { config, log } = parts
  const chain =
    config.network === 'devnet' ? await openEmbeddedChain(config, log) : await unreachableChain(config.network)
  const { node, pool, controlled } = chain
  const needs = (docs: Docs): Needs => ({ node, pool, discover: docs.openrpc as Needs['discover'] })
  try {
    const service = controlled
      ? await startServiceOf(parts, {
          registry,
          chain,
          handlers: (docs) => createDevHandlers({ ...needs(docs), ...controlled }),
        })
      : await startServiceOf(parts, { registry: chainRegistry, chain, handlers: (docs) => createHandlers(needs(docs)) })
    const { demo } = chain
    // Once somebody can be answered: what the demo takes must not keep them waiting.
    if (demo !== null) setImmediate(() => void demo.play(parts.onDemo ?? (() => undefined)))
    return {
      ...service,
      accounts: controlled?.accounts ?? [],
      playsDemo: demo !== null,
      async close() {
        await service.close()
        await chain.close()
      },
    }
  } catch (error) {
    await chain.close()
    throw error
  }
}

/** The same service around any registry. */
export async function startServiceOf<R extends Registry>(parts: ServiceParts, methods: Variation<R>): Promise<Service> {
  const { config, log } = parts
  const limits: HttpLimits = {
    ...defaultLimits,
    bodyBytes: config.bodyBytes,
    batchItems: config.batchItems,
    batchItemsWithKey: config.batchItemsWithKey,
    replyBytes: config.replyBytes,
    connections: config.connections,
    connectionsPerAddress: config.connectionsPerAddress,
    sockets: config.sockets,
    drainMs: config.drainMs,
    ...parts.limits,
  }
  const metrics = createMetrics()
  const store = createFileKeyStore(config.data, {
    report: (error) => log.warn({ err: error }, 'trouble with the key file'),
  })
  const access = createAccess({
    network: config.network,
    limits: config.limits,
    store,
    ...(parts.now ? { now: parts.now } : {}),
  })
  const docs = createDocs(methods.registry, {
    title: 'tonrpc',
    versions: { v2: V2_VERSION, v3: V3_VERSION },
    network: config.network,
    limits: shownLimits(limits, config.callMs),
    publicUrl: config.publicUrl || undefined,
  })
  const memory = createMemory(config.memoryMb * 1024 * 1024)
  const forget = methods.chain?.node.onHead(() => memory.newBlock())
  const dispatch = createDispatch({
    registry: methods.registry,
    handlers: methods.handlers(docs),
    access,
    memory,
    log,
    metrics,
    timeoutMs: config.callMs,
    checkResults: parts.checkResults ?? false,
  })
  const http = await createHttp({
    registry: methods.registry,
    dispatch,
    access,
    docs,
    metrics,
    log,
    readiness() {
      const state = methods.chain?.readiness()
      return { ready: state?.ready ?? true, checks: state ? { chain: state.words } : {} }
    },
    options: {
      host: config.host,
      port: config.port,
      corsOrigins: config.corsOrigins,
      proxies: createTrustedProxies(config.trustProxy),
      controlToken: config.controlToken,
      limits,
    },
  })
  return {
    url: http.url,
    accounts: [],
    playsDemo: false,
    async close() {
      await http.close()
      forget?.()
      await access.close()
    },
  }
}
