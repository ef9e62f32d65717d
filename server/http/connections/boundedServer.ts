// Node's server over connections that an entrance hands it: with bounds on the head and the time of a request, and an orderly
// stop.

import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerOptions } from 'node:http'
import type { Socket } from 'node:net'
import { subjectOf } from '../../access/index.ts'
import type { HttpLimits } from '../httpOptions.ts'
import type { HeldReplies } from '../replies/heldReplies.ts'
import { MOST_HEADERS, parserHeadBytes } from '../requests/head.ts'
import { answerBrokenRequest } from './brokenRequest.ts'
import { isAtRest, leavesHttp, noteReply } from './plainUpgrade.ts'

/** Between two looks for connections that have become idle, while the server stops. */
const IDLE_CHECK_MS = 50

/** The types leave it out; Node before 24.9 too. */
interface LaterOptions extends ServerOptions {
  /** Whether a request that offers another protocol goes to the listener for upgrades. */
  readonly shouldUpgradeCallback: (req: IncomingMessage) => boolean
}

export class BoundedServer {
  readonly http: Server
  readonly #limits: HttpLimits
  readonly #held: HeldReplies
  readonly #open = new Set<Socket>()
  #onEmpty: () => void = () => undefined

  constructor(limits: HttpLimits, held: HeldReplies, handle: RequestListener) {
    this.#limits = limits
    this.#held = held
    const options: LaterOptions = {
      maxHeaderSize: parserHeadBytes(limits),
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      connectionsCheckingInterval: limits.checkMs,
      keepAliveTimeout: limits.keepAliveMs,
      // The front checks it, and refuses in words.
      requireHostHeader: false,
      shouldUpgradeCallback: leavesHttp,
    }
    this.http = createServer(options)
    this.http.maxHeadersCount = MOST_HEADERS
    this.http.timeout = limits.unreadMs
    // Of a connection on which nothing has moved; also of one that waits for its next request.
    this.http.on('timeout', (socket: Socket) => {
      if (socket.writableLength > 0 || isAtRest(socket)) socket.destroy()
    })
    this.http.on('request', noteReply)
    this.http.on('request', handle)
    // `Expect` with an unknown value, which a server may ignore. Node would answer 417 before the request is checked.
    this.http.on('checkExpectation', (req, res) => this.http.emit('request', req, res))
    this.http.on('clientError', (error: NodeJS.ErrnoException, socket) => answerBrokenRequest(error, socket, limits))
  }

  /** Open connections. */
  get open(): number {
    return this.#open.size
  }

  /** Reads requests from a connection. */
  readonly attend = (socket: Socket): void => {
    this.#open.add(socket)
    this.#held.add(socket, subjectOf(socket.remoteAddress ?? ''))
    socket.once('close', () => {
      this.#open.delete(socket)
      if (this.#open.size === 0) this.#onEmpty()
    })
    this.http.emit('connection', socket)
  }

  /** Its own clocks for slow requests begin with this event. */
  start(): void {
    this.http.emit('listening')
  }

  /** Resolves when all connections are closed and `others` is done; calls `terminate` for what is left after `drainMs`. */
  async drain(others: Promise<void>, terminate: () => void): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      this.#onEmpty = resolve
      if (this.#open.size === 0) resolve()
    })
    // Requests that have arrived and were not read yet are read before the immediate runs. What comes until the first look is
    // answered by the last reply of its connection. With idle connections closed at once, 33 to 40 of 40 busy ones lost a request.
    const idle = setInterval(() => setImmediate(() => this.http.closeIdleConnections()), IDLE_CHECK_MS)
    const hard = setTimeout(() => {
      this.http.closeAllConnections()
      terminate()
    }, this.#limits.drainMs)
    await Promise.all([others, closed])
    clearInterval(idle)
    clearTimeout(hard)
    // Ends those clocks.
    this.http.close()
  }
}
