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

/** Quality is low on purpose: replies are made once and sent once, so speed counts more than the last percent. */
const packed = (encoding: Encoding, text: string | Buffer): Promise<Buffer> =>
  encoding === 'br'
    ? brotliText(text, {
        params: { [constants.BROTLI_PARAM_QUALITY]: 3, [constants.BROTLI_PARAM_SIZE_HINT]: text.length },
      })
    : gzipText(text, { level: 4 })

/** Characters or bytes that are compressed in a fraction of a millisecond. */
const SHORT = 16 * 1024
/** Beyond it another caller waits noticeably for the end. */
const LONG = 256 * 1024
/** Node has four threads, for files and names of hosts as well. All that was begun shares them alike, whoever wants it. */
const LANES: LaneLimits = {
  total: 3,
  perCaller: 2,
  ofKind: { long: 2 },
  perTurn: 3,
  waitingPerCaller: Number.POSITIVE_INFINITY,
}
const lanes = new Lanes(LANES)

/** Of a page that is kept for all. */
const NEVER = new AbortController().signal

/** Whose reply it is, and when nobody waits for it any more. */
type Receiver = Pick<ChargedCall, 'caller' | 'signal'>

/** Of the bytes of a list, which are there as long: with both encodings a full cache takes half as much again at most. */
const KEPT_PART = 1 / 4
/** Characters and bytes of texts with what they were compressed to, by encoding. */
const TEXTS_KEPT = 4 << 20

/** What bodies were compressed to that may be sent again: the bytes of a cached answer are the same ones as long as it is cached. */
class Kept {
  readonly #lists = new WeakMap<readonly Buffer[], Buffer>()
  readonly #texts = new LRUCache<string, Buffer>({
    maxSize: TEXTS_KEPT,
    sizeCalculation: (made, text) => 2 * text.length + made.length,
  })
  /** Those under way. */
  readonly #made = new Map<string | readonly Buffer[], Promise<Buffer>>()

  get(body: string | readonly Buffer[]): Buffer | Promise<Buffer> | undefined {
    return (typeof body === 'string' ? this.#texts.get(body) : this.#lists.get(body)) ?? this.#made.get(body)
  }

  /** Kept from when it is there; until then all who want it wait for the one that is made. */
  async make(body: string | readonly Buffer[], length: number, work: () => Promise<Buffer>): Promise<Buffer> {
    const known = this.get(body)
    if (known !== undefined) return await known
    const making = work()
    this.#made.set(body, making)
    try {
      const made = await making
      if (typeof body === 'string') this.#texts.set(body, made)
      else if (made.length <= length * KEPT_PART) this.#lists.set(body, made)
      return made
    } finally {
      this.#made.delete(body)
    }
  }
}

const kept = { br: new Kept(), gzip: new Kept() }

/** A reply that is compressed. The bytes of a list follow each other. */
export interface Uncompressed {
  readonly body: string | Buffer | readonly Buffer[]
  /** Whether the same text was sent before, and may be again. */
  readonly isCached?: boolean
  /** Null for a page that is kept for all. */
  readonly receiver: Receiver | null
}

/** While it waits for its turn, it rejects with the reason of an aborted signal. */
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
