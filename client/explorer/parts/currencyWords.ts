import { groupDigits } from './groupDigits.ts'

/** One account can hold thousands. */
const MOST = 50

/** Amounts of extra currencies by their ids, in words: they have no names, and nothing says how many decimals. Null for none. */
export function currencyWords(amounts: Readonly<Record<string, string>> | null | undefined): string | null {
  const all = Object.entries(amounts ?? {}).map(([id, units]) => `${groupDigits(units)} of currency ${id}`)
  return all.length === 0 ? null : `${all.slice(0, MOST).join(', ')}${all.length > MOST ? ', …' : ''}`
}
