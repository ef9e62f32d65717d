// A service, or what stands in front of it, that answers anything: pages say so, and go on when it answers again.

import type { Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { inBrowser, page, problems, serveIndexed, service } from '../../setup/explorerScene.ts'

type Answer = Parameters<Route['fulfill']>[0]

const JSON_TYPE = 'application/json'
const HTML: Answer = { status: 200, contentType: 'text/html', body: '<!doctype html><h1>Log in to the network</h1>' }

const ANSWERS: readonly (readonly [name: string, answer: Answer, says: RegExp])[] = [
  ['429 of a proxy', { status: 429, headers: { 'retry-after': '1' }, body: 'Too many' }, /HTTP 429/],
  ['503 of a proxy', { status: 503, contentType: 'text/html', body: '<h1>Unavailable</h1>' }, /HTTP 503: the service/],
  ['the page of a network to log in', HTML, /not JSON/],
  ['garbage', { status: 200, contentType: JSON_TYPE, body: '\u0000{{{[[' }, /not JSON/],
  [
    'half an answer',
    { status: 200, contentType: JSON_TYPE, body: '[{"jsonrpc":"2.0","id":1,"result":{"acc' },
    /not JSON/,
  ],
  ['nothing', { status: 200, contentType: JSON_TYPE, body: '' }, /empty answer/],
]

inBrowser(serveIndexed, () => {
  /** A page that is open, whose further calls are answered so. */
  const openThen = async (answer: (route: Route) => Promise<void>) => {
    await page.routeWebSocket(/jsonRPC/, () => undefined)
    await page.goto(`${service.url}/search?q=wallet`)
    await page.locator('#main li a').first().waitFor()
    await page.route('**/jsonRPC', answer)
  }

  test.each(ANSWERS)('%s is a sentence without addresses of programs', async (_name, answer, says) => {
    await openThen((route) => route.fulfill(answer))
    await page.locator('#main li a').first().click()
    const alert = page.getByRole('alert')
    await alert.first().waitFor()
    const text = (await alert.first().textContent()) ?? ''
    expect(text).toMatch(says)
    expect(text).not.toMatch(/https?:|jsonRPC|check url/)
    if (/429/.test(text)) await page.getByText('The service has slowed this page down').waitFor()
    await page.unroute('**/jsonRPC')
    await alert.first().getByRole('button', { name: 'Try again' }).click()
    await page.locator('.identity').waitFor()
    expect(problems).toEqual([])
  })

  test('results of another shape end their page, not the frame, and the next page is there', async () => {
    await openThen((route) => {
      const calls = [JSON.parse(route.request().postData() ?? '[]')].flat() as { readonly id: number }[]
      const replies = calls.map(({ id }) => ({ jsonrpc: '2.0', id, result: { accounts: 1, traces: {} } }))
      const body = JSON.stringify(replies.length === 1 ? replies[0] : replies)
      return route.fulfill({ status: 200, contentType: JSON_TYPE, body })
    })
    await page.locator('#main li a').first().click()
    await page.getByRole('alert').getByText('what this page cannot show').waitFor()
    expect(await page.locator('h1').count()).toBe(1)
    await page.unroute('**/jsonRPC')
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Console' }).click()
    await page.locator('.method-list summary').first().waitFor()
  })

  test('a socket that says anything is given up for calls', async () => {
    let closed = 0
    await page.routeWebSocket(/jsonRPC/, (socket) => {
      socket.onClose(() => closed++)
      socket.onMessage(() => socket.send('<html>'))
    })
    await page.goto(service.url)
    await expect.poll(() => closed).toBeGreaterThan(0)
    await expect.poll(() => page.locator('#head').textContent()).toMatch(/block \d+/)
    expect(problems).toEqual([])
  })

  test('a socket that leaves a call without a reply is given up for another one', async () => {
    let sockets = 0
    await page.routeWebSocket(/jsonRPC/, (socket) => {
      sockets++
      const isFirst = sockets === 1
      socket.connectToServer().onMessage((text) => {
        if (!isFirst || !String(text).includes('"epoch"')) socket.send(text)
      })
    })
    await page.goto(service.url)
    await expect.poll(() => sockets).toBe(2)
    expect(problems).toEqual([])
  })

  test('a document that was cut on its way says that it is not whole', async () => {
    await page.route(`${service.url}/`, async (route) => {
      const reply = await route.fetch()
      const text = await reply.text()
      await route.fulfill({ response: reply, body: text.slice(0, text.indexOf('"replies"') + 200) })
    })
    await page.goto(service.url)
    const words = page.locator('.late')
    await words.waitFor({ state: 'attached' })
    await page.evaluate(() => document.getAnimations().map((one) => one.finish()))
    expect(await words.isVisible()).toBe(true)
    expect(await words.getByRole('link').count()).toBe(1)
  })
})
