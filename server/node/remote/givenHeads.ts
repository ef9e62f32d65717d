// Heads that another process has proven, for a chain that is read in this one as well: all processes of a service are on one
// branch, and each head is proven once.

import { aboutBlock } from '../aboutBlock.ts'
import type { ChainHead, HeadReport, ReadOptions } from '../chain.ts'
import type { MasterchainInfo } from '../liteAnswers.ts'
import { LiteError } from '../liteErrors.ts'
import { attemptOn, type LiteServer } from '../liteServer.ts'
import type { ProofPolicy, ProvenHead, TrustedHead } from './trustOptions.ts'

export class GivenHeads implements TrustedHead {
  readonly policy: ProofPolicy
  readonly #server: LiteServer
  readonly #listeners = new Set<(report: HeadReport) => void>()
  #head: ProvenHead | null = null
  /** What was read last: one object for all reads of a second. */
  #shown: { readonly of: ProvenHead; readonly head: ChainHead } | null = null

  constructor(server: LiteServer, policy: ProofPolicy) {
    this.#server = server
    this.policy = policy
  }

  get head(): ProvenHead | null {
    return this.#head
  }

  give(head: ProvenHead): void {
    if (head === this.#head) return
    const isOther = this.#head !== null && head.branch !== this.#head.branch
    this.#head = head
    for (const listener of this.#listeners) listener({ kind: 'head', id: head.id, isOther })
  }

  /** Rejects with LiteError before the first head, and while no server answers. */
  async read(options: ReadOptions = {}): Promise<ChainHead> {
    const read = (server: LiteServer): Promise<MasterchainInfo> => server.masterchainInfo(options)
    const { now } =
      this.#server.heard?.() ?? (await attemptOn(this.#server, read, aboutBlock(options, undefined, true)))
    if (this.#head === null) throw new LiteError('notReady', 'the newest block is being proven')
    if (this.#shown?.of !== this.#head || this.#shown.head.now !== now) {
      const { branch: _, keyBlock: __, ...head } = this.#head
      this.#shown = { of: this.#head, head: { ...head, now } }
    }
    return this.#shown.head
  }

  /** Proofs are made by another process: there is none to wait for. */
  readNewest(options?: ReadOptions): Promise<ChainHead> {
    return this.read(options)
  }

  follow(listener: (report: HeadReport) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}
