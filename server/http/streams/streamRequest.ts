// What both transports of streams do with a request.

/** Longest id that is echoed. */
const MOST_ID = 256

/** The id of a request as its reply has it: nothing where it has none that can be echoed. */
export function echoOf(request: Readonly<Record<string, unknown>>): { readonly id?: string | number } {
  const { id } = request
  if (typeof id === 'number') return { id }
  return typeof id === 'string' && id.length <= MOST_ID ? { id } : {}
}
