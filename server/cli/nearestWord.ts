/** How many letters must be changed, added, left out or swapped with the next one to make one word of the other. */
function distance(a: string, b: string): number {
  let before: readonly number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const changed = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = isSwapped ? (before[j - 2] ?? 0) + 1 : changed
      next.push(Math.min(changed, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    before = row
    row = next
  }
  return row[b.length] ?? 0
}

const LONGEST = 40

/** The known word closest to a misspelt one; null when none is close. */
export function nearest(word: string, known: readonly string[]): string | null {
  if (word.length > LONGEST) return null
  const plain = (text: string): string => text.toLowerCase().replaceAll(/[-_]/g, '')
  const ranked = known
    .map((candidate) => ({ candidate, away: distance(plain(word), plain(candidate)) }))
    .sort((a, b) => a.away - b.away)
  const [best] = ranked
  return best !== undefined && best.away <= Math.max(1, Math.floor(plain(word).length / 3)) ? best.candidate : null
}
