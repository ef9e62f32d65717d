// The frame around the page in view.

import { useEffect } from 'preact/hooks'
import { foreignText } from './accountNames.ts'
import { pageOf } from './pageList.tsx'
import { Empty } from './parts/Empty.tsx'
import { href, place } from './router.ts'

const SITE = document.title.split(' · ').slice(1).join(' · ')

export function App() {
  const { view, path } = place.value
  const title = view?.title ?? 'Not found'
  useEffect(() => {
    document.title = `${title} · ${SITE}`
  }, [title])
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
  return <Page subject={view.subject} />
}
