// What a page of the explorer is.

import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Trouble, Waiting } from './parts/Empty.tsx'

export interface PageProps {
  /** What the path names: an address, a hash, a block; empty for pages without. */
  readonly subject: string
}

export type Page = ComponentType<PageProps>

/** A page whose script is loaded when it is opened. */
export function lazy(load: () => Promise<Page>): Page {
  let loaded: Page | undefined
  return (props) => {
    const [Loaded, setLoaded] = useState<{ readonly page?: Page; readonly error?: string }>(
      loaded ? { page: loaded } : {},
    )
    useEffect(() => {
      load().then(
        (page) => {
          loaded = page
          setLoaded({ page })
        },
        () =>
          setLoaded({
            error: 'This part of the page did not load: the service may have been updated. Reload the page.',
          }),
      )
    }, [])
    if (Loaded.page) return <Loaded.page {...props} />
    return Loaded.error ? <Trouble error={Loaded.error} reload={() => location.reload()} /> : <Waiting />
  }
}
