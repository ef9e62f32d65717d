import { nearestOf } from '../../../shared/nearestOf.ts'

/** The known name nearest to an unknown one; null when nothing is near. Letter case and the prefix `v3.` do not count. */
export const nearestName = (name: string, known: Iterable<string>): string | null =>
  nearestOf(name, {
    known,
    longest: 64,
    plain: (text) => text.toLowerCase().replace(/^v3\./, ''),
    slipsOf: ({ length }) => Math.min(3, Math.max(1, Math.floor(length / 4))),
  })

/** More would be a list of all. */
const MOST_LIKE = 3

/** The known names that an unknown one may stand for: the nearest, or those that have all its words, as `tx_hash` has that of `hash`. */
export function namesLike(name: string, known: readonly string[]): readonly string[] {
  const nearest = nearestName(name, known)
  if (nearest !== null) return [nearest]
  const words = name.toLowerCase().split('_')
  const isLike = (candidate: string): boolean => {
    const own = candidate.split('_')
    return words.every((word) => own.includes(word)) || own.every((word) => words.includes(word))
  }
  return known.filter(isLike).slice(0, MOST_LIKE)
}
