// Two calls of one form of a reference page, in a real browser: the reply of the newer one is shown, and no reply hides a question.

import type { Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDrawing } from '../../../server/docs/createDrawing.ts'
import { createDocs } from '../../../server/docs/index.ts'
import { registry } from '../../../shared/registry.ts'
import { type Browser, findChromium, launchChromium, reportNoBrowser } from '../../setup/chromium.ts'
import { facts } from './awkward.ts'
import { type PageServer, startPages } from './pageServer.ts'

const some = { unpackAddress: registry.unpackAddress, 'dev.revert': registry['dev.revert'] }
const executable = findChromium()

const inBrowser = (path: string) => () => {
  let browser: Browser
  let server: PageServer

  beforeAll(async () => {
    browser = await launchChromium(path)
    const docs = createDocs(some, facts, { draw: createDrawing(some, facts) })
    server = await startPages(docs, () => ({ status: 500, body: '' }))
  })
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]()
    await server?.[Symbol.asyncDispose]()
  })

  test.each([
    ['a reply', 'fulfill'],
    ['a failure', 'abort'],
  ] as const)('%s of the older call that comes later is not', async (_, outcome) => {
    const page = await browser.context.newPage()
    const held: Route[] = []
    await page.route('**/unpackAddress*', async (route) => {
      if (held.length > 0) return await route.fulfill({ json: 'newer' })
      held.push(route)
    })
    await page.goto(`${server.url}/api/v2/`)
    await page.getByRole('button', { name: 'Try it: unpackAddress' }).click()
    const send = page.getByRole('button', { name: 'Send', exact: true })
    const older = page.waitForRequest('**/unpackAddress*')
    await send.click()
    await older
    await send.click()
    await page.locator('.reply').getByText('"newer"').waitFor()
    if (outcome === 'abort') await held[0]?.abort()
    else await held[0]?.fulfill({ json: 'older' })
    await page.evaluate(() => new Promise((done) => setTimeout(done, 100)))
    expect(await page.locator('.reply').textContent()).toContain('"newer"')
    await page.close()
  })

  test('a reply that comes while a call is to be confirmed is shown beside the question', async () => {
    const page = await browser.context.newPage()
    const held: Route[] = []
    await page.route('**/jsonRPC', (route) => void held.push(route))
    await page.goto(`${server.url}/api/v2/`)
    await page.getByRole('button', { name: 'Try it: dev.revert' }).click()
    const ask = () => page.getByRole('button', { name: 'Send', exact: true }).click()
    const confirm = page.getByRole('button', { name: 'Send it' })
    await ask()
    await confirm.click()
    await expect.poll(() => held.length).toBe(1)
    await ask()
    await confirm.waitFor()
    await held[0]?.fulfill({ json: 'of the first' })
    await page.locator('.reply').getByText('"of the first"').waitFor()
    await confirm.click()
    await expect.poll(() => held.length).toBe(2)
    expect(await confirm.count()).toBe(0)
    await page.close()
  })
}

if (executable) describe('in a browser', inBrowser(executable))
else test('says that there is no browser', reportNoBrowser)
