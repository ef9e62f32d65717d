// The known word that a misspelt one was meant to be.

/** How many characters to insert, delete, replace, or swap with the next one, to make one text the other; `most` + 1 when it is more. */
function distance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1
  let before: readonly number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = isSwapped ? (before[j - 2] ?? 0) + 1 : replaced
      next.push(Math.min(replaced, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    if (Math.min(...next) > most) return most + 1
    before = row
    row = next
  }
  return row[b.length] ?? most + 1
}

export interface NearWords {
  readonly known: Iterable<string>
  /** What of a word counts. */
  readonly plain: (word: string) => string
  /** How many slips of typing make another word of it. */
  readonly slipsOf: (plain: string) => number
  /** Longer words are not typing errors, and the work grows with the square of the length. */
  readonly longest: number
}

/** Null when none is near; of equally near ones the first. */
export function nearestOf(word: string, { known, plain, slipsOf, longest }: NearWords): string | null {
  if (word.length > longest) return null
  const wanted = plain(word)
  let least = slipsOf(wanted) + 1
  let nearest: string | null = null
  for (const candidate of known) {
    const found = distance(wanted, plain(candidate), least - 1)
    if (found >= least) continue
    least = found
    nearest = candidate
  }
  return nearest
}
