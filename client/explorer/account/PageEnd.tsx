import { Trouble, Waiting } from '../parts/Empty.tsx'
import type { LoadedPages } from './usePages.ts'

/** Below a list: more of it, or why there is none. */
export const PageEnd = <R,>({
  pages,
  word = 'older',
}: {
  readonly pages: LoadedPages<R>
  readonly word?: 'older' | 'more'
}) => (
  <>
    {pages.error !== null && <Trouble error={pages.error} reload={pages.reload} />}
    {pages.rows === null && pages.error === null && <Waiting />}
    {pages.older && (
      <p class="more">
        <button type="button" class="second" onClick={pages.older}>
          Load {word}
        </button>
      </p>
    )}
  </>
)
