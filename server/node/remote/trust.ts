// The newest masterchain block that is proven to continue the trusted chain. Trust goes over key blocks, each signed by the
// validators named in the one before it, and is stored between starts; a new head costs one step from the newest key block.

import type { MasterchainInfo } from '../answers.ts'
import { type BlockIdExt, blockText, isSameBlock, MASTERCHAIN, WHOLE_SHARD } from '../blockId.ts'
import { boundedWait } from '../bounded.ts'
import type { ChainHead, ReadOptions } from '../chain.ts'
import { LiteError } from '../errors.ts'
import { attemptOn, chainParts, headerParts, type LiteOptions, type LiteServer } from '../liteServer.ts'
import { KnownValidators, ProofError, stateHashOf, verifyBlockProof, verifyHeader } from '../verify/index.ts'
import { demandFreshKey } from './freshness.ts'
import type { TrustStart } from './networks.ts'
import { stillThere } from './stillThere.ts'
import { SyncProgress, type SyncReport, syncText } from './syncProgress.ts'
import { keptRecord, type ProvenAt, type TrustRecord, type TrustStore } from './trustFile.ts'
import { TrustSaver } from './trustSaver.ts'

/**
 * How block ids become trusted. `full`: each head and each look-up is proven. `sampled`: one in sixteen is. `off`: none.
 * Answers about a block are always checked against its hashes.
 */
export type ProofPolicy = 'full' | 'sampled' | 'off'

export interface TrustOptions {
  /** Where trust starts; null: at the zerostate the server reports first, unproven. */
  readonly start?: TrustStart | null
  readonly policy?: ProofPolicy
  /** Seconds a head may be ahead of the clock; null for a chain whose owner sets its clock. */
  readonly aheadS?: number | null
  /** Accept a newest key block older than two terms of validators. */
  readonly isStaleAccepted?: boolean
  readonly store?: TrustStore | null
  /** While more than one answer is needed to reach the head. */
  readonly onProgress?: (report: SyncReport) => void
  /** Called when the record could not be stored; proving continues. */
  readonly onTrouble?: (text: string) => void
  /** Milliseconds since 1970. */
  readonly clock?: () => number
}

export type ProvenHead = Omit<ChainHead, 'now'>

/** Unproven facts of the server. */
export type ServerWords = Pick<MasterchainInfo, 'version' | 'capabilities' | 'now'>

export interface TrustStatus {
  readonly head: ProvenHead | null
  /** The proof in progress, when it takes more than one answer. */
  readonly sync: SyncReport | null
  /** Why the last head could not be proven; null when it was. */
  readonly trouble: string | null
  /** No server has the proven head any more, and none has a newer one. */
  readonly isUndone: boolean
}

const REQUEST_MS = 15_000
/** `sampled` proves one head in this many. */
export const SAMPLE = 16

/** How servers refuse a starting block that they do not have. */
const UNKNOWN_START = /unknown from the perspective|not known|not in db|no such block|invalid BlockIdExt/

const hashBytes = (hash: string): Uint8Array => Buffer.from(hash, 'latin1')

interface Claim {
  /** The server that must prove it. */
  readonly server: LiteServer
  readonly id: BlockIdExt
  /** Unproven, for estimates. */
  readonly utime: number
}

export class Trust {
  readonly #server: LiteServer
  readonly #options: TrustOptions
  readonly #clock: () => number
  readonly #validators = new KnownValidators()
  readonly #gone = new AbortController()
  readonly #saver: TrustSaver | null
  #record: TrustRecord | null
  #head: ProvenHead | null = null
  #work: { readonly target: BlockIdExt; readonly done: Promise<void> } | null = null
  #sync: SyncReport | null = null
  #trouble: string | null = null
  #isUndone = false
  #freshKey: BlockIdExt | null = null

  /** `record`: what was proven before, of the same network. */
  constructor(server: LiteServer, options: TrustOptions = {}, record: TrustRecord | null = null) {
    this.#server = server
    this.#options = options
    this.#clock = options.clock ?? Date.now
    const { start = null, store = null, onTrouble = () => undefined } = options
    const isKept = store !== null && this.policy !== 'off'
    this.#saver = isKept ? new TrustSaver({ store, onTrouble, clock: this.#clock }) : null
    this.#record = record ?? (start === null ? null : recordOf(start))
  }

  get policy(): ProofPolicy {
    return this.#options.policy ?? 'full'
  }

