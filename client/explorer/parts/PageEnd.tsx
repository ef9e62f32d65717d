import { useLayoutEffect, useRef } from 'preact/hooks'
import type { TimeBounds } from '../../../shared/explorer/accountQueries.ts'
import { Empty, Trouble, Waiting } from './Empty.tsx'
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

interface NothingInProps {
  readonly times: TimeBounds
  /** Said of all days, and of the chosen ones. */
  readonly title: string
  readonly ofDays?: string
}

/** In place of a list without rows. */
export const NothingIn = ({ times, title, ofDays = 'Nothing happened in these days.' }: NothingInProps) => (
  <Empty title={Object.keys(times).length === 0 ? title : ofDays} />
)

interface PageEndProps<R> {
  readonly pages: LoadedPages<R>
  readonly word?: 'older' | 'newer' | 'more'
}

/** Below a list: more of it, or why there is none. */
export function PageEnd<R>({ pages, word = 'older' }: PageEndProps<R>) {
  const place = useRef<HTMLParagraphElement>(null)
  const isOver = pages.older === null
  // The focus was on the button that the last page takes away.
  useLayoutEffect(() => {
    if (isOver && document.activeElement === document.body) place.current?.focus({ preventScroll: true })
  }, [isOver])
  return (
    <>
      {pages.error !== null && <Trouble error={pages.error} reload={pages.reload} />}
      {pages.count === null && pages.error === null && <Waiting />}
      {pages.older ? (
        <p class="more">
          <button type="button" class="second" onClick={pages.older} aria-disabled={pages.isLoading}>
            {pages.isLoading ? 'Loading…' : `Load ${word}`}
          </button>
        </p>
      ) : (
        pages.isExtended && (
          <p class="more quiet" tabIndex={-1} ref={place}>
            Nothing {word}.
          </p>
        )
      )}
    </>
  )
}
