// The HTTP transport: one message, one POST.

import { httpEndpoint, shown } from './endpoint.ts'
import { checkNames } from './optionNames.ts'
import { isObject, type RpcReply, type Transport, toReplies, toText } from './protocol.ts'
import { parseRetryAfter } from './retry.ts'
import { isTransportError, TransportError } from './rpcErrors.ts'

export interface PostOptions {
  /** The service's base (`http://localhost:8081`) or its full `/jsonRPC` address; in a page it may be relative. */
  readonly url: string
  readonly apiKey?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly fetch?: typeof fetch | undefined
}

/** What a text is as JSON; undefined when it is none. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Twelve times the default limit of the service; a hostile service may send without end. */
export const LONGEST_ANSWER = 128 * 2 ** 20

export const tooLong = (address: string): TransportError =>
  new TransportError({ reason: 'reply', text: `an answer of more than ${LONGEST_ANSWER} bytes from ${address}` })

/** The text of an answer, counted while it is read where its length is not known. Throws TransportError. */
export async function answerText(response: Response, address: string): Promise<string> {
  const { headers, body, type } = response
  // Of a compressed answer, `content-length` is the compressed size. A page is not shown whether one of another origin was.
  const isPlain = headers.get('content-encoding') === null && type !== 'cors'
  const given = isPlain ? Number(headers.get('content-length') ?? Number.NaN) : 0
  const isKnown = given > 0 && given <= LONGEST_ANSWER
  // The answer of a custom `fetch` may have no stream to read.
  if (isKnown || typeof body?.getReader !== 'function') return response.text()
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (let bytes = given || 0; bytes <= LONGEST_ANSWER; ) {
    const { value, done } = await reader.read()
    if (done) return text + decoder.decode()
    bytes += value.length
    text += decoder.decode(value, { stream: true })
  }
  reader.cancel().catch(() => undefined)
  throw tooLong(address)
}

/** The cause below `fetch`, which reports only that it failed: `connect ECONNREFUSED 127.0.0.1:8081`. */
export function rootOf(error: unknown): string {
  let root = error
  for (let depth = 0; depth < 5 && root instanceof Error && root.cause instanceof Error; depth++) root = root.cause
  return root instanceof Error && root !== error && root.message !== '' ? `: ${root.message}` : ''
}

const isRefusal = ({ error }: RpcReply): boolean => isObject(error)

/** What a status says when the answer says nothing. */
function statusText(status: number, address: string, retryAfter: number | undefined): string {
  if (status === 429) {
    const wait = retryAfter === undefined ? '' : `, retry after ${retryAfter} s`
    return `HTTP 429 from ${address}: too many calls${wait}`
  }
  if (status === 404) return `HTTP 404 from ${address}: no service there, check url`
  if (status >= 502 && status <= 504)
    return `HTTP ${status} from ${address}: the service behind the proxy does not answer`
  return `HTTP ${status} from ${address}`
}

export const statusError = (status: number, address: string, retryAfter?: number): TransportError =>
  new TransportError({ reason: 'status', text: statusText(status, address, retryAfter), status, retryAfter })

/** A page's fetch follows a redirection with GET and without the calls, unless it is a 307 or a 308. */
const isAstray = ({ redirected, ok, status }: Response, replies: readonly RpcReply[]): boolean =>
  redirected && (status === 405 || !(ok ? replies.length > 0 : replies.some(isRefusal)))

/** Throws TypeError for a `fetch` that cannot be called: each call would look as if the service were down. */
export function checkFetch(own: unknown): void {
  if (own !== undefined && own !== null && typeof own !== 'function') throw new TypeError('fetch must be a function')
}

/** A transport over `fetch`. Throws TypeError for an address that cannot be one of an HTTP service. */
export function postTransport(options: PostOptions): Transport {
  const url = httpEndpoint(options.url)
  checkNames(options)
  checkFetch(options.fetch)
  const headers = new Headers(options.headers)
  headers.set('content-type', 'application/json')
  if (options.apiKey !== undefined) headers.set('x-api-key', options.apiKey)
  const address = shown(url)

  const exchange = async (body: string, signal: AbortSignal) => {
    // Read late and called bare: a page's fetch throws when it is called as a method of another object.
    const send = options.fetch ?? fetch
    try {
      const response = await send(url.href, { method: 'POST', headers, body, signal })
      return { response, text: await answerText(response, address) }
    } catch (cause) {
      if (isTransportError(cause)) throw cause
      throw new TransportError({ reason: 'network', text: `no answer from ${address}${rootOf(cause)}`, cause })
    }
  }

  return async (requests, signal) => {
    const { response, text } = await exchange(toText(requests), signal)
    const { ok, status } = response
    const body = parse(text)
    const replies = toReplies(body)
    if (isAstray(response, replies)) {
      const said = `${address} leads to ${shown(new URL(response.url))}, where calls do not arrive: use its address as url`
      throw new TransportError({ reason: 'reply', text: said, status })
    }
    if (ok && body !== undefined) return replies
    const retryAfter = parseRetryAfter(response.headers, Date.now())
    if (!ok && replies.some(isRefusal)) {
      return replies.map((reply) => ({ ...reply, status, ...(retryAfter !== undefined && { retryAfter }) }))
    }
    if (!ok) throw statusError(status, address, retryAfter)
    const what = text === '' ? 'an empty answer' : 'an answer that is not JSON'
    throw new TransportError({ reason: 'reply', text: `${what} from ${address}: check url`, status })
  }
}
