// Answers to what is no good request, and to connections that are refused. Most are written straight to a socket, where there
// is no HTTP exchange to answer through: a request the parser refused, a connection over the limit, a refused upgrade.

import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { ApiError } from '../../../shared/errors.ts'
import type { HttpLimits } from '../httpOptions.ts'
import { type BrokenHead, brokenHead, headBeyondParser } from '../requests/head.ts'
import { afterReplies, isAnswering } from './plainUpgrade.ts'

/** Such a refusal says nothing about the service, so pages of any origin may read it: without the header they see no words. */
const READABLE = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': 'Retry-After' }

/** Writes a whole reply and hangs up; a peer that does not read it is cut off a second later. */
export function hangUpWith(socket: Duplex, status: number, body: string, headers: readonly string[] = []): void {
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Refused'}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    ...Object.entries(READABLE).map(([name, value]) => `${name}: ${value}`),
    ...headers,
  ]
  // Without a listener a peer that hangs up first would bring the process down.
  socket.on('error', () => {})
  // What comes after is read and dropped: unread, it would turn the close into a reset that loses the reply.
  socket.resume()
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  setTimeout(() => socket.destroy(), 1000).unref()
}

/** A failure as v2 has it, of a request that no dialect is known of. */
export const bareRefusal = (code: number, error: string) => ({ ok: false, error, code })

const textOf = (status: number, text: string): string => JSON.stringify(bareRefusal(status, text))

/** Sockets whose caller has its refusal and is still sending: nothing more is written there. */
const refusedEarly = new WeakSet<Duplex>()

export const markRefused = (socket: Duplex): void => void refusedEarly.add(socket)

/** Sockets that end with the refusal being written: errors of the parser in the rest are not answered. */
const lastAnswered = new WeakSet<Duplex>()

/** What is no HTTP at all. */
const NOT_HTTP = { httpStatus: 400, message: 'Not an HTTP request' }

function causeOf(error: NodeJS.ErrnoException, limits: HttpLimits): Pick<ApiError, 'httpStatus' | 'message'> {
  if (error.code === 'HPE_HEADER_OVERFLOW') return headBeyondParser(limits)
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    const head = limits.headersMs
    const all = limits.requestMs
    return new ApiError(
      'requestTimeout',
      `Request not received in time: headers within ${head} ms, all of it within ${all} ms`,
    )
  }
  return NOT_HTTP
}

/** Sockets on which something follows a request that is being answered. */
const answeredLater = new WeakSet<Duplex>()

export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex, limits: HttpLimits): void {
  if (error.code === 'ECONNRESET' || refusedEarly.has(socket)) return void socket.destroy()
  if (lastAnswered.has(socket)) return
  // Written now, the refusal would be taken for the answer to the request before it.
  if (isAnswering(socket)) {
    if (!answeredLater.has(socket)) afterReplies(socket, () => answerBrokenRequest(error, socket, limits))
    return void answeredLater.add(socket)
  }
  // Answered before: more of the same is still coming in.
  if (!socket.writable) return
  const { httpStatus: status, message: text } = causeOf(error, limits)
  hangUpWith(socket, status, textOf(status, text))
}

/** Answers a request with a broken head. What follows it is not read as a request. */
export function answerBrokenHead(broken: BrokenHead, res: ServerResponse): void {
  const text = textOf(broken.status, broken.text)
  lastAnswered.add(res.req.socket)
  const headers = {
    ...READABLE,
    'Content-Type': 'application/json',
    'Content-Length': text.length,
    Connection: 'close',
  }
  res.writeHead(broken.status, headers).end(text)
}

/** The same for an upgrade. */
export function hungUpOnBrokenHead(req: IncomingMessage, socket: Duplex): boolean {
  const broken = brokenHead(req)
  if (broken === null) return false
  hangUpWith(socket, broken.status, textOf(broken.status, broken.text))
  return true
}
