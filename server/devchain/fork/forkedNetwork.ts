// The network as it was at the fork: accounts, libraries and what happened before, each read when it is needed first.

import { LRUCache } from 'lru-cache'
import { toRawUpper } from '../../../shared/address.ts'
import {
  type BinaryHash,
  type Cell,
  CellError,
  hashToBytes,
  hashToHex,
  measuringFootprint,
  openCell,
  sameBytes,
} from '../../cell/index.ts'
import { inPieces, oneFlight } from '../../fairness/index.ts'
import {
  type AccountId,
  type BlockIdExt,
  type Chain,
  type HistoryQuery,
  isSameBlock,
  LIBRARIES_PER_QUERY,
  LiteError,
  MASTERCHAIN,
  type ReadOptions,
  type VerifiedLibraries,
  type VerifiedTransaction,
} from '../../node/index.ts'
import { diskFailure, failureText, SameTrouble } from '../../process/index.ts'
import { loadAccount, loadShardAccount, type ShardAccount, storeShardAccount, toCell } from '../../tlb/index.ts'
import type { ForkBlock } from '../journal/index.ts'
import type { Warn } from '../warn.ts'
import { importKey } from './imports.ts'
import type { KeptCells } from './keptCells.ts'

/** Of accounts in memory, each of up to 20 MB; others are read again, from the disk where they were kept. */
const KEPT_BYTES = 64 << 20
/** Of an entry, without cells. */
const ENTRY_BYTES = 512
const MOST_ABSENT = 100_000
/** How long a library that is not published is not requested again. */
const NO_LIBRARY_MS = 30_000
/** What is wrong with a request is not the network's fault. */
const OWN_FAULTS: ReadonlySet<LiteError['kind']> = new Set(['badQuery', 'failed'])
/** No server is connected, or none answers in time: callers can try again later. */
const LATER: ReadonlySet<LiteError['kind']> = new Set(['cancelled', 'timeout'])

export interface ForkedNetworkParts {
  readonly point: ForkBlock
  /** The chain of the network; rejects while it cannot be read. */
  readonly chain: () => Promise<Chain>
  readonly kept: KeptCells
  readonly warn: Warn
}

export class ForkedNetwork {
  readonly point: ForkBlock
  readonly #parts: ForkedNetworkParts
  readonly #accounts = new LRUCache<string, ShardAccount>({ maxSize: KEPT_BYTES })
  /** Proven not to have been there. */
  readonly #absent = new LRUCache<string, true>({ max: MOST_ABSENT })
  /** Published nowhere when they were requested last. */
  readonly #noLibrary = new LRUCache<BinaryHash, true>({ max: 1_000, ttl: NO_LIBRARY_MS })
  readonly #reading = new Map<string, Promise<ShardAccount | null>>()
  readonly #keeping = new SameTrouble()

  constructor(parts: ForkedNetworkParts) {
    this.point = parts.point
    this.#parts = parts
  }

  /** Whether it is known that there was none. */
  isAbsent(account: AccountId): boolean {
    return this.#absent.has(keyOf(account))
  }

  /** Whether it was not published when it was requested a moment ago. */
  lacksLibrary(name: BinaryHash): boolean {
    return this.#noLibrary.has(name)
  }

