// The network as it was at the fork: accounts, libraries and what happened before, each read when it is needed first.

import { LRUCache } from 'lru-cache'
import { type BinaryHash, type Cell, hashToBytes, hashToHex, openCell } from '../../cell/index.ts'
import {
  type AccountId,
  type Chain,
  type HistoryQuery,
  LiteError,
  type ReadOptions,
  type VerifiedLibraries,
  type VerifiedTransaction,
} from '../../node/index.ts'
import { loadShardAccount, type ShardAccount, storeShardAccount, toCell } from '../../tlb/index.ts'
import type { ForkBlock } from '../journal/index.ts'
import { importKey } from './imports.ts'
import type { KeptCells } from './keptCells.ts'

/** In memory, each of up to some megabytes; others are read again, from the disk where they were kept. */
const MOST_ACCOUNTS = 500
const MOST_ABSENT = 100_000
/** Of one question of a lite server. */
const MOST_LIBRARIES = 16

export interface ForkedNetworkParts {
  readonly point: ForkBlock
  /** The chain of the network; rejects while it cannot be read. */
  readonly chain: () => Promise<Chain>
  readonly kept: KeptCells
}

export class ForkedNetwork {
  readonly point: ForkBlock
  readonly #parts: ForkedNetworkParts
  readonly #accounts = new LRUCache<string, ShardAccount>({ max: MOST_ACCOUNTS })
  /** Proven not to have been there. */
  readonly #absent = new LRUCache<string, true>({ max: MOST_ABSENT })
  readonly #reading = new Map<string, Promise<ShardAccount | null>>()

  constructor(parts: ForkedNetworkParts) {
    this.point = parts.point
    this.#parts = parts
  }

  /** Whether it is known that there was none. */
  isAbsent(account: AccountId): boolean {
    return this.#absent.has(keyOf(account))
  }

  /** An account as it was at the fork; null where there was none. Rejects with LiteError `notReady` when it cannot be read. */
  async account(account: AccountId): Promise<ShardAccount | null> {
    const key = keyOf(account)
    if (this.#absent.has(key)) return null
    const known = this.#accounts.get(key)
    if (known !== undefined) return known
    const reading = this.#reading.get(key) ?? this.#read(account, key).finally(() => this.#reading.delete(key))
    this.#reading.set(key, reading)
    return await reading
  }

  async #read(account: AccountId, key: string): Promise<ShardAccount | null> {
    const kept = await this.#parts.kept.read(key)
    const found = kept === null ? await this.#fetch(account, key) : loadShardAccount(openCell(kept))
    if (found === null) this.#absent.set(key, true)
    else this.#accounts.set(key, found)
    return found
  }

  async #fetch(account: AccountId, key: string): Promise<ShardAccount | null> {
    const { shardAccount } = await this.#ask((chain) => chain.account(this.point.block, account))
    // Of what is not there anybody may ask for any number.
    if (shardAccount !== null) await this.#parts.kept.write(key, toCell(shardAccount, storeShardAccount))
    return shardAccount
  }

  /** Public libraries of the network, by hash in hex; those there are not are left out. */
  async libraries(hashes: readonly BinaryHash[], options: ReadOptions = {}): Promise<VerifiedLibraries> {
    const found = new Map<string, Cell>()
    const missing: BinaryHash[] = []
    for (const hash of hashes) {
      const kept = await this.#parts.kept.read(`lib.${hashToHex(hash)}`)
      if (kept?.hash() === hash) found.set(hashToHex(hash), kept)
      else missing.push(hash)
    }
    for (let at = 0; at < missing.length; at += MOST_LIBRARIES) {
      const some = missing.slice(at, at + MOST_LIBRARIES)
      const read = await this.#ask((chain) => chain.libraries(some.map(hashToBytes), options))
      for (const [hex, cell] of read) {
        await this.#parts.kept.write(`lib.${hex}`, cell)
        found.set(hex, cell)
      }
    }
    return found
  }

  /** What happened to an account before the fork. */
  async transactions(query: HistoryQuery, options: ReadOptions = {}): Promise<readonly VerifiedTransaction[]> {
    return await this.#ask((chain) => chain.transactions(query, options))
  }

  async #ask<T>(read: (chain: Chain) => Promise<T>): Promise<T> {
    try {
      return await read(await this.#parts.chain())
    } catch (cause) {
      throw new LiteError('notReady', `the network of the fork cannot be read: ${reasonOf(cause)}`, { cause })
    }
  }
}

const keyOf = ({ workchain, hash }: AccountId): string => importKey({ workchain, id: hash })

const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))
