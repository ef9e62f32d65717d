// How a name is spelled in the index of names, and in the text of a search: one case, one spelling of each letter, no characters
// without a width.

/** Characters of a name that are searched. */
const LONGEST = 64
/** Words of a name a search can begin with. */
const MOST_WORDS = 5

export const searchText = (text: string): string =>
  [
    ...text
      // Before any other work: a name can be of megabytes.
      .slice(0, 4 * LONGEST)
      .normalize('NFKC')
      .toLowerCase()
      .replaceAll(/[\p{C}]/gu, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  ]
    .slice(0, LONGEST)
    .join('')

/** What a token of this name and symbol is found by, each once. */
export function nameWords({ name, symbol }: { readonly name?: unknown; readonly symbol?: unknown }): readonly string[] {
  const whole = typeof name === 'string' ? searchText(name) : ''
  const words = whole.split(' ').slice(0, MOST_WORDS)
  const endings = words.map((_, i) => whole.split(' ').slice(i).join(' '))
  const short = typeof symbol === 'string' ? searchText(symbol) : ''
  return [...new Set([...endings, short, short.replace(/^\$/, '')])].filter((word) => word !== '')
}
