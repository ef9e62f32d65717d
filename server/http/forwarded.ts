// What a proxy leaves in the requests it passes on. A request with any of it does not come from where its connection
// does, whether or not the proxy was declared.

import type { IncomingHttpHeaders } from 'node:http'

const OTHERS = new Set(['via', 'forwarded', 'x-real-ip', 'x-client-ip', 'true-client-ip', 'cf-connecting-ip'])

/** In the place of X-Forwarded-For, of a proxy that names no address. */
const NO_ADDRESS = '-'

/** The addresses a proxy names, `-` of one that names none; undefined for a request that no proxy has passed on. */
export function forwardedFor(headers: IncomingHttpHeaders): string | undefined {
  const named = headers['x-forwarded-for']
  if (named !== undefined) return named.toString()
  for (const name in headers) if (name.startsWith('x-forwarded-') || OTHERS.has(name)) return NO_ADDRESS
  return undefined
}
