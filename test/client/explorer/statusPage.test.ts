// The page for those who run the service, while no block comes: that is when they look at it.

import { afterEach, expect, test } from 'vitest'
import { client, inBrowser, page, problems, service } from '../../setup/explorerScene.ts'
import { serve } from '../../setup/service.ts'

inBrowser(
  () => serve({ withIndex: true, config: { mining: 'manual' } }),
  () => {
    afterEach(() => expect(problems).toEqual([]))

    const badge = () => page.locator('#ready').textContent()
    const said = (text: string) => expect.poll(badge, { timeout: 120_000 }).toBe(text)

    test('a chain that stands still is seen, and a service that is gone and comes back', async () => {
      let state: 'well' | 'stuck' | 'gone' = 'well'
      await page.routeWebSocket(/jsonRPC/, (socket) => {
        if (state === 'gone') void socket.close()
        else socket.connectToServer()
      })
      await page.route('**/*', async (route) => {
        if (state === 'gone') return route.abort()
        if (state === 'well' || !route.request().url().endsWith('/readyz')) return route.continue()
        const body = JSON.stringify({ ready: false, checks: { index: 'block 1, 900 behind' } })
        return route.fulfill({ status: 503, contentType: 'application/json', body })
      })
      await page.goto(`${service.url}/status`)
      await said('Ready')
      state = 'stuck'
      await said('Not ready')
      await page.getByText('900 behind').waitFor()
      state = 'gone'
      await said('No answer')
      await page.getByRole('alert').getByText('The service does not answer.').waitFor()
      expect(await page.getByText('900 behind').count()).toBe(0)
      state = 'well'
      await said('Ready')
      expect(await page.getByRole('alert').count()).toBe(0)
    })

    test('reports that take longer than a block are shown all the same', async () => {
      let blocks = 0
      const held: { readonly at: number; readonly release: () => void }[] = []
      await page.route(/\/(?:readyz|metrics)$/, async (route) => {
        if (route.request().url().endsWith('/readyz')) {
          const body = JSON.stringify({ ready: false, checks: { index: 'block 1, 900 behind' } })
          return route.fulfill({ status: 503, contentType: 'application/json', body })
        }
        await new Promise<void>((release) => held.push({ at: blocks, release }))
        return route.continue()
      })
      await page.goto(`${service.url}/status`)
      await said('Ready')
      const afterBlock = async () => {
        await client.dev.mine({ blocks: 1 })
        blocks++
        for (const { at, release } of held) if (at < blocks - 1) release()
        return badge()
      }
      await expect.poll(afterBlock, { interval: 1_000 }).toBe('Not ready')
    })

    test('of two tokens, what is shown is of the one that was given last', async () => {
      const held: (() => void)[] = []
      await page.route(/\/api\/admin\/usage/, async (route) => {
        const token = route.request().headers()['x-admin-token'] ?? ''
        if (token === 'first') await new Promise<void>((release) => held.push(release))
        await route.fulfill({ json: { usage: [{ key: `key of the ${token}` }] } })
      })
      await page.goto(`${service.url}/status`)
      const show = async (token: string) => {
        await page.getByLabel('Admin token').fill(token)
        await page.getByRole('button', { name: 'Show', exact: true }).click()
      }
      await show('first')
      await expect.poll(() => held.length).toBe(1)
      await show('second')
      await page.getByText('key of the second').waitFor()
      held[0]?.()
      // The page has an entry of a reply when it has read all of it.
      const read = () =>
        page.evaluate(
          () => performance.getEntriesByType('resource').filter(({ name }) => name.includes('/admin/usage')).length,
        )
      await expect.poll(read).toBe(2)
      await page.evaluate(async () => {
        for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame)
      })
      await page.getByText('key of the second').waitFor()
    })

    test('a service that takes calls and answers none is said to be silent', async () => {
      await page.route(/\/readyz$/, () => new Promise<void>(() => {}))
      await page.goto(`${service.url}/status`)
      await said('Ready')
      await client.dev.mine({ blocks: 1 })
      await said('No answer')
    })
  },
)