  /** The newest block proven so far. */
  get head(): ProvenHead | null {
    return this.#head
  }

  status(): TrustStatus {
    return { head: this.#head, sync: this.#sync, trouble: this.#trouble, isUndone: this.#isUndone }
  }

  /** The newest block, proven. A server that lags does not take a proven one back. Rejects with LiteError or ProofError. */
  async read(options: LiteOptions = {}): Promise<ChainHead> {
    const { server, ...head } = await this.readWithInfo(options)
    return { ...head, now: server.now }
  }

  /** The same with the server's own version and clock. */
  readWithInfo(options: LiteOptions = {}): Promise<ProvenHead & { readonly server: ServerWords }> {
    return attemptOn(this.#server, (server) => this.#readFrom(server, options), { ...options, newest: true })
  }

  async #readFrom(server: LiteServer, options: LiteOptions) {
    const { last, init, now, lastUtime, version, capabilities } = await server.masterchainInfo(options)
    const { workchain, rootHash, fileHash } = init
    const zerostate = { workchain, shard: WHOLE_SHARD, seqno: 0, rootHash, fileHash }
    this.#record ??= recordOf({ zerostate, block: zerostate })
    if (workchain !== MASTERCHAIN || !isSameBlock(zerostate, this.#record.zerostate))
      throw new ProofError('trust', 'the lite server is one of another network: it began with another zerostate')
    const head = await this.#reach({ server, id: last, utime: lastUtime }, options)
    return { ...head, server: { version, capabilities, now } }
  }

  /** Proves a head that was pushed. */
  async reach(id: BlockIdExt, options: ReadOptions = {}): Promise<ProvenHead> {
    if (this.#record === null) await this.read(options)
    const utime = this.#clock() / 1000
    const work = (server: LiteServer): Promise<ProvenHead> => this.#reach({ server, id, utime }, options)
    return await attemptOn(this.#server, work, { ...options, about: id, newest: true })
  }

  async #reach(claim: Claim, options: ReadOptions): Promise<ProvenHead> {
    for (;;) {
      const head = this.#head
      if (head !== null && (claim.id.seqno < head.id.seqno || isSameBlock(claim.id, head.id))) return head
      const running = this.#work
      if (running === null || isSameBlock(running.target, claim.id)) {
        await boundedWait((running ?? this.#start(claim)).done, options, () => this.#words())
      } else {
        // That proof is for another claim, which may be a lie; this claim is proven separately.
        const settled = running.done.catch(() => undefined)
        await boundedWait(settled, options, () => this.#words())
      }
    }
  }

  /** Checks that servers still have the proven head, after one went back. Never rejects. */
  async confirm(): Promise<void> {
    const head = this.#head
    const found = head === null ? null : await stillThere(this.#server, head.id, this.#gone.signal)
    if (found !== null && this.#head === head) this.#isUndone = !found
  }

  /** Stops the proof in progress and stores what was proven. */
  async close(): Promise<void> {
    this.#gone.abort()
    await this.#work?.done.catch(() => undefined)
    await this.#saver?.flush()
  }

  #words(): string {
    return this.#sync === null ? 'timeout' : `the chain is still being proven: ${syncText(this.#sync)}`
  }

  #start(claim: Claim): { readonly target: BlockIdExt; readonly done: Promise<void> } {
    const done = this.#lead(claim)
      .then(
        () => {
          this.#trouble = null
        },
        (error: unknown) => {
          this.#trouble = error instanceof Error ? error.message : String(error)
          throw error
        },
      )
      .finally(() => {
        this.#work = null
        this.#sync = null
      })
    this.#work = { target: claim.id, done }
    return this.#work
  }

  /** Independent of its first caller: proving from the start may take longer than any caller waits. */
  async #lead(claim: Claim): Promise<void> {
    const options = { timeoutMs: REQUEST_MS, signal: this.#gone.signal }
    const record = this.#recorded()
    if (claim.id.seqno < record.last.id.seqno)
      throw new LiteError('notReady', this.#behindWords(claim.id.seqno, record.last.id.seqno))
    const isProven = this.#mustProve(claim.id)
    if (isProven) await this.#prove(claim, options)
    const header = await claim.server.header(claim.id, headerParts.stateUpdate, options)
    const found = verifyHeader(claim.id, header)
    const utime = found.info.genUtime
    this.#demandPast(claim.id, utime)
    await this.#demandFresh(claim, options)
    this.#isUndone = false
    this.#head = { id: claim.id, utime, stateHash: hashBytes(stateHashOf(found)), zerostate: record.zerostate }
    if (isProven) this.#keep({ last: { id: claim.id, utime } })
  }

  #behindWords(claimed: number, proven: number): string {
    const { store = null } = this.#options
    const file = store === null ? '' : `; if the chain was reverted, delete ${store.name} and start again`
    return `the lite server is at block ${claimed}, behind block ${proven}, which is proven${file}`
  }

  #recorded(): TrustRecord {
    if (this.#record === null) throw new ProofError('trust', 'nothing to start trust from')
    return this.#record
  }

  #mustProve(target: BlockIdExt): boolean {
    if (this.policy !== 'sampled') return this.policy === 'full'
    return this.#head === null || target.seqno >= this.#recorded().last.id.seqno + SAMPLE
  }

  async #prove(target: Claim, options: ReadOptions): Promise<void> {
    const { key } = this.#recorded()
    const progress = new SyncProgress({ seqno: target.id.seqno, utime: target.utime }, key.utime, this.#clock)
    for (let at = key.id; !isSameBlock(at, target.id); ) {
      if (target.id.seqno <= at.seqno)
        throw new ProofError(
          'answer',
          `block ${blockText(target.id)} is not on the chain of the trusted ${blockText(at)}`,
        )
      const chain = verifyBlockProof(at, target.id, await this.#proof(at, target, options), this.#validators)
      // Each answer must make progress, or a server could hold us forever.
      if (chain.block.seqno <= at.seqno) throw new ProofError('link', 'a proof that does not lead on')
      at = chain.block
      const { keyBlock, keyUtime } = chain
      const isNewer = keyBlock !== null && keyBlock.seqno > this.#recorded().key.id.seqno
      if (isNewer) this.#keep({ key: { id: keyBlock, utime: keyUtime }, last: { id: at, utime: chain.utime } })
      if (chain.complete) continue
      this.#sync = progress.report(at.seqno, chain.utime)
      this.#options.onProgress?.(this.#sync)
    }
  }

  async #proof(at: BlockIdExt, { server, id }: Claim, options: ReadOptions) {
    try {
      return await server.blockProof(at, id, chainParts.nearReference, options)
    } catch (error) {
      if (!(error instanceof LiteError) || !UNKNOWN_START.test(error.message)) throw error
      const { store = null } = this.#options
      const words =
        `block ${at.seqno}, which is trusted, is unknown to the lite server (${error.message}): the network may have ` +
        'been forked or reverted; use a newer configuration of it'
      const file = store === null ? '' : `, or delete ${store.name} to prove its chain from the start`
      throw new LiteError(error.code, words + file, { cause: error })
    }
  }

  #demandPast(id: BlockIdExt, utime: number): void {
    const { aheadS = null } = this.#options
    const ahead = utime - this.#clock() / 1000
    if (aheadS !== null && ahead > aheadS)
      throw new ProofError(
        'trust',
        `block ${id.seqno} was made ${Math.round(ahead)} s in the future, where ${aheadS} s are allowed: set this ` +
          "machine's clock, or use other lite servers",
      )
  }

  async #demandFresh({ server, id }: Claim, options: ReadOptions): Promise<void> {
    const { key } = this.#recorded()
    const isKnown = this.#freshKey !== null && isSameBlock(this.#freshKey, key.id)
    if (this.policy === 'off' || this.#options.isStaleAccepted === true || isKnown) return
    await demandFreshKey(server, { head: id, key, now: this.#clock() / 1000 }, options)
    this.#freshKey = key.id
  }

  #keep(proven: { readonly key?: ProvenAt; readonly last: ProvenAt }): void {
    this.#record = { ...this.#recorded(), ...proven }
    this.#saver?.keep(this.#record, { isKey: proven.key !== undefined })
  }
}

function recordOf({ zerostate, block }: TrustStart): TrustRecord {
  const at = { id: block, utime: null }
  return { zerostate, start: block, key: at, last: at }
}

/** Trust from the stored record, or from its start. Rejects with TrustError when the record must not be used. */
export async function openTrust(server: LiteServer, options: TrustOptions & { readonly start: TrustStart }) {
  const { store = null, start } = options
  const kept = store === null ? null : await keptRecord(store, { zerostate: start.zerostate, start: start.block })
  return new Trust(server, options, kept)
}
