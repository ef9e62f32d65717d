import type { TimeBounds } from '../../../shared/explorer/accountQueries.ts'
import { Empty, Trouble, Waiting } from '../parts/Empty.tsx'
import type { LoadedPages } from './usePages.ts'

/** Above a list to which so much was added that rows between are not known: begins again at the top. */
export const PageStart = <R,>({ pages }: { readonly pages: LoadedPages<R> }) =>
  pages.renew && (
    <p class="more">
      <button type="button" class="second small" onClick={pages.renew}>
        Show newer ↑
      </button>
    </p>
  )

/** In place of a list without rows; `title` says so of all days. */
export const NothingIn = ({ times, title }: { readonly times: TimeBounds; readonly title: string }) => (
  <Empty title={Object.keys(times).length === 0 ? title : 'Nothing happened in these days.'} />
)

/** Below a list: more of it, or why there is none. */
export const PageEnd = <R,>({
  pages,
  word = 'older',
}: {
  readonly pages: LoadedPages<R>
  readonly word?: 'older' | 'newer' | 'more'
}) => (
  <>
    {pages.error !== null && <Trouble error={pages.error} reload={pages.reload} />}
    {pages.count === null && pages.error === null && <Waiting />}
    {pages.older && (
      <p class="more">
        <button type="button" class="second" onClick={pages.older} aria-disabled={pages.isLoading}>
          {pages.isLoading ? 'Loading…' : `Load ${word}`}
        </button>
      </p>
    )}
  </>
)
