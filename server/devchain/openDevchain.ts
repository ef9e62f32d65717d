// Opens the embedded chain: its folder or memory, its history, its TVM and its miner.

import { createExecutor, createTvmPool, type TvmRuns } from '../tvm/index.ts'
import { NO_TEXTS } from './archive/index.ts'
import {
  ChainClock,
  type ChainReader,
  ChangeQueue,
  createReader,
  DamageReport,
  type GrowingChain,
  type HeadEvent,
  type HeadListener,
  openChain,
} from './chain/index.ts'
import {
  AheadRuns,
  BlockMachine,
  CellSharing,
  DEFAULT_LIMITS,
  Intake,
  PreviousBlocksText,
  RecentAccounts,
} from './collate/index.ts'
import { type Control, createControl, whenReady } from './control/index.ts'
import {
  DEFAULT_IDLE_BLOCK_MS,
  DEFAULT_KEPT_STATES,
  DEFAULT_SNAPSHOT_EVERY,
  type DevchainOptions,
  TESTNET_GLOBAL_ID,
} from './devchainOptions.ts'
import { type Beginning, beginFork, type ForkedAccounts, type ForkStart } from './fork/index.ts'
import { createGenesis, devnetPlan } from './genesis/index.ts'
import { type Ground, inFolder, inMemory } from './ground.ts'
import { HistoryFeed } from './history/index.ts'
import { Mempool, type Receipt, Trial } from './mempool/index.ts'
import { Miner } from './mining/index.ts'
import { bornIn, placeAccounts } from './placeAccounts.ts'
import { removeChain } from './removeChain.ts'
import { sendToMempool } from './sendToMempool.ts'
import { ValidatorKeys } from './state/index.ts'
import { createPlayer, firstValidators, type Player, type StoryValidator } from './story/index.ts'
import { DEFAULT_VALIDATORS } from './validatorCount.ts'
import type { Warn } from './warn.ts'

export interface Devchain {
  readonly globalId: number
  /** What it has of another network; null for a chain of its own. */
  readonly fork: ForkedAccounts | null
  /** The newest blocks. */
  head(): Omit<HeadEvent, 'reorg'>
  /** Called with every new head after it is durable, or during a story written; returns its unsubscribe function. */
  onHead(listener: HeadListener): () => void
  /** Takes an external message; `share` is whose it is. Rejects with MessageRefused. */
  send(boc: Uint8Array, share?: string): Promise<Receipt>
  /** Messages that wait for a block. */
  readonly pending: Pick<Mempool, 'pending' | 'onChange' | 'waiting'>
  readonly reader: ChainReader
  /** The earliest time of the next block in Unix seconds, after the clock was moved; 0 when it was not. */
  movedTo(): number
  /** For processes that read what is archived by themselves; null where nothing is. */
  readonly feed: Pick<HistoryFeed, 'after' | 'onNews'> | null
  readonly control: Control
  /** The validators of the chain's first set, with the keys they stake with. */
  readonly validators: readonly StoryValidator[]
  /** Plays the story of a new chain; nothing else may change the chain until it has ended. */
  readonly player: Player
  /** Reports use of the chain: empty blocks are made at full rate for a while. */
  touch(): void
  /** Whether the chain was used lately; always true unless mining is at `auto`. */
  isUsed(): boolean
  /** Why the last block could not be made; null when it was made. */
  trouble(): string | null
  /** Threads that execute messages of blocks now: none but under load. */
  threads(): number
  /** Which old blocks were found damaged after the start; null without any. */
  damage(): string | null
  /** Finishes the current step, syncs the log and releases the folder. */
  close(): Promise<void>
}

/** Part of a block's transactions that messages from outside may be; the rest is for what they lead to. */
const EXTERNAL_SHARE = 0.4

/** Opens the chain of a folder, or begins one. Rejects with a LogError, or a ReplayError, when the folder cannot be used. */
export async function openDevchain(options: DevchainOptions = {}): Promise<Devchain> {
  const { folder, seed } = options
  if (seed !== undefined && seed.length !== 32) throw new RangeError(`A seed has 32 bytes, not ${seed.length}`)
  const ground = folder === undefined ? inMemory(options) : await inFolder(folder, options)
  const isNewFork = options.fork !== undefined && ground.past.genesis === null
  try {
    return await assemble(ground, options)
  } catch (error) {
    await ground.journal.close()
    await ground.disk?.archiveFiles?.close()
    await ground.release()
    // What it has made so far would keep every other chain out of the folder. The seed may have been there before.
    if (folder !== undefined && isNewFork) await removeChain(folder, { keepSeed: true }).catch(() => undefined)
    throw error
  }
}

/** Of a new chain that takes over what the network has. */
const startOf = (start: ForkStart | null) =>
  start === null ? {} : { lt: start.point.lt, globalId: start.globalId, configParams: start.configParams }

interface ChainTools {
  readonly machine: BlockMachine
  readonly log: Warn
}

