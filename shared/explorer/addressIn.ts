import { rawOf } from './views.ts'

const ADDRESS = /(?:(?:-1|0):[\da-fA-F]{64}|[EUk0][Qf][\w+/-]{46})(?![\w+-])/

/** The address in a pasted text with quotes, a link or a line break in it; null for none. `searchedText` finds other things as well. */
export function addressIn(text: string): string | null {
  const seen = text.replace(/\p{Cf}/gu, '')
  for (const one of [seen, seen.replace(/\s/g, '')]) {
    const [found = ''] = ADDRESS.exec(one) ?? []
    if (rawOf(found) !== null) return found
  }
  return null
}
