// A chain that was forked off a network: what it lacks is read from the network when it is needed first, and put into its next
// block. Until then messages to it wait.

import { toRawUpper } from '../../../shared/address.ts'
import { type BinaryHash, type Cell, hashToBytes, libraryNamesIn } from '../../cell/index.ts'
import { failureText, inParallel, pause, SameTrouble } from '../../process/index.ts'
import type { AccountName } from '../collate/index.ts'
import { type AccountPatch, BASECHAIN, isAbsent, MASTERCHAIN, type Moment } from '../state/index.ts'
import type { Warn } from '../warn.ts'
import type { ForkedNetwork } from './forkedNetwork.ts'
import { type Imports, importKey } from './imports.ts'

/** Between two attempts to read what messages wait for. */
const PAUSE_MS = 1_000
/** Accounts that are read from the network at once: a message may lead to hundreds. */
const READ_AT_ONCE = 16
/** Cells of a tree that are searched for libraries: references stand for code, near the top of what contracts keep. */
const MOST_CELLS = 2_000
/** Libraries of one tree. */
const MOST_LIBRARIES = 64

/** How many new accounts in a row a message is followed to before a block by hand; what lies behind comes with a later block. */
const MOST_ROUNDS = 16

/** Nanotons: pays for the storage of all libraries. */
const LIBRARIES_BALANCE = 10n ** 15n
/** The account of the masterchain that publishes libraries of the network: a library is there as long as an account publishes it. */
const LIBRARIES_ACCOUNT = Buffer.from('libraries of the forked network'.padEnd(32), 'latin1')

/** What a fork needs of its chain. */
export interface ForkedChain {
  readonly moment: () => Moment
  /** Makes a block with the changes that are selected when its turn comes. */
  readonly place: (select: () => readonly AccountPatch[]) => Promise<void>
  /** Whether the chain began with an account of this name. */
  readonly isBorn: (account: AccountName) => boolean
  /** A needed account was read. */
  readonly wake: () => void
}

export interface ForkParts {
  readonly network: ForkedNetwork
  readonly imports: Imports
  readonly warn: Warn
}

/** What a message waits for. */
interface Needed {
  readonly account: AccountName
  readonly message: Cell
}

export class ForkedAccounts {
  readonly network: ForkedNetwork
  readonly #parts: ForkParts
  #chain: ForkedChain | null = null
  readonly #needed = new Map<string, Needed>()
  #attempt: Promise<boolean> = Promise.resolve(true)
  readonly #closing = new AbortController()
  readonly #trouble = new SameTrouble()
  #isReading = false

  constructor(parts: ForkParts) {
    this.network = parts.network
    this.#parts = parts
  }

  /** Before the first account is needed. */
  attach(chain: ForkedChain): void {
    this.#chain = chain
  }

  close(): void {
    this.#closing.abort()
  }

  /** How many accounts were put into the chain. */
  get imported(): number {
    return this.#parts.imports.size
  }

  /** How many accounts of the network messages wait for. */
  get waiting(): number {
    return this.#needed.size
  }

  /** The one they have waited for longest, in raw form; null where there is none. */
  get longestWaiting(): string | null {
    const [first] = this.#needed.values()
    return first === undefined ? null : toRawUpper({ ...first.account, hash: first.account.id })
  }

