// A person without a mouse presses a button again, or goes on from it: what it starts does not take the focus away.

import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { client, inBrowser, open, page } from '../../setup/explorerScene.ts'
import { serve } from '../../setup/service.ts'
import { untilIndexed } from '../../setup/untilIndexed.ts'

inBrowser(
  () => serve({ withIndex: true, config: { mining: 'manual' } }),
  () => {
    beforeEach(() => untilIndexed(client, 1))

    const press = async (name: string) => {
      await page.getByRole('button', { name, exact: true }).focus()
      await page.keyboard.press('Enter')
    }
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    const headOf = async () => (await client.dev.state()).head.seqno

    test('blocks are made with one key pressed again and again, on the first page and in the lab', async () => {
      for (const at of ['/', '/lab']) {
        await open(at)
        if (at === '/') await page.locator('summary', { hasText: 'Blocks and clock' }).click()
        const before = await headOf()
        await press('Mine 1')
        for (const made of [1, 2, 3]) {
          const message = page.locator('.toasts').getByText(`The newest block is ${before + made}.`)
          // Shown for a few seconds: looked for from the start.
          await Promise.all([message.waitFor(), expect.poll(headOf).toBe(before + made)])
          expect(await focused()).toBe('Mine 1')
          await page.locator('[aria-disabled="true"]', { hasText: /^Mine 1$/ }).waitFor({ state: 'detached' })
          if (made < 3) await page.keyboard.press('Enter')
        }
      }
    })

    test('a choice among several is gone through with the arrow keys', async () => {
      // Blocks that come by themselves are more than the other tests made.
      onTestFinished(async () => void (await client.dev.setMining({ mode: 'manual' })))
      await open('/lab')
      await page.getByLabel('only by hand').focus()
      await page.keyboard.press('ArrowUp')
      await expect.poll(async () => (await client.dev.state()).mining).toMatch(/\d/)
      await page.locator('#mining-interval').waitFor()
      expect(await page.evaluate(() => document.activeElement?.parentElement?.textContent)).toBe('at an interval')
    })

    test('what asks first keeps the focus: when it opens, when it is left, and when it is done', async () => {
      await client.dev.snapshot({ label: 'here' })
      await client.dev.mine({ blocks: 2 })
      await open('/lab')
      await press('Revert to here …')
      await page.getByText('2 blocks with').waitFor()
      expect(await focused()).toBe('Keep')
      await page.keyboard.press('Enter')
      await page.getByText('2 blocks with').waitFor({ state: 'detached' })
      expect(await focused()).toBe('Revert to …')
      await page.keyboard.press('Enter')
      await press('Revert to here')
      await page.locator('.toasts').getByText('Back at block').waitFor()
      await page.getByText('None yet').waitFor()
      expect(await focused()).toMatch(/^Snapshots/)
    })

    test('the console calls again, and the size of an account is shown where its button was', async () => {
      await open('/console/v3.masterchainInfo')
      await press('Call')
      await page.locator('.reply').waitFor()
      expect(await focused()).toBe('Call')
      const { address = '' } = (await client.dev.state()).accounts.find(({ name }) => name === 'faucet') ?? {}
      await open(`/address/${address}`)
      await press('Show the size')
      await page.getByText(/code \d+ bytes/).waitFor()
      expect(await focused()).toMatch(/^code \d+ bytes/)
    })

    test('when the last page of a list is there, the focus is where its button was', async () => {
      const address = `0:${'4C'.repeat(32)}`
      for (let at = 0; at < 60; at++) await client.dev.faucet({ address, amount: '1000000' })
      // On a busy machine one block does not take all of them.
      for (let done = 0; done < 60; ) {
        await untilIndexed(client, (await client.dev.mine({ blocks: 1 })).seqno)
        done = (await client.v3.transactions({ account: [address], limit: 60 })).transactions.length
      }
      await open(`/address/${address}?tab=transactions`)
      const rows = page.locator('[role="tabpanel"] tbody tr')
      const button = page.getByRole('button', { name: 'Load older' })
      await expect.poll(() => button.isEnabled()).toBe(true)
      await button.focus()
      while ((await rows.count()) < 60) {
        const before = await rows.count()
        await page.keyboard.press('Enter')
        await expect.poll(() => rows.count()).toBeGreaterThan(before)
      }
      await button.waitFor({ state: 'detached' })
      expect(await focused()).toBe('Nothing older.')
    })

    test('on a small screen the link of the bar that has the focus is wholly in view', async () => {
      await page.setViewportSize({ width: 320, height: 480 })
      await open('/config')
      const links = await page.locator('.top nav a').allTextContents()
      await page.locator('.top nav a').first().focus()
      for (const name of links) {
        const { text, left, right } = await page.evaluate(() => {
          const one = document.activeElement
          const { left = 0, right = 0 } = one?.getBoundingClientRect() ?? {}
          return { text: one?.textContent, left, right }
        })
        expect(text).toBe(name)
        expect(left, name).toBeGreaterThanOrEqual(0)
        // A bar is scrolled by whole pixels.
        expect(Math.floor(right), name).toBeLessThanOrEqual(320)
        await page.keyboard.press('Tab')
      }
    })

    test.each([
      ['a date', `/address/-1:${'3'.repeat(64)}`, '[type="date"]'],
      ['a time', '/lab', '[type="datetime-local"]'],
    ])(
      '%s has a ring as every field has, also while the focus is on its calendar, beside its name',
      async (_, at, of) => {
        await open(at)
        const field = page.locator(of).first()
        await field.focus()
        const rings: string[] = []
        while (await field.evaluate((one) => one === document.activeElement)) {
          rings.push(await field.evaluate((one) => getComputedStyle(one).outlineStyle))
          await page.keyboard.press('Tab')
        }
        expect(rings.length).toBeGreaterThan(3)
        expect(new Set(rings)).toEqual(new Set(['solid']))
      },
    )
  },
)
