// The chain side of the service, and the one of them that is made of the embedded chain in the data folder.

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { parseInterval, parseMining } from '../../../shared/mining.ts'
import { createGifts, createRounds, demoStory } from '../../demo/index.ts'
import {
  type AccountDescription,
  createDevchainLiteServer,
  createEmbeddedChain,
  type Devchain,
  type DevchainOptions,
  describeAccounts,
  ForkRefused,
  lastTransactionsOf,
  OtherChain,
  openDevchain,
  removeChain,
  type StoryProgress,
} from '../../devchain/index.ts'
import { type Controlled, transactionTextFormat } from '../../methods/index.ts'
import {
  type AccountId,
  type Chain,
  type Connect,
  connectLiteServer,
  type LiteServer,
  MASTERCHAIN,
} from '../../node/index.ts'
import type { Log, Metrics } from '../../observe/index.ts'
import { closeInTurn } from '../../process/index.ts'
import { createTvmPool, type TvmPool } from '../../tvm/index.ts'
import type { ChainForWorkers, HistoryForWorkers } from '../network/chainForWorkers.ts'
import { networkOfFork } from '../network/networkOfFork.ts'
import { plural } from '../network/remoteReadiness.ts'
import type { Config } from '../settings/settings.ts'
import { StartRefused } from '../startRefused.ts'
import type { LiteSource } from './liteListener.ts'

export interface ChainService {
  readonly chain: Chain
  /** Where contracts run. */
  readonly pool: TvmPool
  /** Null on a real network. */
  readonly controlled: (Controlled & { readonly accounts: readonly AccountDescription[] }) | null
  /** Messages that wait for a block; absent on a real network. */
  readonly pending?: Devchain['pending']
  /** The unfinished demo; null without one. Until its end nothing else may change the chain. */
  readonly demo: { play(onProgress: (progress: StoryProgress) => void): Promise<boolean>; stop(): Promise<void> } | null
  /** Answers clients of the lite port; null where it cannot be served. */
  readonly lite: LiteSource | null
  /** How workers read the chain by themselves; null where they pass their calls on. */
  readonly forWorkers: ChainForWorkers | null
  /** The history that workers of an embedded chain read by themselves; null where nothing is archived. */
  readonly history?: HistoryForWorkers | null
  /**
   * Puts accounts of a forked network into the chain; resolves with the masterchain block with them, or null where nothing was missing.
   * `share`: the caller. Absent for a chain of its own.
   */
  readonly bring?: (accounts: readonly AccountId[], share?: string) => Promise<number | null>
  /** How many times as many reads may be in flight as of a chain that is near; absent for one in this process. */
  readonly stretch?: () => number
  /** Seconds that this machine's clock is known to be ahead of the time of the network; negative behind. */
  readonly clockAheadS?: () => number
  /** A call came in: the chain is in use. */
  readonly touch: () => void
  /** Whether calls are answered now, and a text about the age of the head or the fault. */
  readiness(): { readonly ready: boolean; readonly words: string }
  /** Adds what an operator should see of it. */
  measure?(metrics: Metrics): void
  close(): Promise<void>
}

const historyOf = ({ feed, reader }: Devchain, folder: string): HistoryForWorkers | null =>
  feed && { folder, feed, lastTransactions: (question) => lastTransactionsOf(reader, question) }

const IDLE_MS = 5000
/** A block later than this many intervals is reported as a fault. */
const LATE_TIMES = 2

function readinessOf(devchain: Devchain, headAgeMs: number): ReturnType<ChainService['readiness']> {
  const { head, nextBlockMs, lateMs } = devchain.control.state()
  const damage = devchain.damage()
  const age = `block ${head.master.seqno}, ${Math.round(headAgeMs / 1000)} s ago`
  // All else is answered as before.
  const { waiting = 0, longestWaiting } = devchain.fork ?? {}
  const accounts = `${plural(waiting, 'account')} of the forked network, longest for ${longestWaiting}`
  const behind = waiting === 0 ? age : `${age}; messages wait for ${accounts}`
  const words = damage === null ? behind : `${behind}; ${damage}`
  const trouble = devchain.trouble()
  if (trouble !== null) return { ready: false, words: `${words}; no block can be made: ${trouble}` }
  const isLate = lateMs >= Math.max(LATE_TIMES * (nextBlockMs ?? 0), 10_000)
  const late = `${words}; no block is made: the next one was due ${Math.round(lateMs / 1000)} s ago`
  return { ready: !isLate, words: isLate ? late : words }
}