  /** An account as it was at the fork; null where there was none. Rejects with LiteError when it cannot be read. */
  async account(account: AccountId, share?: string): Promise<ShardAccount | null> {
    const key = keyOf(account)
    if (this.#absent.has(key)) return null
    const known = this.#accounts.get(key)
    if (known !== undefined) return known
    return await oneFlight(this.#reading, key, () => this.#read(account, key, share))
  }

  async #read(account: AccountId, key: string, share?: string): Promise<ShardAccount | null> {
    const found = (await this.#keptAccount(account, key, share)) ?? (await this.#fetch(account, key, share))
    if (found === null) this.#absent.set(key, true)
    else {
      const bytes = await inPieces(measuringFootprint([found.account]), { subject: share })
      this.#accounts.set(key, found, { size: ENTRY_BYTES + bytes })
    }
    return found
  }

  async #keptAccount(account: AccountId, key: string, share?: string): Promise<ShardAccount | null> {
    const kept = await this.#parts.kept.read(key, share)
    if (kept === null) return null
    const found = accountIn(kept, account, this.point)
    if (found === null)
      this.#parts.warn('A kept file of the fork does not hold the account it is named after, which is read again', {
        file: key,
      })
    return found
  }

  async #fetch(account: AccountId, key: string, share?: string): Promise<ShardAccount | null> {
    const shardAccount = await this.#readFrom((chain) => this.#accountIn(chain, account, { share }))
    // Absences are not stored: callers can request any number of them.
    if (shardAccount !== null) await this.#keep(key, toCell(shardAccount, storeShardAccount), share)
    return shardAccount
  }

  /** What cannot be stored is read again, as long as lite servers have it. */
  async #keep(name: string, cell: Cell, share?: string): Promise<void> {
    try {
      await this.#parts.kept.write(name, cell, share)
      this.#keeping.end()
    } catch (error) {
      const text = diskFailure(error) ?? failureText(error)
      if (this.#keeping.isNew(text))
        this.#parts.warn(
          'What is read from the network of the fork cannot be kept: lite servers forget it after a day or so',
          {
            error: text,
          },
        )
    }
  }

  /** Servers that have forgotten the state know it where nothing has happened to the account since. */
  async #accountIn(chain: Chain, account: AccountId, options: ReadOptions): Promise<ShardAccount | null> {
    const { block, lt, shardLt = lt } = this.point
    try {
      return (await chain.account(block, account, options)).shardAccount
    } catch (error) {
      if (!(error instanceof LiteError && error.isMissing)) throw error
      const { id } = await chain.head(options)
      await this.#checkFollows(chain, id, options)
      const { shardAccount } = await chain.account(id, account, options)
      const last = account.workchain === MASTERCHAIN ? lt : shardLt
      if (shardAccount !== null && shardAccount.lastTransLt > last) throw forgotten(account, error)
      return shardAccount
    }
  }

  /** Rejects unless this head comes after the block of the fork, on the same branch: a server may lag, and some networks can be reverted. */
  async #checkFollows(chain: Chain, head: BlockIdExt, options: ReadOptions): Promise<void> {
    const { workchain, shard, seqno } = this.point.block
    if (head.seqno < seqno)
      throw new LiteError(
        'notReady',
        `its newest block is ${head.seqno}, before that of the fork, ${seqno}; ${REVERTED}`,
      )
    if (!chain.traits.canRewind) return
    if (!isSameBlock(await chain.idOf({ workchain, shard, seqno }, options), this.point.block))
      throw new LiteError('notReady', `it has another block ${seqno} than at the fork; ${REVERTED}`)
  }

  /** Public libraries of the network, by hash in hex; missing ones are left out. */
  async libraries(hashes: readonly BinaryHash[], options: ReadOptions = {}): Promise<VerifiedLibraries> {
    const found = new Map<string, Cell>()
    const missing: BinaryHash[] = []
    for (const hash of hashes) {
      const kept = await this.#parts.kept.read(`lib.${hashToHex(hash)}`, options.share)
      if (kept?.hash() === hash) found.set(hashToHex(hash), kept)
      else if (!this.#noLibrary.has(hash)) missing.push(hash)
    }
    for (let at = 0; at < missing.length; at += LIBRARIES_PER_QUERY) {
      const some = missing.slice(at, at + LIBRARIES_PER_QUERY)
      const read = await this.#readFrom((chain) => chain.libraries(some.map(hashToBytes), options))
      for (const hash of some) if (!read.has(hashToHex(hash))) this.#noLibrary.set(hash, true)
      for (const [hex, cell] of read) {
        await this.#keep(`lib.${hex}`, cell, options.share)
        found.set(hex, cell)
      }
    }
    return found
  }

  /** What happened to an account before the fork. */
  async transactions(query: HistoryQuery, options: ReadOptions = {}): Promise<readonly VerifiedTransaction[]> {
    return await this.#readFrom((chain) => chain.transactions(query, options))
  }

  async #readFrom<T>(read: (chain: Chain) => Promise<T>): Promise<T> {
    try {
      return await read(await this.#parts.chain())
    } catch (cause) {
      const own = cause instanceof LiteError ? cause : null
      if (own !== null && OWN_FAULTS.has(own.kind) && !own.isMissing) throw own
      const code = own !== null && (LATER.has(own.kind) || own.isRateLimit) ? own.code : 'notReady'
      throw new LiteError(code, `the network of the fork cannot be read: ${failureText(cause)}`, { cause })
    }
  }
}

const REVERTED =
  'when it was reverted, begin another fork with --reset, or put accounts of yours in place of those that were not read: ' +
  'dev.setAccount with balance, code and data'

const forgotten = (account: AccountId, cause: LiteError): LiteError =>
  new LiteError(
    'notReady',
    `its servers have forgotten what ${toRawUpper(account)} was at the fork, and it has changed since: name archive ` +
      'servers, or put an account of yours in its place: dev.setAccount with balance, code and data',
    { cause },
  )

/** Null for what is no account, another one, or one that something has happened to after the fork. */
function accountIn(cell: Cell, { workchain, hash }: AccountId, { lt }: ForkBlock): ShardAccount | null {
  try {
    const found = loadShardAccount(openCell(cell))
    const address = loadAccount(openCell(found.account))?.address
    const isIt = address?.kind === 'std' && address.workchain === workchain && sameBytes(address.hash, hash)
    return isIt && found.lastTransLt <= lt ? found : null
  } catch (error) {
    if (error instanceof CellError) return null
    throw error
  }
}

const keyOf = ({ workchain, hash }: AccountId): string => importKey({ workchain, id: hash })
