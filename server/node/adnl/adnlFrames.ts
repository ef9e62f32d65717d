// Frames: length, 32 random bytes, payload, SHA-256 of the last two; all of it encrypted as one stream per direction.

import { type Cipher, createCipheriv, createDecipheriv, randomFillSync } from 'node:crypto'
import { hashFromBytes, sha256 } from '../../cell/index.ts'
import { AdnlError } from './adnlError.ts'
import type { StreamKey } from './hello.ts'

const LENGTH_BYTES = 4
const RANDOM_BYTES = 32
const HASH_BYTES = 32
const MIN_FRAME = RANDOM_BYTES + HASH_BYTES
/** Allowed lengths. */
export const MAX_FRAME = 2 ** 24

/** What one side may have the other one sign. */
export const MAX_NONCE = 512

/** Chunks below are gathered in stages. */
const SMALL_CHUNK = 1024
const STAGE_BYTES = 8192

/** Overhead of a frame. */
export const frameRoom = { before: LENGTH_BYTES + RANDOM_BYTES, after: HASH_BYTES } as const

const POOL_BYTES = 4096
const pool = new Uint8Array(POOL_BYTES)
let used = POOL_BYTES

/** 32 random bytes, valid until the next call; pooled, as a system call for each costs more than a whole frame. */
export function random32(): Uint8Array {
  if (used === POOL_BYTES) {
    randomFillSync(pool)
    used = 0
  }
  used += RANDOM_BYTES
  return pool.subarray(used - RANDOM_BYTES, used)
}

/** Completes a frame in place: `bytes` has a payload, with `frameRoom` around it. */
export function sealFrame(bytes: Uint8Array, random: Uint8Array = random32()): Uint8Array {
  const end = bytes.length - HASH_BYTES
  const length = bytes.length - LENGTH_BYTES
  for (let i = 0; i < LENGTH_BYTES; i++) bytes[i] = length >>> (8 * i)
  bytes.set(random, LENGTH_BYTES)
  const digest = sha256(bytes.subarray(LENGTH_BYTES, end))
  for (let i = 0; i < HASH_BYTES; i++) bytes[end + i] = digest.charCodeAt(i)
  return bytes
}

export const emptyFrame = (): Uint8Array => sealFrame(new Uint8Array(frameRoom.before + frameRoom.after))

/** Encrypts one direction. */
export class FrameWriter {
  readonly #cipher: Cipher

  constructor({ key, iv }: StreamKey) {
    this.#cipher = createCipheriv('aes-256-ctr', key, iv)
  }

  encrypt(bytes: Uint8Array): Uint8Array {
    return this.#cipher.update(bytes)
  }
}

/**
 * Decrypts one direction and cuts it into frames. Chunks are stored as they arrive: a frame of many chunks is joined once, when
 * its last byte has arrived.
 */
export class FrameReader {
  readonly #decipher: Cipher
  readonly #maxFrame: number
  readonly #chunks: Uint8Array[] = []
  /** Where small chunks are gathered: a frame that comes byte by byte must not cost an object for each. */
  #stage = new Uint8Array()
  #staged = 0
  #held = 0
  /** Length of the frame that comes, null while it is not known. */
  #length: number | null = null

  constructor({ key, iv }: StreamKey, maxFrame: number) {
    this.#decipher = createDecipheriv('aes-256-ctr', key, iv)
    this.#maxFrame = maxFrame
  }

  /** How many pieces of memory are held. */
  get chunks(): number {
    return this.#chunks.length
  }

  push(chunk: Uint8Array): void {
    const plain = this.#decipher.update(chunk)
    this.#held += plain.length
    if (plain.length < SMALL_CHUNK) this.#gather(plain)
    else this.#chunks.push(plain)
  }

  #gather(plain: Uint8Array): void {
    const last = this.#chunks.at(-1)
    if (this.#staged + plain.length > this.#stage.length) {
      this.#stage = new Uint8Array(STAGE_BYTES)
      this.#staged = 0
    }
    const from = this.#staged
    this.#stage.set(plain, from)
    this.#staged += plain.length
    if (last !== undefined && last.buffer === this.#stage.buffer && last.byteOffset + last.length === from) {
      this.#chunks[this.#chunks.length - 1] = this.#stage.subarray(last.byteOffset, this.#staged)
    } else {
      this.#chunks.push(this.#stage.subarray(from, this.#staged))
    }
  }

  /** The payload of the next frame, or null until more comes. Throws AdnlError `protocol`; then nothing more can be read. */
  next(): Uint8Array | null {
    if (this.#length === null) {
      if (this.#held < LENGTH_BYTES) return null
      const head = this.#take(LENGTH_BYTES)
      let length = 0
      for (let i = LENGTH_BYTES - 1; i >= 0; i--) length = length * 256 + (head[i] ?? 0)
      if (length < MIN_FRAME || length > this.#maxFrame) {
        throw new AdnlError('protocol', `a frame of ${length} bytes; ${MIN_FRAME} to ${this.#maxFrame} are allowed`)
      }
      this.#length = length
    }
    if (this.#held < this.#length) return null
    const frame = this.#take(this.#length)
    this.#length = null
    const end = frame.length - HASH_BYTES
    if (sha256(frame.subarray(0, end)) !== hashFromBytes(frame.subarray(end))) {
      throw new AdnlError('protocol', 'a frame with a wrong hash')
    }
    return frame.subarray(RANDOM_BYTES, end)
  }

  /** Takes this many of the buffered bytes. */
  #take(count: number): Uint8Array {
    this.#held -= count
    const [first] = this.#chunks
    if (first !== undefined && first.length >= count) {
      if (first.length === count) this.#chunks.shift()
      else this.#chunks[0] = first.subarray(count)
      return first.subarray(0, count)
    }
    let covered = 0
    let whole = 0
    for (const chunk of this.#chunks) {
      if (covered + chunk.length > count) break
      covered += chunk.length
      whole++
    }
    const parts = this.#chunks.splice(0, whole)
    const [last] = this.#chunks
    if (last !== undefined && covered < count) {
      parts.push(last.subarray(0, count - covered))
      this.#chunks[0] = last.subarray(count - covered)
    }
    return Buffer.concat(parts, count)
  }
}
