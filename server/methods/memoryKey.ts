/**
 * One text for all equal calls. Names come from a schema, so only names and values, and texts and other JSON, must not
 * run into each other: a text is led by its length.
 */
export function memoryKey(name: string, params: Record<string, unknown>): string {
  let key = name
  for (const param in params) {
    const value = params[param]
    key += typeof value === 'string' ? ` ${param}:${value.length}:${value}` : ` ${param}=${JSON.stringify(value)}`
  }
  return key
}
