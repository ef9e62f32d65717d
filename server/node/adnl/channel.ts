// A socket after the hello: packets in and out.

import type { Socket } from 'node:net'
import { encodePacket, type Packet } from '../../tl/index.ts'
import { emptyFrame, FrameReader, FrameWriter, frameRoom, MAX_FRAME, sealFrame } from './frames.ts'
import type { StreamKey } from './hello.ts'
import type { Clock } from './options.ts'

/** Frames are gathered up to this size before they are encrypted and written. */
const GATHERED_BYTES = 64 * 1024

/** Of a packet beside the bytes of a query or answer: constructor, id, length and padding. */
const PACKET_BYTES = 48

/** The largest query or answer that fits in a frame. */
export const MAX_PAYLOAD = MAX_FRAME - 64 - PACKET_BYTES

export interface ChannelOptions {
  readonly send: StreamKey
  readonly receive: StreamKey
  readonly maxFrame: number
  readonly clock: Clock
  /** The system took bytes to send. */
  readonly onTaken?: () => void
}

export class Channel {
  readonly #socket: Socket
  readonly #writer: FrameWriter
  readonly #reader: FrameReader
  readonly #clock: Clock
  readonly #onTaken: () => void
  #gathered: Uint8Array[] = []
  #gatheredBytes = 0
  #isFlushing = false
  /** When the system last took bytes, or there were none to take. */
  #tookAt: number

  constructor(socket: Socket, { send, receive, maxFrame, clock, onTaken = () => {} }: ChannelOptions) {
    this.#socket = socket
    this.#writer = new FrameWriter(send)
    this.#reader = new FrameReader(receive, maxFrame)
    this.#clock = clock
    this.#onTaken = onTaken
    this.#tookAt = clock.now()
  }

  /** Bytes not yet handed to the system. */
  get unsent(): number {
    return this.#gatheredBytes + this.#socket.writableLength
  }

  /** Since when no unsent byte was taken by the system, or null. */
  get stalledSince(): number | null {
    return this.#socket.writableLength > 0 ? this.#tookAt : null
  }

  push(chunk: Uint8Array): void {
    this.#reader.push(chunk)
  }

  /** The next payload that is all there, or null. Throws AdnlError `protocol`. */
  next(): Uint8Array | null {
    return this.#reader.next()
  }

  sendEmpty(): void {
    this.#write(emptyFrame())
  }

  send(packet: Packet): void {
    this.#write(sealFrame(encodePacket(packet, frameRoom)))
  }

  #write(frame: Uint8Array): void {
    if (this.#socket.destroyed) return
    this.#gathered.push(frame)
    this.#gatheredBytes += frame.length
    if (this.#gatheredBytes >= GATHERED_BYTES) this.#flush()
    else if (!this.#isFlushing) {
      this.#isFlushing = true
      // After all answers of this turn.
      process.nextTick(() => {
        this.#isFlushing = false
        this.#flush()
      })
    }
  }

  #flush(): void {
    const [first, ...more] = this.#gathered
    if (first === undefined || this.#socket.destroyed) return
    const bytes = more.length === 0 ? first : Buffer.concat(this.#gathered, this.#gatheredBytes)
    this.#gathered = []
    this.#gatheredBytes = 0
    if (this.#socket.writableLength === 0) this.#tookAt = this.#clock.now()
    this.#socket.write(this.#writer.encrypt(bytes), () => {
      this.#tookAt = this.#clock.now()
      this.#onTaken()
    })
  }
}
