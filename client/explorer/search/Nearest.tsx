// What exists and comes nearest to a text that names nothing.

import { LONGEST_SEARCH } from '../../../shared/explorer/explorerQueries.ts'
import { query } from '../../../shared/explorer/explorerQuery.ts'
import type { PageProps } from '../lazyPage.tsx'
import { useReplies } from '../useReplies.ts'
import { HitList } from './searchHits.tsx'

const MOST = 5

/** `subject` is the text. Nothing is shown while there is nothing near. */
export function Nearest({ subject }: PageProps) {
  const text = subject.slice(0, LONGEST_SEARCH)
  const { data } = useReplies([query('v3.search', { query: text, limit: MOST })])
  const [{ results, note }] = data ?? [{ results: [], note: null }]
  if (results.length === 0) return note === null ? null : <p>{note}</p>
  return (
    <>
      <p>{note ?? 'The nearest that exists:'}</p>
      <HitList hits={results} />
    </>
  )
}
