// What pending messages will lead to on the state of the newest block: each is followed to its end in the TVM,
// transaction by transaction, on accounts changed by the ones before. Times, logical times and blocks are predictions.

import { type Cell, openCell, readBoc, writeBoc } from '../../cell/index.ts'
import type { RunSettings } from '../../contracts/index.ts'
import {
  type AccountId,
  type BlockIdExt,
  type Chain,
  prefixOf,
  type ShardTop,
  shardHolds,
  WHOLE_SHARD,
} from '../../node/index.ts'
import { fromCell, loadMessage, loadTransaction, type Message, type Transaction } from '../../tlb/index.ts'
import type { TvmRuns } from '../../tvm/index.ts'
import { type AccountReader, readAccount } from '../accountAt.ts'
import { initOf, librariesOf, shardAccountBoc } from '../tvm/trialAccount.ts'
import { asRunError } from '../tvmErrors.ts'

export interface EmulationTools {
  readonly chain: AccountReader & Pick<Chain, 'libraries' | 'shards'>
  readonly settings: RunSettings
}

/** State on which the messages of a trace run. */
export interface EmulationRun {
  readonly pool: Pick<TvmRuns, 'emulate'>
  readonly signal: AbortSignal
}

export interface EmulatedTransaction {
  readonly account: AccountId
  readonly cell: Cell
  readonly transaction: Transaction
  /** The masterchain block and the block of its shard that may include it. */
  readonly mcSeqno: number
  readonly block: { readonly workchain: number; readonly shard: bigint; readonly seqno: number }
}

/** Of one trace. */
const MOST_TRANSACTIONS = 256
const MOST_DEPTH = 32
/** Blocks of the masterchain until a message to another workchain arrives. */
const BLOCKS_PER_STEP = 3
/** Blocks over which the seconds between two are measured; the pace of an idle devnet says nothing about the next. */
const MEASURED_BLOCKS = 64
const MOST_SECONDS_PER_BLOCK = 5
const LT_ALIGN = 1_000_000n
const NO_SEED = new Uint8Array(32)

interface Arrival {
  readonly cell: Cell
  readonly message: Message
  readonly to: AccountId
  /** Messages between workchains before it. */
  readonly step: number
  readonly depth: number
}

interface KnownAccount {
  shardAccount: Uint8Array | string
  libraries: Uint8Array | null
  readonly utime: number
  readonly lt: bigint
}

const keyOf = ({ workchain, hash }: AccountId): string => `${workchain}:${Buffer.from(hash).toString('hex')}`

/** A message as the emulation delivers it; null for one that leaves the chain or cannot be delivered. */
function arrivalOf(cell: Cell, step: number, depth: number, from: number | null): Arrival | null {
  const message = fromCell(cell, loadMessage)
  if (message.info.kind === 'externalOut') return null
  const { dest } = message.info
  if (dest.kind !== 'std' || dest.anycast !== null) return null
  const to = { workchain: dest.workchain, hash: dest.hash }
  return { cell, message, to, step: from === null || from === to.workchain ? step : step + 1, depth }
}

/** One head of the chain and everything emulated on it. */
export class Emulation {
  readonly at: BlockIdExt
  readonly #tools: EmulationTools
  readonly #accounts = new Map<string, KnownAccount>()
  #tops: Promise<readonly ShardTop[]> | undefined
  #interval: Promise<number> | undefined

  constructor(tools: EmulationTools, at: BlockIdExt) {
    this.#tools = tools
    this.at = at
  }

