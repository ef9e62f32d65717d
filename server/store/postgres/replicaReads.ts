// Reads from a replica. They go to the primary while the replica does not answer, is of another chain, has older tables, does not have
// the newest block that this service has reported to callers, or receives no more blocks.

import { closeTogether } from '../../process/index.ts'
import type { MasterId, ReadLoad, Sql, SqlRow, SqlText, StatementOptions } from '../database.ts'
import { WHOLE_SHARD_PREFIX } from '../read/timesOfLts.ts'
import { sql } from '../sql.ts'
import { SQL_STATES } from '../sqlStates.ts'
import { StoreError } from '../storeError.ts'
import type { StoreNotice } from '../storeOptions.ts'
import { Outage } from './outage.ts'
import type { PostgresReads } from './postgresReads.ts'
import { ReplicaHead } from './replicaHead.ts'
import { StandingReplica } from './standingReplica.ts'

export interface ReplicaOptions {
  /** It calls back when a connection broke. */
  readonly replica: (onBroken: () => void) => PostgresReads
  readonly primary: PostgresReads
  readonly closing: AbortSignal
  readonly notice: StoreNotice
}

const LOOK_MS = 1_000
const STANDING_MS = 2_000
/** Longer than a call takes. A reader without an end, such as a stream, returns to the replica after this time. */
const CALL_MS = 30_000

interface Kind {
  /** Empty for an index without one. */
  readonly chain: string
  /** The newest step of its tables. */
  readonly step: number
}

/** Of an empty database. */
const NONE: Kind = { chain: '', step: 0 }

async function kindOf(server: Sql): Promise<Kind> {
  try {
    const [row] = await server.query(
      sql`select (select t::text from chain_identity t) as chain, (select max(number) from tonrpc_migrations) as step`,
      { retries: false },
    )
    return { chain: String(row?.chain ?? ''), step: Number(row?.step ?? 0) }
  } catch (error) {
    if (error instanceof StoreError && error.sqlState === SQL_STATES.noSuchTable) return NONE
    throw error
  }
}

/** Whether a server has a block; `isLast`: and none after it. */
async function hasBlock(server: Sql, { seqno, rootHash }: MasterId, isLast: boolean): Promise<boolean> {
  const found = await server.query(
    sql`select from indexer_cursor, blocks where workchain = -1 and shard = ${WHOLE_SHARD_PREFIX} and seqno = ${seqno}
      and root_hash = ${rootHash} and last_mc_seqno >= seqno and (last_mc_seqno = seqno or not ${isLast})`,
    { retries: false, timeoutMs: LOOK_MS },
  )
  return found.length > 0
}

async function newestOf(server: Sql): Promise<MasterId | null> {
  const [row] = await server.query<{ seqno: number; root_hash: Uint8Array }>(
    sql`select seqno, root_hash from indexer_cursor, blocks
      where workchain = -1 and shard = ${WHOLE_SHARD_PREFIX} and seqno = last_mc_seqno`,
    { retries: false, timeoutMs: LOOK_MS },
  )
  return row === undefined ? null : { seqno: row.seqno, rootHash: row.root_hash }
}

const isUnavailable = (error: unknown): error is StoreError =>
  error instanceof StoreError && (error.code === 'unavailable' || error.code === 'damaged')

/** The replica has ended the read for what it gets from the primary, or has not got what a migration changed there. */
const isBehind = (error: unknown): error is StoreError =>
  error instanceof StoreError && (error.code === 'conflict' || error.code === 'mismatch')

/** Each by its name: a call is such an object, and its limits are no fields of its own. */
const withoutRetries = ({ timeoutMs, signal, onBegun }: StatementOptions): StatementOptions => ({
  ...(timeoutMs === undefined ? {} : { timeoutMs }),
  ...(signal === undefined ? {} : { signal }),
  ...(onBegun === undefined ? {} : { onBegun }),
  retries: false,
})

export class ReplicaReads implements Sql {
  readonly #options: Omit<ReplicaOptions, 'replica'>
  readonly #replica: PostgresReads
  readonly #outage: Outage
  readonly #head: ReplicaHead
  readonly #timer: NodeJS.Timeout
  /** When the calls with these signals began to read from the primary, on the clock of `performance.now()`. */
  readonly #atPrimary = new WeakMap<AbortSignal, number>()

