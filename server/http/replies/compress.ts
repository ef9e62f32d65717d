// Replies large enough to gain from it go out compressed, off the event loop.

import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

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
export const compress = (encoding: Encoding, text: string | Buffer): Promise<Buffer> =>
  encoding === 'br'
    ? brotliText(text, {
        params: { [constants.BROTLI_PARAM_QUALITY]: 3, [constants.BROTLI_PARAM_SIZE_HINT]: text.length },
      })
    : gzipText(text, { level: 4 })
