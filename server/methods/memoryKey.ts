/**
 * One text per call that means the same. Names are a schema's own, so only what stands between them and values, and
 * between texts and other JSON, has to be told apart: a text is led by its length.
 */
export function memoryKey(name: string, params: Record<string, unknown>): string {
  let key = name
  for (const param in params) {
    const value = params[param]
    key += typeof value === 'string' ? ` ${param}:${value.length}:${value}` : ` ${param}=${JSON.stringify(value)}`
  }
  return key
}
