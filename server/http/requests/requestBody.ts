// The body of a request as text: bounded while it arrives, checked to be UTF-8.

import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { StringDecoder } from 'node:string_decoder'
import { ApiError } from '../../../shared/errors.ts'
import { subjectOf } from '../../access/index.ts'
import { SlicedWork } from '../../fairness/index.ts'
import { BodyParts } from './bodyParts.ts'

const tooLarge = (limit: number): ApiError =>
  new ApiError('bodyTooLarge', `Body too large: ${limit} bytes at most`, { limit })

function refusalOf({ headers }: IncomingMessage, limit: number): ApiError | null {
  if (Number(headers['content-length'] ?? 0) > limit) return tooLarge(limit)
  const encoding = headers['content-encoding']
  if (encoding === undefined || encoding.toLowerCase() === 'identity') return null
  return new ApiError('invalidRequest', 'Compressed request bodies are not accepted')
}

/** Some editors and shells put a byte order mark first. */
const isMarked = (bytes: Buffer): boolean => bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf

/** Gets the text, or the reason why there is no text. */
export type BodyTaker = (text: string | null, error: ApiError | null) => void

/** Bytes of a longer body: a megabyte that is not ASCII takes ten milliseconds to become text, and as long to be read. */
const LONG_BODY = 128 << 10
const PIECE = 64 << 10

/** Null for what is no text. The parts of many bodies may end in one turn of the event loop. */
async function textOfLong(parts: readonly Buffer[], subject: string): Promise<string | null> {
  const slices = new SlicedWork({ subject })
  await slices.ownTurn()
  const bytes = Buffer.concat(parts)
  if (!isUtf8(bytes)) return null
  const decoder = new StringDecoder('utf8')
  let text = ''
  for (let from = isMarked(bytes) ? 3 : 0; from < bytes.length; from += PIECE) {
    if (slices.isDue) await slices.rest()
    text += decoder.write(bytes.subarray(from, from + PIECE))
  }
  // What is made of it begins in a turn of its own.
  await slices.ownTurn()
  return text
}

function textOfShort(parts: readonly Buffer[]): string | null {
  const [first] = parts
  if (first === undefined) return ''
  const bytes = parts.length === 1 ? first : Buffer.concat(parts)
  return isUtf8(bytes) ? bytes.toString('utf8', isMarked(bytes) ? 3 : 0) : null
}

const finishText = (finish: BodyTaker, text: string | null): void =>
  finish(text, text === null ? new ApiError('parse', 'Parse error: the body is not valid UTF-8') : null)

/** Calls `take` once, for a short one in the same turn in which the last of it came. Past the limit it stops keeping what arrives. */
export function takeBody(req: IncomingMessage, limit: number, take: BodyTaker): void {
  const refusal = refusalOf(req, limit)
  if (refusal) {
    take(null, refusal)
    return
  }
  let parts: BodyParts | null = new BodyParts()
  let length = 0
  const finish: BodyTaker = (text, error) => {
    if (parts === null) return
    parts = null
    take(text, error)
  }
  req.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (length > limit) finish(null, tooLarge(limit))
    else parts?.add(chunk)
  })
  req.on('end', () => {
    if (parts === null) return
    const { all } = parts
    if (length > LONG_BODY)
      void textOfLong(all, subjectOf(req.socket.remoteAddress ?? '')).then((text) => finishText(finish, text))
    else finishText(finish, textOfShort(all))
  })
  req.on('error', () => finish(null, new ApiError('invalidRequest', 'The request ended before its body was complete')))
}

/** The same as a promise, which rejects with ApiError. */
export function readRequestBody(req: IncomingMessage, limit: number): Promise<string> {
  return new Promise((resolve, reject) => {
    takeBody(req, limit, (text, error) => (text === null ? reject(error) : resolve(text)))
  })
}
