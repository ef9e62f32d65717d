import { useEffect, useState } from 'preact/hooks'
import { findHost, leaveOnce } from './laterScript.ts'
import { Trouble, Waiting } from './parts/Empty.tsx'

/** In place of a page that failed while it was drawn. */
export function Broken({ error }: { readonly error: unknown }) {
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    let isCurrent = true
    void findHost().then((host) => {
      if (isCurrent && !(host === 'updated' && leaveOnce())) setShown(true)
    })
    return () => {
      isCurrent = false
    }
  }, [])
  if (!isShown) return <Waiting />
  const words = error instanceof Error ? error.message : String(error)
  return (
    <>
      <h1>Not shown</h1>
      <Trouble
        error={`The service answered what this page cannot show (${words}). Either may have been updated.`}
        reload={() => location.reload()}
      />
    </>
  )
}
