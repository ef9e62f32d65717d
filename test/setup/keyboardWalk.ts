// A page as a person without a mouse meets it: the focus goes with Tab through all that can be used, in the order of the
// document, and is seen at every stop.

import type { Page } from 'playwright-core'

/** So many stops say how a page is made; a table has hundreds of the same. */
const MOST_STOPS = 40

interface Walk {
  readonly faults: string[]
  stops: number
}

type WithWalk = typeof globalThis & { walk: Walk }

/** Follows the focus in the page: a question for each stop would cost more than the stop. */
function followFocus(): void {
  const walk: Walk = { faults: [], stops: 0 }
  Object.assign(globalThis, { walk })
  let last: Element | null = null
  document.addEventListener('focusin', ({ target }) => {
    // The skip link leads to `main`, which is no stop of its own.
    if (!(target instanceof HTMLElement || target instanceof SVGElement) || target.id === 'main') return
    walk.stops++
    const name = target.outerHTML.slice(0, 120)
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(target)
    const isMarked = (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1) || boxShadow !== 'none'
    const { left, top, width, height } = target.getBoundingClientRect()
    // A link over two lines has its middle between them: the first of its boxes is looked at.
    const [box = { left, top, width, height }] = target.getClientRects()
    const x = box.left + box.width / 2
    const y = box.top + box.height / 2
    const above = document.elementFromPoint(x, y)
    const isSeen = above !== null && (target.contains(above) || above.contains(target))
    if (!isMarked) walk.faults.push(`the focus is not seen on ${name}`)
    if (width === 0 || height === 0) walk.faults.push(`the focus has no place on ${name}`)
    else if (!isSeen) walk.faults.push(`the focus is hidden at ${Math.round(x)} ${Math.round(y)} on ${name}`)
    if (last !== null && last.compareDocumentPosition(target) & Node.DOCUMENT_POSITION_PRECEDING)
      walk.faults.push(`the focus goes back to ${name}`)
    last = target
  })
}

/** How many stops there are below the bar, one of a group of radio buttons; and presses that stay within a field. */
function stopsInMain(): { readonly stops: number; readonly within: number } {
  const usable = 'a[href], button, input, select, textarea, summary, [tabindex]'
  const stops = [...document.querySelectorAll<HTMLElement>(`#main :is(${usable})`)].filter(
    (one) =>
      one.tabIndex >= 0 &&
      !one.matches(':disabled, [type="radio"]:not(:checked)') &&
      one.checkVisibility({ visibilityProperty: true }),
  )
  // A date has up to seven parts.
  return { stops: stops.length, within: 6 * stops.filter((one) => one.matches('[type^="date"]')).length }
}

/** What is wrong with the way of the focus, in a line each. The page is at its top, and nothing in it has the focus. */
export async function faultsOfWalk(page: Page): Promise<readonly string[]> {
  await page.evaluate(followFocus)
  await page.keyboard.press('Tab')
  const skip = await page.evaluate(() => document.activeElement?.textContent)
  const wrong = skip === 'Skip to content' ? [] : [`the first stop is “${skip}”`]
  await page.keyboard.press('Enter')
  const skipped = await page.evaluate(() => document.activeElement?.id)
  if (skipped !== 'main') wrong.push(`the skip link leads to “${skipped}”`)
  const { stops: all, within } = await page.evaluate(stopsInMain)
  const due = Math.min(MOST_STOPS, all)
  const before = await page.evaluate(() => (globalThis as WithWalk).walk.stops)
  for (let press = 0; press < due + within; press++) await page.keyboard.press('Tab')
  const { faults, stops } = await page.evaluate(() => (globalThis as WithWalk).walk)
  if (stops - before < due) wrong.push(`${stops - before} of ${due} stops are reached`)
  return [...wrong, ...faults]
}
