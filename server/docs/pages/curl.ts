// Calls as shell commands, quoted for a POSIX shell.

/** One word of a shell line, whatever it holds. */
export const shellQuote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const word = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** Query text of params: a list is repeated, an object is JSON. */
export function queryText(params: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined) continue
    for (const one of Array.isArray(value) ? value : [value]) query.append(name, word(one))
  }
  return query.size === 0 ? '' : `?${query}`
}

export const curlGet = (url: string, params: Readonly<Record<string, unknown>>): string =>
  `curl ${shellQuote(`${url}${queryText(params)}`)}`

/** `body`: a value, or JSON as it is to be shown. */
export const curlPost = (url: string, body: object | string): string =>
  [
    `curl ${shellQuote(url)}`,
    `-H 'Content-Type: application/json'`,
    `-d ${shellQuote(typeof body === 'string' ? body : JSON.stringify(body))}`,
  ].join(' \\\n  ')
