// External messages handed to the node by any method, reported to listeners before the node answers: a chain that makes a block at
// once answers when the block is there, and a prediction has to come before it.

import { type Cell, hashToBytes, MAX_DEPTH, openCell, readBoc } from '../../cell/index.ts'
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

function readMessage(boc: Uint8Array): Omit<SentMessage, 'share' | 'accepted'> | null {
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

export class SentMessages {
  readonly #listeners = new Set<(message: SentMessage) => void>()

  /** Calls back with each message until the returned function is called. */
  onSent(listener: (message: SentMessage) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
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
    if (this.#listeners.size === 0 || boc.length > LONGEST) return
    const message = readMessage(boc)
    if (message === null) return
    const accepted = sending.then(
      () => true,
      () => false,
    )
    for (const listener of [...this.#listeners]) listener({ ...message, share, accepted })
  }
}
