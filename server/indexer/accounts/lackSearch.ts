// Looks for accounts that an earlier process indexed without data or code, or without their newest state at all: once, and in the
// background, as a large index is read in many pieces. After an interruption it goes on with the piece it was at.

import {
  type AccountKey,
  type Database,
  readAccountsLacking,
  readAccountsWithoutState,
  StoreError,
} from '../../store/index.ts'
import type { LackingAccounts } from './lackingAccounts.ts'

const WORKCHAINS = [-1, 0]
/** For each workchain by its accounts, then for both by their short keys. */
const PIECES = 256
const ALL = (WORKCHAINS.length + 1) * PIECES
const KEY_BYTES = 33

/** First and last of the short keys of accounts, which are numbers of 64 bits. */
const FIRST_KEY = -(1n << 63n)
const LAST_KEY = (1n << 63n) - 1n
const KEYS = (LAST_KEY - FIRST_KEY + 1n) / BigInt(PIECES)

export interface LackSearchParts {
  readonly database: Pick<Database, 'read'>
  /** Ends it. */
  readonly signal: AbortSignal
}

type Found = (lacking: Pick<LackingAccounts, 'add' | 'leaveOut'>) => void

const boundOf = (workchain: number, piece: number, rest: number): AccountKey =>
  new Uint8Array(KEY_BYTES)
    .fill(rest)
    .fill(workchain + 128, 0, 1)
    .fill(piece, 1, 2)

async function readPiece(read: Database['read'], number: number): Promise<Found> {
  const workchain = WORKCHAINS[Math.floor(number / PIECES)]
  const piece = number % PIECES
  if (workchain === undefined) {
    const from = FIRST_KEY + BigInt(piece) * KEYS
    const left = await readAccountsWithoutState(read, { from, to: from + KEYS - 1n })
    return (lacking) => {
      for (const { account, mcSeqno } of left) lacking.leaveOut(account, mcSeqno)
    }
  }
  const range = { from: boundOf(workchain, piece, 0), to: boundOf(workchain, piece, 0xff) }
  const found = await readAccountsLacking(read, range)
  return (lacking) => {
    for (const one of found) lacking.add(one)
  }
}

/** What the account book of an index leaves for the next one, which is made whenever the index was interrupted. */
export class CarriedLacks {
  lacking: LackingAccounts | null = null
  /** Of each first state of a remote chain: how often it could not be read, and since when. */
  readonly firstStateFailures = new Map<string, { count: number; readonly since: number }>()
  /** Pieces that were searched. */
  #searched = 0
  #searching: Promise<void> = Promise.resolve()

  /** There is nothing to search: an index that begins has no such accounts. */
  skipSearch(): void {
    this.#searched = ALL
  }

  /** Goes on with the search when the one before has ended. Resolves when it is done or cannot go on. Never rejects. */
  search(parts: LackSearchParts): Promise<void> {
    this.#searching = this.#searching.then(() => this.#search(parts))
    return this.#searching
  }

  async #search({ database, signal }: LackSearchParts): Promise<void> {
    while (this.#searched < ALL && !signal.aborted) {
      const { lacking } = this
      const found = await readPiece(database.read, this.#searched).catch((error: unknown) => {
        // A piece that takes too long would do so again: it is passed over.
        return error instanceof StoreError && error.code !== 'timeout' ? null : () => undefined
      })
      if (found === null) return
      // A new book has begun meanwhile, and may begin behind what was read: it is read again.
      if (lacking !== this.lacking || lacking === null) continue
      found(lacking)
      this.#searched++
    }
  }
}