function bringingTo({ fork, head }: Devchain): Pick<ChainService, 'bring'> {
  if (fork === null) return {}
  return {
    async bring(accounts, share) {
      const names = accounts.map(({ workchain, hash }) => ({ workchain, id: hash }))
      const isNew = await fork.bring(names, [], share)
      return isNew ? head().master.id.seqno : null
    },
  }
}

const liteSourceOf = (devchain: Devchain, server: LiteServer): LiteSource => ({
  server,
  trustStart: async () => ({
    zerostate: devchain.reader.zerostates.master.id,
    // The first block is a key block.
    init: devchain.reader.bySeqno(MASTERCHAIN, 1)?.id ?? devchain.reader.zerostates.master.id,
    hardForks: [],
  }),
  onUndone: (listener) =>
    devchain.onHead(({ reorg }) => {
      if (reorg !== null) listener()
    }),
})

/** Blocks have no later one, in February 2106, and none before 1970. */
const LAST_TIME = 2 ** 32 - 1

interface EmbeddedParts {
  readonly connect?: Connect
  readonly limits?: DevchainOptions['limits']
}

/** What a chain that is not opened means for the settings. */
function refusalOf(error: unknown, { data, forkFrom }: Config): unknown {
  if (error instanceof ForkRefused)
    return new StartRefused(`--fork-from ${forkFrom}: ${error.message}`, { cause: error })
  if (!(error instanceof OtherChain)) return error
  const own = `--global-id ${error.globalId}${forkFrom === 'off' ? '' : ' and without --fork-from'}`
  const how = error.globalId === null ? '--fork-from and --liteservers' : own
  const remedy = 'start it like that, choose another data folder, or begin a new chain with --reset'
  return new StartRefused(`the chain in ${data} was begun with ${how}: ${remedy}`, { cause: error })
}

export async function openEmbeddedChain(
  config: Config,
  log: Log,
  { connect = connectLiteServer, limits }: EmbeddedParts = {},
): Promise<ChainService> {
  if (Date.now() < 0 || Date.now() / 1000 > LAST_TIME)
    throw new StartRefused(`the clock of this machine is wrong: it says ${new Date(Date.now()).toISOString()}; set it`)
  const folder = join(config.data, 'chain')
  if (config.reset) {
    await removeChain(folder)
    await rm(join(config.data, 'fork'), { recursive: true, force: true })
  }
  const network = networkOfFork(config, log, connect)
  const idleBlockMs = parseInterval(config.blockTime) ?? IDLE_MS
  const pool = await createTvmPool({ timeLimitMs: config.runMs, notice: (text, facts) => log.warn(facts, text) })
  const devchain = await openDevchain({
    folder,
    globalId: config.globalId,
    validators: config.validators,
    mining: parseMining(config.mining) ?? 'auto',
    // The demo has contracts and names of its own, which are not those of the network.
    story: config.seed === 'demo' && network === null ? demoStory : null,
    ...(network === null ? {} : { fork: { ...network, seqno: config.forkSeqno || null } }),
    stories: [demoStory],
    idleBlockMs,
    ...(limits === undefined ? {} : { limits }),
    texts: transactionTextFormat,
    trials: pool,
    log: (line, facts) => log.warn(facts, line),
    alarm: (line, facts) => log.error(facts, line),
  }).catch(async (error: unknown) => {
    await pool.close()
    await network?.close()
    throw refusalOf(error, config)
  })
  const chain = createEmbeddedChain(devchain)
  const lite = createDevchainLiteServer(devchain, { pool })
  const rounds = createRounds(devchain, (line, facts) => log.debug(facts, line))
  let headAt = performance.now()
  const forget = chain.onHead(() => {
    headAt = performance.now()
  })
  return {
    chain,
    pool,
    controlled: {
      control: devchain.control,
      gifts: createGifts(devchain),
      accounts: describeAccounts(devchain.globalId),
    },
    pending: devchain.pending,
    demo: devchain.player.isWaiting ? devchain.player : null,
    lite: liteSourceOf(devchain, lite),
    forWorkers: null,
    // Workers would not find what happened before the fork.
    history: network === null ? historyOf(devchain, folder) : null,
    ...bringingTo(devchain),
    touch: devchain.touch,
    readiness: () => readinessOf(devchain, performance.now() - headAt),
    async close() {
      forget()
      rounds.close()
      lite.close()
      await closeInTurn(
        () => devchain.close(),
        () => pool.close(),
        () => network?.close(),
      )
    },
  }
}
