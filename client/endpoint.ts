// Where the service listens, out of what a caller wrote.

/** The `/jsonRPC` address below a base, or the address itself when it is one. Throws TypeError when it is no URL. */
export function endpoint(url: string): URL {
  const found = new URL(url, typeof location === 'undefined' ? undefined : location.href)
  found.hash = ''
  if (!found.pathname.endsWith('/jsonRPC')) found.pathname = `${found.pathname.replace(/\/+$/, '')}/jsonRPC`
  return found
}

/** An address as it may be shown: the query may hold a key. */
export const shown = ({ origin, host, protocol, pathname }: URL): string =>
  `${origin === 'null' ? `${protocol}//${host}` : origin}${pathname}`
