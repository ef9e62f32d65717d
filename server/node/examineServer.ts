// One lite server step by step: whether it can be reached, has the key it is listed with, answers, keeps up, has the past,
// and proves what it says.

import { type AdnlConnection, AdnlError, connectAdnl } from './adnl/index.ts'
import { MASTERCHAIN, WHOLE_SHARD } from './blockId.ts'
import { createLiteServerOver } from './liteApi/index.ts'
import type { LiteServer } from './liteServer.ts'
import type { ServerAddress } from './pool/index.ts'
import type { TrustStart } from './remote/index.ts'
import { verifyBlockProof, verifyHeader } from './verify/index.ts'

export type StepName = 'connection' | 'handshake' | 'authentication' | 'clock' | 'head' | 'archive' | 'proof'

export interface Step {
  readonly step: StepName
  readonly ok: boolean
  readonly words: string
}

export interface Examination {
  readonly server: string
  /** Up to the first that went wrong and stops the others. */
  readonly steps: readonly Step[]
  /** Whether it can be asked: it answers as a server of the network, and proves what it says. */
  readonly isUsable: boolean
  /** Its newest block, and when that was made. */
  readonly head: { readonly seqno: number; readonly utime: number } | null
  /** Seconds its clock is ahead of this machine's. */
  readonly skew: number | null
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
const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

async function has(server: LiteServer, seqno: number, timeoutMs: number): Promise<boolean> {
  return await server.lookup({ workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno }, 0, { timeoutMs }).then(
    () => true,
    () => false,
  )
}

/** About the oldest masterchain block it has. */
async function oldestOf(server: LiteServer, head: number, timeoutMs: number): Promise<number> {
  const first = Math.min(2, head)
  if (await has(server, first, timeoutMs)) return 1
  let [missing, found] = [first, head]
  for (let back = 1_000; head - back > first; back *= 4) {
    if (await has(server, head - back, timeoutMs)) {
      found = head - back
    } else {
      missing = head - back
      break
    }
  }
  for (let i = 0; i < BISECTIONS && found - missing > 1; i++) {
    const middle = Math.floor((missing + found) / 2)
    if (await has(server, middle, timeoutMs)) found = middle
    else missing = middle
  }
  return found
}

class Examiner {
  readonly steps: Step[] = []
  readonly #server: LiteServer
  readonly #connection: AdnlConnection
  readonly #options: ExaminationOptions
  readonly #timeoutMs: number
  head: Examination['head'] = null
  skew: number | null = null

  constructor(connection: AdnlConnection, options: ExaminationOptions) {
    this.#connection = connection
    this.#options = options
    this.#timeoutMs = options.timeoutMs ?? TIMEOUT_MS
    this.#server = createLiteServerOver((query, own) => connection.query(query, own))
  }

  note(step: StepName, ok: boolean, words: string): void {
    this.steps.push({ step, ok, words })
  }

  /** Whether it can be used. */
  async run(): Promise<boolean> {
    const begun = performance.now()
    const info = await this.#server.masterchainInfo({ timeoutMs: this.#timeoutMs })
    const took = millis(begun)
    const { isAuthenticated } = this.#connection.stats()
    // A server need not ask for it.
    this.note('authentication', true, isAuthenticated ? 'yes' : 'not asked for')
    const { now, start } = this.#options
    // Its time is in whole seconds.
    const skew = Math.trunc(info.now + 0.5 - now())
    this.skew = skew
    this.note('clock', Math.abs(skew) <= MOST_SKEW_S, `${skew > 0 ? '+' : ''}${skew} s`)
    this.head = { seqno: info.last.seqno, utime: info.lastUtime }
    const { rootHash } = info.init
    const isOwn = Buffer.compare(rootHash, start.zerostate.rootHash) === 0
    const age = Math.max(0, now() - info.lastUtime)
    this.note('head', isOwn, isOwn ? `${info.last.seqno}, ${age.toFixed(0)} s old, ${took}` : 'of another network')
    if (!isOwn) return false
    const oldest = await oldestOf(this.#server, info.last.seqno, this.#timeoutMs)
    this.note('archive', true, oldest === 1 ? 'all blocks' : `from about ${oldest}`)
    const proving = performance.now()
    const options = { timeoutMs: 2 * this.#timeoutMs }
    verifyHeader(info.last, await this.#server.header(info.last, 0, options))
    const from = start.block
    // The first answer of maybe many: whether it starts at what is known, and is signed.
    if (info.last.seqno > from.seqno)
      verifyBlockProof(from, info.last, await this.#server.blockProof(from, info.last, undefined, options))
    this.note('proof', true, `good, ${millis(proving)}`)
    return true
  }
}

/** What comes after the last step that was noted. */
const ORDER: readonly StepName[] = ['connection', 'handshake', 'authentication', 'head', 'archive', 'proof']

function failedStep(steps: readonly Step[]): StepName {
  const done = new Set(steps.map(({ step }) => step))
  return ORDER.find((step) => !done.has(step)) ?? 'proof'
}

/** Never rejects. */
export async function examineServer(address: ServerAddress, options: ExaminationOptions): Promise<Examination> {
  const { name: server, host, port, key } = address
  const begun = performance.now()
  let connection: AdnlConnection
  try {
    connection = await connectAdnl({ host, port, key })
  } catch (error) {
    const isReached = error instanceof AdnlError && error.code !== 'connect'
    const reached: Step[] = isReached ? [{ step: 'connection', ok: true, words: 'yes' }] : []
    const step = isReached ? 'handshake' : 'connection'
    return {
      server,
      steps: [...reached, { step, ok: false, words: wordsOf(error) }],
      isUsable: false,
      head: null,
      skew: null,
    }
  }
  const examiner = new Examiner(connection, options)
  examiner.note('connection', true, 'yes')
  examiner.note('handshake', true, millis(begun))
  let isUsable = false
  try {
    isUsable = await examiner.run()
  } catch (error) {
    examiner.note(failedStep(examiner.steps), false, wordsOf(error))
  } finally {
    connection.close()
  }
  return { server, steps: examiner.steps, isUsable, head: examiner.head, skew: examiner.skew }
}
