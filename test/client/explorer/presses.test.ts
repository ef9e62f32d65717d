// A press counts for what was under the pointer when it began, also where the page moves before the pointer is let go.

import { beforeEach, expect, test } from 'vitest'
import { client, context, inBrowser, open, page } from '../../setup/explorerScene.ts'
import { serve } from '../../setup/service.ts'
import { untilIndexed } from '../../setup/untilIndexed.ts'

const ACCOUNT = `0:${'5D'.repeat(32)}`
const PAYMENTS = 40

const PATIENTLY = { timeout: 300_000 }

inBrowser(
  () => serve({ withIndex: true, config: { mining: 'manual' } }),
  () => {
    const give = () => client.dev.faucet({ address: ACCOUNT, amount: '1000000000' })
    const received = async (): Promise<number> => {
      await untilIndexed(client, (await client.dev.mine({ blocks: 1 })).seqno)
      return (await client.v3.traces({ account: ACCOUNT, limit: 100 })).traces.length
    }

    beforeEach(async () => {
      await Promise.all(Array.from({ length: PAYMENTS }, give))
      await expect.poll(received, PATIENTLY).toBeGreaterThanOrEqual(PAYMENTS)
      // All of a page is seen: nothing keeps its place by a scroll.
      await page.setViewportSize({ width: 1280, height: 2_000 })
      await open(`/address/${ACCOUNT}`)
      await page.waitForLoadState('networkidle')
    })

    const rows = (where = page) => where.locator('.history-row')
    const middleOf = async (name: 'button' | 'row', where = page) => {
      const one =
        name === 'row' ? rows(where).nth(4).locator('a').first() : where.getByRole('button', { name: 'Load older' })
      const { x, y, width, height } = (await one.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
      return { x: x + width / 2, y: y + height / 2 }
    }
    /** What waits for a block is shown above the rows. */
    const move = async (from: number, name: 'button' | 'row', where = page): Promise<void> => {
      await give()
      await expect.poll(async () => (await middleOf(name, where)).y, PATIENTLY).toBeGreaterThan(from + 20)
    }
    const touch = async (where = page): Promise<void> => {
      const session = await where.context().newCDPSession(where)
      await session.send('Emulation.setTouchEmulationEnabled', { enabled: true })
      const { x, y } = await middleOf('row', where)
      const address = await rows(where).nth(4).locator('a').first().getAttribute('href')
      await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] })
      await move(y, 'row', where)
      await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
      await expect.poll(() => where.url(), PATIENTLY).toBe(address)
    }

    test('of a button', async () => {
      const before = await rows().count()
      const { x, y } = await middleOf('button')
      await page.mouse.move(x, y)
      await page.mouse.down()
      await move(y, 'button')
      await page.mouse.up()
      await expect.poll(() => rows().count(), PATIENTLY).toBeGreaterThan(before)
    })

    test('of a link', async () => {
      const { x, y } = await middleOf('row')
      const address = await rows().nth(4).locator('a').first().getAttribute('href')
      await page.mouse.move(x, y)
      await page.mouse.down()
      await move(y, 'row')
      await page.mouse.up()
      await expect.poll(() => page.url(), PATIENTLY).toBe(address)
    })

    test('and one that is let go elsewhere is none', async () => {
      const before = await rows().count()
      const { x, y } = await middleOf('button')
      await page.mouse.move(x, y)
      await page.mouse.down()
      await page.mouse.move(x, y - 200)
      await page.mouse.up()
      await page.mouse.click(5, 5)
      await page.waitForLoadState('networkidle')
      expect(await rows().count()).toBe(before)
    })

    test('a finger opens what it touched', () => touch())

    test('so does the first one on a page', async () => {
      const other = await context.newPage()
      await other.setViewportSize({ width: 1280, height: 2_000 })
      await open(`/address/${ACCOUNT}`, other)
      await other.waitForLoadState('networkidle')
      await touch(other)
      await other.close()
    })
  },
)
