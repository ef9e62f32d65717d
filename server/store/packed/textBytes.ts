// Text that is put together as bytes, one after the other in one buffer. A page of a hundred transactions is ten thousand pieces: as
// strings each is an object, and to clean them up took longer than to write them.

/** Characters of ASCII are below. */
const ASCII_END = 128

/** Fewer bytes are copied four by four: faster than a call. */
const FEW = 128
/** So many are faster through Node's own base64, and the string that it makes: 600 take a fifth of the time. */
const MANY = 180

const codesOf = (characters: string): Uint8Array => Uint8Array.from(Buffer.from(characters, 'latin1'))

/** Both characters of twelve bits. */
const pairsOf = (codes: Uint8Array): Uint16Array =>
  Uint16Array.from({ length: 4096 }, (_, bits) => ((codes[bits >> 6] ?? 0) << 8) | (codes[bits & 63] ?? 0))

const BASE64 = codesOf('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/')
const BASE64_PAIRS = pairsOf(BASE64)
const BASE64_URL_PAIRS = pairsOf(codesOf('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'))
const HEX = codesOf('0123456789ABCDEF')
/** Both digits of each byte. */
const PAIRS = Uint16Array.from({ length: 256 }, (_, byte) => ((HEX[byte >> 4] ?? 0) << 8) | (HEX[byte & 15] ?? 0))
const HASH_BYTES = 32
const PADDING = 61
const ZERO = 48
const MINUS = 45

/** Larger numbers are divided in parts that are faster. */
const SMALL = 1e9
const DIGITS_OF_SMALL = 9

/** Of a small number. */
function countOfDigits(value: number): number {
  let count = 1
  for (let least = 10; least <= value; least *= 10) count++
  return count
}

/** Bytes kept between two texts; a longer one takes a buffer of its own. */
const KEPT = 1 << 20

const viewOf = ({ buffer, byteOffset, length }: Uint8Array): DataView => new DataView(buffer, byteOffset, length)

export class TextBytes {
  /** What texts often have is in front of them, to be copied from there. */
  readonly #front: Uint8Array
  /** All bytes of the front together, as `#bits`. */
  readonly #frontBits: number
  #bytes: Buffer
  /** The same, for four at once. */
  #view: DataView
  #at: number
  /** All bytes of the text together: below 128 while all are ASCII. */
  #bits = 0

  constructor(front: Uint8Array = new Uint8Array()) {
    this.#front = front
    this.#frontBits = front.reduce((bits, byte) => bits | byte, 0)
    this.#bytes = Buffer.alloc(0)
    this.#view = viewOf(this.#bytes)
    this.#at = 0
  }

