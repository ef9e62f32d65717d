// The caller of a request, cached per connection for a moment: the next request mostly carries the same key, and
// hashing it again costs as much as answering.

import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { type Access, type Caller, clientAddress, type TrustedProxies } from '../access/index.ts'
import { forwardedFor } from './forwarded.ts'
import { keyOf } from './key.ts'

export interface Found {
  readonly caller: Caller | Promise<Caller>
  /** Header name and value for a caller whose key was not seen; empty otherwise. */
  readonly hint: readonly string[]
}

/** Throws ApiError for a key that does not hold. `now` is in milliseconds since the process began. */
export type CallerOf = (req: IncomingMessage, query: string, now: number) => Found

/** Short compared with the two seconds within which a revoked key must stop working. */
const REMEMBERED_MS = 200

interface Remembered {
  readonly key: string | undefined
  readonly forwarded: string | undefined
  readonly found: Found
  readonly until: number
}

interface KnownSocket extends Socket {
  lastCaller?: Remembered
}

export function createCallerOf(access: Access, proxies: TrustedProxies): CallerOf {
  return (req, query, now) => {
    const socket = req.socket as KnownSocket
    const { key, hint } = keyOf(req, query)
    const forwarded = forwardedFor(req.headers)
    const last = socket.lastCaller
    if (last && last.key === key && last.forwarded === forwarded && now < last.until) return last.found
    const caller = access.identify(key, clientAddress(socket.remoteAddress, forwarded, proxies))
    const found = { caller, hint }
    // A hint is about this very request, and a promise may yet fail.
    if (hint.length > 0 || caller instanceof Promise) return found
    socket.lastCaller = { key, forwarded, found, until: now + REMEMBERED_MS }
    return found
  }
}