  constructor(options: ReplicaOptions) {
    const { primary, closing, notice } = options
    this.#options = options
    // Another server may answer at its address from now on.
    this.#replica = options.replica(() => this.#head.doubt())
    this.#outage = new Outage({
      probe: () => this.#check(),
      closing,
      onDown: ({ message }) =>
        notice('replica unreachable: reads go to the primary until it answers', { cause: message }),
      onUp: () => {
        this.#head.doubt()
        notice('replica reachable again', {})
      },
    })
    this.#head = new ReplicaHead({
      has: (head, isLast) => this.#has(head, isLast),
      closing,
      onBehind: ({ seqno }) => notice('replica behind: reads go to the primary until it has caught up', { seqno }),
      onCaughtUp: () => notice('replica has caught up', {}),
    })
    const standing = new StandingReplica({
      ofReplica: () => newestOf(this.#replica),
      ofPrimary: () => newestOf(primary),
      onStanding: (head) => this.#head.tell(head),
    })
    this.#timer = setInterval(() => {
      if (!this.#outage.isDown && this.#head.isThere) void standing.look()
    }, STANDING_MS).unref()
  }

  get load(): ReadLoad {
    const a = this.#replica.load
    const b = this.#options.primary.load
    return { open: a.open + b.open, busy: a.busy + b.busy, waiting: a.waiting + b.waiting }
  }

  giveRoom(): void {
    this.#options.primary.giveRoom()
  }

  /** Looks whether it can be read from. */
  async open(): Promise<void> {
    try {
      await this.#check()
    } catch (error) {
      if (!isUnavailable(error)) throw error
      this.#outage.begin(error)
    }
  }

  /** This block was reported to callers: a replica that does not have it is not read from. */
  keepUp(head: MasterId | null): void {
    this.#head.tell(head)
  }

  async query<R extends SqlRow>(statement: SqlText, options: StatementOptions = {}): Promise<readonly R[]> {
    const { primary, closing } = this.#options
    const { looking } = this.#head
    if (looking !== null && !this.#outage.isDown) await looking
    if (!this.#outage.isDown && this.#head.isThere && !this.#isAtPrimary(options.signal)) {
      try {
        return await this.#replica.query<R>(statement, withoutRetries(options))
      } catch (error) {
        if (closing.aborted || options.signal?.aborted === true) throw error
        if (isUnavailable(error)) this.#outage.begin(error)
        else if (!isBehind(error)) throw error
        else if (error.code === 'mismatch') void this.open().catch(() => undefined)
      }
    }
    if (options.signal !== undefined && !this.#isAtPrimary(options.signal))
      this.#atPrimary.set(options.signal, performance.now())
    return await primary.query<R>(statement, options)
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await closeTogether(
      () => this.#replica.close(),
      () => this.#options.primary.close(),
    )
  }

  /** Whether a read of the same call went there: the replica may lack what it found. */
  #isAtPrimary(signal: AbortSignal | undefined): boolean {
    const at = signal && this.#atPrimary.get(signal)
    return at !== undefined && performance.now() - at < CALL_MS
  }

  async #has(head: MasterId, isLast: boolean): Promise<boolean> {
    const { error } = this.#outage
    if (error !== null) throw error
    try {
      return await hasBlock(this.#replica, head, isLast)
    } catch (error) {
      if (isUnavailable(error) && !this.#options.closing.aborted) this.#outage.begin(error)
      throw error
    }
  }

  /** Throws StoreError while it cannot be read from. */
  async #check(): Promise<void> {
    const own = await kindOf(this.#replica)
    // Without its primary a replica is read from all the same.
    const { chain, step } = await kindOf(this.#options.primary).catch(() => own)
    if (own.chain !== chain)
      throw new StoreError('unavailable', 'The replica has another chain than the database, or none yet')
    if (own.step < step)
      throw new StoreError('unavailable', `The replica has tables of step ${own.step}, the database of step ${step}`)
  }
}