  /** Begins a text. */
  begin(): void {
    this.#at = 0
    if (this.#bytes.length === 0 || this.#bytes.length > KEPT) this.#resize(KEPT)
    this.#at = this.#front.length
    this.#bits = 0
  }

  /** Where the next byte goes. */
  get at(): number {
    return this.#at
  }

  /** What was written from a place on; valid until more is written. */
  written(from: number): Buffer {
    return this.#bytes.subarray(from, this.#at)
  }

  /** Forgets what was written from a place on. */
  back(at: number): void {
    this.#at = at
  }

  /** The text since `begin`. */
  take(): string {
    const encoding = this.#bits < ASCII_END ? 'latin1' : 'utf8'
    return this.#bytes.toString(encoding, this.#front.length, this.#at)
  }

  /** The same as bytes; short ones share a buffer with others. */
  takeBytes(): Buffer {
    const bytes = Buffer.allocUnsafe(this.#at - this.#front.length)
    this.#bytes.copy(bytes, 0, this.#front.length, this.#at)
    return bytes
  }

  /** Makes room, and returns the bytes; they are others when there was none. */
  #room(more: number): Buffer {
    const needed = this.#at + more
    if (needed > this.#bytes.length) this.#resize(Math.max(needed, 2 * this.#bytes.length))
    return this.#bytes
  }

  #resize(length: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(length, 2 * this.#front.length))
    if (this.#at === 0) larger.set(this.#front)
    else this.#bytes.copy(larger, 0, 0, this.#at)
    this.#bytes = larger
    this.#view = viewOf(larger)
  }

  /** A character of ASCII. */
  byte(code: number): void {
    this.#room(1)[this.#at++] = code
  }

  string(text: string): void {
    // UTF-8 has up to three bytes for a unit of UTF-16.
    const bytes = this.#room(3 * text.length)
    const written = bytes.write(text, this.#at, 'utf8')
    this.#at += written
    if (written !== text.length) this.#bits |= ASCII_END
  }

  /** A short one of ASCII. */
  ascii(text: string): void {
    const bytes = this.#room(text.length)
    for (let i = 0; i < text.length; i++) bytes[this.#at++] = text.charCodeAt(i)
  }

  /** Bytes of text. */
  copy(source: Uint8Array, from: number, to: number): void {
    const bytes = this.#room(to - from)
    let at = this.#at
    let bits = this.#bits
    for (let i = from; i < to; i++) {
      const byte = source[i] ?? 0
      bytes[at++] = byte
      bits |= byte
    }
    this.#at = at
    this.#bits = bits
  }

  /** A text of ASCII, which is the same each time. */
  text(codes: Uint8Array): void {
    this.#room(codes.length).set(codes, this.#at)
    this.#at += codes.length
  }

  /** Bytes of text up to the first code below a space; returns where that is, or `to`. */
  copyPlain(source: Uint8Array, from: number, to: number): number {
    const bytes = this.#room(to - from)
    let at = this.#at
    let bits = this.#bits
    let i = from
    for (; i < to; i++) {
      const byte = source[i] ?? 0
      if (byte < 32) break
      bytes[at++] = byte
      bits |= byte
    }
    this.#at = at
    this.#bits = bits
    return i
  }

  /** What is in front, or was written before. */
  again(from: number, to: number): void {
    const bytes = this.#room(to - from)
    const at = this.#at
    if (to - from > FEW) bytes.copyWithin(at, from, to)
    else {
      const view = this.#view
      let i = from
      let end = at
      for (; i + 4 <= to; i += 4, end += 4) view.setInt32(end, view.getInt32(i))
      for (; i < to; i++) bytes[end++] = bytes[i] ?? 0
    }
    this.#at = at + to - from
    if (from < this.#front.length) this.#bits |= this.#frontBits
  }

  /** Units of UTF-16 of the text from a place on. */
  unitsSince(from: number): number {
    const length = this.#at - from
    if (this.#bits < ASCII_END) return length
    const bytes = this.#bytes
    let units = 0
    for (let i = from; i < this.#at; i++) {
      const byte = bytes[i] ?? 0
      if (byte >= 0xf0) units += 2
      else if ((byte & 0xc0) !== 0x80) units++
    }
    return units
  }

  base64(source: Uint8Array, from: number, end: number): void {
    if (end - from >= MANY) {
      const all = Buffer.from(source.buffer, source.byteOffset + from, end - from).toString('base64')
      this.#at += this.#room(all.length).write(all, this.#at, 'latin1')
      return
    }
    const bytes = this.#room(4 * Math.ceil((end - from) / 3))
    const view = this.#view
    let at = this.#at
    let i = from
    for (; i + 2 < end; i += 3, at += 4) {
      const bits = ((source[i] ?? 0) << 16) | ((source[i + 1] ?? 0) << 8) | (source[i + 2] ?? 0)
      view.setInt32(at, ((BASE64_PAIRS[bits >> 12] ?? 0) << 16) | (BASE64_PAIRS[bits & 4095] ?? 0))
    }
    if (i < end) {
      const isTwo = i + 1 < end
      const bits = ((source[i] ?? 0) << 16) | (isTwo ? (source[i + 1] ?? 0) << 8 : 0)
      bytes[at++] = BASE64[bits >> 18] ?? 0
      bytes[at++] = BASE64[(bits >> 12) & 63] ?? 0
      bytes[at++] = isTwo ? (BASE64[(bits >> 6) & 63] ?? 0) : PADDING
      bytes[at++] = PADDING
    }
    this.#at = at
  }

  /** In the alphabet of URLs, of whole threes of bytes. */
  base64Url(source: Uint8Array, from: number, end: number): void {
    this.#room((4 * (end - from)) / 3)
    const view = this.#view
    let at = this.#at
    for (let i = from; i < end; i += 3, at += 4) {
      const bits = ((source[i] ?? 0) << 16) | ((source[i + 1] ?? 0) << 8) | (source[i + 2] ?? 0)
      view.setInt32(at, ((BASE64_URL_PAIRS[bits >> 12] ?? 0) << 16) | (BASE64_URL_PAIRS[bits & 4095] ?? 0))
    }
    this.#at = at
  }

  /** Of a hash, in base64, without the `=` at its end. */
  hash(source: Uint8Array, from: number): void {
    this.base64(source, from, from + HASH_BYTES)
    this.#at--
  }

  /** In large letters. */
  hex(source: Uint8Array, from: number, to: number): void {
    this.#room(2 * (to - from))
    const view = this.#view
    let at = this.#at
    let i = from
    for (; i + 1 < to; i += 2, at += 4)
      view.setInt32(at, ((PAIRS[source[i] ?? 0] ?? 0) << 16) | (PAIRS[source[i + 1] ?? 0] ?? 0))
    for (; i < to; i++, at += 2) view.setInt16(at, PAIRS[source[i] ?? 0] ?? 0)
    this.#at = at
  }

  /** Of 32 bits. */
  integer(value: number): void {
    if (value < 0) this.byte(MINUS)
    this.digits(Math.abs(value))
  }

  /** A whole number that is exact, and not negative. */
  digits(value: number): void {
    const high = Math.floor(value / SMALL)
    if (high > 0) {
      this.digits(high)
      this.#digits(value - high * SMALL, DIGITS_OF_SMALL)
    } else this.#digits(value, countOfDigits(value))
  }

  #digits(value: number, count: number): void {
    const bytes = this.#room(count)
    let rest = value | 0
    for (let at = this.#at + count - 1; at >= this.#at; at--) {
      const tenth = (rest / 10) | 0
      bytes[at] = ZERO + rest - 10 * tenth
      rest = tenth
    }
    this.#at += count
  }
}