  /** Whether an account that is absent from the newest state may be in the network. */
  mayHave(account: AccountName): boolean {
    if (this.#parts.imports.has(account, Number.POSITIVE_INFINITY) || this.#chain?.isBorn(account)) return false
    return !this.network.isAbsent({ workchain: account.workchain, hash: account.id })
  }

  /** The same of the state after a masterchain block. */
  mayHaveAt(account: AccountName, seqno: number): boolean {
    return !this.#parts.imports.has(account, seqno) && this.#chain?.isBorn(account) !== true
  }

  /** Whether a library that the message refers to is not in the chain and may be in the network. */
  mayHaveLibrary(message: Cell): boolean {
    return this.#missing([message]).some((name) => !this.network.lacksLibrary(name))
  }

  /** A message in a block is for the account: it is read with the libraries it needs, as often as it takes. */
  need(account: AccountName, message: Cell): void {
    this.#needed.set(importKey(account), { account, message })
    if (this.#isReading) return
    this.#isReading = true
    void this.#readNeeded()
  }

  /** Resolves when all that messages wait for was read, or could not be read. */
  async #settled(): Promise<void> {
    while (this.#needed.size > 0 && !this.#closing.signal.aborted && (await this.#attempt));
  }

  /** Reads what the messages of the next block will need, as far as they lead. `rehearse` makes that block and drops it. */
  async readBefore(rehearse: () => Promise<void>): Promise<void> {
    for (let round = 0; round < MOST_ROUNDS; round++) {
      // Why it cannot be made is said when it is made.
      await rehearse().catch(() => undefined)
      if (this.#needed.size === 0) return
      await this.#settled()
      if (this.#needed.size > 0) return
    }
  }

  async #readNeeded(): Promise<void> {
    while (this.#needed.size > 0 && !this.#closing.signal.aborted) {
      this.#attempt = this.#tryNeeded([...this.#needed])
      if ((await this.#attempt) || this.#closing.signal.aborted) continue
      this.#chain?.wake()
      await pause(PAUSE_MS, this.#closing.signal)
    }
    this.#isReading = false
    this.#chain?.wake()
  }

  async #tryNeeded(some: readonly (readonly [string, Needed])[]): Promise<boolean> {
    const all = some.map(([, needed]) => needed)
    try {
      await this.bring(
        all.map(({ account }) => account),
        all.map(({ message }) => message),
      )
      // Another message to the account may have come meanwhile, with other libraries.
      for (const [key, needed] of some) if (this.#needed.get(key) === needed) this.#needed.delete(key)
      this.#trouble.end()
      return true
    } catch (error) {
      for (const [key, { account, message }] of this.#needed)
        if (!this.#isLacking(account) && !this.mayHaveLibrary(message)) this.#needed.delete(key)
      const text = failureText(error)
      if (!this.#closing.signal.aborted && this.#trouble.isNew(text))
        this.#parts.warn('Messages wait for accounts of the forked network', {
          accounts: some.length,
          first: this.longestWaiting,
          error: text,
        })
      return false
    }
  }

  /**
   * Puts accounts of the network into the chain, with the libraries that they and these trees of cells refer to. Resolves when they
   * are in a block, at once where there are none, with whether there were any. Rejects with LiteError when the network cannot
   * be read. `share`: whose calls of lite servers these are.
   */
  async bring(accounts: readonly AccountName[], roots: readonly Cell[] = [], share?: string): Promise<boolean> {
    const chain = this.#chain
    if (chain === null) return false
    const lacking = accounts.filter((account) => this.#isLacking(account))
    const read = await inParallel(lacking, READ_AT_ONCE, async ({ workchain, id }) => {
      const [one] = await Promise.allSettled([this.network.account({ workchain, hash: id }, share)])
      return { workchain, id, one }
    })
    const copies = read.flatMap(({ workchain, id, one }) =>
      one.status === 'fulfilled' && one.value !== null ? [{ workchain, id, copy: one.value }] : [],
    )
    const libraries = await this.#librariesOf([...copies.map(({ copy }) => copy.account), ...roots], share)
    if (copies.length + libraries.length > 0 && !this.#closing.signal.aborted)
      await chain.place(() => {
        const still = copies.filter((account) => this.#isLacking(account))
        const absent = this.#unpublished(libraries)
        const publishing = {
          workchain: MASTERCHAIN,
          id: LIBRARIES_ACCOUNT,
          balance: LIBRARIES_BALANCE,
          libraries: absent,
        }
        return absent.length === 0 ? still : [...still, publishing]
      })
    // What could be read is there.
    for (const { one } of read) if (one.status === 'rejected') throw one.reason
    return copies.length + libraries.length > 0
  }

  /** Those of the network that these trees refer to, and those that they refer to themselves, which the chain does not have. */
  async #librariesOf(roots: readonly Cell[], share?: string): Promise<readonly Cell[]> {
    const all = new Map<BinaryHash, Cell>()
    for (let trees = roots; trees.length > 0 && all.size < MOST_LIBRARIES; ) {
      const missing = this.#missing(trees).filter((name) => !all.has(name))
      trees = missing.length === 0 ? [] : [...(await this.network.libraries(missing, { share })).values()]
      for (const root of trees) all.set(root.hash(), root)
    }
    return [...all.values()]
  }

  #missing(roots: readonly Cell[]): readonly BinaryHash[] {
    const published = this.#chain?.moment().master.details.libraries
    return [...namesIn(roots)].filter((name) => published?.has(hashToBytes(name)) !== true)
  }

  #unpublished(libraries: readonly Cell[]): readonly Cell[] {
    const published = this.#chain?.moment().master.details.libraries
    return libraries.filter((root) => published?.has(root.hashBytes()) !== true)
  }

  #isLacking(account: AccountName): boolean {
    const moment = this.#chain?.moment()
    if (moment === undefined || (account.workchain !== MASTERCHAIN && account.workchain !== BASECHAIN)) return false
    const { accounts } = account.workchain === MASTERCHAIN ? moment.master : moment.shard
    const found = accounts.get(account.id)
    return (found === undefined || isAbsent(found.account)) && this.mayHave(account)
  }
}

/** Of the libraries that these trees refer to. */
function namesIn(roots: readonly Cell[]): ReadonlySet<BinaryHash> {
  const all = new Set<BinaryHash>()
  for (const root of roots) {
    let left = MOST_LIBRARIES
    for (const name of libraryNamesIn(root, MOST_CELLS)) {
      all.add(name)
      if (--left === 0) break
    }
  }
  return all
}