  /**
   * Everything that follows from messages of one trace, in the order it happens; nothing when the first contract refuses.
   * Throws ApiError for a run that could not be made.
   */
  async follow(messages: readonly Cell[], run: EmulationRun): Promise<readonly EmulatedTransaction[]> {
    const arrivals = messages.map((cell) => arrivalOf(cell, 0, 0, null)).filter((one) => one !== null)
    const done: EmulatedTransaction[] = []
    for (let next = 0; next < arrivals.length && done.length < MOST_TRANSACTIONS; next++) {
      const arrival = arrivals[next]
      if (arrival === undefined || arrival.depth >= MOST_DEPTH) continue
      const one = await this.#deliver(arrival, run)
      if (one === null) continue
      done.push(one)
      for (const [, cell] of one.transaction.outMessages) {
        const out = arrivalOf(cell, arrival.step, arrival.depth + 1, arrival.to.workchain)
        if (out !== null) arrivals.push(out)
      }
    }
    return done
  }

  async #deliver(
    { cell, message, to, step }: Arrival,
    { pool, signal }: EmulationRun,
  ): Promise<EmulatedTransaction | null> {
    const account = await this.#account(to, message, signal)
    const { config, prevBlocks } = await this.#tools.settings.at(this.at, signal)
    const blocks = step * BLOCKS_PER_STEP
    const now = account.utime + (step === 0 ? 0 : Math.ceil(blocks * (await this.#secondsPerBlock(signal))))
    const block = { now, randSeed: NO_SEED, libs: account.libraries, prevBlocks }
    const lt = (account.lt / LT_ALIGN + 1n + BigInt(step)) * LT_ALIGN
    const run = { shardAccount: account.shardAccount, message: writeBoc(cell), lt }
    const result = await pool.emulate(config, block, run, { signal }).catch((error: unknown) => {
      throw asRunError(error)
    })
    if (!result.accepted) return null
    account.shardAccount = result.shardAccount
    const transaction = readBoc(Buffer.from(result.transaction, 'base64'), { maxDepth: 1024 })
    return {
      account: to,
      cell: transaction,
      transaction: loadTransaction(openCell(transaction)),
      mcSeqno: this.at.seqno + 1 + blocks,
      block: await this.#blockOf(to, blocks, signal),
    }
  }

  async #account(id: AccountId, { init }: Message, signal: AbortSignal): Promise<KnownAccount> {
    const { chain } = this.#tools
    const key = keyOf(id)
    const known = this.#accounts.get(key)
    if (known !== undefined) {
      // A contract that this message deploys may use a library, which was not read while there was no contract.
      if (known.libraries === null && init !== null) known.libraries = await librariesOf(chain, init, signal)
      return known
    }
    const read = await readAccount(chain, id, this.at.seqno, signal)
    const fresh: KnownAccount = {
      shardAccount: shardAccountBoc(read.shardAccount),
      libraries: await librariesOf(chain, initOf(read.account) ?? init, signal),
      utime: read.utime,
      lt: read.lt,
    }
    this.#accounts.set(key, fresh)
    return fresh
  }

  #secondsPerBlock(signal: AbortSignal): Promise<number> {
    const measure = async (): Promise<number> => {
      const { workchain, shard, seqno } = this.at
      const count = Math.min(MEASURED_BLOCKS, seqno - 1)
      if (count < 1) return MOST_SECONDS_PER_BLOCK
      const times = [seqno, seqno - count].map(async (one) => {
        const { info } = await this.#tools.chain.find({ workchain, shard, seqno: one }, { signal })
        return info.genUtime
      })
      const [last = 0, first = 0] = await Promise.all(times)
      return Math.min((last - first) / count, MOST_SECONDS_PER_BLOCK)
    }
    this.#interval ??= measure()
    return this.#interval
  }

  async #blockOf(id: AccountId, blocks: number, signal: AbortSignal) {
    const { workchain } = id
    if (workchain === this.at.workchain) return { workchain, shard: WHOLE_SHARD, seqno: this.at.seqno + 1 + blocks }
    this.#tops ??= this.#tools.chain.shards(this.at, { signal })
    const prefix = prefixOf(id.hash)
    const top = (await this.#tops).find(
      ({ id: { workchain: of, shard } }) => of === workchain && shardHolds(shard, prefix),
    )
    return { workchain, shard: top?.id.shard ?? WHOLE_SHARD, seqno: (top?.id.seqno ?? 0) + 1 + blocks }
  }
}
