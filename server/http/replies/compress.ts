// Replies large enough to gain from it go out compressed, off the event loop.

import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { type LaneLimits, Lanes } from '../../fairness/index.ts'
import type { ChargedCall } from '../../methods/index.ts'
import { wholeOf } from './bytes.ts'

export type Encoding = 'br' | 'gzip'

/** Characters below which a packet is sent anyway. */
export const WORTH_COMPRESSING = 1024

const brotliText = promisify(brotliCompress)
const gzipText = promisify(gzip)

/** The encoding the caller takes and we like best, or null; `q=0` is a refusal. */
export function bestEncoding(accepted: string | string[] | undefined): Encoding | null {
  if (typeof accepted !== 'string' || accepted.length > 256) return null
  const taken = new Set<string>()
  const refused = new Set<string>()
  for (const part of accepted.split(',')) {
    const [name = '', ...settings] = part.split(';').map((word) => word.trim().toLowerCase())
    const list = settings.some((setting) => /^q=0(\.0*)?$/.test(setting)) ? refused : taken
    list.add(name)
  }
  if (taken.has('br')) return 'br'
  return taken.has('gzip') || (taken.has('*') && !refused.has('gzip')) ? 'gzip' : null
}

/** Quality is low on purpose: most replies are sent once, so speed counts more than the last percent. */
const packed = (encoding: Encoding, text: string | Buffer): Promise<Buffer> =>
  encoding === 'br'
    ? brotliText(text, {
        params: { [constants.BROTLI_PARAM_QUALITY]: 3, [constants.BROTLI_PARAM_SIZE_HINT]: text.length },
      })
    : gzipText(text, { level: 4 })

/** Characters or bytes that are compressed in a fraction of a millisecond. */
const SHORT = 16 * 1024
/** A longer body keeps other callers waiting noticeably. */
const LONG = 256 * 1024
/** Node has four threads, which also read files and look up host names. They do not tell callers apart; the lanes do. */
const LANES: LaneLimits = {
  total: 3,
  perCaller: 2,
  ofKind: { long: 2 },
  perTurn: 3,
  waitingPerCaller: Number.POSITIVE_INFINITY,
}
const lanes = new Lanes(LANES)

/** For a reply without a call, such as a page: it is never cancelled. */
const NEVER = new AbortController().signal

/** Whose reply it is, and the signal that its caller has left. */
type Receiver = Pick<ChargedCall, 'caller' | 'signal'>

/** Compressed lists above this part of their bytes are not kept: with both encodings a full cache takes half as much again at most. */
const KEPT_PART = 1 / 4
/** Memory for kept texts and their compressed bytes, for each encoding. */
const TEXTS_KEPT = 4 << 20

/** Compressed bodies that may be sent again. A cached answer has the same list of bytes, or the same text, in each reply. */
class Kept {
  readonly #lists = new WeakMap<readonly Buffer[], Buffer>()
  readonly #texts = new LRUCache<string, Buffer>({
    maxSize: TEXTS_KEPT,
    sizeCalculation: (made, text) => 2 * text.length + made.length,
  })
  readonly #running = new Map<string | readonly Buffer[], Promise<Buffer>>()

  get(body: string | readonly Buffer[]): Buffer | Promise<Buffer> | undefined {
    return (typeof body === 'string' ? this.#texts.get(body) : this.#lists.get(body)) ?? this.#running.get(body)
  }

  /** Equal bodies are compressed once: later callers wait for the run that has begun. */
  async make(body: string | readonly Buffer[], length: number, work: () => Promise<Buffer>): Promise<Buffer> {
    const known = this.get(body)
    if (known !== undefined) return await known
    const making = work()
    this.#running.set(body, making)
    try {
      const made = await making
      if (typeof body === 'string') this.#texts.set(body, made)
      else if (made.length <= length * KEPT_PART) this.#lists.set(body, made)
      return made
    } finally {
      this.#running.delete(body)
    }
  }
}

const kept = { br: new Kept(), gzip: new Kept() }

/** A reply that is compressed. The bytes of a list follow each other. */
export interface Uncompressed {
  readonly body: string | Buffer | readonly Buffer[]
  /** Whether the same text was sent before, and may be again. */
  readonly isCached?: boolean
  /** Null for a reply without a call, such as a page. */
  readonly receiver: Receiver | null
}

/** Rejects with the signal's reason when that is aborted while it waits for its turn. */
export async function compress(encoding: Encoding, { body, isCached, receiver }: Uncompressed): Promise<Buffer> {
  if (Buffer.isBuffer(body)) return await inTurn(() => packed(encoding, body), body.length, receiver)
  const isText = typeof body === 'string'
  const mayReturn = !isText || isCached === true
  const known = mayReturn ? kept[encoding].get(body) : undefined
  if (known !== undefined) return await known
  const length = isText ? body.length : body.reduce((sum, piece) => sum + piece.length, 0)
  const subject = receiver?.caller.subject
  const work = async () => packed(encoding, isText ? body : await wholeOf(body, { subject }))
  return await inTurn(mayReturn ? () => kept[encoding].make(body, length, work) : work, length, receiver)
}

async function inTurn(work: () => Promise<Buffer>, length: number, receiver: Receiver | null): Promise<Buffer> {
  if (length <= SHORT) return await work()
  const subject = receiver?.caller.subject ?? ''
  const kind = length > LONG ? 'long' : ''
  if (!lanes.tryEnter(subject, kind)) await lanes.enter(subject, receiver?.signal ?? NEVER, kind)
  try {
    return await work()
  } finally {
    lanes.leave(subject, { cost: length, kind })
  }
}
