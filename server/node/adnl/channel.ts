// A socket after the hello: packets in and out.

import type { Socket } from 'node:net'
import { encodePacket, type Packet } from '../../tl/index.ts'
import type { Clock } from '../systemClock.ts'
import { emptyFrame, FrameReader, FrameWriter, frameRoom, MAX_FRAME, sealFrame } from './adnlFrames.ts'
import type { StreamKey } from './hello.ts'

/** Small frames are gathered up to this size before they are encrypted and written. */
const GATHERED_BYTES = 64 * 1024

/** Large ones are written in pieces: each that the system takes shows that the other side reads, however slowly. */
const PIECE_BYTES = 256 * 1024

/** Overhead of a packet: constructor, id, length and padding. */
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
  /** Frames not yet encrypted; the first one may have been written in part. */
  readonly #queue: Uint8Array[] = []
  #queuedBytes = 0
  #writingBytes = 0
  #isScheduled = false
  /** When the write in progress began. */
  #writingSince: number | null = null

  constructor(socket: Socket, { send, receive, maxFrame, clock, onTaken = () => {} }: ChannelOptions) {
    this.#socket = socket
    this.#writer = new FrameWriter(send)
    this.#reader = new FrameReader(receive, maxFrame)
    this.#clock = clock
    this.#onTaken = onTaken
  }

  /** Bytes the system has not taken yet. */
  get unsent(): number {
    return this.#queuedBytes + this.#writingBytes
  }

  /** Since when the system has accepted no bytes; null while it does. */
  get stalledSince(): number | null {
    return this.#writingSince
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
    this.#queue.push(frame)
    this.#queuedBytes += frame.length
    if (this.#isScheduled || this.#writingSince !== null) return
    this.#isScheduled = true
    // After all queries and answers of this turn: a write costs more than a small frame.
    setImmediate(() => {
      this.#isScheduled = false
      this.#writeNext()
    })
  }

  #writeNext(): void {
    if (this.#writingSince !== null || this.#queue.length === 0 || this.#socket.destroyed) return
    const bytes = this.#takePiece()
    this.#queuedBytes -= bytes.length
    this.#writingBytes = bytes.length
    this.#writingSince = this.#clock.now()
    this.#socket.write(this.#writer.encrypt(bytes), () => {
      this.#writingBytes = 0
      this.#writingSince = null
      this.#onTaken()
      this.#writeNext()
    })
  }

  /** Many small frames, or a part of a large one. */
  #takePiece(): Uint8Array {
    const parts: Uint8Array[] = []
    let taken = 0
    for (const frame of this.#queue) {
      const part = frame.subarray(0, PIECE_BYTES - taken)
      parts.push(part)
      taken += part.length
      if (taken >= GATHERED_BYTES) break
    }
    const last = this.#queue[parts.length - 1]?.subarray(parts.at(-1)?.length) ?? new Uint8Array()
    this.#queue.splice(0, parts.length, ...(last.length > 0 ? [last] : []))
    const [first] = parts
    return first !== undefined && parts.length === 1 ? first : Buffer.concat(parts, taken)
  }
}
