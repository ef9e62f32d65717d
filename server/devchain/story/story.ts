// A story for a new chain: signed messages at fixed times, defined by a room above.

import type { Cell } from '../../cell/index.ts'
import type { AccountId } from '../../node/index.ts'

/** One of the validators of the chain. */
export interface StoryValidator {
  readonly publicKey: Uint8Array
  /** 32 bytes. */
  readonly adnlAddress: Uint8Array
  /** Ed25519 signature of bytes. */
  readonly sign: (bytes: Uint8Array) => Uint8Array
}

export interface StoryStart {
  readonly globalId: number
  /** Unix seconds: when the chain began. */
  readonly start: number
  /** Those whose keys the chain holds, in the order of its first set. */
  readonly validators: readonly StoryValidator[]
}

/** Messages that are all in one block, or there is no such block. */
export interface Episode {
  /** Unix seconds; each episode has a time of its own. */
  readonly utime: number
  /** What it is part of, for a line of progress. */
  readonly title: string
  /** The signed messages, one by one: to sign takes part of a millisecond. An account that is not deployed has no data. */
  messages(dataOf: (account: AccountId) => Cell | null): Iterable<Uint8Array>
}

export interface Story {
  /** Stored in the genesis of a chain that plays this. Another script, or other times, has another name. */
  readonly name: string
  /** Its name for people. */
  readonly title: string
  /** Seconds from start to end: a chain of that age has played it. */
  readonly seconds: number
  /** Earlier versions: a chain that has played one of them to its end has nothing left to play. */
  readonly former?: readonly Pick<Story, 'name' | 'seconds'>[]
  episodes(start: StoryStart): readonly Episode[]
}
