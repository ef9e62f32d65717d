// Replies that are whole when they are sent: head and body leave as one text. Node checks each header of a reply, copies it and
// looks for names that change how it is sent, which took as long as finding a cached answer; here all of that is known.

import { type ServerResponse, STATUS_CODES } from 'node:http'

/** Where Node keeps the head of a reply until its body is written. */
interface Headed {
  _header: string | null
  /** The head of this reply was written already, so Node does not write it in front of the body. */
  _headerSent: boolean
}

/** False where Node keeps it elsewhere, and for replies that end their connection or have no body: those it sends itself. */
const isHeadable = (res: ServerResponse): boolean =>
  Object.hasOwn(res, '_header') &&
  Object.hasOwn(res, '_headerSent') &&
  res.shouldKeepAlive &&
  res.req.httpVersionMinor === 1 &&
  res.req.method !== 'HEAD'

const SECOND_MS = 1000

let date = ''
let dateEnds = 0

/** Of the Date header: the same text for a second. */
function dateNow(): string {
  const now = Date.now()
  if (now < dateEnds && now >= dateEnds - SECOND_MS) return date
  date = new Date(now).toUTCString()
  dateEnds = now - (now % SECOND_MS) + SECOND_MS
  return date
}

let lines = ''
let linesFor = Number.NaN

/** What Node writes of a connection that stays open. */
function keepAliveLines(ms: number): string {
  if (ms === linesFor) return lines
  linesFor = ms
  lines = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(ms / SECOND_MS)}\r\n\r\n`
  return lines
}

export interface WholeReply {
  readonly status: number
  /** Names and values in turn, all of which may be in a head as they are. */
  readonly headers: readonly string[]
  /** A list is of bytes that follow each other. */
  readonly body: string | Buffer | readonly Buffer[]
  /** Of a text. */
  readonly encoding: 'latin1' | 'utf8'
}

/** Bytes of a body that are copied behind its head: less than the longer way of a write in pieces takes. */
const SHORT = 64 * 1024

const isShort = (body: readonly Buffer[]): boolean => body.reduce((sum, { length }) => sum + length, 0) <= SHORT

function together(head: string, body: readonly Buffer[]): Buffer {
  const size = body.reduce((sum, { length }) => sum + length, head.length)
  const bytes = Buffer.allocUnsafe(size)
  let at = bytes.write(head, 0, 'latin1')
  for (const piece of body) at += piece.copy(bytes, at)
  return bytes
}

/** Sends it by one write, or returns false when Node has to send it. */
export function sendWhole(res: ServerResponse, reply: WholeReply, keepAliveMs: number): boolean {
  if (!isHeadable(res)) return false
  const { status, headers, body, encoding } = reply
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\n`
  for (let i = 0; i < headers.length; i += 2) head += `${headers[i]}: ${headers[i + 1]}\r\n`
  res.statusCode = status
  // The cast: a property that the types leave out.
  const headed = res as unknown as Headed
  headed._header = `${head}Date: ${dateNow()}\r\n${keepAliveLines(keepAliveMs)}`
  const bodies = Buffer.isBuffer(body) ? [body] : body
  // Else Node holds the bytes back itself, and makes a step of its own to let them go.
  res.socket?.cork()
  if (typeof bodies === 'string') res.write(bodies, encoding)
  else if (isShort(bodies)) {
    headed._headerSent = true
    res.write(together(headed._header, bodies))
  } else for (const bytes of bodies) res.write(bytes)
  // What is held back until the end of the reply would leave with an empty piece behind it, by a slower call.
  res.socket?.uncork()
  res.end()
  return true
}
