// What a page of the explorer is, and parts of it whose scripts are loaded when they are opened.

import type { ComponentType, FunctionComponent } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Trouble, Waiting } from './parts/Empty.tsx'

export interface PageProps {
  /** What the path names: an address, a hash, a block; empty for pages without. */
  readonly subject: string
}

export type Page = ComponentType<PageProps>

export interface Lazy<P> extends FunctionComponent<P> {
  /** Loads the script before it is drawn. */
  load(): Promise<void>
  /** Has it from elsewhere. */
  take(component: ComponentType<P>): void
}

export function lazy<P extends object>(load: () => Promise<ComponentType<P>>): Lazy<P> {
  let Loaded: ComponentType<P> | undefined
  const fetchOnce = async (): Promise<void> => {
    Loaded ??= await load()
  }
  function Part(props: P) {
    const [state, setState] = useState<'waiting' | 'loaded' | 'failed'>(Loaded ? 'loaded' : 'waiting')
    useEffect(() => {
      if (state !== 'loaded')
        fetchOnce().then(
          () => setState('loaded'),
          () => setState('failed'),
        )
    }, [])
    if (Loaded) return <Loaded {...props} />
    if (state === 'waiting') return <Waiting />
    const error = 'This part of the page did not load: the service may have been updated. Reload the page.'
    return <Trouble error={error} reload={() => location.reload()} />
  }
  const take = (component: ComponentType<P>): void => {
    Loaded = component
  }
  return Object.assign(Part, { load: fetchOnce, take })
}
