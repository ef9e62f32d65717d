// The newest masterchain block that is proven to continue the trusted chain. Kept between calls: each new head is proven
// from the last one, a step or two.

import { type BlockIdExt, blockText, isSameBlock, MASTERCHAIN, WHOLE_SHARD } from '../blockId.ts'
import type { ChainHead } from '../chain.ts'
import { attemptOn, chainParts, headerParts, type LiteOptions, type LiteServer } from '../liteServer.ts'
import { ProofError, stateHashOf, verifyBlockProof, verifyHeader } from '../verify/index.ts'

type ProvenHead = Omit<ChainHead, 'now'>

const hashBytes = (hash: string): Uint8Array => Buffer.from(hash, 'latin1')

export class TrustedHead {
  readonly #server: LiteServer
  /** The last block that was proven; the start before any was. */
  #trusted: BlockIdExt | null
  #zerostate: BlockIdExt | null = null
  #head: ProvenHead | null = null

  /** `start`: the block trust begins with; when null, the zerostate the server names first. */
  constructor(server: LiteServer, start: BlockIdExt | null) {
    this.#server = server
    this.#trusted = start
  }

  /** The newest proven block. A server that lags behind it does not take it back. Rejects with LiteError or ProofError. */
  read(options: LiteOptions = {}): Promise<ChainHead> {
    return attemptOn(this.#server, (server) => this.#readFrom(server, options), { ...options, newest: true })
  }

  async #readFrom(server: LiteServer, options: LiteOptions): Promise<ChainHead> {
    const { last, init, now } = await server.masterchainInfo(options)
    const known = this.#head
    if (known !== null && (last.seqno < known.id.seqno || isSameBlock(last, known.id))) return { ...known, now }
    const { workchain, rootHash, fileHash } = init
    const zerostate = { workchain, shard: WHOLE_SHARD, seqno: 0, rootHash, fileHash }
    const trusted = this.#trusted ?? zerostate
    await this.#prove(server, trusted, last, options)
    const head = {
      ...(await this.#headOf(server, last, options)),
      zerostate: await this.#proveZerostate(server, last, zerostate, options),
    }
    // Another call may have got further meanwhile.
    if (this.#head === null || this.#head.id.seqno < last.seqno) {
      this.#trusted = last
      this.#head = head
    }
    return { ...(this.#head ?? head), now }
  }

  async #prove(server: LiteServer, from: BlockIdExt, to: BlockIdExt, options: LiteOptions): Promise<void> {
    for (let at = from; !isSameBlock(at, to); ) {
      if (to.seqno <= at.seqno)
        throw new ProofError('answer', `block ${blockText(to)} is not on the chain of the trusted ${blockText(at)}`)
      const answer = await server.blockProof(at, to, chainParts.nearReference, options)
      const { block } = verifyBlockProof(at, to, answer)
      // Each answer leads on, so that a server cannot hold us with steps in place.
      if (block.seqno <= at.seqno) throw new ProofError('link', 'a proof that does not lead on')
      at = block
    }
  }

  async #headOf(server: LiteServer, id: BlockIdExt, options: LiteOptions): Promise<Omit<ProvenHead, 'zerostate'>> {
    const found = verifyHeader(id, await server.header(id, headerParts.stateUpdate, options))
    return { id, utime: found.info.genUtime, stateHash: hashBytes(stateHashOf(found)) }
  }

  async #proveZerostate(
    server: LiteServer,
    head: BlockIdExt,
    named: BlockIdExt,
    options: LiteOptions,
  ): Promise<BlockIdExt> {
    if (this.#zerostate !== null) return this.#zerostate
    if (named.workchain !== MASTERCHAIN) throw new ProofError('answer', 'the zerostate is not one of the masterchain')
    const started = this.#trusted ?? named
    if (started.seqno > 0) {
      const answer = await server.blockProof(head, named, chainParts.nearReference, options)
      if (!verifyBlockProof(head, named, answer).complete)
        throw new ProofError('link', 'the way to the zerostate is cut short')
    }
    this.#zerostate = started.seqno > 0 ? named : started
    return this.#zerostate
  }
}
