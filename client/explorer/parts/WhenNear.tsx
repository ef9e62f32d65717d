import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

/** How far below the window its content is drawn already. */
const NEAR = '300px'

/** What is drawn when a reader comes near it; its class keeps room for it until then. */
export function WhenNear(props: { readonly class: string; readonly children: ComponentChildren }) {
  const [isNear, setNear] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (place.current === null) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return
        observer.disconnect()
        setNear(true)
      },
      { rootMargin: NEAR },
    )
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [])
  return (
    <div ref={place} class={props.class}>
      {isNear && props.children}
    </div>
  )
}
