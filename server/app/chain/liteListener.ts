// The service as a lite server: answers ADNL queries from the chain of this process.

import { join } from 'node:path'
import { type Access, type AddressRanges, clientAddress, createAddressRanges, subjectOf } from '../../access/index.ts'
import { Turns } from '../../fairness/index.ts'
import {
  type AdnlListener,
  answerLiteQuery,
  createAdnlListener,
  LiteError,
  type LiteServer,
  type OnQuery,
  placeText,
} from '../../node/index.ts'
import type { Log, Metrics } from '../../observe/index.ts'
import { failureText, filePlan, hasCode, keptSecret, replaceFile } from '../../process/index.ts'
import { liteLimitsWithin } from '../settings/callerFiles.ts'
import type { Config } from '../settings/settings.ts'
import { StartRefused } from '../startRefused.ts'
import { type ConfigStart, globalConfig, listenerAddressOf } from './globalConfig.ts'

/** What clients of lite servers are served from. */
export interface LiteSource {
  readonly server: LiteServer
  trustStart(): Promise<ConfigStart>
  /** Calls back when blocks were undone, until the returned function is called. */
  onUndone(listener: () => void): () => void
}

export interface LiteListening {
  /** `127.0.0.1:40001`, as clients reach it. */
  readonly address: string
  /** Base64. */
  readonly key: string
  /** The network configuration for clients, and the path of its file. */
  readonly config: string
  readonly configPath: string
  close(): Promise<void>
}

export interface ListenerParts {
  readonly config: Config
  readonly source: LiteSource
  readonly access: Access
  readonly log: Log
  readonly metrics: Metrics
  /** A query came in. */
  readonly touch: () => void
}

const KEY_FILE = 'lite.key'
const CONFIG_FILE = 'global.config.json'
/** What servers with limits answer; clients then go to another. */
const TOO_MANY = 429

/** A message counts like a call over HTTP from the same address, but for trusted ones. Throws LiteError. */
async function admitSend(access: Access, trusted: AddressRanges, address: string): Promise<void> {
  if (trusted.has(address)) return
  const budget = await access.spend(await access.identify(undefined, address), 1)
  if (budget?.allowed === false)
    throw new LiteError(TOO_MANY, `too many requests: send again in ${budget.retryAfter} s`)
}

export type AnsweringParts = Pick<ListenerParts, 'access' | 'log' | 'touch'> & {
  readonly source: Pick<LiteSource, 'server'>
  /** Services that limit their callers themselves. */
  readonly trusted: AddressRanges
}

/** Answers queries, of all addresses in turn: connections of one address have one share of the event loop and the TVM. */
export function createAnswering({ source, access, trusted, log, touch }: AnsweringParts): OnQuery {
  const turns = new Turns()
  return (query, peer) => {
    touch()
    const address = clientAddress(peer.address, undefined, null)
    const share = subjectOf(address)
    const answer = (): Promise<Uint8Array | null> =>
      answerLiteQuery(source.server, query, {
        signal: peer.signal,
        share,
        admit: (name) => (name === 'sendMessage' ? admitSend(access, trusted, address) : undefined),
        onFault: (name, error) => log.error({ err: error, query: name, address }, 'lite query failed'),
      })
    // A second promise around that of the answer would take longer to settle than many an answer takes.
    const begun: { answer?: ReturnType<typeof answer> } = {}
    turns.tryRun(() => {
      begun.answer = answer()
    })
    return begun.answer ?? new Promise((resolve) => turns.add(share, () => resolve(answer())))
  }
}

/** In words of the setting where it is one that cannot be listened on. */
function listenFailure(error: unknown, { litePort: port, liteHost }: Config): unknown {
  if (hasCode(error, 'EADDRINUSE'))
    return new StartRefused(
      `lite port ${port} is taken: choose another with --lite-port, or --lite-port 0 for a free one`,
    )
  if (hasCode(error, 'EACCES'))
    return new StartRefused(`not allowed to listen on lite port ${port}: choose one above 1023 with --lite-port`)
  if (hasCode(error, 'EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL', 'EAFNOSUPPORT'))
    return new StartRefused(`${liteHost} is no address of this machine: choose another with --lite-host`)
  return error
}

function measure(metrics: Metrics, listener: AdnlListener): void {
  type Read = (stats: ReturnType<AdnlListener['stats']>) => number
  const gauge = (name: string, help: string, read: Read): void =>
    metrics.gauge(`tonrpc_lite_clients_${name}`, help, () => read(listener.stats()))
  const total = (name: string, help: string, read: Read): void =>
    metrics.total(`tonrpc_lite_clients_${name}_total`, help, () => read(listener.stats()))
  gauge('connections', 'Open connections of lite clients.', ({ connections }) => connections)
  total('refused', 'Connections turned away since the start.', ({ refused }) => refused)
  total('queries', 'Queries of lite clients since the start.', ({ queries }) => queries)
  total('answers', 'Answers to lite clients since the start.', ({ answers }) => answers)
  gauge('in_flight', 'Queries that are being answered.', ({ inFlight }) => inFlight)
}

async function listen(parts: ListenerParts, port: number): Promise<AdnlListener> {
  const { config, log } = parts
  const seed = await keptSecret(join(config.data, KEY_FILE))
  const onQuery = createAnswering({ ...parts, trusted: createAddressRanges(config.liteTrusted) })
  const limits = liteLimitsWithin(filePlan().callers, config)
  const onError = (error: unknown): void => log.error({ err: error }, 'lite listener failed')
  try {
    return await createAdnlListener({ host: config.liteHost, port, seed, onQuery, onError, limits })
  } catch (error) {
    throw listenFailure(error, config)
  }
}

const NO_ADDRESSES =
  'the system does not say the addresses of this machine: the configuration of lite clients names 127.0.0.1; change its ip for clients elsewhere'

/** Null when the port is off. Rejects with StartRefused when it cannot be listened on. */
export async function startLiteListener(parts: ListenerParts): Promise<LiteListening | null> {
  const { config, source, log } = parts
  if (config.litePort === 'off') return null
  const listener = await listen(parts, Number(config.litePort))
  const forget = source.onUndone(() => {
    const { connections } = listener.stats()
    if (connections > 0)
      log.warn({ connections }, 'lite clients know blocks that were reverted: they have to connect again')
  })
  const close = async (): Promise<void> => {
    forget()
    await listener.close()
  }
  const configPath = join(config.data, CONFIG_FILE)
  try {
    measure(parts.metrics, listener)
    const address = await listenerAddressOf(config.liteHost, {
      onUnknown: (error) => log.warn({ error: failureText(error), file: configPath }, NO_ADDRESSES),
    })
    const text = globalConfig({ address, port: listener.port, key: listener.key }, await source.trustStart())
    await replaceFile(configPath, text)
    const key = Buffer.from(listener.key).toString('base64')
    return { address: placeText(address, listener.port), key, config: text, configPath, close }
  } catch (error) {
    await close()
    throw error
  }
}
