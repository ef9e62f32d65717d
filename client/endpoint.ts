// The address of the service, from the `url` option.

function parsed(url: string): URL {
  try {
    // In a page, `undefined` would be read as a path below the page's own address.
    if (typeof url !== 'string') throw new TypeError(typeof url)
    return new URL(url, typeof location === 'undefined' ? undefined : location.href)
  } catch (cause) {
    throw new TypeError('url must be an address such as http://localhost:8081', { cause })
  }
}

/** The address with another path, without what follows a `#`. URLs of React Native cannot be assigned to: it is made of text. */
export function withPath({ href }: URL, change: (path: string) => string): URL {
  const [, origin = '', path = '', query = ''] = /^([^:]+:\/*[^/?#]*)([^?#]*)(\?[^#]*)?/.exec(href) ?? []
  return new URL(`${origin}${change(path)}${query}`)
}

/** The `/jsonRPC` address below a base, or the address itself when it is one. Throws TypeError when it is no URL. */
export function endpoint(url: string): URL {
  return withPath(parsed(url), (path) => path.replace(/\/+$/, '').replace(/(\/jsonRPC)?$/, '/jsonRPC'))
}

/** The same, for HTTP only. Throws TypeError for another scheme, and for a user and a password, which `fetch` refuses. */
export function httpEndpoint(url: string): URL {
  const found = endpoint(url)
  if (!/^https?:$/.test(found.protocol)) throw new TypeError('url must begin with http:// or https://')
  if (/^\w+:\/\/[^/?#]*@/.test(found.href))
    throw new TypeError('url must not have a user and a password: pass them as headers: { authorization }')
  return found
}

/** The address for error texts, without the query, which may hold a key. */
export const shown = ({ protocol, host, pathname }: URL): string => `${protocol}//${host}${pathname}`
