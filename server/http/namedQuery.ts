// The query of a URL, without what nobody asked for: on v3 paths there is room for forty thousand parameters, and to decode them
// takes ten milliseconds each time.

/** Shorter ones are decoded as they are. */
const LONG_QUERY = 4096

/** Names with escapes in them are kept: what they are is known once they are decoded. */
function isWanted(part: string, wants: (name: string) => boolean): boolean {
  const end = part.indexOf('=')
  const name = end < 0 ? part : part.slice(0, end)
  return name.includes('%') || name.includes('+') || wants(name)
}

/** The parameters of the names that are wanted, and maybe others. */
export const namedQuery = (query: string, wants: (name: string) => boolean): URLSearchParams =>
  new URLSearchParams(
    query.length <= LONG_QUERY
      ? query
      : query
          .split('&')
          .filter((part) => isWanted(part, wants))
          .join('&'),
  )
