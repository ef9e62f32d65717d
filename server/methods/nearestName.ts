// The known name nearest to an unknown one, for typing errors.

/** Longer names are not typing errors, and the work grows with the square of the length. */
const LONGEST = 64

/** One typing error in four characters, at most three. */
const slipsOf = (name: string): number => Math.min(3, Math.max(1, Math.floor(name.length / 4)))

/** How many characters to insert, delete or replace to make one text the other; `most` + 1 when it is more. */
function distance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    if (Math.min(...next) > most) return most + 1
    row = next
  }
  return row[b.length] ?? most + 1
}

const bare = (name: string): string => name.toLowerCase().replace(/^v3\./, '')

/** Null when nothing is near. Letter case and the prefix `v3.` do not count. */
export function nearestName(name: string, known: Iterable<string>): string | null {
  if (name.length > LONGEST) return null
  const wanted = bare(name)
  let least = slipsOf(wanted) + 1
  let nearest: string | null = null
  for (const candidate of known) {
    const found = distance(wanted, bare(candidate), least - 1)
    if (found >= least) continue
    least = found
    nearest = candidate
  }
  return nearest
}
