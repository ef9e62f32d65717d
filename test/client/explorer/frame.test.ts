// What is around every page of the explorer: its links, its keys, and the clock it counts ages by.

import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createClient } from '../../../client/index.ts'
import { type Browser, findChromium, launchChromium, reportNoBrowser } from '../../setup/chromium.ts'
import { serve, type TestService } from '../../setup/service.ts'

/** A day and an hour. */
const OFF_MS = 90_000_000

const inBrowser = (path: string) => () => {
  let browser: Browser
  let service: TestService
  let page: Page

  beforeAll(async () => {
    browser = await launchChromium(path)
    service = await serve({ withIndex: true })
  }, 300_000)
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]()
    await service?.[Symbol.asyncDispose]()
  })
  beforeEach(async () => {
    page = await browser.context.newPage()
  })
  afterEach(() => page.close())

  const linksOfFrame = () =>
    page.locator('.top a, .foot a').evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href))

  test('links of the frame lead to the same pages from every view', async () => {
    await page.goto(service.url)
    await page.locator('.blocks a').first().waitFor()
    const first = await linksOfFrame()
    expect(first).toContain(`${service.url}/console`)
    await page.locator('.blocks a').first().click()
    await page.getByRole('heading', { level: 1, name: /^Block/ }).waitFor()
    expect(await linksOfFrame()).toEqual(first)
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Console' }).click()
    await page.getByRole('heading', { level: 1, name: 'Console' }).waitFor()
    expect(await page.locator('nav [aria-current="page"]').textContent()).toBe('Console')
    // Another name of a page is replaced by its own, which is less deep.
    const [{ friendly = '' } = {}] = (await createClient({ url: service.url }).dev.state()).accounts
    await page.goto(`${service.url}/explorer/address/${friendly}`)
    await page.getByRole('tab', { name: 'History' }).waitFor()
    expect(await linksOfFrame()).toEqual(first)
  })

  test.each([-OFF_MS, OFF_MS])('ages are right on a computer whose clock is off by %i ms', async (off) => {
    await page.addInitScript((ms) => {
      const { now } = Date
      Date.now = () => now() + ms
    }, off)
    await createClient({ url: service.url }).dev.mine({ blocks: 1 })
    await page.goto(service.url)
    await expect.poll(() => page.locator('#head').textContent()).toMatch(/· \d+ s$/)
    expect(await page.locator('.facts time').first().textContent()).toMatch(/^(?:now|\d+ s ago)$/)
    const notice = await page.locator('.notice').textContent()
    expect(notice).toContain(`The chain's clock is 1 d ${off < 0 ? 'ahead of' : 'behind'} this computer`)
  })

  test('a clock that is set while the page is open changes no age', async () => {
    await page.addInitScript(() => {
      const { now } = Date
      Object.assign(globalThis, { offMs: 0 })
      Date.now = () => now() + (globalThis as unknown as { offMs: number }).offMs
    })
    await createClient({ url: service.url }).dev.mine({ blocks: 1 })
    await page.goto(service.url)
    await expect.poll(() => page.locator('#head').textContent()).toMatch(/· \d+ (?:s|min)$/)
    await page.evaluate((ms) => Object.assign(globalThis, { offMs: ms }), -OFF_MS)
    await page.locator('.notice').getByText("The chain's clock is 1 d ahead of this computer").waitFor()
    expect(await page.locator('#head').textContent()).toMatch(/· \d+ (?:s|min)$/)
  })
}

const executable = findChromium()
if (executable) describe('in a browser', inBrowser(executable))
else test('says that there is no browser', reportNoBrowser)
