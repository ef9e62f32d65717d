import { nearestOf } from '../../shared/nearestOf.ts'

/** The known word closest to a misspelt one; null when none is close. Letter case, `-` and `_` do not count. */
export const nearest = (word: string, known: readonly string[]): string | null =>
  nearestOf(word, {
    known,
    longest: 40,
    plain: (text) => text.toLowerCase().replaceAll(/[-_]/g, ''),
    slipsOf: ({ length }) => Math.max(1, Math.floor(length / 3)),
  })

/** The same as a question behind what is refused; empty when none is close. */
export const meantWord = (meant: string | null): string => (meant === null ? '' : `, did you mean ${meant}?`)
