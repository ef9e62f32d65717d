// Proven heads as reads return them, with what a server last reported of itself. Most reads come between two blocks: they get
// the same objects until there is another report.

import { haveSameHashes, isSameBlock } from '../blockId.ts'
import type { ChainHead } from '../chain.ts'
import type { MasterchainInfo } from '../liteAnswers.ts'
import type { LiteServer } from '../liteServer.ts'
import type { ProvenHead, ServerWords } from './trustOptions.ts'

/** A proven head with what its server reports of itself. */
export type FoundHead = ProvenHead & { readonly server: ServerWords }

export function foundBy(head: ProvenHead, { version, capabilities, now }: MasterchainInfo): FoundHead {
  return { ...head, server: { version, capabilities, now } }
}

export class FoundHeads {
  readonly #server: Pick<LiteServer, 'heard'>
  #heard: { readonly head: ProvenHead; readonly info: MasterchainInfo; readonly found: FoundHead } | null = null
  #shown: { readonly found: FoundHead; readonly head: ChainHead } | null = null

  constructor(server: Pick<LiteServer, 'heard'>) {
    this.#server = server
  }

  /** When the servers' newest block is the proven one. */
  newest(head: ProvenHead | null): FoundHead | null {
    const info = head === null ? null : (this.#server.heard?.() ?? null)
    if (this.#heard !== null && this.#heard.head === head && this.#heard.info === info) return this.#heard.found
    if (head === null || info === null || !isSameBlock(info.last, head.id)) return null
    if (!haveSameHashes(info.init, head.zerostate)) return null
    const found = foundBy(head, info)
    this.#heard = { head, info, found }
    return found
  }

  /** When the servers report a newer block than the proven one. */
  before(head: ProvenHead): FoundHead | null {
    const info = this.#server.heard?.() ?? null
    if (info === null || info.last.seqno <= head.id.seqno || !haveSameHashes(info.init, head.zerostate)) return null
    return foundBy(head, info)
  }

  shown(found: FoundHead): ChainHead {
    if (this.#shown?.found !== found) {
      const { server, branch: _, keyBlock: __, ...head } = found
      this.#shown = { found, head: { ...head, now: server.now } }
    }
    return this.#shown.head
  }
}
