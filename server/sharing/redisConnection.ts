// One connection to a Redis or Valkey, opened again when it is lost. Commands fail at once while there is none.

import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { afterReading } from '../process/index.ts'
import { commandText, RedisRefusal, type RedisReply, ReplyReader } from './redisReplies.ts'

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 2_000
/** A server may take a connection and never greet back, as one does that only forwards. */
const CONNECT_MS = 5_000
/** A server that takes longer is not waited for. */
const ANSWER_MS = 1_000
const PORT = 6379

/** Of a certificate that is signed by an authority Node does not know. */
const UNKNOWN_AUTHORITY =
  /^(?:UNABLE_TO_(?:VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT_LOCALLY)|(?:DEPTH_ZERO_)?SELF_SIGNED_CERT)/
const UNKNOWN_ADVICE = '; start with NODE_EXTRA_CA_CERTS=FILE, with the certificate of the authority that signed it'

const isOfUnknownAuthority = (error: Error): boolean =>
  'code' in error && typeof error.code === 'string' && UNKNOWN_AUTHORITY.test(error.code)

export interface RedisOptions {
  /** `redis://user:password@host:port/database`, or `rediss://` with TLS. A function is called before each connection. */
  readonly address: string | (() => string)
  /** Called with the reason when the connection is lost, again when the server refuses it, and with null once a command succeeds. */
  readonly onChange: (failure: Error | null) => void
  /** How long an answer may take. */
  readonly answerMs?: number
}

interface Waiting {
  resolve(reply: RedisReply): void
  reject(error: Error): void
}

export class RedisConnection {
  readonly #options: RedisOptions
  #url: URL
  #socket: Socket | null = null
  #isReady = false
  #waiting: Waiting[] = []
  #failures = 0
  #reported: string | null = null
  /** Why a server in cluster mode was refused. It takes commands with one key, so that it seems to work until one has two. */
  #ofCluster: RedisRefusal | null = null
  #timer: NodeJS.Timeout | null = null
  #isClosed = false

  constructor(options: RedisOptions) {
    this.#options = options
    this.#url = this.#readAddress()
    this.#open()
  }

  get isReady(): boolean {
    return this.#isReady
  }

  /** Rejects when there is no connection, it is lost, or the server refuses or is too slow. */
  async send(words: readonly string[]): Promise<RedisReply> {
    if (!this.#isReady) throw new Error('no connection to Redis')
    const reply = await this.#ask(words)
    this.#works()
    return reply
  }

  /** Connects again: the name may lead to another server by now, and this one is of no use. */
  renew(reason: Error): void {
    if (this.#isReady) this.#socket?.destroy(reason)
  }

  close(): void {
    this.#isClosed = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#socket?.destroy()
  }

  #readAddress(): URL {
    const { address } = this.#options
    return new URL(typeof address === 'string' ? address : address())
  }

  #open(): void {
    this.#url = this.#readAddress()
    const { protocol, hostname, port } = this.#url
    const where = { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? PORT : Number(port) }
    const isTls = protocol === 'rediss:'
    const named = isIP(where.host) === 0 ? { ...where, servername: where.host } : where
    const socket = isTls ? connectTls(named) : connectPlain(where)
    this.#socket = socket
    const reader = new ReplyReader()
    let failure = new Error('the connection to Redis ended')
    socket.setNoDelay(true).unref()
    const late = (): void => void socket.destroy(new Error(`no connection within ${CONNECT_MS} ms`))
    const limit = setTimeout(late, CONNECT_MS).unref()
    socket.once(isTls ? 'secureConnect' : 'connect', () => {
      clearTimeout(limit)
      void this.#greet(socket)
    })
    socket.on('data', (chunk: Buffer) => {
      try {
        reader.take(chunk, (reply) => this.#take(reply))
      } catch (error) {
        socket.destroy(error instanceof Error ? error : undefined)
      }
    })
    socket.on('error', (error) => {
      failure = isOfUnknownAuthority(error) ? new Error(error.message + UNKNOWN_ADVICE, { cause: error }) : error
    })
    socket.on('close', () => {
      clearTimeout(limit)
      this.#lost(failure)
    })
  }

  async #greet(socket: Socket): Promise<void> {
    const { username, password, pathname } = this.#url
    try {
      const words = [username, password].filter((word) => word !== '').map((word) => decodeURIComponent(word))
      if (password !== '') await this.#ask(['AUTH', ...words])
      if (pathname.length > 1) await this.#ask(['SELECT', pathname.slice(1)])
      await this.#ask(['PING'])
      if (this.#ofCluster !== null && (await this.#isCluster())) throw this.#ofCluster
    } catch (error) {
      socket.destroy(error instanceof Error ? error : undefined)
      return
    }
    this.#isReady = true
  }

  /** False also where the server does not say. */
  async #isCluster(): Promise<boolean> {
    try {
      return String(await this.#ask(['INFO', 'cluster'])).includes('cluster_enabled:1')
    } catch (error) {
      if (error instanceof RedisRefusal) return false
      throw error
    }
  }

  /** Called when a command was carried out: a server may greet, and refuse all commands. */
  #works(): void {
    this.#failures = 0
    if (this.#reported !== null) this.#options.onChange(null)
    this.#reported = null
  }

  #ask(words: readonly string[]): Promise<RedisReply> {
    return new Promise((resolve, reject) => {
      const socket = this.#socket
      const { answerMs = ANSWER_MS } = this.#options
      const answered = afterReading(answerMs, () => socket?.destroy(new Error(`no answer within ${answerMs} ms`)))
      this.#waiting.push({
        resolve(reply) {
          answered()
          if (reply instanceof RedisRefusal) reject(reply)
          else resolve(reply)
        },
        reject(error) {
          answered()
          reject(error)
        },
      })
      socket?.write(commandText(words))
    })
  }

  #take(reply: RedisReply): void {
    this.#waiting.shift()?.resolve(reply)
  }

  #lost(failure: Error): void {
    this.#isReady = false
    const waiting = this.#waiting
    this.#waiting = []
    for (const one of waiting) one.reject(failure)
    if (this.#isClosed) return
    if (failure instanceof RedisRefusal && failure.isOfCluster) this.#ofCluster = failure
    // A server that refuses after a lost connection, as with a changed password, will not recover without the operator.
    const isNew = this.#reported === null || (failure instanceof RedisRefusal && failure.message !== this.#reported)
    if (isNew) this.#options.onChange(failure)
    if (isNew) this.#reported = failure.message
    const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#failures++)
    this.#timer = setTimeout(() => this.#open(), pause).unref()
  }
}
