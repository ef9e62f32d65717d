// Messages accepted here, or by another process of this chain, that are not indexed yet. Kept by their normalised hash
// within bounds: a dropped one is only no longer listed. Those of other processes never displace those sent here.

import { base64Of, type Cell, hashToBytes, MAX_DEPTH, openCell, readBoc, sameBytes } from '../../cell/index.ts'
import { loadMessage, normalizedHash } from '../../tlb/index.ts'
import { MessageShelf, type PendingMessage, type ShelfBounds } from './messageShelf.ts'

export interface PendingBounds extends ShelfBounds {
  /** Milliseconds a message without a block is listed. */
  readonly lifetimeMs: number
}

/** A message that another process says it sent. */
export interface ForeignMessage {
  readonly boc: Uint8Array
  readonly hashNorm: Uint8Array
  readonly caller: string
  readonly ageMs: number
}

export interface PendingMessagesOptions {
  /** Milliseconds that only grow: by a clock that is set back, nothing would expire until it has caught up. */
  readonly now?: () => number
  /** Called with each message that was sent here, once. */
  readonly onSent?: (boc: Uint8Array, hashNorm: Uint8Array, share: string) => void
  /** Whether a message from before a revert still waits for a block; by default none does. */
  readonly waits?: (hashNorm: Uint8Array) => boolean
}

const defaultMempoolBounds: PendingBounds = { messages: 1000, cells: 100_000, lifetimeMs: 30_000 }
/** What one caller may take of the messages of other processes. */
const FOREIGN_PART = 4

function readMessage(boc: Uint8Array): { readonly cell: Cell; readonly hashNorm: Uint8Array } {
  const cell = readBoc(boc, { maxDepth: MAX_DEPTH })
  return { cell, hashNorm: hashToBytes(normalizedHash(loadMessage(openCell(cell)))) }
}

/** Null for what is not a message, or not the one it is said to be. */
function readForeign({ boc, hashNorm }: ForeignMessage): Cell | null {
  try {
    const read = readMessage(boc)
    return sameBytes(read.hashNorm, hashNorm) ? read.cell : null
  } catch {
    return null
  }
}

export class PendingMessages {
  readonly #lifetimeMs: number
  readonly #now: () => number
  readonly #onSent: NonNullable<PendingMessagesOptions['onSent']>
  readonly #waits: NonNullable<PendingMessagesOptions['waits']>
  readonly #own: MessageShelf
  readonly #foreign: MessageShelf
  /** Sent before the chain was reverted. Few of them still wait for a block. */
  readonly #undone = new WeakSet<PendingMessage>()
  #version = 0

  constructor(bounds: Partial<PendingBounds> = {}, options: PendingMessagesOptions = {}) {
    const { messages, cells, lifetimeMs } = { ...defaultMempoolBounds, ...bounds }
    const part = (whole: number): number => Math.ceil(whole / FOREIGN_PART)
    this.#lifetimeMs = lifetimeMs
    this.#now = options.now ?? (() => performance.now())
    this.#onSent = options.onSent ?? (() => undefined)
    this.#waits = options.waits ?? (() => false)
    this.#own = new MessageShelf({ messages, cells })
    this.#foreign = new MessageShelf({ messages, cells }, { messages: part(messages), cells: part(cells) })
  }

  /** Adds a message the node accepted; one that is known counts once, until it stops waiting for a block. Returns its hashes. */
  add(boc: Uint8Array, share = ''): Pick<PendingMessage, 'hash' | 'hashNorm'> {
    const { cell, hashNorm } = readMessage(boc)
    const message = { cell, hash: cell.hashBytes(), hashNorm, share, since: this.#now(), isShared: false }
    if (this.#addOwn(message)) this.#onSent(boc, hashNorm, share)
    return message
  }

  #addOwn(message: PendingMessage): boolean {
    const name = base64Of(message.hashNorm)
    const known = this.#own.get(name)
    if (known !== undefined && !this.isOver(known)) return false
    this.#own.remove(name)
    if (!this.#own.add(name, message)) return false
    this.#foreign.remove(name)
    this.#version++
    return true
  }

  /** Adds a message of another process; false for one that is known, false or beyond the bounds. */
  addForeign(foreign: ForeignMessage): boolean {
    const { hashNorm, caller, ageMs } = foreign
    const name = base64Of(hashNorm)
    const known = this.#get(name)
    if (known !== undefined && !this.isOver(known)) return false
    const cell = readForeign(foreign)
    if (cell === null) return false
    this.#dropExpired()
    if (known !== undefined) this.remove(known)
    const since = this.#now() - ageMs
    const message = { cell, hash: cell.hashBytes(), hashNorm, share: `shared:${caller}`, since, isShared: true }
    if (!this.#foreign.add(name, message)) return false
    this.#version++
    return true
  }

  /**
   * Whether a message with this normalised hash is on its way. One that has waited too long, or was sent before the chain was reverted,
   * is not, and may be sent again.
   */
  has(hashNorm: Uint8Array): boolean {
    const message = this.#get(base64Of(hashNorm))
    if (message === undefined) return false
    if (this.#isExpired(message)) this.remove(message)
    return !this.isOver(message)
  }

  /** The chain was reverted: of the messages sent before, only those it took back still wait for a block. */
  reverted(): void {
    for (const message of this.all()) this.#undone.add(message)
    this.#version++
  }

  get isEmpty(): boolean {
    return this.#own.size + this.#foreign.size === 0
  }

  /** Changes with every message and every revert. */
  get version(): number {
    return this.#version
  }

  /** In order of arrival, those of other processes last. */
  all(): readonly PendingMessage[] {
    return [...this.#own.all(), ...this.#foreign.all()]
  }

  /** Whether a message that is in no block has stopped waiting for one. */
  isOver(message: PendingMessage): boolean {
    return this.#isExpired(message) || this.#isUndone(message)
  }

  #isExpired({ since }: PendingMessage): boolean {
    return this.#now() - since > this.#lifetimeMs
  }

  #isUndone(message: PendingMessage): boolean {
    return this.#undone.has(message) && !this.#waits(message.hashNorm)
  }

  remove({ hashNorm }: PendingMessage): void {
    for (const shelf of [this.#own, this.#foreign]) shelf.remove(base64Of(hashNorm))
  }

  #get(name: string): PendingMessage | undefined {
    return this.#own.get(name) ?? this.#foreign.get(name)
  }

  /** No reader may come by who would remove them, and a caller has only its part. */
  #dropExpired(): void {
    for (const message of this.#foreign.all()) if (this.#isExpired(message)) this.remove(message)
  }
}
