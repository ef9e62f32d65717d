// External messages handed to the node by any method, reported to listeners before the node answers: a chain that makes a block at
// once answers when the block is there, and a prediction has to come before it.

import { type Cell, hashToBytes, MAX_DEPTH, openCell, readBoc, sameBytes } from '../../cell/index.ts'
import type { Chain } from '../../node/index.ts'
import { loadMessage, normalizedHash } from '../../tlb/index.ts'
import { keyOfAccount, rawOfKey } from '../keyOfAccount.ts'

export interface SentMessage {
  readonly cell: Cell
  readonly hash: Uint8Array
  readonly hashNorm: Uint8Array
  /** The account it is for, raw and uppercase. */
  readonly to: string
  /** Caller whose share of the TVM its emulation uses. */
  readonly share: string
  /** Resolves with whether the node accepted it. */
  readonly accepted: Promise<boolean>
}

/** Bytes; every chain refuses longer ones, whose cells take 20 ms to read and hash. */
const LONGEST = 65_535

type ReadMessage = Omit<SentMessage, 'share' | 'accepted'>

function readMessage(boc: Uint8Array): ReadMessage | null {
  try {
    const cell = readBoc(boc, { maxDepth: MAX_DEPTH })
    const message = loadMessage(openCell(cell))
    if (message.info.kind !== 'externalIn' || message.info.dest.kind !== 'std') return null
    const to = rawOfKey(keyOfAccount(message.info.dest))
    return { cell, hash: cell.hashBytes(), hashNorm: hashToBytes(normalizedHash(message)), to }
  } catch {
    // The node refuses it, with the reason.
    return null
  }
}

/** Of those that are remembered; their bytes together. */
const RECENT = { messages: 256, bytes: 1 << 20, ms: 30_000 }

interface Recent extends Pick<SentMessage, 'share' | 'accepted'> {
  readonly boc: Uint8Array
  readonly at: number
  /** Null for what is no such message; undefined until it is read. */
  message?: ReadMessage | null
}

export class SentMessages {
  readonly #listeners = new Set<(message: SentMessage) => void>()
  /** Oldest first. */
  readonly #recent = new Set<Recent>()
  #recentBytes = 0

  /** Calls back with each message until the returned function is called. */
  onSent(listener: (message: SentMessage) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** One that was sent a short while ago, for a stream that begins after it. Those are read when one is looked for. */
  *finding(hashNorm: Uint8Array): Generator<void, SentMessage | null> {
    const since = performance.now() - RECENT.ms
    for (const one of [...this.#recent].filter(({ at }) => at >= since)) {
      if (one.message === undefined) one.message = readMessage(one.boc)
      const { message, share, accepted } = one
      if (message !== null && sameBytes(message.hashNorm, hashNorm)) return { ...message, share, accepted }
      yield
    }
    return null
  }

  /** The same chain, whose sending is noticed. */
  watch(chain: Chain): Chain {
    return {
      ...chain,
      send: (boc, options) => {
        const sending = chain.send(boc, options)
        this.#notice(boc, options?.share ?? '', sending)
        return sending
      },
    }
  }

  /** Notices a message that another process has sent. */
  sentElsewhere(boc: Uint8Array, share: string): void {
    this.#notice(boc, share, Promise.resolve())
  }

  #notice(boc: Uint8Array, share: string, sending: Promise<void>): void {
    if (boc.length > LONGEST) return
    const accepted = sending.then(
      () => true,
      () => false,
    )
    const recent: Recent = { boc, share, accepted, at: performance.now() }
    this.#remember(recent)
    if (this.#listeners.size === 0) return
    const message = readMessage(boc)
    recent.message = message
    if (message === null) return
    for (const listener of [...this.#listeners]) listener({ ...message, share, accepted })
  }

  #remember(one: Recent): void {
    this.#recent.add(one)
    this.#recentBytes += one.boc.length
    for (const oldest of this.#recent) {
      if (this.#recent.size <= RECENT.messages && this.#recentBytes <= RECENT.bytes) break
      this.#forget(oldest)
    }
    void one.accepted.then((isAccepted) => {
      if (!isAccepted) this.#forget(one)
    })
  }

  #forget(one: Recent): void {
    if (this.#recent.delete(one)) this.#recentBytes -= one.boc.length
  }
}
