// What a page of the explorer is, and parts of it whose scripts are loaded when they are opened.

import type { ComponentType, FunctionComponent } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { connected } from './live.ts'
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

const reload = (): void => location.reload()

/** A browser may keep that a script failed: only a new page gets it. */
function Failed() {
  const isGone = !connected.value
  const wasGone = useRef(isGone)
  useEffect(() => {
    if (wasGone.current && !isGone) reload()
    wasGone.current = isGone
  }, [isGone])
  const error = isGone
    ? 'The service does not answer. This part of the page is loaded when it does.'
    : 'This part of the page did not load: the service may have been updated. Reload the page.'
  return <Trouble error={error} reload={reload} />
}

/** `have` is the part where it is in the script already: the build adds it. */
export function lazy<P extends object>(load: () => Promise<ComponentType<P>>, have?: ComponentType<P>): Lazy<P> {
  let Loaded = have
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
    return <Failed />
  }
  const take = (component: ComponentType<P>): void => {
    Loaded = component
  }
  return Object.assign(Part, { load: fetchOnce, take })
}
