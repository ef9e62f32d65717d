// Objects of JSON that are stored, cut down to a length: strangers write them, and each list that has one repeats it.

const lengthOf = (member: unknown): number => JSON.stringify(member).length

/** An object of JSON without its longest members, so that its text has at most so many characters. */
export function fittingMembers<T>(value: Readonly<Record<string, T>>, most: number): Readonly<Record<string, T>> {
  if (lengthOf(value) <= most) return value
  const shortest = Object.entries(value)
    .map(([name, one]) => ({ name, length: lengthOf({ [name]: one }) }))
    .sort((a, b) => a.length - b.length)
  let left = most
  const fits = new Set<string>()
  for (const { name, length } of shortest) {
    left -= length
    if (left < 0) break
    fits.add(name)
  }
  return Object.fromEntries(Object.entries(value).filter(([name]) => fits.has(name)))
}
