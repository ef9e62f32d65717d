// One connection of a client to our listener.

import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { LeanAbort } from '../../process/index.ts'
import { decodePacket, encodeRefusal, type Packet, TlError } from '../../tl/index.ts'
import { AdnlError } from './adnlError.ts'
import { MAX_NONCE } from './adnlFrames.ts'
import { isSignedBy, keyIdOf } from './adnlIdentity.ts'
import type { ListenerLimits } from './adnlLimits.ts'
import { Channel, MAX_PAYLOAD } from './channel.ts'
import { HeldAnswers, isLargeAnswer } from './heldAnswers.ts'
import { HELLO_BYTES, openHello } from './hello.ts'
import { networkOf, wideNetworkOf } from './networkOf.ts'
import type { PeerEnd, PeerParts } from './peerParts.ts'

/** Expected size of the first answer of a connection. */
const FIRST_EXPECTED_BYTES = 512 * 1024
/** A smaller answer lowers the expected size to this share. */
const FORGETTING = 0.75

/** Frames plus kilobytes that are read in one turn: ten thousand empty frames arrived at once and took 50 ms. */
const AT_ONCE = 64

const OUR_NONCE_BYTES = 256

const tooLarge = encodeRefusal({ code: -400, message: 'answer is too large' })
const failed = encodeRefusal({ code: -503, message: 'internal error: the log of the server has the cause' })

export class Peer {
  readonly #socket: Socket
  readonly #parts: PeerParts
  readonly #limits: ListenerLimits
  /** Each query in flight listens: a signal of Node compares every new listener with all there are. */
  readonly #aborter = new LeanAbort()
  readonly #stopHello: () => void
  #hello: Uint8Array[] = []
  #helloBytes = 0
  #channel: Channel | null = null
  /** When the last whole frame came: bytes of one that does not end keep no connection. */
  #heardAt: number
  #inFlight = 0
  #inFlightBytes = 0
  #expectedBytes = FIRST_EXPECTED_BYTES
  #isPaused = false
  /** Frames plus kilobytes left in this turn. */
  #left = AT_ONCE
  #isWaiting = false
  #isOver = false
  readonly #held: HeldAnswers
  /** Both nonces, between the request to authenticate and the signature. */
  #toSign: Uint8Array | null = null
  #isAuthenticating = false
  #keyId: Uint8Array | null = null
  /** Made once: all of them are looked at for each newcomer of a full listener. */
  readonly wideNetwork: string
  /** When its hello was good, or its last query came. */
  askedAt = 0
  queries = 0
  answers = 0

