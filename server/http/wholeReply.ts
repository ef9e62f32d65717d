// Replies that are whole when they are sent: head and body leave as one text. Node checks each header of a reply, copies it and
// looks for names that change how it is sent, which took as long as finding a cached answer; here all of that is known.

import { type ServerResponse, STATUS_CODES } from 'node:http'

/** Where Node keeps the head of a reply until its body is written. */
interface Headed {
  _header: string | null
}

/** False where Node keeps it elsewhere, and for replies that end their connection or have no body: those it sends itself. */
const isHeadable = (res: ServerResponse): boolean =>
  Object.hasOwn(res, '_header') && res.shouldKeepAlive && res.req.httpVersionMinor === 1 && res.req.method !== 'HEAD'

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

/** Sends it by one write, or returns false when Node has to send it. */
export function sendWhole(res: ServerResponse, reply: WholeReply, keepAliveMs: number): boolean {
  if (!isHeadable(res)) return false
  const { status, headers, body, encoding } = reply
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`
  for (let i = 0; i < headers.length; i += 2) head += `${headers[i]}: ${headers[i + 1]}\r\n`
  res.statusCode = status
  // The cast: a property that the types leave out.
  const headed = res as unknown as Headed
  headed._header = `${head}Date: ${dateNow()}\r\n${keepAliveLines(keepAliveMs)}`
  if (typeof body === 'string' || Buffer.isBuffer(body)) res.write(body, encoding)
  else for (const bytes of body) res.write(bytes)
  // What is held back until the end of the reply would leave with an empty piece behind it, by a slower call.
  res.socket?.uncork()
  res.end()
  return true
}
