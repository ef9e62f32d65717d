// The protocol of Redis (RESP 2), as far as scripts and their answers need it.

/** An answer: text, a number, nothing, a list, or an error of the server. */
export type RedisReply = string | number | null | readonly RedisReply[] | RedisRefusal

export class RedisRefusal extends Error {
  override readonly name = 'RedisRefusal'
  /** Whether it is of a server in cluster mode, which has only a part of the keys. */
  readonly isOfCluster: boolean

  constructor(text: string, isOfCluster = false) {
    super(text)
    this.isOfCluster = isOfCluster
  }
}

const OF_CLUSTER = /^(?:CROSSSLOT|MOVED|ASK|CLUSTERDOWN) /

/** A Sentinel accepts a connection as a Redis does, but lacks the commands used here. */
const UNKNOWN_COMMAND = /^ERR unknown command/
const OF_SENTINEL = 'where this is a Sentinel, name the server it watches, or a proxy that follows it'

function refusalOf(text: string): RedisRefusal {
  if (OF_CLUSTER.test(text))
    return new RedisRefusal(`a Redis in cluster mode cannot be used, name one without: ${text}`, true)
  return new RedisRefusal(UNKNOWN_COMMAND.test(text) ? `${text.trimEnd()}; ${OF_SENTINEL}` : text)
}

/** The server holds something that no process of ours wrote. */
export class ReplyTooLong extends Error {
  override readonly name = 'ReplyTooLong'
}

/** Sixteen of the longest messages take 1.4 MB. */
const MOST_BYTES = 4 * 1024 * 1024

/** A command as the server reads it. */
export function commandText(words: readonly string[]): string {
  return `*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`
}

/** One reply that begins at `at`, and where it ends; null when more has to come. Throws for what is no reply. */
function read(bytes: Buffer, at: number): { readonly reply: RedisReply; readonly end: number } | null {
  const lineEnd = bytes.indexOf('\r\n', at)
  if (lineEnd < 0) return null
  const text = bytes.toString('utf8', at + 1, lineEnd)
  const end = lineEnd + 2
  const kind = String.fromCharCode(bytes[at] ?? 0)
  if (kind === '+') return { reply: text, end }
  if (kind === '-') return { reply: refusalOf(text), end }
  if (kind === ':') return { reply: Number(text), end }
  const length = Number(text)
  if (!'$*'.includes(kind) || !Number.isInteger(length))
    throw new Error('the server does not speak the protocol of Redis')
  if (length < 0) return { reply: null, end }
  return kind === '$' ? readText(bytes, end, length) : readList(bytes, end, length)
}

function readText(bytes: Buffer, start: number, length: number) {
  const end = start + length + 2
  return bytes.length < end ? null : { reply: bytes.toString('utf8', start, end - 2), end }
}

function readList(bytes: Buffer, start: number, length: number) {
  const replies: RedisReply[] = []
  let end = start
  while (replies.length < length) {
    const next = read(bytes, end)
    if (next === null) return null
    replies.push(next.reply)
    end = next.end
  }
  return { reply: replies, end }
}

/** Takes what comes off the wire and hands over whole replies, in their order. Throws for what is no reply. */
export class ReplyReader {
  #rest: Buffer = Buffer.alloc(0)

  take(chunk: Buffer, onReply: (reply: RedisReply) => void): void {
    let bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    for (;;) {
      const next = bytes.length === 0 ? null : read(bytes, 0)
      if (next === null) break
      bytes = bytes.subarray(next.end)
      onReply(next.reply)
    }
    if (bytes.length > MOST_BYTES) throw new ReplyTooLong('a reply of the server is too long')
    this.#rest = bytes
  }
}
