// The newest masterchain block that is proven to continue the trusted chain. Trust goes over key blocks, each signed by the
// validators named in the one before it, and is stored between starts; a new head costs one step from the newest key block.

import { failureText } from '../../process/index.ts'
import { type BlockIdExt, isSameBlock, MASTERCHAIN, WHOLE_SHARD } from '../blockId.ts'
import { boundedWait } from '../bounded.ts'
import type { ChainHead, ReadOptions } from '../chain.ts'
import { LiteError } from '../liteErrors.ts'
import { attemptOn, type LiteOptions, type LiteServer } from '../liteServer.ts'
import { type Clock, systemClock } from '../systemClock.ts'
import { KnownValidators, ProofError, type ProvenBlock, stateHashOf } from '../verify/index.ts'
import { type FoundHead, FoundHeads, foundBy } from './foundHeads.ts'
import { demandFreshKey, demandPast } from './freshness.ts'
import { HeldBranch } from './heldBranch.ts'
import { KeptTrust } from './keptTrust.ts'
import type { TrustStart } from './networks.ts'
import { behindProven, type Claim, keyBlockOf, type QueriedClaim, queryClaim, walkProof } from './proofWalk.ts'
import { isCancelled, SharedProof } from './sharedProof.ts'
import { stillThere } from './stillThere.ts'
import { proofText, type SyncReport } from './syncProgress.ts'
import { keptRecord, type TrustRecord } from './trustFile.ts'
import type { ProofPolicy, ProvenHead, TrustedHead, TrustOptions, TrustStatus } from './trustOptions.ts'

const REQUEST_MS = 15_000
/** While a newer block is being proven, reads return one that became the head at most this long ago. */
const RECENT_MS = 3_000
/** `sampled` proves one head in this many. */
export const SAMPLE = 16

export class Trust implements TrustedHead {
  readonly #server: LiteServer
  readonly #options: TrustOptions
  readonly #clock: () => number
  readonly #timer: Clock
  readonly #validators = new KnownValidators()
  readonly #gone = new AbortController()
  readonly #kept: KeptTrust
  readonly #branch: HeldBranch
  readonly #found: FoundHeads
  readonly #listeners = new Set<(id: BlockIdExt) => void>()
  #head: ProvenHead | null = null
  #heldSince: number
  #work: SharedProof | null = null
  #sync: SyncReport | null = null
  #trouble: string | null = null
  #isUndone = false
  /** The head of a chain that was reverted, until another one is proven. */
  #leftHead: ProvenHead | null = null
  /** The last claim that was proven to be on another branch than the head. */
  #rival: BlockIdExt | null = null
  #branches = 0
  #freshKey: BlockIdExt | null = null

  /** `record`: what was proven before, of the same network. */
  constructor(server: LiteServer, options: TrustOptions = {}, record: TrustRecord | null = null) {
    this.#server = server
    this.#options = options
    this.#clock = options.clock ?? Date.now
    this.#timer = options.timer ?? systemClock
    this.#heldSince = this.#timer.now()
    const { onFork = () => undefined, onRevert = () => undefined } = options
    const clock = (): number => this.#timer.now() // the machine's own can be set back
    this.#kept = new KeptTrust(record, options, clock)
    this.#found = new FoundHeads(server)
    this.#branch = new HeldBranch({ server, onFork, onRevert, clock })
  }

  get policy(): ProofPolicy {
    return this.#options.policy ?? 'full'
  }

  /** The newest block proven so far. */
  get head(): ProvenHead | null {
    return this.#head
  }

