// What the head of a request asks for, and what it may be: one host, a body in chunks or of a length, and how long. The lists of
// addresses v3 takes do not fit the bounds of v2, and the parser has one bound for all paths, so each path is held to its own
// once the head was read.

import type { IncomingMessage } from 'node:http'
import { ApiError } from '../../../shared/errors.ts'
import type { HttpLimits } from '../httpOptions.ts'

/** A path of a call with a slash behind it; toncenter serves both of its interfaces so, too. */
const CALL_WITH_SLASH = /^\/(?:jsonRPC|api\/(?:v[23]|emulate\/v1)\/.*[^/])\/$/

const withoutLastSlash = (path: string): string =>
  path.endsWith('/') && CALL_WITH_SLASH.test(path) ? path.slice(0, -1) : path

/**
 * Path and query of a request target: a proxy may write the whole address, a query may contain further question marks, and
 * the path of a call may end with a slash, which is left out.
 */
export function targetParts(target: string): { readonly path: string; readonly query: string } {
  const own = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]*\/?/i, '/')
  const mark = own.indexOf('?')
  if (mark < 0) return { path: withoutLastSlash(own), query: '' }
  return { path: withoutLastSlash(own.slice(0, mark)), query: own.slice(mark + 1) }
}

/** The verb by which a request is answered: HEAD as GET, without the body. */
export const verbOf = ({ method = 'GET' }: IncomingMessage): string => (method === 'HEAD' ? 'GET' : method)

/** By the headers. Without a body a request has ended with its head, before the parser reports that. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Where Node keeps how far the stream of a body is; the types leave it out. */
interface BodyStream extends IncomingMessage {
  _dumped?: boolean
  readonly _readableState?: {
    ended: boolean
    endEmitted: boolean
    destroyed: boolean
    closed: boolean
    closeEmitted: boolean
  }
}

/**
 * Takes the stream of a body that a request does not have as read and closed. Node ends, closes and destroys it in seven steps of their
 * own after the reply: a twentieth of a small call. Its events do not come, so not where a relay waits for them. Does nothing where
 * Node keeps that elsewhere.
 */
export function closeEmptyBody(req: BodyStream): void {
  const state = req._readableState
  if (req._dumped !== false || state?.endEmitted !== false || hasBody(req)) return
  req._dumped = true
  state.ended = true
  state.endEmitted = true
  state.destroyed = true
  state.closed = true
  state.closeEmitted = true
}

export type HeadLimits = Pick<HttpLimits, 'urlBytes' | 'headerBytes' | 'v3HeadBytes'>

/** What the parser itself takes: above every bound, so that a head somewhat too long is refused in the words of its path. */
export const parserHeadBytes = (limits: HeadLimits): number => 2 * longestHead(limits)

/** The most any path takes. */
const longestHead = ({ headerBytes, v3HeadBytes }: HeadLimits): number => Math.max(headerBytes, v3HeadBytes)

/** Node drops the headers after these without a word, so a request with as many is refused. */
export const MOST_HEADERS = 1000

function headerLength({ rawHeaders }: IncomingMessage): number {
  let length = 0
  for (const part of rawHeaders) length += part.length
  return length
}

const tooLong = (limit: number): ApiError =>
  new ApiError('urlTooLong', `URL too long: ${limit} bytes at most`, { limit })

/** A list of 1,024 takes as many, and there is room for sixty thousand: to look for a name among those takes ten milliseconds. */
const MOST_PARAMETERS = 4096

const tooMany = (): ApiError =>
  new ApiError('urlTooLong', `Too many parameters: ${MOST_PARAMETERS} at most`, { limit: MOST_PARAMETERS })

function hasTooMany(url: string): boolean {
  let parameters = 1
  for (let at = url.indexOf('&'); at >= 0; at = url.indexOf('&', at + 1))
    if (++parameters > MOST_PARAMETERS) return true
  return false
}

const headersTooLarge = (limit: number): ApiError =>
  new ApiError('headersTooLarge', `Headers too large: ${limit} bytes at most, URL included`, { limit })

/** For a head that the parser refused. Newer versions of Node count headers there as well as bytes, and do not say which it was. */
export const headBeyondParser = (limits: HeadLimits): ApiError =>
  new ApiError(
    'headersTooLarge',
    `Headers too large: ${longestHead(limits)} bytes at most, URL included, in fewer than ${MOST_HEADERS} headers`,
  )

/** Throws ApiError for a head that is too long for its path. */
export function checkHead(req: IncomingMessage, path: string, limits: HeadLimits): void {
  const indexed = path.startsWith('/api/v3/')
  const urlBytes = indexed ? limits.v3HeadBytes : limits.urlBytes
  const headBytes = indexed ? limits.v3HeadBytes : limits.headerBytes
  const { url = '' } = req
  if (url.length > urlBytes) throw tooLong(urlBytes)
  if (url.length > MOST_PARAMETERS && hasTooMany(url)) throw tooMany()
  if (req.rawHeaders.length >= 2 * MOST_HEADERS) {
    throw new ApiError('headersTooLarge', `Too many headers: fewer than ${MOST_HEADERS}`, { limit: MOST_HEADERS })
  }
  if (url.length + headerLength(req) > headBytes) throw headersTooLarge(headBytes)
}

export interface BrokenHead {
  readonly status: 400 | 501
  readonly text: string
}

const isHost = (name: string): boolean => name.length === 4 && name.toLowerCase() === 'host'

/** What the parser lets through, and proxies read in another way than we do; null for a good head. */
export function brokenHead({ rawHeaders, headers, httpVersion }: IncomingMessage): BrokenHead | null {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) if (isHost(rawHeaders[i] ?? '')) hosts++
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1'))
    return { status: 400, text: `A request needs one Host header, and this one has ${hosts === 0 ? 'none' : hosts}` }
  const coding = headers['transfer-encoding']
  if (coding === undefined || coding.toLowerCase() === 'chunked') return null
  return { status: 501, text: 'Transfer-Encoding can only be chunked' }
}
