// Which addresses settings may hold.

/** Whether a name and a password in it can be read: clients decode them, and a `%` of its own is written as `%25`. */
function isReadable(text: string): boolean {
  try {
    const { username, password } = new URL(text)
    return decodeURIComponent(username + password) !== null
  } catch {
    return false
  }
}

export const isBase = (text: string): boolean => text === '' || (/^https?:\/\//.test(text) && isReadable(text))

/**
 * Whether it has no name and password: anyone reads it in documents and pages, and browsers fetch nothing with them.
 * Paths are put behind it, which would belong to a query.
 */
export function isPublicBase(text: string): boolean {
  if (text === '' || !isBase(text)) return text === ''
  const { username, password } = new URL(text)
  return username + password === '' && !/[?#]/.test(text)
}

/** For a Unix socket libpq takes an address without a host, which is no URL: `postgres://user@/name?host=/run/postgresql`. */
export const withHost = (text: string): string => text.replace(/^(postgres(?:ql)?:\/\/[^/@]+@)(?=[:/])/, '$1localhost')

/** Names of parameters about TLS. */
const TLS =
  /^ssl(?:mode|rootcert|cert|key|password|certmode|crl|crldir|sni|compression|negotiation|_m(?:in|ax)_protocol_version)?$/

const isAboutTls = (name: string): boolean => /ssl|tls/i.test(name)

/** The driver passes over a misspelt one: the connection would be in plain text. */
const asksInVain = (name: string): boolean => isAboutTls(name) && !TLS.test(name)

/**
 * Of a list of hosts, as libpq takes it, only the first or none would be used. One with neither a host nor a database
 * comes from a template whose variables are empty.
 */
export function isPostgres(text: string): boolean {
  if (!/^postgres(?:ql)?:\/\//.test(text) || !URL.canParse(text)) return false
  const { hostname, pathname, search, searchParams } = new URL(text)
  if ([...searchParams.keys()].some(asksInVain)) return false
  return !hostname.includes(',') && hostname + pathname.slice(1) + search !== ''
}
export const isDatabase = (text: string): boolean => text === 'pglite' || isPostgres(text)

/** Values of a parameter that asks for no TLS. */
const NO_TLS = /^(?:false|0|no|off|none)$/i

/**
 * Refuses what the connection would not do: log in with one word before the `@`, which is a user to some clients and a password to
 * others, use TLS because a parameter asks for it, and what any other parameter says, as of a Sentinel or a database.
 */
export function isRedis(text: string): boolean {
  if (!/^rediss?:\/\//.test(text) || !isReadable(text)) return false
  const { protocol, username, password, pathname, hash, searchParams } = new URL(text)
  const isTls = protocol === 'rediss:'
  const isKept = ([name, value]: readonly [string, string]) => isAboutTls(name) && (isTls || NO_TLS.test(value))
  const isPlain = hash === '' && /^\/?\d*$/.test(pathname) && [...searchParams].every(isKept)
  return isPlain && (username === '' || password !== '')
}
