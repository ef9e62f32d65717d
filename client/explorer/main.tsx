// The explorer's page. It begins with what the service wrote into it, follows the chain, and shows the view of its address.
// It sees the client and pure files of `shared/`; the service knows nothing of it but its files.

import { effect } from '@preact/signals'
import { type ComponentType, render } from 'preact'
import type { View } from '../../shared/explorer/views.ts'
import { App } from './App.tsx'
import { learn } from './accountNames.ts'
import { Corner } from './Corner.tsx'
import { startFrame } from './frame.tsx'
import type { PageProps } from './lazyPage.tsx'
import { startLive, tick } from './live.ts'
import { Notices } from './Notices.tsx'
import { boot } from './pageBoot.ts'
import { pageOf } from './pageList.tsx'
import { href, place, returnToPlace, startRouter } from './router.ts'

function mount(id: string, content: preact.ComponentChild): void {
  const element = document.getElementById(id)
  if (element === null) return
  element.replaceChildren()
  render(content, element)
}

/** The page as the service chose it: with the part its address opens, when it has one. */
async function loadPage(view: View): Promise<void> {
  const page = pageOf(view.page)
  if (boot.script === null) return page.load()
  const url = href(boot.script)
  // The cast: the build makes a script of each page, and the service names it.
  const { Page } = (await import(url)) as { readonly Page: ComponentType<PageProps> }
  page.take(Page)
}

/** What the service wrote stays until the script of its page is there; without it the page says why. */
async function showPage(): Promise<void> {
  const { view } = place.value
  if (view !== null) await loadPage(view).catch(() => undefined)
  mount('main', <App />)
  returnToPlace()
}

/** The service writes links relative to the path of the document, and steps from page to page change that path. */
function keepLinks(): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('.top a, .foot a')) link.href = String(link)
}

/** Rows that come while a view is open show themselves; those it begins with do not. */
function markNewRows(): void {
  const { classList } = document.body
  effect(() => {
    void place.value
    classList.remove('moving')
  })
  effect(() => {
    if (tick.value > 0) classList.add('moving')
  })
}

/** What marks accounts under the pointer or the focus. */
function loadForPointer(): void {
  const load = (): void => void import('./parts/sameAddresses.ts').catch(() => undefined)
  for (const type of ['pointerover', 'focusin']) document.addEventListener(type, load, { once: true })
}

/** What copies rows is there before a person has selected them. */
function copyTables(): void {
  document.addEventListener('selectionchange', () => {
    if (getSelection()?.type === 'Range') void import('./tableCopy.ts').catch(() => undefined)
  })
}

// Before the first view is drawn: what it draws from a name or an interface would come a frame later.
for (const reply of Object.values(boot.replies)) learn(reply)
keepLinks()
startRouter()
startFrame()
markNewRows()
loadForPointer()
copyTables()
startLive(showPage())
mount('notices', <Notices />)
mount('corner', <Corner />)
