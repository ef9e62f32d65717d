// The view in front of a person: its path is the address of the page, Back works, and links are plain links.

import { signal } from '@preact/signals'
import { type View, viewOf } from '../../shared/explorer/views.ts'
import { BASE, boot } from './pageBoot.ts'

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
  readonly step?: number
  readonly scroll?: number
  /** What the address would have behind its path, were that not too long. */
  readonly search?: string
}

/** The service reads 8,192 bytes. A longer address would be refused when the page is loaded again. */
const LONGEST_ADDRESS = 8_000

const stateOf = (state: StepState | null): StepState => state ?? {}

function placeOf(url: URL): PagePlace {
  const path = `/${url.pathname.slice(BASE.pathname.length)}`
  const { step = 0, search = url.search } = stateOf(history.state)
  return { view: viewOf(path, boot.network), path, query: new URLSearchParams(search), step }
}

export const place = signal<PagePlace>(placeOf(new URL(location.href)))

/** The address of a path below the root of the service, for a link. */
export const href = (path: string): string => new URL(path.replace(/^\//, ''), BASE).href

const isOurs = (url: URL): boolean =>
  url.origin === BASE.origin &&
  url.pathname.startsWith(BASE.pathname) &&
  viewOf(`/${url.pathname.slice(BASE.pathname.length)}`, boot.network) !== null

function show(url: URL): void {
  place.value = placeOf(url)
}

/** What is too long for an address, such as a bag of cells, is kept with the step alone. */
function step(url: URL, { step, scroll }: StepState, replace: boolean): void {
  const { search } = url
  const isLong = url.href.length > LONGEST_ADDRESS
  if (isLong) url.search = ''
  history[replace ? 'replaceState' : 'pushState']({ step, scroll, ...(isLong && { search }) }, '', url)
  show(url)
}

/** Opens a path of the explorer. `replace` leaves no step in the history. */
export function go(path: string, { replace = false } = {}): void {
  const url = new URL(href(path))
  if (!isOurs(url)) {
    location.assign(url)
    return
  }
  history.replaceState({ ...history.state, scroll: scrollY }, '')
  step(url, { step: Date.now() }, replace)
  if (!replace) scrollTo(0, 0)
}

/** Sets parameters of the address, such as the open tab, without a step in the history. */
export function setQuery(changes: Readonly<Record<string, string | null>>): void {
  const url = new URL(location.href)
  url.search = stateOf(history.state).search ?? url.search
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) url.searchParams.delete(name)
    else url.searchParams.set(name, value)
  }
  step(url, stateOf(history.state), true)
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
  go(`/${url.pathname.slice(BASE.pathname.length)}${url.search}`)
  focusAfter(link)
}

/** A view is drawn in the next frame. */
export const afterFrames = (run: () => void): void => void requestAnimationFrame(() => requestAnimationFrame(run))

/** A long list is drawn over many frames. After so many in which the page did not grow, no more is expected. */
const STILL = 60

/** Again with each frame, until the page is long enough. */
function scrollBack(to: number, from = scrollY, frames = STILL): void {
  if (scrollY !== from) return
  scrollTo(0, to)
  const reached = scrollY
  if (reached < to - 1 && frames > 0)
    requestAnimationFrame(() => scrollBack(to, reached, reached > from ? STILL : frames - 1))
}

export function startRouter(): void {
  history.scrollRestoration = 'manual'
  document.addEventListener('click', onClick)
  addEventListener('popstate', (event) => {
    show(new URL(location.href))
    const { scroll = 0 } = stateOf(event.state)
    afterFrames(() => scrollBack(scroll))
  })
  const { view, path } = place.value
  // Other names of a page lead to the one it is known by.
  if (view !== null && view.path !== path) go(`${encodeURI(view.path)}${location.search}`, { replace: true })
}
