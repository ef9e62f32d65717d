// A network of lite servers: their list, connections to them, and the verified chain.

import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Chain,
  type Connect,
  createRemoteChain,
  createRepeatedSending,
  createServerPool,
  createTrustFile,
  type LiteServer,
  openTrust,
  rememberAnswers,
  type ServerPool,
  type SyncReport,
  syncText,
  TrustError,
} from '../../node/index.ts'
import type { Log } from '../../observe/index.ts'
import type { Config } from '../settings/settings.ts'
import { StartRefused } from '../startRefused.ts'
import { SharedSources } from './chainForWorkers.ts'
import { refreshList } from './listRefresh.ts'
import { listServers } from './liteServers.ts'
import { watchRules } from './networkRules.ts'
import { newestProven, ownClockBy, watchOwnClock } from './ownClock.ts'
import { MOST_AHEAD_S, plural } from './remoteReadiness.ts'
import { isPublic, startOfTrust, trustRefusalOf } from './startOfTrust.ts'

/** Age of the newest block from which a public network counts as stopped: its blocks come every second or faster. */
const OLD_HEAD_S = 15
const PUBLIC_RPS = 20
/** Minimum calls per second over all servers. With three an index catches up by a few blocks a minute, with one by none. */
const LEAST_RPS = 5
/** Calls for a masterchain block: the wait for it, its proof, the block and that of a shard; the wait may take half of all. */
const CALLS_PER_BLOCK = 8
/** How long a start waits for servers and the proof of the newest block before it reports readiness. */
const START_MS = 5_000
const SYNC_LOG_MS = 5_000

/** The file of proven blocks. */
export const trustFileOf = (data: string): string => join(data, 'network', 'trust.json')

/** Logs progress now and then. */
function syncLog(log: Log): (report: SyncReport) => void {
  let loggedAt = Number.NEGATIVE_INFINITY
  return (report) => {
    if (performance.now() - loggedAt < SYNC_LOG_MS) return
    loggedAt = performance.now()
    log.info({ seqno: report.seqno }, `proving the chain: ${syncText(report)}`)
  }
}

/** Why the newest block cannot be proven, or null. Proving continues after the service has started without it. */
async function firstTrouble(servers: Pick<ServerPool, 'ready'>, chain: Pick<Chain, 'head'>): Promise<unknown> {
  if (!(await servers.ready(START_MS))) return null
  const head = chain.head().then(
    () => null,
    (error: unknown) => error,
  )
  return await Promise.race([head, sleep(START_MS, null, { ref: false })])
}

/**
 * That a limit of calls keeps the service behind a fast network; null when it does not. Throws StartRefused for one with which
 * the index would not get on at all: a block takes several reads, each of which must be answered in time.
 */
export function fewCallsText(perSecond: number, servers: number): string | null {
  const total = perSecond * servers
  if (perSecond === 0 || total >= PUBLIC_RPS) return null
  const given = `--liteserver-rps ${perSecond} for ${plural(servers, 'lite server')}`
  if (total < LEAST_RPS)
    throw new StartRefused(
      `${given} is too few to follow a chain: the least is ${LEAST_RPS} calls per second over all servers; raise it, or list more servers`,
    )
  const seconds = (CALLS_PER_BLOCK / total).toFixed(1)
  return (
    `${given} follows at best one masterchain block every ${seconds} s, and callers wait meanwhile: where blocks come ` +
    'faster, raise it, or list more servers'
  )
}

/** The settings that concern reading a network. */
type NetworkSetting = Pick<Config, 'network' | 'data' | 'liteservers' | 'liteserverRps' | 'proofs' | 'trustStale'>

/** Rejects with StartRefused without a list of servers or a start of trust. */
export async function openNetwork(config: NetworkSetting, log: Log, connect: Connect) {
  const { network, data } = config
  const listed = await listServers(config, log)
  const start = startOfTrust(network, listed)
  const perSecond = config.liteserverRps === 0 && isPublic(network) ? PUBLIC_RPS : config.liteserverRps
  const few = fewCallsText(perSecond, listed.config.servers.length)
  if (few !== null) log.warn({ perSecond }, few)
  const { zerostate } = start
  const shared = new SharedSources({ servers: listed.config.servers, zerostate, policy: config.proofs })
  const servers = createServerPool({
    connect,
    log,
    perSecond,
    zerostate,
    servers: listed.config.servers,
    isLiarRetried: config.proofs === 'full',
    ...shared.verdicts,
  })
  const oldHeadS = isPublic(network) ? OLD_HEAD_S : null
  const ends: (() => unknown)[] = [refreshList({ pool: servers, shared, listed, log }), () => servers.close()]
  const close = async (): Promise<void> => {
    for (const end of ends) await end()
  }
  try {
    const trust = await openTrust(servers, {
      start,
      policy: config.proofs,
      ...(isPublic(network) ? { aheadS: MOST_AHEAD_S } : { canRewind: true, onRevert: () => servers.pardon() }),
      isStaleAccepted: config.trustStale,
      store: createTrustFile(trustFileOf(data)),
      onProgress: syncLog(log),
      onTrouble: (text) => log.warn({ network }, text),
      onFork: (text) => log.error({ network }, text),
    })
    shared.begin(servers, () => trust.head)
    const ownClock = ownClockBy(servers, () => (isPublic(network) ? newestProven(trust.status()) : null))
    ends.push(() => trust.close(), watchOwnClock(ownClock, log))
    const proven = createRemoteChain(servers, { trust, canRewind: !isPublic(network) })
    const sending = createRepeatedSending({ pool: servers, chain: proven })
    ends.push(() => sending.close())
    const send: LiteServer['send'] = (message, options) => sending.send(message, options)
    const chain = rememberAnswers({ ...proven, send })
    const refusal = trustRefusalOf(await firstTrouble(servers, chain), servers, { network, start, listed })
    if (refusal !== null) throw refusal
    ends.push(watchRules({ chain, trust, log }))
    return {
      chain,
      servers,
      trust,
      sending,
      send,
      start,
      ownClock,
      oldHeadS,
      close,
      // A limit for each server holds for this process alone.
      forWorkers: perSecond === 0 ? shared : null,
    }
  } catch (error) {
    await close()
    throw error instanceof TrustError ? new StartRefused(error.message, { cause: error }) : error
  }
}
