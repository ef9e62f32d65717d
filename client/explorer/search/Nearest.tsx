// What exists and comes nearest to a text that names nothing.

import { nearestTo } from '../../../shared/explorer/toolQueries.ts'
import { foreignText } from '../accountNames.ts'
import type { PageProps } from '../lazyPage.tsx'
import { useReplies } from '../useReplies.ts'
import { HitList } from './searchHits.tsx'

const LONGEST_NOTE = 300

interface NearestProps extends PageProps {
  /** What is said of the text already. */
  readonly said?: string
  /** Whether the page has said already that nothing was found, and why. */
  readonly isSaid?: boolean
}

/** `subject` is the text. Nothing is shown while there is nothing near. */
export function Nearest({ subject, said, isSaid = false }: NearestProps) {
  const { data } = useReplies([nearestTo(subject)])
  const [{ results, note: found }] = data ?? [{ results: [], note: null }]
  const note = found === said ? null : found
  if (results.length === 0) return note === null || isSaid ? null : <p>{foreignText(note, LONGEST_NOTE)}</p>
  return (
    <>
      <p>{note === null ? 'The nearest that exists:' : foreignText(note, LONGEST_NOTE)}</p>
      <HitList hits={results} />
    </>
  )
}
