// The frame around the page in view.

import { useEffect, useErrorBoundary } from 'preact/hooks'
import { rawOf, type View, viewOf } from '../../shared/explorer/views.ts'
import { accountPath, foreignText, nameOf } from './accountNames.ts'
import { lazy } from './lazyPage.tsx'
import { boot } from './pageBoot.ts'
import { pageOf } from './pageList.tsx'
import { Empty } from './parts/Empty.tsx'
import { href, place } from './router.ts'

const SITE = document.title.split(' · ').slice(1).join(' · ')

const Broken = lazy(async () => (await import('./Broken.tsx')).Broken)

/** An account is called what its page calls it, whatever form of its address was opened. */
function titleOf({ page, subject, title }: View): string {
  const raw = page === 'account' ? rawOf(subject) : null
  if (raw === null) return title
  const name = nameOf(raw)
  return name === null ? (viewOf(accountPath(raw), boot.network)?.title ?? title) : `Account ${name}`
}

/** What a page cannot show, such as answers of a service that was updated, ends that page and not the frame. */
export function App() {
  const { view, path } = place.value
  const title = view === null ? 'Not found' : titleOf(view)
  useEffect(() => {
    document.title = `${title} · ${SITE}`
  }, [title])
  const [failure, forget] = useErrorBoundary()
  useEffect(forget, [path])
  if (failure) return <Broken error={failure} />
  if (view === null)
    return (
      <>
        <h1>Not found</h1>
        <Empty title={`There is no page at ${foreignText(path)}.`}>
          <p>
            <a href={href('/')}>Go to the newest activity</a>, or search above.
          </p>
        </Empty>
      </>
    )
  const Page = pageOf(view.page)
  return <Page subject={view.subject} pageTitle={title} />
}
