// What a page costs before it shows its data: requests, bytes and elements, for every page and every part of one that an
// address opens.

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { context, inBrowser, service } from '../../setup/explorerScene.ts'
import { type ExplorerView, explorerViews } from '../../setup/explorerViews.ts'
import { firstViewOf } from '../../setup/firstView.ts'
import { servePlayed } from '../../setup/playedDemo.ts'
import { root } from '../../setup/runningService.ts'

const MOST_REQUESTS = 4
const MOST_BYTES = 80_000
const MOST_STYLES = 8_000
/** Of the pages that links from elsewhere lead to; and of tools, and of pages that begin with a further part. */
const MOST_SCRIPT = 40_000
const MOST_SCRIPT_WITH_MORE = 46_000
const MOST_ELEMENTS = 1_500
/** Cumulative layout shift: what moves under a person's eyes while the page comes. */
const MOST_SHIFT = 0.02

/** What tools add to the first script, and what the lab loads when a message is emulated or sent. */
test.each([
  ['Lab', 12_000],
  ['Console', 15_000],
  ['CellPage', 6_000],
  ['sendComposed', 20_000],
])('the script %s has at most %i bytes', async (name, most) => {
  const folder = join(root, '.build/explorer')
  const [file, ...others] = (await readdir(folder)).filter((one) => one.startsWith(`${name}-`))
  expect(others).toEqual([])
  expect(gzipSync(await readFile(join(folder, file ?? ''))).length).toBeLessThan(most)
})

/** Frames, and what Preact does after one, come late, as on a busy machine: the first view must not wait for any. */
const LATE_FRAMES = `{
  const wait = globalThis.setTimeout
  globalThis.requestAnimationFrame = (draw) => wait(() => draw(performance.now()), 400)
  globalThis.setTimeout = (run, ms, ...given) => wait(run, ms === 35 ? 400 : ms, ...given)
}`

/** A block that comes meanwhile moves the rows of lists: none comes. */
const still = () => servePlayed({ config: { mining: 'manual' } })

inBrowser(still, () => {
  let views: readonly ExplorerView[]

  beforeAll(async () => {
    views = await explorerViews(service.url)
  })

  async function open({ at, shows }: ExplorerView) {
    const page = await context.newPage()
    await page.addInitScript({ content: LATE_FRAMES })
    await page.addInitScript(() => {
      const seen = { shifted: 0 }
      Object.assign(globalThis, { seen })
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) seen.shifted += (entry as unknown as { readonly value: number }).value
      }).observe({ type: 'layout-shift', buffered: true })
    })
    const { requests, all } = await firstViewOf(page, service.url + at, shows)
    const elements = await page.locator('*').count()
    const shifted = await page.evaluate(() => (globalThis as unknown as { seen: { shifted: number } }).seen.shifted)
    await page.close()
    return { requests, all, elements, shifted }
  }

  const sizeOf = async (url: string): Promise<number> => {
    const reply = await fetch(url, { headers: { accept: 'text/html' } })
    return gzipSync(Buffer.from(await reply.arrayBuffer())).length
  }

  test('every view is four requests that do not wait for each other, and fits the budgets', async () => {
    for (const view of views) {
      const { at, isFront } = view
      const seen = await open(view)
      expect(seen.requests.slice(MOST_REQUESTS), `${at} requested ${seen.requests}`).toEqual([])
      const sizes = new Map<string, number>()
      for (const url of seen.all) if (!url.endsWith('/jsonRPC')) sizes.set(url, await sizeOf(url))
      const sum = (urls: readonly string[], ends = '') =>
        urls.reduce((total, url) => (url.endsWith(ends) ? total + (sizes.get(url) ?? 0) : total), 0)
      expect(sum(seen.all), at).toBeLessThan(MOST_BYTES)
      expect(sum(seen.requests, '.js'), at).toBeLessThan(isFront ? MOST_SCRIPT : MOST_SCRIPT_WITH_MORE)
      expect(sum(seen.requests, '.css'), at).toBeLessThan(MOST_STYLES)
      // Two round trips: the document names all that its view loads.
      const document = await (await fetch(service.url + at, { headers: { accept: 'text/html' } })).text()
      const isNamed = (url: string) => document.includes(url.slice(service.url.length + 1))
      expect(
        seen.requests.filter((url) => /\.(?:js|css)$/.test(url) && !isNamed(url)),
        at,
      ).toEqual([])
      expect(seen.elements, at).toBeLessThan(MOST_ELEMENTS)
      expect(seen.shifted, at).toBeLessThan(MOST_SHIFT)
    }
  })
})
