// What a page of the explorer requested before its first view was there, to the request: what follows the chain is loaded
// right after it, and a block may come at any time.

import type { Page } from 'playwright-core'

export interface FirstView {
  /** Milliseconds from the start of the visit. */
  readonly shown: number
  /** The document first. Pictures inside it are none. */
  readonly requests: readonly string[]
  /** All that the page loaded by itself, what came later included. */
  readonly all: readonly string[]
}

interface Noted {
  shownAt?: number
}

/**
 * Notes when what a view is known by is there, drawn by its script, and nothing in it waits: as part of the task that drew
 * it, before any later request. As text: compiled functions call helpers no page has.
 */
const watchFor = (selector: string): string => {
  // A page has no `:text-is`.
  const [, css = selector, text = null] = /^(.*):text-is\("(.*)"\)$/.exec(selector) ?? []
  return `new MutationObserver((_, observer) => {
  const text = ${JSON.stringify(text)}
  const isThere = [...document.querySelectorAll(${JSON.stringify(css)})].some((one) => text === null || one.textContent.trim() === text)
  if (!isThere || document.querySelector('.waiting, .late') !== null) return
  globalThis.shownAt = performance.now()
  observer.disconnect()
}).observe(document, { childList: true, subtree: true })`
}

/** Opens a page that was not opened before. */
export async function firstViewOf(page: Page, url: string, selector: string): Promise<FirstView> {
  await page.addInitScript({ content: watchFor(selector) })
  await page.goto(url)
  const shownAt = await page.waitForFunction(() => (globalThis as Noted).shownAt)
  const shown = (await shownAt.jsonValue()) ?? 0
  await page.waitForLoadState('networkidle')
  const loaded = await page.evaluate(() =>
    performance.getEntriesByType('resource').map(({ name, startTime }) => ({ name, startTime })),
  )
  const fetched = loaded.filter(({ name }) => !name.startsWith('data:'))
  const before = fetched.filter(({ startTime }) => startTime <= shown)
  return { shown, requests: [url, ...before.map(({ name }) => name)], all: [url, ...fetched.map(({ name }) => name)] }
}
