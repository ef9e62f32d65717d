// The body of a request as text: bounded while it arrives, checked to be UTF-8.

import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { ApiError } from '../../shared/errors.ts'

const tooLarge = (limit: number): ApiError =>
  new ApiError('bodyTooLarge', `Body too large: ${limit} bytes at most`, { limit })

function refusalOf({ headers }: IncomingMessage, limit: number): ApiError | null {
  if (Number(headers['content-length'] ?? 0) > limit) return tooLarge(limit)
  const encoding = headers['content-encoding']
  if (encoding === undefined || encoding === 'identity') return null
  return new ApiError('invalidRequest', 'Compressed request bodies are not accepted')
}

/** Some editors and shells put a byte order mark first. */
const isMarked = (bytes: Buffer): boolean => bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf

/** Gets the text, or the reason why there is no text. */
export type BodyTaker = (text: string | null, error: ApiError | null) => void

/** Calls `take` once, in the same turn in which the last of it came. Past the limit it stops keeping what arrives. */
export function takeBody(req: IncomingMessage, limit: number, take: BodyTaker): void {
  const refusal = refusalOf(req, limit)
  if (refusal) {
    take(null, refusal)
    return
  }
  let first: Buffer | null = null
  let more: Buffer[] | null = null
  let length = 0
  let done = false
  const finish: BodyTaker = (text, error) => {
    if (done) return
    done = true
    first = more = null
    take(text, error)
  }
  req.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (done) return
    if (length > limit) finish(null, tooLarge(limit))
    else if (first === null) first = chunk
    else if (more === null) more = [first, chunk]
    else more.push(chunk)
  })
  req.on('end', () => {
    const bytes = more === null ? first : Buffer.concat(more, length)
    if (bytes === null) finish('', null)
    else if (isUtf8(bytes)) finish(bytes.toString('utf8', isMarked(bytes) ? 3 : 0), null)
    else finish(null, new ApiError('parse', 'Parse error: the body is not valid UTF-8'))
  })
  req.on('error', () => finish(null, new ApiError('invalidRequest', 'The request ended before its body was complete')))
}

/** The same as a promise, which rejects with ApiError. */
export function readRequestBody(req: IncomingMessage, limit: number): Promise<string> {
  return new Promise((resolve, reject) => {
    takeBody(req, limit, (text, error) => (text === null ? reject(error) : resolve(text)))
  })
}
