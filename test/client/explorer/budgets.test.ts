// What a page costs before it shows its data: requests, bytes and elements, for every page and every part of one that an
// address opens.

import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Browser, findChromium, launchChromium, reportNoBrowser } from '../../setup/chromium.ts'
import { type ExplorerView, explorerViews } from '../../setup/explorerViews.ts'
import { servePlayed } from '../../setup/playedDemo.ts'
import type { TestService } from '../../setup/service.ts'

const executable = findChromium()

const MOST_REQUESTS = 4
const MOST_BYTES = 80_000
const MOST_STYLES = 8_000
/** Of the pages that links from elsewhere lead to; and of tools, and of pages that begin with a further part. */
const MOST_SCRIPT = 40_000
const MOST_SCRIPT_WITH_MORE = 46_000
const MOST_ELEMENTS = 1_500
/** Cumulative layout shift: what moves under a person's eyes while the page comes. */
const MOST_SHIFT = 0.02

const inBrowser = (path: string) => () => {
  let browser: Browser
  let service: TestService
  let page: Page
  let requests: string[]
  let views: readonly ExplorerView[]

  beforeAll(async () => {
    browser = await launchChromium(path)
    service = await servePlayed()
    views = await explorerViews(service.url)
  }, 300_000)
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]()
    await service?.[Symbol.asyncDispose]()
  })
  beforeEach(async () => {
    requests = []
    page = await browser.context.newPage()
    page.on('request', (request) => requests.push(request.url()))
    await page.addInitScript(() => {
      const seen = { shifted: 0 }
      Object.assign(globalThis, { seen })
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) seen.shifted += (entry as unknown as { readonly value: number }).value
      }).observe({ type: 'layout-shift', buffered: true })
    })
  })
  afterEach(() => page.close())

  const loaded = () => requests.filter((url) => !/^(?:ws|data):?/.test(url))

  test('every view is four requests that do not wait for each other, and fits the budgets', async () => {
    for (const { at, shows, isFront } of views) {
      // The results are in the document when the service has them in time, and no block comes meanwhile.
      const load = async () => {
        requests.length = 0
        await page.goto(service.url + at)
        await page.locator(shows).first().waitFor()
        await expect.poll(() => page.locator('.waiting').count()).toBe(0)
        return loaded()
      }
      await expect
        .poll(async () => (await load()).length, { message: at, timeout: 60_000 })
        .toBeLessThanOrEqual(MOST_REQUESTS)
      const sizes = new Map<string, number>()
      for (const url of loaded()) {
        const reply = await fetch(url, { headers: { accept: 'text/html' } })
        sizes.set(url, gzipSync(Buffer.from(await reply.arrayBuffer())).length)
      }
      const sum = (ends: string) => [...sizes].reduce((all, [url, size]) => (url.endsWith(ends) ? all + size : all), 0)
      expect(sum(''), at).toBeLessThan(MOST_BYTES)
      expect(sum('.js'), at).toBeLessThan(isFront ? MOST_SCRIPT : MOST_SCRIPT_WITH_MORE)
      expect(sum('.css'), at).toBeLessThan(MOST_STYLES)
      // Two round trips: the document names all that its view loads.
      const document = await (await fetch(service.url + at, { headers: { accept: 'text/html' } })).text()
      const named = (url: string) => document.includes(url.slice(service.url.length + 1))
      expect(
        loaded().filter((url) => /\.(?:js|css)$/.test(url) && !named(url)),
        at,
      ).toEqual([])
      expect(await page.locator('*').count(), at).toBeLessThan(MOST_ELEMENTS)
      const shifted = () => (globalThis as unknown as { seen: { shifted: number } }).seen.shifted
      expect(await page.evaluate(shifted), at).toBeLessThan(MOST_SHIFT)
    }
  })
}

if (executable) describe('in a browser', inBrowser(executable))
else test('says that there is no browser', reportNoBrowser)
