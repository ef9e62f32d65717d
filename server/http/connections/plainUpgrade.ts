// Requests that offer another protocol than WebSocket, as HTTP/2 clients do on plain connections: a server may ignore
// the offer. Node's parser detaches from the connection at the end of the head, so the head is put back in front of the
// stream without the offer, and the server reads it like a new connection.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

export const isWebSocket = ({ headers }: IncomingMessage): boolean => headers.upgrade?.toLowerCase() === 'websocket'

/** From Node 26 on the parser reads the body too before it detaches, so that such a request cannot be read again. */
const TAKES_BODIES = Number.parseInt(process.versions.node, 10) >= 26

const staysWithBody = ({ headers }: IncomingMessage): boolean =>
  TAKES_BODIES && (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined)

/** Whether a request that offers another protocol goes to the listener for upgrades. */
export const leavesHttp = (req: IncomingMessage): boolean => isWebSocket(req) || !staysWithBody(req)

interface AnsweredSocket extends Duplex {
  lastReply?: ServerResponse
}

/** Has to see every reply: replies of one connection go out in order. */
export function noteReply(req: IncomingMessage, res: ServerResponse): void {
  const socket: AnsweredSocket = req.socket
  socket.lastReply = res
  // The parser has dropped what came right behind the body: a client that reads `Connection: close` sends that again.
  if (req.headers.upgrade !== undefined && staysWithBody(req)) res.shouldKeepAlive = false
}

/** Calls `next` when all requests before this one are answered, at once when they are. Not for a connection that ends. */
export function afterReplies(socket: AnsweredSocket, next: () => void): void {
  const last = socket.lastReply
  if (last === undefined || last.closed) next()
  else
    last.once('close', () => {
      if (!socket.destroyed && socket.writable) next()
    })
}

/** Whether no request is without its answer. */
export const isAtRest = ({ lastReply }: AnsweredSocket): boolean => lastReply === undefined || lastReply.closed

/** Whether nothing is being done for it: it is at rest, its only open request is still arriving, or its answer is left unread. */
export function isIdle(socket: AnsweredSocket): boolean {
  const { lastReply, writableLength } = socket
  if (lastReply === undefined || lastReply.closed || writableLength > 0) return true
  // Without the connection it waits for those before it.
  return lastReply.socket !== null && !lastReply.req.complete
}

/** Ends the connection with the answer to its newest request. */
export function endAfterReply(socket: Socket & AnsweredSocket): void {
  const { lastReply } = socket
  if (lastReply?.headersSent === false) lastReply.shouldKeepAlive = false
  else afterReplies(socket, () => socket.destroySoon())
}

/** Whether the newest request has come whole, and is not answered yet. */
export const isAnswering = ({ lastReply }: AnsweredSocket): boolean =>
  lastReply?.req.complete === true && !lastReply.closed

const OFFERS = new Set(['upgrade', 'http2-settings'])

const withoutOffers = (connection: string): string =>
  connection
    .split(',')
    .filter((option) => !OFFERS.has(option.trim().toLowerCase()))
    .join()

/** The head as it came, but for the offer; never longer than that. */
function plainHead({ method, url, httpVersion, rawHeaders }: IncomingMessage): string {
  let head = `${method} ${url} HTTP/${httpVersion}\r\n`
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const [name = '', value = ''] = rawHeaders.slice(i, i + 2)
    const lower = name.toLowerCase()
    if (OFFERS.has(lower)) continue
    const kept = lower === 'connection' ? withoutOffers(value) : value
    if (kept !== '') head += `${name}:${kept}\r\n`
  }
  return `${head}\r\n`
}

/** Lets `attend`, the server's own listener for connections, read the request once more. */
export function readAsPlain(req: IncomingMessage, rest: Buffer, attend: (socket: Socket) => void): void {
  const { socket } = req
  if (rest.length > 0) socket.unshift(rest)
  socket.unshift(Buffer.from(plainHead(req), 'latin1'))
  attend(socket)
}
