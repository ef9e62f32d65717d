// The view in front of a person: its path is the address of the page, Back works, and links are plain links.

import { signal } from '@preact/signals'
import { type View, viewOf } from '../../shared/explorer/views.ts'
import { keepText, keptOr } from './keptText.ts'
import { BASE, boot } from './pageBoot.ts'
import type { LeftPlace } from './scrollBack.ts'

export interface PagePlace {
  /** Null for a path of no page. */
  readonly view: View | null
  /** Below the root of the service. */
  readonly path: string
  readonly query: URLSearchParams
  /** The step of the history, which Back and Forward lead to again. */
  readonly step: number
}

interface StepState {
  readonly step: number
  /** What the address would have behind its path, were that not too long. */
  readonly search?: string
}

/** The service reads 8,192 bytes. A longer address would be refused when the page is loaded again. */
const LONGEST_ADDRESS = 8_000

/** Below the root of the service. */
const pathOf = ({ pathname }: URL): string => `/${pathname.slice(BASE.pathname.length)}`

/** The state of the shown step. A step that the browser made itself has none, and is given its number here. */
function stateNow(): StepState {
  if (history.state === null) history.replaceState({ step: Date.now() }, '')
  return history.state
}

function placeOf(url: URL): PagePlace {
  const path = pathOf(url)
  const { step, search = url.search } = stateNow()
  return { view: viewOf(path, boot.network), path, query: new URLSearchParams(search), step }
}

export const place = signal<PagePlace>(placeOf(new URL(location.href)))

/** The address of a path below the root of the service, for a link. */
export const href = (path: string): string => new URL(path.replace(/^\//, ''), BASE).href

const isOurs = (url: URL): boolean =>
  url.origin === BASE.origin && url.pathname.startsWith(BASE.pathname) && viewOf(pathOf(url), boot.network) !== null

function show(url: URL): void {
  place.value = placeOf(url)
}

/** What is too long for an address, such as a bag of cells, is kept with the step alone. */
function step(url: URL, step: number, replace: boolean): void {
  const { search } = url
  const isLong = url.href.length > LONGEST_ADDRESS
  if (isLong) url.search = ''
  history[replace ? 'replaceState' : 'pushState']({ step, search: isLong ? search : undefined }, '', url)
  show(url)
}

const placeName = () => `place ${place.peek().step}`

/** The tab keeps it, also over a reload and over documents that are no pages of the explorer. */
function keepPlace(): void {
  const link = document
    .elementFromPoint(innerWidth / 2, innerHeight / 2)
    ?.closest('.rows > li, tr')
    ?.querySelector('a')
  keepText(placeName(), [scrollY, link?.href, link?.getBoundingClientRect().top])
}

/** Opens a path of the explorer. `replace` leaves no step in the history. */
export function go(path: string, { replace = false } = {}): void {
  const url = new URL(href(path))
  if (!isOurs(url)) {
    location.assign(url)
    return
  }
  keepPlace()
  step(url, replace ? stateNow().step : Date.now(), replace)
  if (!replace) scrollTo(0, 0)
}

/** Sets parameters of the address, such as the open tab, without a step in the history. */
export function setQuery(changes: Readonly<Record<string, string | null>>): void {
  const url = new URL(location.href)
  const { step: now, search = url.search } = stateNow()
  url.search = search
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) url.searchParams.delete(name)
    else url.searchParams.set(name, value)
  }
  step(url, now, true)
}

/** Readers of the screen begin at the top of another page; a link that is still on it, as one of a list, keeps the focus. */
function focusAfter(link: Element): void {
  const main = document.getElementById('main')
  const toMain = (): void => main?.focus({ preventScroll: true })
  if (main?.contains(link)) afterFrames(() => link.isConnected || toMain())
  else toMain()
}

function onClick(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a[href]') : null
  const plain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)
  if (!(link instanceof HTMLAnchorElement) || !plain || event.defaultPrevented || link.target || link.download) return
  const url = new URL(link.href)
  if (!isOurs(url) || (url.hash !== '' && url.pathname === location.pathname)) return
  event.preventDefault()
  go(pathOf(url) + url.search)
  focusAfter(link)
}

/** A view is drawn in the next frame. */
export const afterFrames = (run: () => void): void => void requestAnimationFrame(() => requestAnimationFrame(run))

/** Where the shown step was left. */
const leftPlace = (): LeftPlace => keptOr(placeName(), [scrollY])

/** Scrolls to it. */
export function returnToPlace(): void {
  const [y] = leftPlace()
  scrollTo(0, y)
  const reached = scrollY
  const goOn = async () => (await import('./scrollBack.ts')).scrollBack(leftPlace, reached)
  if (y > 0) goOn().catch(() => undefined)
}

export function startRouter(): void {
  history.scrollRestoration = 'manual'
  document.addEventListener('click', onClick)
  // When the page is left, and when the tab is hidden: the browser may end a hidden tab.
  document.addEventListener('visibilitychange', keepPlace)
  addEventListener('popstate', () => {
    keepPlace()
    show(new URL(location.href))
    afterFrames(returnToPlace)
  })
  const { view, path } = place.value
  // Other names of a page lead to the one it is known by.
  if (view !== null && view.path !== path) go(`${encodeURI(view.path)}${location.search}`, { replace: true })
}
