// Who may use the control methods of the embedded chain: whoever has the token, and without one only programs on this
// very machine. A web page is no such program, wherever its browser runs: it is told by the Origin it comes with, and one
// that has its own name point here by the Host it asks for.

import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isLoopback } from '../access/index.ts'

const LOCAL_NAMES = new Set(['localhost', '127.0.0.1', '[::1]'])

const hostOf = (value: string): string => value.replace(/:\d+$/, '').toLowerCase()

/** The page we served ourselves, opened under a name of this machine. */
function isOwnPage(origin: string, host: string): boolean {
  return origin === `http://${host}` && LOCAL_NAMES.has(hostOf(host))
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

export type MayControl = (req: IncomingMessage) => boolean

/** `token` is the one given at start, empty for none. */
export function createMayControl(token: string): MayControl {
  const expected = token === '' ? null : digest(token)
  return (req) => {
    const given = req.headers['x-control-token']
    if (typeof given === 'string' && given !== '') return expected !== null && timingSafeEqual(digest(given), expected)
    const { host = '', origin } = req.headers
    if (req.headers['x-forwarded-for'] !== undefined || !isLoopback(req.socket.remoteAddress ?? '')) return false
    return LOCAL_NAMES.has(hostOf(host)) && (origin === undefined || isOwnPage(origin, host))
  }
}
