// How paths of the v4 interface are written: parts in capitals vary, a last one with `?` may be left out.

import { nearestOf } from '../../../shared/nearestOf.ts'

const PARTS: Readonly<Record<string, string>> = {
  SEQNO: '\\d{1,10}',
  TIME: '\\d{1,10}',
  LT: '\\d{1,20}',
  ADDRESS: '[^/]{1,128}',
  HASH: '[^/]{1,128}',
  METHOD: '[^/]{1,128}',
  PARAMETERS: '[^/]{1,4096}',
  ARGUMENTS: '[\\w-]+={0,2}',
}

/** What fits a path; its groups are the parts that vary. */
export const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replace(/\/([A-Z]+)(\??)/g, (_, name, mark) => `(?:/(${PARTS[name]}))${mark}`)}$`)

const splitPath = (path: string): readonly string[] => path.replace(/\/$/, '').split('/')

/** More are no slips of typing. */
const MOST_SLIPS = 3

interface Compared {
  readonly path: string
  /** What was sent, with the names of the parts that vary: only the others are compared. */
  readonly sent: string
  readonly slips: number
  /** Whether each part that varies is of its kind. */
  readonly isFit: boolean
}

function compare(path: string, sent: readonly string[]): Compared[] {
  const parts = splitPath(path)
  if (parts.length !== sent.length) return []
  const kinds = parts.map((part) => PARTS[part])
  const fixed = parts.filter((_, i) => kinds[i] === undefined).join('/')
  return [
    {
      path,
      sent: sent.map((part, i) => (kinds[i] === undefined ? part : (parts[i] ?? ''))).join('/'),
      slips: Math.min(MOST_SLIPS, Math.floor(fixed.length / 4)),
      isFit: sent.every((part, i) => kinds[i] === undefined || new RegExp(`^${kinds[i]}$`).test(part)),
    },
  ]
}

const isNear = ({ path, sent }: Compared, slips: number): boolean =>
  nearestOf(sent, { known: [path], longest: 64, plain: (text) => text.toLowerCase(), slipsOf: () => slips }) !== null

/** The path that was meant: with the fewest slips of typing, or else with a part of another kind, as a name for a number. */
export function nearestPathOfV4(sent: string, paths: Iterable<string>): string | null {
  const written = [...paths].flatMap((path) =>
    path.endsWith('?') ? [path.replace(/\/[A-Z]+\?$/, ''), path.slice(0, -1)] : path,
  )
  // Once: a path of 16 kB may have thousands of parts.
  const sentParts = splitPath(sent)
  const compared = written.flatMap((path) => compare(path, sentParts))
  const fit = compared.filter(({ isFit }) => isFit)
  for (let slips = 0; slips <= MOST_SLIPS; slips++) {
    const found = fit.find((one) => slips <= one.slips && isNear(one, slips))
    if (found !== undefined) return found.path
  }
  return compared.find((one) => isNear(one, 0))?.path ?? null
}
