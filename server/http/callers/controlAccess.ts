// Who may use the control methods of the embedded chain: callers with the token, and if no token is set only programs
// on this machine. A web page does not count as such a program unless its origin is allowed: pages are recognised by
// their Origin header, and a page whose own name resolves to this machine by its Host header.

import type { IncomingMessage } from 'node:http'
import { clip } from '../../../shared/primitives.ts'
import { type AddressRanges, isLoopback } from '../../access/index.ts'
import { shellWord } from '../../process/index.ts'
import { forwardedFor } from './caller.ts'
import { createSecretCheck } from './secretCheck.ts'

const LOCAL_NAMES = new Set(['localhost', '127.0.0.1', '[::1]'])

const hostOf = (value: string): string => value.replace(/:\d+$/, '').toLowerCase()

/** Why a caller may not use control methods, and what to do about it; null when it may. A link of another site may open a `page`. */
export type WhyNoControl = (req: IncomingMessage, opens?: 'page') => string | null

export interface ControlOptions {
  /** Empty for none. */
  readonly token: string
  readonly proxies: AddressRanges
  /** Origins whose pages have the rights of programs on this machine. */
  readonly origins: readonly string[]
}

const TOKEN_HELP = 'from elsewhere start with --control-token and send it as X-Control-Token'
const WRONG_TOKEN = 'X-Control-Token is not the one this service was started with by --control-token'
const NO_TOKEN = 'this service takes no X-Control-Token: start it with --control-token'
const NOT_LOCAL = `control methods are for programs on this machine; ${TOKEN_HELP}`
const PROXIED = `control methods are for programs on this machine, and this call came through a proxy; ${TOKEN_HELP}`
const otherHost = (host: string): string =>
  `control methods are for programs on this machine, which ask for localhost and not ${clip(host)}; ${TOKEN_HELP}`
/** A host name has at most 253 characters. */
const LONGEST_ORIGIN = 300
const NO_ORIGIN =
  'pages of a file or of a frame without an origin may not use control methods: serve the page over http, and name its origin with --control-origins, or start with --control-token and send it as X-Control-Token'
/** The whole origin, and kept with those there are: who does as it says is not refused again. */
function otherOrigin(origin: string, origins: readonly string[]): string {
  const word = origin.length > LONGEST_ORIGIN ? 'their origin' : shellWord(origin)
  const way =
    origins.length === 0 ? `start with --control-origins ${word}` : `add ${word} to --control-origins, with a comma`
  return `pages of ${clip(origin)} may not use control methods: ${way}, or start with --control-token and send it as X-Control-Token`
}

const HIDDEN_ORIGIN = `pages of other sites may not use control methods; ${TOKEN_HELP}`

/** For requests without an Origin header: browsers mark those from pages of other sites all the same. */
const isOtherSite = (site: string | string[] | undefined): boolean => site === 'cross-site' || site === 'same-site'

export function createWhyNoControl({ token, proxies, origins }: ControlOptions): WhyNoControl {
  const isToken = createSecretCheck(token)
  return ({ headers, socket }, opens) => {
    const given = headers['x-control-token']
    if (typeof given === 'string' && given !== '') {
      if (isToken === null) return NO_TOKEN
      return isToken(given) ? null : WRONG_TOKEN
    }
    const { host = '', origin } = headers
    const remote = socket.remoteAddress ?? ''
    if (!isLoopback(remote)) return NOT_LOCAL
    if (proxies.has(remote) || forwardedFor(headers) !== undefined) return PROXIED
    if (!LOCAL_NAMES.has(hostOf(host))) return otherHost(host)
    const isLink = opens === 'page' && headers['sec-fetch-dest'] === 'document'
    if (origin === undefined && !isLink && isOtherSite(headers['sec-fetch-site'])) return HIDDEN_ORIGIN
    const isOwnPage = origin === `http://${host}`
    const allowed = origin === undefined || isOwnPage || origins.includes(origin)
    return allowed ? null : origin === 'null' ? NO_ORIGIN : otherOrigin(origin, origins)
  }
}
