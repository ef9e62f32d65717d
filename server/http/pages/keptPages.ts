// Pages and documents that are the same for all callers, as the bytes that are sent. Encoding and compressing a reference of a
// megabyte for each request took 20 ms of processor, and no budget pays for it.

import { LRUCache } from 'lru-cache'
import type { HttpExchange, HttpReply } from '../exchange/exchange.ts'
import { bestEncoding, compress, type Encoding, WORTH_COMPRESSING } from '../replies/compress.ts'

/** More than all of them take in all their forms: a caller who requests each in turn must not have them made again. */
const MOST_BYTES = 64 << 20

/** A reply that is the same for all callers of one form. */
export interface KeptReply extends HttpReply {
  readonly body: string | Buffer
  /** Names the page and its form. */
  readonly name: string
  /** Makes what is sent of the body; absent where that is the body itself. */
  readonly make?: () => string
}

interface KeptBytes {
  readonly from: string | Buffer
  readonly bytes: Promise<Buffer>
}

const isKept = (reply: HttpReply | KeptReply): reply is KeptReply => 'name' in reply

async function sentBytes({ body, make }: KeptReply, encoding: Encoding | null): Promise<Buffer> {
  const whole = make?.() ?? body
  if (encoding !== null) return await compress(encoding, { body: whole, receiver: null })
  return typeof whole === 'string' ? Buffer.from(whole) : whole
}

export class KeptPages {
  readonly #kept = new LRUCache<string, KeptBytes>({ maxSize: MOST_BYTES })

  /** The reply as it is sent to one caller. */
  async finish(reply: HttpReply | KeptReply, { req }: HttpExchange): Promise<HttpReply> {
    if (!isKept(reply)) return reply
    const isShort = reply.body.length <= WORTH_COMPRESSING
    const encoding = isShort ? null : bestEncoding(req.headers['accept-encoding'])
    const { status, type, headers = [] } = reply
    const body = await this.#bytes(reply, encoding)
    return { status, type, headers, body, ...(encoding === null ? {} : { encoding }) }
  }

  #bytes(reply: KeptReply, encoding: Encoding | null): Promise<Buffer> {
    const key = `${reply.name} ${encoding}`
    const from = reply.body
    const known = this.#kept.get(key)
    if (known?.from === from) return known.bytes
    const entry = { from, bytes: sentBytes(reply, encoding) }
    const keep = (size: number): void => void this.#kept.set(key, entry, { size })
    keep(Math.max(1, from.length))
    const isNewest = (): boolean => this.#kept.peek(key) === entry
    entry.bytes.then(
      ({ length }) => (isNewest() ? keep(Math.max(1, length)) : undefined),
      () => (isNewest() ? void this.#kept.delete(key) : undefined),
    )
    return entry.bytes
  }
}