async function chainOn(ground: Ground, beginning: Beginning | null, options: DevchainOptions & ChainTools) {
  const { past, journal, disk, seed } = ground
  const { limits = DEFAULT_LIMITS, log: warn, machine } = options
  const keys = new ValidatorKeys(seed)
  const validators = keys.first(options.validators ?? DEFAULT_VALIDATORS)
  const clock = new ChainClock(options.now ?? Date.now)
  const { fork = null, start = null } = beginning ?? {}
  const globalId = options.globalId ?? TESTNET_GLOBAL_ID
  const kept = { sharing: new CellSharing(), recent: new RecentAccounts(), intake: new Intake() }
  const shop = { machine, ...kept, limits, network: fork, warn }
  const { story = null } = options
  // It ends when it is played; the clock is right from then on.
  const begins = () => Math.max(clock.time - (story?.seconds ?? 0), start?.point.utime ?? 0)
  return await openChain({
    past,
    journal,
    disk,
    clock,
    warn,
    createGenesis: () => createGenesis(devnetPlan({ globalId, utime: begins(), validators, ...startOf(start) })),
    story: story?.name ?? null,
    fork: start?.point ?? null,
    texts: options.texts ?? NO_TEXTS,
    tools: { shop, keys, seed },
    snapshotEvery: options.snapshotEvery ?? DEFAULT_SNAPSHOT_EVERY,
    keptStates: options.keptStates ?? DEFAULT_KEPT_STATES,
  })
}

async function trialsOf({ trials }: DevchainOptions): Promise<{ runs: TvmRuns; close: () => Promise<void> }> {
  if (trials !== undefined) return { runs: trials, close: () => Promise.resolve() }
  const own = await createTvmPool({ workers: 1 })
  return { runs: own, close: () => own.close() }
}

/** Lets a fork place the accounts that it has read of the other network on the chain. */
function attachFork(
  fork: ForkedAccounts,
  { chain, miner, turns }: { chain: GrowingChain; miner: Miner; turns: ChangeQueue },
) {
  fork.attach({
    moment: () => chain.moment,
    place: (select) => turns.take(() => placeAccounts(chain, select())),
    isBorn: bornIn(chain),
    wake: () => miner.wake(),
  })
}

async function assemble(ground: Ground, options: DevchainOptions): Promise<Devchain> {
  const warn: Warn = options.log ?? (() => undefined)
  const beginning = options.fork === undefined ? null : await beginFork(ground.past, options.fork, warn)
  const fork = beginning?.fork ?? null
  const machine = new BlockMachine(await createExecutor(), new AheadRuns(options.ahead))
  const chain = await chainOn(ground, beginning, { ...options, log: warn, machine })
  const pool = new Mempool(options.mempool)
  const turns = new ChangeQueue()
  const { maxTransactions } = options.limits ?? DEFAULT_LIMITS
  const miner = new Miner({
    chain,
    pool,
    turns,
    warn,
    isWaiting: () => (fork?.waiting ?? 0) > 0,
    idleBlockMs: options.idleBlockMs ?? DEFAULT_IDLE_BLOCK_MS,
    maxExternals: Math.max(1, Math.floor(maxTransactions * EXTERNAL_SHARE)),
  })
  const stories = [...(options.story ? [options.story] : []), ...(options.stories ?? [])]
  const player = createPlayer({ chain, miner, turns, warn, begun: ground.past.story, stories })
  if (fork !== null) attachFork(fork, { chain, miner, turns })
  // The first block installs the configuration; clients start from it, so there is no chain without it.
  if (chain.head() === null) await miner.mine(1)
  miner.setMode(options.mining ?? 'auto')
  const damage = new DamageReport(ground.past.index, options.alarm ?? warn)
  void ground.verify((found, at) => damage.take(found, at))
  const trials = await trialsOf(options)
  const trial = new Trial(trials.runs, new PreviousBlocksText())
  const sending = { chain, pool, miner, trial, fork }
  const sendNow = async (boc: Uint8Array, share?: string) => {
    miner.refuseWhileFull()
    return await sendToMempool(sending, boc, share)
  }
  const control = createControl({ chain, pool, miner, turns, fork, send: sendNow, tried: () => trial.settled() })
  return {
    globalId: chain.moment.master.globalId,
    fork,
    head: () => headOf(chain),
    onHead: (listener) => chain.onHead(listener),
    send: player.isWaiting ? (boc, share) => player.ready().then(() => sendNow(boc, share)) : sendNow,
    pending: pool,
    reader: createReader(chain),
    movedTo: () => chain.movedTo,
    feed: feedOf(chain),
    control: player.isWaiting ? whenReady(control, () => player.ready()) : control,
    validators: firstValidators(chain),
    player,
    touch: miner.touch.bind(miner),
    isUsed: () => miner.isUsed,
    trouble: () => miner.trouble,
    threads: () => machine.threads,
    damage: () => damage.words,
    async close() {
      await player.stop()
      fork?.close()
      miner.close()
      // Messages of a block that is being made are in it.
      await turns.end()
      pool.close('the chain is closing')
      await chain.close()
      await machine.close()
      await trials.close()
      await ground.release()
    },
  }
}

function feedOf(chain: GrowingChain): HistoryFeed | null {
  const { index, archive } = chain.parts
  if (archive === null) return null
  const feed = new HistoryFeed(index, archive)
  chain.onHead(({ reorg }) => feed.changed(reorg !== null))
  return feed
}

function headOf(chain: GrowingChain): Omit<HeadEvent, 'reorg'> {
  const head = chain.head()
  if (head === null) throw new Error('A chain without a block')
  return head
}
