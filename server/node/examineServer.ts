// Checks one lite server step by step: reachable, has its listed key, answers, is up to date, has old blocks, and proves
// its answers.

import { sameBytes } from '../cell/index.ts'
import { inPieces } from '../fairness/index.ts'
import { failureText } from '../process/index.ts'
import { type AdnlConnection, AdnlError, connectAdnl } from './adnl/index.ts'
import { type BlockIdExt, isSameBlock, MASTERCHAIN, WHOLE_SHARD } from './blockId.ts'
import { createLiteServerOn } from './connectLiteServer.ts'
import { isUnknownFunction } from './liteApi/index.ts'
import { LiteError, SERVER_FAULT } from './liteErrors.ts'
import type { LiteServer } from './liteServer.ts'
import { type ServerAddress, verdictOn } from './pool/index.ts'
import { isUnknownStart, notFromStart, type TrustStart, trustErrorIn } from './remote/index.ts'
import { ProofError, verifyHeader, verifyingBlockProof } from './verify/index.ts'

export type StepName = 'connection' | 'handshake' | 'authentication' | 'clock' | 'head' | 'archive' | 'proof'

/**
 * What is wrong, for programs:
 * - `unreachable`: no TCP connection; `silent`: a connection, and no whole hello in time; `otherKey`: the hello was refused, or the key is none;
 * - `slow`: no answer in time; `closed`: the connection ended; `limited`: too many requests; `refused`: the server said no;
 *   `failing`: it said that it failed itself; `unreadable`: no answer of a lite server; `incomplete`: it lacks a call;
 * - `clock`, `otherNetwork`, `unproven`; `otherChain`: the block that trust starts from is not on its chain, or newer.
 */
export type Fault =
  | 'unreachable'
  | 'silent'
  | 'otherKey'
  | 'slow'
  | 'closed'
  | 'limited'
  | 'refused'
  | 'failing'
  | 'unreadable'
  | 'incomplete'
  | 'clock'
  | 'otherNetwork'
  | 'otherChain'
  | 'unproven'

export interface ExamStep {
  readonly step: StepName
  /** Null when the step passed. */
  readonly fault: Fault | null
  readonly words: string
}

/** A key block proven from the start of trust. */
export interface ReachedKey {
  readonly id: BlockIdExt
  /** When it was made; null of a zerostate. */
  readonly utime: number | null
  /** Whether it is the newest key block, from which the head is proven. */
  readonly isNewest: boolean
}

export interface Examination {
  readonly server: string
  /** Ends with the first step that failed and prevents the others. */
  readonly steps: readonly ExamStep[]
  /** Whether it can be used: it serves this network and proves its answers. */
  readonly isUsable: boolean
  /** Its newest block, and when that was made. */
  readonly head: { readonly seqno: number; readonly utime: number } | null
  /** Seconds its clock is ahead of this machine's. */
  readonly skew: number | null
  /** About the oldest block it has; null where that was not found out. */
  readonly oldest: number | null
  readonly key: ReachedKey | null
}

export interface ExaminationOptions {
  readonly start: TrustStart
  /** Unix seconds. */
  readonly now: () => number
  readonly timeoutMs?: number
}

const TIMEOUT_MS = 5_000
/** Beyond it proofs of time and blocks from the future are refused. */
const MOST_SKEW_S = 30
const BISECTIONS = 8

const millis = (from: number): string => `${Math.round(performance.now() - from)} ms`

