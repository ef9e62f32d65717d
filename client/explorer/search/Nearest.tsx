// What exists and comes nearest to a text that names nothing.

import { nearestTo } from '../../../shared/explorer/toolQueries.ts'
import type { PageProps } from '../lazyPage.tsx'
import { useReplies } from '../useReplies.ts'
import { HitList } from './searchHits.tsx'

/** `subject` is the text. Nothing is shown while there is nothing near. */
export function Nearest({ subject }: PageProps) {
  const { data } = useReplies([nearestTo(subject)])
  const [{ results, note }] = data ?? [{ results: [], note: null }]
  if (results.length === 0) return note === null ? null : <p>{note}</p>
  return (
    <>
      <p>{note ?? 'The nearest that exists:'}</p>
      <HitList hits={results} />
    </>
  )
}
