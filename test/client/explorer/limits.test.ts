// Pages where limits are on: what they may cost a visitor, what a program gains that says it is one, and what is shown of it.

import { once } from 'node:events'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { onOnePage, page, service } from '../../setup/explorerScene.ts'
import { serve } from '../../setup/service.ts'

const HEAD = { jsonrpc: '2.0', id: 1, method: 'v3.masterchainInfo', params: {} }

/** Time stands still, so that no budget fills up again. */
const start = () =>
  serve({
    withIndex: true,
    now: () => 1_000_000,
    config: { mining: 'manual', limits: 'on', explorer: 'public' },
  })

onOnePage(start, () => {
  const call = (headers: Readonly<Record<string, string>>) =>
    fetch(`${service.url}/jsonRPC`, { method: 'POST', headers, body: JSON.stringify(HEAD) })

  test('a program that says it is a page has the budget of pages, and no second one', async () => {
    const asPage = { 'sec-fetch-site': 'same-origin' }
    let allowed = 0
    while ((await call(asPage)).status === 200) allowed++
    expect(allowed).toBe(40)
    const refused = await call({ ...asPage, origin: service.url })
    expect(refused.status).toBe(429)
    expect(refused.headers.get('ratelimit-policy')).toBe('"page";q=40;w=14')
    // Its other calls have the budget of an address.
    expect((await call({})).status).toBe(200)
  })

  test('pages of one address follow the chain on 20 sockets, and no further one', async () => {
    const url = `${service.url.replace('http', 'ws')}/jsonRPC`
    const sockets: WebSocket[] = []
    const follow = async (): Promise<string> => {
      // An address of its own, whose budget is untouched.
      const socket = new WebSocket(url, { headers: { 'sec-fetch-site': 'same-origin' }, localAddress: '127.0.0.2' })
      sockets.push(socket)
      await once(socket, 'open')
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'stream.subscribe', params: { types: ['blocks'] } }))
      return String((await once(socket, 'message'))[0])
    }
    for (let count = 0; count < 20; count++) expect(await follow()).toContain('"result"')
    expect(await follow()).toMatch(/"error".*20/)
    sockets[0]?.close()
    await expect.poll(follow).toContain('"result"')
    for (const socket of sockets) socket.terminate()
  })

  test('a page that is refused says so, and goes on with a key', async () => {
    await page.goto(service.url)
    await page.getByText('The service has slowed this page down').waitFor()
    expect(await page.locator('main').textContent()).not.toContain('429')
    // It lies over the page, and pushes nothing away.
    const bottomOf = async (part: string) => page.locator(part).evaluate((one) => one.getBoundingClientRect().bottom)
    expect(await page.locator('main').evaluate((one) => one.getBoundingClientRect().top)).toBe(await bottomOf('.top'))
    const { key } = await service.newKey({ plan: 'advanced' })
    await page.getByLabel('API key').fill('wrong')
    await page.getByRole('button', { name: 'Use it in this tab' }).click()
    await page.getByText('does not accept the API key').waitFor()
    await page.getByLabel('API key').fill(key)
    await page.getByRole('button', { name: 'Use it in this tab' }).click()
    await page.locator('.blocks li').first().waitFor()
    expect(await page.locator('.notice').count()).toBe(0)
  })
})
