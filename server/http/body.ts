// The body of a request as text: bounded while it arrives, checked to be UTF-8.

import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { ApiError } from '../../shared/errors.ts'

const tooLarge = (limit: number): ApiError =>
  new ApiError('bodyTooLarge', `Body too large: ${limit} bytes at most`, { limit })

function textOf(chunks: readonly Buffer[], length: number): string {
  const [first] = chunks
  const bytes = chunks.length === 1 && first ? first : Buffer.concat(chunks, length)
  if (!isUtf8(bytes)) throw new ApiError('parse', 'Parse error: the body is not valid UTF-8')
  return bytes.toString('utf8')
}

/** Rejects with ApiError; past the limit it stops keeping what arrives. */
export function readBody(req: IncomingMessage, limit: number): Promise<string> {
  return new Promise((resolve, reject) => {
    if (Number(req.headers['content-length'] ?? 0) > limit) return reject(tooLarge(limit))
    const encoding = req.headers['content-encoding']
    if (encoding !== undefined && encoding !== 'identity') {
      return reject(new ApiError('invalidRequest', 'Compressed request bodies are not accepted'))
    }
    const chunks: Buffer[] = []
    let length = 0
    req.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length > limit) {
        chunks.length = 0
        reject(tooLarge(limit))
      } else chunks.push(chunk)
    })
    req.on('end', () => {
      if (length > limit) return
      try {
        resolve(textOf(chunks, length))
      } catch (error) {
        reject(error)
      }
    })
    req.on('error', () => reject(new ApiError('invalidRequest', 'The request ended before its body was complete')))
  })
}