  constructor(socket: Socket, parts: PeerParts) {
    this.#socket = socket
    this.#parts = parts
    this.#limits = parts.limits
    this.wideNetwork = wideNetworkOf(parts.address)
    this.#held = new HeldAnswers(parts.turns, networkOf(parts.address))
    this.#heardAt = parts.clock.now()
    this.#stopHello = parts.clock.after(parts.limits.helloMs, () => this.end('hello'))
    socket.on('data', (chunk) => this.#receive(chunk))
    // Whatever broke, the connection closes next.
    socket.on('error', () => undefined)
    socket.on('end', () => this.end('theirs'))
    socket.on('close', () => this.end('theirs'))
  }

  /** Whether its hello was good. */
  get isGreeted(): boolean {
    return this.#channel !== null
  }

  get inFlight(): number {
    return this.#inFlight
  }

  get unsent(): number {
    return this.#held.bytes + (this.#channel?.unsent ?? 0)
  }

  /** Ends the connection if it was silent or has read nothing for too long. */
  check(now: number): void {
    const stalledSince = this.#channel?.stalledSince ?? null
    if (stalledSince !== null && now - stalledSince >= this.#limits.stalledMs) this.end('unread')
    // While the socket is paused, nothing can arrive.
    else if (!this.#isPaused && now - this.#heardAt >= this.#limits.silenceMs) this.end('silence')
  }

  end(reason: PeerEnd): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#stopHello()
    this.#hello = []
    this.#held.drop()
    this.#socket.destroy()
    this.#aborter.abort()
    this.#parts.onEnd(reason)
    if (this.#inFlight === 0) this.#parts.onGone()
  }

  #receive(chunk: Uint8Array): void {
    if (this.#isOver) return
    if (this.#channel === null) this.#receiveHello(chunk)
    else {
      this.#left = AT_ONCE
      this.#channel.push(chunk)
      this.#read(this.#channel)
    }
  }

  #receiveHello(chunk: Uint8Array): void {
    this.#hello.push(chunk)
    this.#helloBytes += chunk.length
    if (this.#helloBytes < HELLO_BYTES) return
    const bytes = Buffer.concat(this.#hello)
    this.#hello = []
    this.#stopHello()
    const { identity, limits, clock } = this.#parts
    const keys = openHello(bytes.subarray(0, HELLO_BYTES), identity)
    if (keys === null) {
      this.end('hello')
      return
    }
    const { toClient: send, toServer: receive } = keys
    const onTaken = (): void => {
      if (this.#isPaused) this.#read(channel)
    }
    const channel = new Channel(this.#socket, { send, receive, maxFrame: limits.maxFrameBytes, clock, onTaken })
    this.#channel = channel
    this.#heardAt = this.askedAt = clock.now()
    // Clients take it as ready. It is the only unsolicited frame: some clients fail on any other.
    channel.sendEmpty()
    channel.push(bytes.subarray(HELLO_BYTES))
    this.#read(channel)
  }

  /** Handles frames until none is left or a limit is reached. */
  #read(channel: Channel): void {
    if (this.#isWaiting) return
    try {
      while (!this.#isOver) {
        if (this.#left <= 0) this.#wait(channel)
        if (this.#isWaiting || this.#isFull(channel)) {
          this.#pause()
          return
        }
        const payload = channel.next()
        if (payload === null) {
          this.#resume()
          return
        }
        this.#left -= 1 + payload.length / 1024
        this.#heardAt = this.#parts.clock.now()
        this.#onFrame(channel, payload)
      }
    } catch (error) {
      if (!(error instanceof AdnlError)) this.#parts.onError(error)
      this.end('protocol')
    }
  }

  #wait(channel: Channel): void {
    const { turns, address } = this.#parts
    this.#isWaiting = true
    turns.add(networkOf(address), () => {
      this.#isWaiting = false
      this.#left = AT_ONCE
      this.#read(channel)
    })
  }

  /** Whether to stop reading: a client that queries faster than it reads is served as fast as it reads. */
  #isFull({ unsent }: Channel): boolean {
    const { maxInFlight, maxInFlightBytes, maxPendingBytes } = this.#limits
    if (this.#inFlight >= maxInFlight || this.#inFlightBytes >= maxInFlightBytes) return true
    return unsent + this.#inFlight * this.#expectedBytes > maxPendingBytes
  }

  #pause(): void {
    if (this.#isPaused) return
    this.#isPaused = true
    this.#socket.pause()
  }

  #resume(): void {
    if (!this.#isPaused) return
    this.#isPaused = false
    this.#heardAt = this.#parts.clock.now()
    this.#socket.resume()
  }

  #onFrame(channel: Channel, payload: Uint8Array): void {
    if (payload.length === 0) return
    let packet: Packet
    try {
      packet = decodePacket(payload)
    } catch (error) {
      // Some clients send malformed frames and work nevertheless.
      if (error instanceof TlError) return
      throw error
    }
    switch (packet['@type']) {
      case 'adnl.message.query':
        this.#onQuery(channel, packet.query_id, packet.query)
        break
      case 'tcp.ping':
        this.#send(channel, { '@type': 'tcp.pong', random_id: packet.random_id })
        break
      case 'tcp.authentificate':
        this.#onAuthenticate(channel, packet.nonce)
        break
      case 'tcp.authentificationComplete':
        this.#onSignature(packet.key.key, packet.signature)
        break
      default:
        return
    }
  }

  #onAuthenticate(channel: Channel, theirs: Uint8Array): void {
    if (this.#isAuthenticating || theirs.length === 0 || theirs.length > MAX_NONCE) {
      this.end('protocol')
      return
    }
    this.#isAuthenticating = true
    const nonce = randomBytes(OUR_NONCE_BYTES)
    this.#toSign = Buffer.concat([theirs, nonce])
    this.#send(channel, { '@type': 'tcp.authentificationNonce', nonce })
  }

  #onSignature(key: Uint8Array, signature: Uint8Array): void {
    const bytes = this.#toSign
    this.#toSign = null
    if (bytes === null || !isSignedBy(key, bytes, signature)) {
      this.end('protocol')
      return
    }
    this.#keyId = keyIdOf(key)
  }

  #onQuery(channel: Channel, queryId: Uint8Array, query: Uint8Array): void {
    this.#inFlight++
    this.#inFlightBytes += query.length
    this.askedAt = this.#heardAt
    this.queries++
    const settle = (answer: Uint8Array | null): void => {
      this.#inFlight--
      this.#inFlightBytes -= query.length
      if (this.#isOver) {
        if (this.#inFlight === 0) this.#parts.onGone()
        return
      }
      if (answer !== null) this.#answer(channel, queryId, answer)
      if (this.#isPaused) this.#read(channel)
    }
    const settleInTurn = (answer: Uint8Array | null): void => {
      if (this.#isOver || answer === null || !isLargeAnswer(answer)) settle(answer)
      else {
        this.#held.hold(answer, settle)
        this.#parts.onUnsent(this)
      }
    }
    this.#run(query).then(settleInTurn, (error: unknown) => {
      this.#parts.onError(error)
      settle(failed)
    })
  }

  async #run(query: Uint8Array): Promise<Uint8Array | null> {
    const { number, address, onQuery } = this.#parts
    return await onQuery(query, { number, address, keyId: this.#keyId, signal: this.#aborter.signal })
  }

  #answer(channel: Channel, query_id: Uint8Array, given: Uint8Array): void {
    if (channel.unsent > this.#limits.maxUnsentBytes) {
      this.end('unread')
      return
    }
    const answer = given.length > MAX_PAYLOAD ? tooLarge : given
    this.#expectedBytes = Math.max(answer.length, this.#expectedBytes * FORGETTING)
    this.answers++
    this.#send(channel, { '@type': 'adnl.message.answer', query_id, answer })
  }

  #send(channel: Channel, packet: Packet): void {
    channel.send(packet)
    this.#parts.onUnsent(this)
  }
}
