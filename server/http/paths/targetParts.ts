// What a request asks for, read from its first line.

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
