// Objects of JSON that are stored, cut down to a length: strangers write them, and each list that has one repeats it.

/** A member of an object: the length of the JSON of its name and value, with the colon between them. */
interface MeasuredMember {
  readonly name: string
  readonly length: number
}

/** The members that stay where an object may have so many characters: all, or all but the longest. */
export function shortestMembers(members: readonly MeasuredMember[], most: number): ReadonlySet<string> {
  const fits = new Set<string>()
  // The brackets; each member but one has a comma.
  let left = most - 1
  for (const { name, length } of members.toSorted((a, b) => a.length - b.length)) {
    left -= length + 1
    if (left < 0) break
    fits.add(name)
  }
  return fits
}

/** An object of JSON without its longest members, so that its text has at most so many characters. */
export function fittingMembers<T>(value: Readonly<Record<string, T>>, most: number): Readonly<Record<string, T>> {
  const members = Object.entries(value)
  const lengths = members.map(([name, one]) => ({ name, length: JSON.stringify({ [name]: one }).length - 2 }))
  const fits = shortestMembers(lengths, most)
  return fits.size === members.length ? value : Object.fromEntries(members.filter(([name]) => fits.has(name)))
}
