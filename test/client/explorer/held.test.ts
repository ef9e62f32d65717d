// The first page of a busy chain: what a person points at, or has gone to by keyboard, stays where it is.

import { beforeAll, beforeEach, expect, test } from 'vitest'
import { client, inBrowser, page, service } from '../../setup/explorerScene.ts'
import { serve } from '../../setup/service.ts'
import { untilIndexed } from '../../setup/untilIndexed.ts'

const PATIENTLY = { timeout: 300_000, interval: 100 }

inBrowser(
  () => serve({ withIndex: true, config: { mining: 'manual' } }),
  () => {
    let to: string

    beforeAll(async () => {
      to = (await client.dev.state()).accounts.find(({ name }) => name === 'wallet3')?.address ?? ''
    })
    beforeEach(async () => {
      await pay(6)
      await untilIndexed(client, (await client.dev.state()).head.seqno)
      // What a block did is read a moment after the block.
      const rows = async () => {
        await page.goto(service.url)
        await page.locator('.rows .row').first().waitFor()
        return await page.locator('.rows .row').count()
      }
      await expect.poll(rows, PATIENTLY).toBeGreaterThan(5)
    })

    /** Each in a block of its own. */
    const pay = async (times: number) => {
      for (let paid = 0; paid < times; paid++) {
        await client.dev.faucet({ address: to, amount: '1000000000' })
        await client.dev.mine({ blocks: 1 })
      }
    }
    const isShown = async (seqno: number) =>
      expect
        .poll(async () => Number(/block (\d+)/.exec((await page.locator('#head').textContent()) ?? '')?.[1]), PATIENTLY)
        .toBeGreaterThanOrEqual(seqno)
    const newRows = () => page.getByRole('button', { name: / new ↑$/ })
    const topOf = () => page.evaluate(() => document.activeElement?.getBoundingClientRect().top)
    const linkOf = () => page.evaluate(() => document.activeElement?.getAttribute('href'))

    test('a row with the focus keeps it, and its place, while 50 blocks come', async () => {
      const row = page.locator('.rows .row').nth(3).locator('a').first()
      await row.focus()
      const top = await topOf()
      const link = await linkOf()
      const newest = page.locator('.rows .row').first().locator('a').first()
      const before = await newest.getAttribute('href')
      await pay(8)
      await client.dev.mine({ blocks: 42 })
      await newRows()
        .getByText(/^\d+\+? new ↑$/)
        .waitFor()
      await isShown((await client.dev.state()).head.seqno)
      expect(await linkOf()).toBe(link)
      expect(await topOf()).toBe(top)
      // Keys go on along the rows that are there.
      const below = await page.locator('.rows .row').nth(4).locator('a').first().getAttribute('href')
      // Pressed once: what is pressed while the script of keys is loading is done when it is there.
      await page.keyboard.press('j')
      await expect.poll(linkOf, PATIENTLY).toBe(below)
      // Left, the list goes on by itself.
      await page.getByRole('link', { name: 'Console' }).first().focus()
      await expect.poll(() => newRows().count()).toBe(0)
      expect(await newest.getAttribute('href')).not.toBe(before)
    })

    test('the button for new rows has them shown, and does not lose the focus', async () => {
      const first = page.locator('.rows .row').first().locator('a').first()
      const before = await first.getAttribute('href')
      await first.hover()
      await pay(3)
      await newRows().getByText('3 new ↑').waitFor()
      expect(await first.getAttribute('href')).toBe(before)
      await newRows().focus()
      await page.keyboard.press('Enter')
      await expect.poll(() => first.getAttribute('href')).not.toBe(before)
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Latest activity')
    })

    test('far below, the button is still on the screen, and leads up', async () => {
      await page.setViewportSize({ width: 390, height: 600 })
      await page.locator('.blocks').scrollIntoViewIfNeeded()
      await pay(2)
      await newRows().click()
      await expect
        .poll(() =>
          page
            .locator('.rows .row')
            .first()
            .evaluate((row) => row.getBoundingClientRect().top),
        )
        .toBeGreaterThanOrEqual(0)
    })

    test('paused, another list is still shown when it is chosen, and a reverted chain has no rows of before', async () => {
      const { id } = await client.dev.snapshot({})
      const top = () => page.locator('.rows .row a').first().getAttribute('href')
      const before = await top()
      await pay(1)
      await expect.poll(top, PATIENTLY).not.toBe(before)
      await page.getByRole('button', { name: 'Pause' }).click()
      // A name that changes says it all: as a pressed button it would be heard as the opposite.
      await page.getByRole('button', { name: 'Resume' }).waitFor()
      expect(await page.getByRole('button', { name: 'Resume' }).getAttribute('aria-pressed')).toBeNull()
      const newest = await top()
      await page.getByLabel("Show the chain's own").check()
      await page.locator('.rows .row', { hasText: 'elector' }).first().waitFor()
      await page.getByLabel("Show the chain's own").uncheck()
      await page.locator(`.rows .row a[href="${newest}"]`).first().waitFor()
      await client.dev.revert({ id })
      await expect.poll(() => page.locator(`.rows .row a[href="${newest}"]`).count(), PATIENTLY).toBe(0)
    })

    test('a row of a history keeps the focus when newer ones push it from the first page', async () => {
      await page.goto(`${service.url}/address/${to}`)
      const row = page.locator('.history-row').last().locator('a').first()
      await row.focus()
      const link = await linkOf()
      const before = await page.locator('.history-row').count()
      // Fewer at once than a page has: of more, some between would not be known, and the list would stay as it is.
      for (let more = 2; more <= 8; more += 2) {
        await pay(2)
        await expect.poll(() => page.locator('.history-row').count(), PATIENTLY).toBe(before + more)
      }
      expect(await linkOf()).toBe(link)
    })

    test('a row that comes shows itself, those a page begins with do not, and nothing moves for who wants no motion', async () => {
      // As text: compiled functions call helpers no page has.
      await page.addInitScript({
        content: `globalThis.faded = 0
          addEventListener('transitionrun', ({ propertyName, target }) => {
            if (propertyName === 'opacity' && target.matches('.row')) faded++
          })`,
      })
      const faded = () => page.evaluate(() => (globalThis as unknown as { faded: number }).faded)
      const top = page.locator('.rows .row').first().locator('a').first()
      const next = async () => {
        const before = await top.getAttribute('href')
        await pay(1)
        await expect.poll(() => top.getAttribute('href'), PATIENTLY).not.toBe(before)
      }
      await page.reload()
      await top.waitFor()
      expect(await faded()).toBe(0)
      await next()
      await expect.poll(faded).toBe(1)
      await page.emulateMedia({ reducedMotion: 'reduce' })
      await next()
      expect(await faded()).toBe(1)
    })

    test('a block with the focus keeps it', async () => {
      const block = page.locator('.blocks a').last()
      const seqno = await block.textContent()
      await block.focus()
      await pay(3)
      await isShown((await client.dev.state()).head.seqno)
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(seqno)
    })
  },
)
