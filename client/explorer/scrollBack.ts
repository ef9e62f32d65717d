// Scrolls a page that is drawn again to where it was left.

/** With the first link of a row that was on the screen, and where it was. */
export type LeftPlace = readonly [y: number, link?: string | null, top?: number]

/** A long list is drawn over many frames. After so many in which nothing was read or grew, no more is expected. */
const STILL = 60
/** Rows have their height in a frame after they came into view, and then move those below. */
const SETTLED = 5

/** How far the page is from its place: by the row that was on the screen, once it is drawn; rows above it may be others. */
function distanceTo([y, address, top = 0]: LeftPlace): number {
  const [link, other] = document.querySelectorAll(`#main a[href="${CSS.escape(address ?? '')}"]`)
  return link === undefined || other !== undefined ? y - scrollY : link.getBoundingClientRect().top - top
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
  const follow = (at: number, frames: number, settled: number): void => {
    const from = scrollY
    const away = distanceTo(place)
    // The page was at the place and left it, though nothing in it has moved: the reader scrolled.
    const isLeft = from !== at && Math.abs(from + away - at) < 1
    if (signal.aborted || isLeft) return
    scrollBy(0, away)
    const there = scrollY
    const goesOn = there !== from || document.querySelector('.waiting') !== null
    const left = goesOn ? STILL : frames - 1
    const still = Math.abs(away) < 1 ? settled + 1 : 0
    if (left > 0 && still < SETTLED) requestAnimationFrame(() => follow(there, left, still))
  }
  follow(reached, STILL, 0)
}