/** The fault of a failed query, and its text. */
function troubleOf(error: unknown, timeoutMs: number): Pick<ExamStep, 'fault' | 'words'> {
  if (error instanceof ProofError) return { fault: 'unproven', words: error.message }
  const wrongStart = trustErrorIn(error)
  if (wrongStart !== null) return { fault: 'otherChain', words: wrongStart.message }
  if (!(error instanceof LiteError)) return { fault: 'unreadable', words: String(error) }
  if (error.cause instanceof AdnlError) {
    if (error.kind === 'timeout') return { fault: 'slow', words: `no answer within ${timeoutMs / 1000} s` }
    return { fault: 'closed', words: error.cause.message }
  }
  if (error.isUnreadable) return { fault: 'unreadable', words: error.message }
  const words = (does: string): string => `it ${does} with code ${error.code}: ${error.message}`
  // A server of ours that could not answer in its own time says so.
  if (error.message === 'timeout') return { fault: 'slow', words: words('times out') }
  if (error.code === SERVER_FAULT) return { fault: 'failing', words: words('fails') }
  return { fault: verdictOn(error) === 'slowDown' ? 'limited' : 'refused', words: words('refuses') }
}

class Examiner {
  readonly steps: ExamStep[] = []
  readonly #server: LiteServer
  readonly #connection: AdnlConnection
  readonly #options: ExaminationOptions
  readonly #timeoutMs: number
  #last: BlockIdExt | null = null
  head: Examination['head'] = null
  skew: number | null = null
  oldest: number | null = null
  key: ReachedKey | null = null

  constructor(name: string, connection: AdnlConnection, options: ExaminationOptions) {
    this.#connection = connection
    this.#options = options
    this.#timeoutMs = options.timeoutMs ?? TIMEOUT_MS
    this.#server = createLiteServerOn(name, connection)
  }

  /** Whether it can be used. */
  async run(): Promise<boolean> {
    return (await this.#introduce()) && (await this.#dig()) && (await this.#prove())
  }

  #note(step: StepName, words: string, fault: Fault | null = null): void {
    this.steps.push({ step, fault, words })
  }

