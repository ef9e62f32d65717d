import { nearestOf } from '../../../shared/nearestOf.ts'

/** The known name nearest to an unknown one; null when nothing is near. Letter case and the prefix `v3.` do not count. */
export const nearestName = (name: string, known: Iterable<string>): string | null =>
  nearestOf(name, {
    known,
    longest: 64,
    plain: (text) => text.toLowerCase().replace(/^v3\./, ''),
    slipsOf: ({ length }) => Math.min(3, Math.max(1, Math.floor(length / 4))),
  })
