// The frame around the page in view.

import { useEffect, useErrorBoundary } from 'preact/hooks'
import { rawOf, type View } from '../../shared/explorer/views.ts'
import { foreignText, pageNameOf } from './accountNames.ts'
import { lazy } from './lazyPage.tsx'
import { pageOf } from './pageList.tsx'
import { Empty } from './parts/Empty.tsx'
import { href, place } from './router.ts'

const SITE = document.title.split(' · ').slice(1).join(' · ')

const Broken = lazy(async () => (await import('./Broken.tsx')).Broken)

/** An account is called what its page calls it. */
function titleOf({ page, subject, title }: View): string {
  const raw = page === 'account' ? rawOf(subject) : null
  const name = raw === null ? null : pageNameOf(raw)
  return name === null ? title : `Account ${name}`
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
