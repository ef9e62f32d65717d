// What a page of the explorer is, and parts of it whose scripts are loaded when they are opened.

import type { ComponentType, FunctionComponent } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { findHost, leaveOnce, type ScriptHost } from './laterScript.ts'
import { Trouble, Waiting } from './parts/Empty.tsx'

export interface PageProps {
  /** What the path names: an address, a hash, a block; empty for pages without. */
  readonly subject: string
}

/** A page has its title above what is said in place of it. */
interface Titled {
  readonly pageTitle?: string
}

export interface Lazy<P> extends FunctionComponent<P & Titled> {
  /** Loads the script before it is drawn. */
  load(): Promise<void>
  /** Has it from elsewhere. */
  take(component: ComponentType<P>): void
}

const LOOK_EVERY_MS = 2_500

const WORDS: Readonly<Record<ScriptHost, string>> = {
  away: 'The service does not answer. This part is loaded when it does.',
  updated: 'The service was updated. Reload the page to go on.',
  here: 'This part did not load. Reload the page to try again.',
}

/** A browser may keep that a script failed, and an updated service has others: only a new page gets it. */
function Failed() {
  const [host, setHost] = useState<ScriptHost | null>(null)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let isShown = true
    const look = async (wasAway: boolean): Promise<void> => {
      const found = await findHost()
      if (!isShown) return
      if (found === 'away') timer = setTimeout(() => void look(true), LOOK_EVERY_MS)
      else if (wasAway) location.reload()
      else if (leaveOnce()) return
      setHost(found)
    }
    void look(false)
    return () => {
      isShown = false
      clearTimeout(timer)
    }
  }, [])
  return host === null ? <Waiting /> : <Trouble error={WORDS[host]} reload={() => location.reload()} />
}

/** `have` is the part where it is in the script already: the build adds it. */
export function lazy<P extends object>(load: () => Promise<ComponentType<P>>, have?: ComponentType<P>): Lazy<P> {
  let Loaded = have
  const fetchOnce = async (): Promise<void> => {
    Loaded ??= await load()
  }
  function Part(props: P & Titled) {
    const [state, setState] = useState<'waiting' | 'loaded' | 'failed'>(Loaded ? 'loaded' : 'waiting')
    useEffect(() => {
      if (state !== 'loaded')
        fetchOnce().then(
          () => setState('loaded'),
          () => setState('failed'),
        )
    }, [])
    if (Loaded) return <Loaded {...props} />
    return (
      <>
        {props.pageTitle && <h1>{props.pageTitle}</h1>}
        {state === 'waiting' ? <Waiting /> : <Failed />}
      </>
    )
  }
  const take = (component: ComponentType<P>): void => {
    Loaded = component
  }
  return Object.assign(Part, { load: fetchOnce, take })
}
