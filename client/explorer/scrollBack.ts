// Scrolls a page that is drawn again to where it was left.

/** With the first link of a row that was on the screen, and where it was. */
export type LeftPlace = readonly [y: number, link?: string | null, top?: number]

/** A long list is drawn over many frames. After so many in which nothing was read or grew, no more is expected. */
const STILL = 60
/** Rows have their height in a frame after they came into view, and then move those below. */
const SETTLED = 5

/** The row that was on the screen, once it is drawn; null where its link is elsewhere, too, and for a place without one. */
function linkOf([, address]: LeftPlace): Element | null | undefined {
  const [link, other] = document.querySelectorAll(`#main a[href="${CSS.escape(address ?? '')}"]`)
  return other === undefined && address ? link : null
}

let before = new AbortController()

/** Tries with each frame until the page stays at the place, or the reader does something. `reached`: where it was scrolled to before. */
export function scrollBack(leftPlace: () => LeftPlace, reached: number): void {
  before.abort()
  // Of the step that is shown now: another one may be, since the script was requested.
  const place = leftPlace()
  before = new AbortController()
  const { signal } = before
  for (const kind of ['wheel', 'touchstart', 'pointerdown', 'keydown', 'click', 'popstate'])
    addEventListener(kind, () => before.abort(), { signal, passive: true })
  const follow = (at: number, height: number, frames: number, settled: number): void => {
    const [y, , top = 0] = place
    const from = scrollY
    const { scrollHeight } = document.documentElement
    const link = linkOf(place)
    // By the row: those above it may be others now, or of another height.
    const away = link ? link.getBoundingClientRect().top - top : y - from
    const hasGrown = scrollHeight !== height
    // The page was at the place and left it, though nothing in it has moved: the reader scrolled.
    const isLeft = from !== at && Math.abs(from + away - at) < 1 && !hasGrown
    if (signal.aborted || isLeft) return
    scrollBy(0, away)
    const there = scrollY
    const goesOn = there !== from || hasGrown || document.querySelector('.waiting') !== null
    const left = goesOn ? STILL : frames - 1
    const still = Math.abs(away) < 1 && link !== undefined ? settled + 1 : 0
    if (left > 0 && still < SETTLED) requestAnimationFrame(() => follow(there, scrollHeight, left, still))
  }
  follow(reached, document.documentElement.scrollHeight, STILL, 0)
}