  /** Records the failure. */
  async #step<T>(step: StepName, timeoutMs: number, work: () => Promise<T>): Promise<T | null> {
    try {
      return await work()
    } catch (error) {
      const { words, fault } = troubleOf(error, timeoutMs)
      this.#note(step, words, fault)
      return null
    }
  }

  async #introduce(): Promise<boolean> {
    const begun = performance.now()
    const timeoutMs = this.#timeoutMs
    const info = await this.#step('head', timeoutMs, () => this.#server.masterchainInfo({ timeoutMs }))
    if (info === null) return false
    const took = millis(begun)
    // Servers may accept clients without authentication.
    this.#note('authentication', this.#connection.stats().isAuthenticated ? 'yes' : 'not asked for')
    const { now, start } = this.#options
    // Its time is in whole seconds.
    const skew = Math.trunc(info.now + 0.5 - now())
    this.skew = skew
    this.#note('clock', `${skew > 0 ? '+' : ''}${skew} s`, Math.abs(skew) > MOST_SKEW_S ? 'clock' : null)
    this.head = { seqno: info.last.seqno, utime: info.lastUtime }
    this.#last = info.last
    const isOwn = sameBytes(info.init.rootHash, start.zerostate.rootHash)
    // By its own clock: this machine's may be wrong.
    const age = Math.max(0, info.now - info.lastUtime)
    if (isOwn) this.#note('head', `${info.last.seqno}, ${age.toFixed(0)} s old, ${took}`)
    else this.#note('head', 'it is a server of another network', 'otherNetwork')
    return isOwn
  }

  /** Always true: a server without old blocks is usable for new ones. */
  async #dig(): Promise<boolean> {
    const oldest = await this.#step('archive', this.#timeoutMs, () => this.#findOldest())
    if (oldest !== null) this.#note('archive', oldest === 1 ? 'all blocks' : `from about ${oldest}`)
    this.oldest = oldest
    return true
  }

  /** The oldest masterchain block it has, approximately. */
  async #findOldest(): Promise<number> {
    const head = this.#last?.seqno ?? 0
    const first = Math.min(2, head)
    let missing = -1
    let found = head
    // From the newest backwards: what is kept of the beginning alone says nothing of what lies between.
    for (let back = 1_000; missing < 0; back *= 4) {
      const seqno = Math.max(first, head - back, Math.floor(found / 16))
      if (!(await this.#has(seqno))) missing = seqno
      else if (seqno === first) return 1
      else found = seqno
    }
    for (let i = 0; i < BISECTIONS && found - missing > 1; i++) {
      const middle = Math.floor((missing + found) / 2)
      if (await this.#has(middle)) found = middle
      else missing = middle
    }
    return found
  }

  async #has(seqno: number): Promise<boolean> {
    const query = { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno }
    try {
      await this.#server.lookup(query, 0, { timeoutMs: this.#timeoutMs })
      return true
    } catch (error) {
      if (error instanceof LiteError && error.isMissing) return false
      throw error
    }
  }

  async #prove(): Promise<boolean> {
    const proving = performance.now()
    const options = { timeoutMs: 2 * this.#timeoutMs }
    const { block: from } = this.#options.start
    const last = this.#last
    if (last === null) return false
    const reached = await this.#step('proof', options.timeoutMs, async () => {
      const { genUtime } = verifyHeader(last, await this.#server.header(last, 0, options)).info
      const early = (this.head?.utime ?? 0) - genUtime
      if (early > 0) throw new ProofError('answer', `its newest block was made ${early} s earlier than it says`)
      if (isSameBlock(last, from)) return { id: from, utime: null, isNewest: true }
      if (last.seqno <= from.seqno) throw notFromStart(from, last.seqno)
      // The first of possibly many answers: it must start at the known block and be signed.
      const answer = await this.#server.blockProof(from, last, undefined, options).catch((error: unknown) => {
        throw isUnknownStart(error) ? notFromStart(from, last.seqno, { cause: error }) : error
      })
      const { keyBlock, keyUtime, complete } = await inPieces(verifyingBlockProof(from, last, answer))
      return { id: keyBlock ?? from, utime: keyUtime, isNewest: complete }
    })
    if (reached === null || !(await this.#findsWithProof(last, options.timeoutMs))) return false
    this.key = reached
    this.#note('proof', `good, ${millis(proving)}`)
    return true
  }

  /** Older blocks are read like this. Proxies without the call refuse it, or end the connection. */
  async #findsWithProof(last: BlockIdExt, timeoutMs: number): Promise<boolean> {
    const query = { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno: Math.max(1, last.seqno - 1) }
    try {
      await this.#server.lookupWithProof(query, last, { timeoutMs })
    } catch (error) {
      const { words, fault } = troubleOf(error, timeoutMs)
      if (fault !== 'closed' && !isUnknownFunction(error)) return true
      this.#note('proof', `lookupBlockWithProof: ${words}`, 'incomplete')
      return false
    }
    return true
  }
}

/** The steps up to a failed connection. */
function unconnected(error: unknown): readonly ExamStep[] {
  const words = failureText(error)
  const code = error instanceof AdnlError ? error.code : null
  if (code === 'connect') return [{ step: 'connection', fault: 'unreachable', words }]
  if (code === 'key') return [{ step: 'handshake', fault: 'otherKey', words }]
  const isRefused = error instanceof AdnlError && error.cause !== undefined
  return [
    { step: 'connection', fault: null, words: 'yes' },
    { step: 'handshake', fault: code === 'hello' && !isRefused ? 'silent' : 'otherKey', words },
  ]
}

/** Never rejects. */
export async function examineServer(address: ServerAddress, options: ExaminationOptions): Promise<Examination> {
  const { name: server, host, port, key } = address
  const begun = performance.now()
  let connection: AdnlConnection
  try {
    connection = await connectAdnl({ host, port, key })
  } catch (error) {
    return { server, steps: unconnected(error), isUsable: false, head: null, skew: null, oldest: null, key: null }
  }
  const connected: readonly ExamStep[] = [
    { step: 'connection', fault: null, words: 'yes' },
    { step: 'handshake', fault: null, words: millis(begun) },
  ]
  const examiner = new Examiner(server, connection, options)
  try {
    const isUsable = await examiner.run()
    const { head, skew, oldest, key: reached } = examiner
    return { server, steps: [...connected, ...examiner.steps], isUsable, head, skew, oldest, key: reached }
  } finally {
    connection.close()
  }
}
