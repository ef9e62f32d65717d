// The set-up of tests of the explorer: a service, a browser, and a page for each test.

import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Client, createClient } from '../../client/index.ts'
import { findChromium, launchChromium, reportNoBrowser } from './chromium.ts'
import { serve, type TestService } from './service.ts'

/** For what never comes; a busy machine must not meet it. */
const PATIENCE_MS = 300_000

/** The service of the running file, and a client of it. */
export let service: TestService
export let client: Client
/** The browser, for further pages. */
export let context: BrowserContext
/** The page of the running test. */
export let page: Page
/** Errors its scripts threw. */
export let problems: string[]

/** Opens an address of the explorer; ends when scripts have drawn the view, without parts that are still to be loaded. */
export async function open(at: string, where = page) {
  const response = await where.goto(service.url + at)
  await where.locator('h1').waitFor()
  // What the service wrote has its title, too, and says that scripts are late.
  await expect.poll(() => where.locator('.waiting, .late').count()).toBe(0)
  return response
}

async function openPage(): Promise<void> {
  page = await context.newPage()
  problems = []
  page.on('pageerror', (error) => problems.push(error.message))
}

async function closePage(): Promise<void> {
  // The page asks on while it is closed.
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.close()
}

function defineTests(start: () => Promise<TestService>, onePage: boolean, define: () => void): void {
  const executable = findChromium()
  if (executable === null) {
    test('says that there is no browser', reportNoBrowser)
    return
  }
  describe('in a browser', () => {
    let running: readonly AsyncDisposable[] = []
    beforeAll(async () => {
      const browser = await launchChromium(executable)
      running = [browser]
      service = await start()
      running = [browser, service]
      context = browser.context
      client = createClient({ url: service.url, timeoutMs: PATIENCE_MS })
      if (onePage) await openPage()
    })
    afterAll(async () => {
      if (onePage) await closePage()
      for (const one of running) await one[Symbol.asyncDispose]()
    })
    if (!onePage) beforeEach(openPage)
    define()
    // Before what a file itself does after each test: that sees what closing the page did, too.
    if (!onePage) afterEach(closePage)
  })
}

/** Tests in a browser, each with a new page; where there is none, one test says so. */
export const inBrowser = (start: () => Promise<TestService>, define: () => void): void =>
  defineTests(start, false, define)

/** The same; all tests have one page, in their order. */
export const onOnePage = (start: () => Promise<TestService>, define: () => void): void =>
  defineTests(start, true, define)

/** A service with an index, on a chain without a demo. */
export const serveIndexed = (): Promise<TestService> => serve({ withIndex: true })
