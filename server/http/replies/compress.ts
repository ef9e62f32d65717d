// Replies large enough to gain from it go out compressed, off the event loop.

import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
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

/** Of the bytes of a text: more is not worth the memory. */
const KEPT_PART = 1 / 4
/** By the bytes of an answer, which are the same ones while it is cached: it is compressed once, and kept as long as they are. */
const kept = { br: new WeakMap<readonly Buffer[], Buffer>(), gzip: new WeakMap<readonly Buffer[], Buffer>() }

/** The bytes of a list follow each other. While it waits for its turn, it rejects with the reason of an aborted signal. */
export async function compress(
  encoding: Encoding,
  body: string | Buffer | readonly Buffer[],
  receiver: Receiver | null,
): Promise<Buffer> {
  if (typeof body === 'string' || Buffer.isBuffer(body))
    return inTurn(() => packed(encoding, body), body.length, receiver)
  const known = kept[encoding].get(body)
  if (known !== undefined) return known
  const length = body.reduce((sum, piece) => sum + piece.length, 0)
  const subject = receiver?.caller.subject
  const made = await inTurn(async () => packed(encoding, await wholeOf(body, { subject })), length, receiver)
  if (made.length <= length * KEPT_PART) kept[encoding].set(body, made)
  return made
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