  /** Calls back with each new head, before the call that has proven it returns, until the returned function is called. */
  onHead(listener: (id: BlockIdExt) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  status(): TrustStatus {
    const { fork } = this.#branch
    const heldS = (this.#timer.now() - this.#heldSince) / 1_000
    return { head: this.#head, heldS, sync: this.#sync, trouble: this.#trouble, isUndone: this.#isUndone, fork }
  }

  /** The newest block, proven; a recent one while a newer one is being proven. Rejects with LiteError or ProofError. */
  async read(options: LiteOptions = {}): Promise<ChainHead> {
    return this.#found.shown(await this.readWithInfo(options))
  }

  /** The same, after the proof of a newer block that is being proven. */
  async readNewest(options: LiteOptions = {}): Promise<ChainHead> {
    return this.#found.shown(this.#found.newest(this.#head) ?? (await this.#readAny(options)))
  }

  /** `read` with the server's own version and clock. */
  async readWithInfo(options: LiteOptions = {}): Promise<FoundHead> {
    return this.#found.newest(this.#head) ?? this.#recent() ?? (await this.#readAny(options))
  }

  /**
   * The proof of the next block takes seconds where servers are slow, and a read that waited for it would rarely get a newer one.
   * Of a head that may have been reverted servers can answer nothing.
   */
  #recent(): FoundHead | null {
    const head = this.#head
    const claimed = this.#work?.claim.id ?? null
    const isRecent = this.#timer.now() - this.#heldSince < RECENT_MS
    if (head === null || claimed === null || claimed.seqno <= head.id.seqno || !isRecent) return null
    return this.#isUndone || claimed === this.#rival ? null : this.#found.before(head)
  }

  #readAny(options: LiteOptions): Promise<FoundHead> {
    return attemptOn(this.#server, (one) => this.#readFrom(one, options), { ...options, newest: true, isWide: true })
  }

  async #readFrom(server: LiteServer, options: LiteOptions): Promise<FoundHead> {
    const info = await server.masterchainInfo(options)
    const { workchain, rootHash, fileHash } = info.init
    const zerostate = { workchain, shard: WHOLE_SHARD, seqno: 0, rootHash, fileHash }
    this.#kept.begin({ zerostate, block: zerostate })
    if (workchain !== MASTERCHAIN || !isSameBlock(zerostate, this.#kept.record.zerostate))
      throw new ProofError('trust', 'the lite server is one of another network: it began with another zerostate')
    return foundBy(await this.#reach({ server, id: info.last, utime: info.lastUtime }, options), info)
  }

  /** Proves a head that was pushed. */
  async reach(id: BlockIdExt, options: ReadOptions = {}): Promise<ProvenHead> {
    if (!this.#kept.hasStart) await this.read(options)
    const work = (server: LiteServer) => this.#reach({ server, id, utime: this.#clock() / 1000 }, options)
    return await attemptOn(this.#server, work, { ...options, about: id, newest: true })
  }

  async #reach(claim: Claim, options: ReadOptions): Promise<ProvenHead> {
    const { id } = claim
    for (;;) {
      const head = this.#standing
      const isLower = head !== null && id.seqno < head.id.seqno && !(this.#isUndone && this.#options.canRewind)
      if (head !== null && (isLower || isSameBlock(id, head.id) || this.#branch.refuses(id))) return head
      const wait = (work: Promise<void>) => boundedWait(work, options, () => proofText(this.#sync))
      const running = this.#work
      if (running === null || running.isLeftBy(claim)) await wait(this.#start(claim, running).done)
      else await running.join(claim, wait)
    }
  }

  /** Checks that servers still have the proven head, after one went back; whether a lower block can be reached now. Never rejects. */
  async confirm(): Promise<boolean> {
    const head = this.#head
    const found = head === null ? null : await stillThere(this.#server, head.id, this.#gone.signal)
    if (found !== null && this.#head === head) this.#isUndone = !found
    return this.#isUndone && this.#options.canRewind === true
  }

  /** Stops the proof in progress and stores what was proven. */
  async close(): Promise<void> {
    this.#gone.abort()
    await this.#work?.done.catch(() => undefined)
    await this.#kept.flush()
  }

  #start(claim: Claim, left: SharedProof | null): SharedProof {
    const lead = (): Promise<void> =>
      this.#lead(claim)
        .then(
          () => {
            this.#trouble = null
          },
          (error: unknown) => {
            if (this.#work === work && !isCancelled(error)) this.#trouble = failureText(error)
            if (error instanceof ProofError) error.verb ??= claim.server.lastVerb ?? null
            throw error
          },
        )
        .finally(() => {
          if (this.#work !== work) return
          this.#work = null
          this.#sync = null
        })
    const work = new SharedProof({ claim, timer: this.#timer, left }, lead)
    this.#work = work
    return work
  }

  /** Independent of its first caller: proving from the start may take longer than any caller waits. */
  async #lead(claim: Claim): Promise<void> {
    const options = { timeoutMs: REQUEST_MS, signal: this.#gone.signal }
    const known = this.#known
    if (known !== null && claim.id.seqno < known.seqno && !(await this.#isReverted(claim.id, known)))
      throw behindProven(claim.id.seqno, known.seqno, this.#options.canRewind ? undefined : this.#options.store?.name)
    let held = this.#head
    const isProven = this.#mustProve(claim.id)
    const key = isProven ? this.#kept.record.key : null
    const queried = queryClaim(claim, { key, ...this.#kept.origin, options, answered: () => this.#work?.answered() })
    let found: ProvenBlock
    // Where its server is slow, another one may prove a block meanwhile: the claim is compared with that one too.
    do {
      if (this.#head !== null && this.#head !== held && this.#head.id.seqno >= claim.id.seqno) return
      held = this.#head
      const [block, isOnBranch] = await Promise.all([queried.header, this.#isOnBranch(queried, isProven, options)])
      if (!isOnBranch) return
      found = block
      if (isProven) await this.#prove(queried, () => this.#head === held, options)
      demandPast(claim.id, found.info.genUtime - this.#clock() / 1000, this.#options.aheadS ?? null)
      await this.#demandFresh(claim, options)
    } while (this.#head !== held)
    const utime = found.info.genUtime
    this.#isUndone = false
    this.#leftHead = null
    const stateHash = Buffer.from(stateHashOf(found), 'latin1')
    const { zerostate, key: newest } = this.#kept.record
    const keyBlock = isProven ? keyBlockOf(found, newest.id) : null
    this.#head = { id: claim.id, utime, stateHash, zerostate, branch: this.#branches, keyBlock }
    this.#heldSince = this.#timer.now()
    if (isProven) this.#kept.keep({ last: { id: claim.id, utime } })
    for (const listener of this.#listeners) listener(claim.id)
  }

  /** The head, unless its chain is known to be reverted. */
  get #standing(): ProvenHead | null {
    return this.#head === this.#leftHead ? null : this.#head
  }

  /** The newest block known of the chain, also from an earlier run. */
  get #known(): BlockIdExt | null {
    return this.#standing?.id ?? (this.#kept.isUntried ? null : this.#kept.record.last.id)
  }

  /** Whether the chain of a proven block is gone: another one is proven from the start then. */
  async #isReverted(claimed: BlockIdExt, known: BlockIdExt): Promise<boolean> {
    if (this.#options.canRewind !== true) return false
    if (!this.#isUndone && (await stillThere(this.#server, known, this.#gone.signal)) !== false) return false
    if (!(await this.#branch.isGone(known, claimed, this.#gone.signal))) return false
    this.#kept.restart()
    this.#leftHead = this.#head
    this.#branches++
    return true
  }

  #mustProve(target: BlockIdExt): boolean {
    if (this.policy !== 'sampled') return this.policy === 'full'
    return this.#standing === null || target.seqno >= this.#kept.record.last.id.seqno + SAMPLE
  }

  /** False for a block of another branch, while the held one may be there: the head stays. */
  async #isOnBranch(claim: QueriedClaim, isProven: boolean, options: ReadOptions): Promise<boolean> {
    const held = this.#known
    const rival = held === null ? null : await this.#branch.rival(claim, held, isProven, options)
    if (held === null || rival === null || (await this.#isReverted(claim.id, held))) return true
    // Only named a fork, and only followed, when it is signed.
    if (isProven) await this.#prove(claim, () => false, options)
    this.#rival = claim.id
    if (await this.#branch.yields(claim.id, held, rival, this.#gone.signal)) {
      this.#branches++
      return true
    }
    if (this.#head === null) throw new LiteError('notReady', this.#branch.fork?.text ?? 'another fork')
    return false
  }

  /** `keeps`: whether key blocks on the way become trusted. */
  async #prove(claim: QueriedClaim, keeps: () => boolean, options: ReadOptions): Promise<void> {
    const { onProgress = () => undefined } = this.#options
    await walkProof(claim, this.#kept.record.key, {
      ...this.#kept.origin,
      validators: this.#validators,
      clock: () => this.#timer.now(),
      options,
      onKey: (key, last) => {
        if (keeps() && key.id.seqno > this.#kept.record.key.id.seqno) this.#kept.keep({ key, last })
      },
      onStep: (report) => {
        this.#work?.answered()
        this.#sync = report
        onProgress(report)
      },
    })
  }

  async #demandFresh({ server, id }: Claim, options: ReadOptions): Promise<void> {
    const { key } = this.#kept.record
    const isKnown = this.#freshKey !== null && isSameBlock(this.#freshKey, key.id)
    if (this.policy === 'off' || this.#options.isStaleAccepted === true || isKnown) return
    await demandFreshKey(server, { head: id, key, now: this.#clock() / 1000 }, options)
    this.#freshKey = key.id
  }
}

/** Trust from the stored record, or from its start. Rejects with TrustError when the record must not be used. */
export async function openTrust(server: LiteServer, options: TrustOptions & { readonly start: TrustStart }) {
  const { store = null, start } = options
  const kept = store === null ? null : await keptRecord(store, { zerostate: start.zerostate, start: start.block })
  return new Trust(server, options, kept)
}
