// Contracts whose get-methods met a bound are left alone for a while: one that sends itself messages would otherwise be run
// into the same bound in every block, and the index would wait for it each time.

import { LRUCache } from 'lru-cache'
import { type BinaryHash, sha256 } from '../../cell/index.ts'
import type { RunnableContract } from '../../contracts/index.ts'
import { accountKey } from '../../facts/index.ts'
import { upTo } from '../upTo.ts'

export interface RunLimitsOptions {
  /** Milliseconds from any origin. */
  readonly now?: () => number
}

export interface RunBounds {
  /** Processor time in milliseconds. */
  readonly timeLimitMs: number
  readonly gasLimit: bigint
}

interface Strikes {
  readonly count: number
  /** Not run before then. */
  readonly until: number
}

const FIRST_PAUSE_MS = 10_000
const LONGEST_PAUSE_MS = 3_600_000
const KEPT = 10_000
/** So many contracts of a code may meet a bound, each by its own data, before others of the same code are left alone too. */
const MOST_OF_A_CODE = 8
/** What a run may take, and what is left of it once so much time was wasted. 1 M gas takes up to 600 ms, a token 1 ms. */
const PATIENT: RunBounds = { timeLimitMs: 2000, gasLimit: 1_000_000n }
const IMPATIENT: RunBounds = { timeLimitMs: 250, gasLimit: 100_000n }
const MOST_WASTED_MS = 2000
/** A run of more gas is waste, although it ends: tokens take some ten thousand. */
const COSTLY_GAS = 100_000
const MS_OF_GAS = 600 / 1_000_000
/** Of every second so many milliseconds of waste are forgiven. */
const FORGIVEN_PER_SECOND_MS = 100

const NO_DATA = new Uint8Array(32)

/** What contracts are known by: the account under its code, code with its data, the code alone. */
function namesOf({ workchain, hash, code, data }: RunnableContract, methodId: number) {
  const method = Buffer.of(methodId >> 16, (methodId >> 8) & 0xff, methodId & 0xff)
  const name = (kind: number, bytes: Uint8Array): BinaryHash =>
    sha256(Buffer.concat([Buffer.of(kind), method, code.hashBytes(), bytes]))
  return {
    account: name(0, accountKey(workchain, hash)),
    state: name(1, data?.hashBytes() ?? NO_DATA),
    code: name(2, NO_DATA),
  }
}

export class RunLimits {
  readonly #now: () => number
  readonly #strikes = new LRUCache<BinaryHash, Strikes>(upTo(KEPT))
  #wastedMs = 0
  #wastedAt: number

  constructor({ now = () => performance.now() }: RunLimitsOptions = {}) {
    this.#now = now
    this.#wastedAt = now()
  }

  /** Whether a method of a contract may be run now. */
  allows(contract: RunnableContract, methodId: number): boolean {
    if (this.#strikes.size === 0) return true
    const { account, state, code } = namesOf(contract, methodId)
    return ![account, state, code].some((name) => (this.#strikes.get(name)?.until ?? 0) > this.#now())
  }

  /** Of the next run. */
  bounds(): RunBounds {
    this.#forgive()
    return this.#wastedMs < MOST_WASTED_MS ? PATIENT : IMPATIENT
  }

  /** A run ended by itself after so much gas. */
  ended(gasUsed: number): void {
    if (gasUsed > COSTLY_GAS) this.#waste(gasUsed * MS_OF_GAS)
  }

  /** A run met a bound after so many milliseconds. */
  met(contract: RunnableContract, methodId: number, ms: number): void {
    const { account, state, code } = namesOf(contract, methodId)
    this.#strike(account, 1)
    this.#strike(state, 1)
    this.#strike(code, MOST_OF_A_CODE)
    this.#waste(Math.min(ms, PATIENT.timeLimitMs))
  }

  #waste(ms: number): void {
    this.#forgive()
    this.#wastedMs += ms
  }

  #strike(name: BinaryHash, free: number): void {
    const count = (this.#strikes.get(name)?.count ?? 0) + 1
    const pause = count < free ? 0 : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (count - free))
    this.#strikes.set(name, { count, until: this.#now() + pause })
  }

  #forgive(): void {
    const now = this.#now()
    const forgiven = ((now - this.#wastedAt) / 1000) * FORGIVEN_PER_SECOND_MS
    this.#wastedMs = Math.max(0, this.#wastedMs - forgiven)
    this.#wastedAt = now
  }
}
