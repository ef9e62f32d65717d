// Each step of the history leads to the place on its page that was left, whichever way it is come to.

import { expect, test } from 'vitest'
import type { Transaction } from '../../../client/index.ts'
import { client, inBrowser, open, page, service } from '../../setup/explorerScene.ts'
import { servePlayed } from '../../setup/playedDemo.ts'
import { untilIndexed } from '../../setup/untilIndexed.ts'

/** For what never comes. */
const ROOM = { timeout: 300_000 }

// A block that comes meanwhile moves the rows of lists: none comes.
inBrowser(
  () => servePlayed({ config: { mining: 'manual' } }),
  () => {
    const place = () => page.evaluate(() => Math.round(scrollY))
    const returnsTo = (to: number) => expect.poll(place, ROOM).toBe(to)

    /** Also where the page is not long enough yet. */
    const readAt = (to: number) =>
      page.waitForFunction((top) => {
        scrollTo(0, top)
        return Math.round(scrollY) === top && document.querySelector('.waiting') === null
      }, to)

    /** In a small window, so that every page goes on below it. */
    async function readHome(): Promise<void> {
      await page.setViewportSize({ width: 500, height: 300 })
      await open('/')
      await readAt(240)
    }

    async function readTrace(): Promise<void> {
      // A click of the mouse would move the page first.
      await page
        .locator('#main a[href*="/trace/"]')
        .first()
        .evaluate((link) => (link as HTMLElement).click())
      await page.locator('.summary').first().waitFor()
      await readAt(180)
    }

    test('Back, Forward and Back again', async () => {
      await readHome()
      await readTrace()
      await page.goBack()
      await returnsTo(240)
      await page.goForward()
      await page.locator('.summary').first().waitFor()
      await returnsTo(180)
      await page.goBack()
      await returnsTo(240)
    })

    test('a reload, whose place Back finds, too', async () => {
      await readHome()
      await page.reload()
      await returnsTo(240)
      await readAt(320)
      await readTrace()
      await page.reload()
      await returnsTo(180)
      await page.goBack()
      await returnsTo(320)
    })

    const PHONE = { width: 360, height: 640 }

    test.each([
      ['7B', { width: 500, height: 300 }],
      // Rows are three times as high as one that is not drawn yet counts.
      ['7C', PHONE],
      // Turned meanwhile: as far down as the row was are rows above it, which are drawn before it.
      ['7D', { width: 1280, height: 640 }, PHONE],
    ])('Back to a row of a long history: %s', async (digits, size, sizeAfter = size) => {
      await page.setViewportSize(size)
      const account = `0:${digits.repeat(32)}`
      // As on a slow machine: what waits for the next turn of the page waits for some frames.
      await page.addInitScript(() => {
        const { setTimeout: wait } = globalThis
        Object.assign(globalThis, { setTimeout: (run: () => void, ms = 200) => wait(run, ms) })
      })
      const many = Array.from({ length: 110 }, () => client.dev.faucet({ address: account, amount: '1000000000' }))
      await Promise.all(many)
      const received = async (): Promise<number> => {
        await untilIndexed(client, (await client.dev.mine({ blocks: 1 })).seqno)
        return (await client.v3.traces({ account, limit: 200 })).traces.length
      }
      await expect.poll(received, ROOM).toBe(many.length)
      await open(`/address/${account}`)
      const rows = page.locator('.history-row')
      for (let count = await rows.count(); count < 100; count = await rows.count()) {
        // Not by the pointer: rows above the button may move it when they get their height.
        await page.getByRole('button', { name: 'Load older' }).evaluate((button) => (button as HTMLElement).click())
        await expect.poll(() => rows.count(), ROOM).toBeGreaterThan(count)
      }
      const loaded = await rows.count()
      // On a phone a link has another place in its row.
      const link = rows.nth(80).locator('a').first()
      // Rows have their height in a frame after they came into view, and then move those below.
      const left = await link.evaluate(async (one: HTMLElement) => {
        const frame = () => new Promise(requestAnimationFrame)
        for (let was = Number.NaN, still = 0; still < 10; await frame()) {
          // In the middle of the screen, of which the bar is a part.
          const { top, bottom } = one.getBoundingClientRect()
          scrollBy(0, (top + bottom - innerHeight) / 2)
          still = top === was ? still + 1 : 0
          was = top
        }
        const { top } = one.getBoundingClientRect()
        one.click()
        return top
      })
      await page.locator('.summary').waitFor()
      await page.setViewportSize(sizeAfter)
      await page.goBack()
      await expect.poll(() => rows.count(), ROOM).toBe(loaded)
      // As near as it can be: pages scroll by whole pixels, and rows begin between them.
      const away = () => link.evaluate((one, was) => Math.abs(one.getBoundingClientRect().top - was), left)
      await expect.poll(away, ROOM).toBeLessThanOrEqual(0.5)
    })

    test('Back to a row whose link is elsewhere, too, follows it no longer than to its place', async () => {
      await page.setViewportSize({ width: 500, height: 300 })
      const { accounts } = await client.dev.state()
      const wallet = accounts.find(({ name }) => name === 'wallet4')?.address ?? ''
      await open(`/address/${wallet}?tab=transactions`)
      const row = page.locator('#main tr', { has: page.locator('a') }).first()
      const left = await row.evaluate((one: HTMLElement) => {
        const { top, bottom } = one.getBoundingClientRect()
        scrollBy(0, (top + bottom - innerHeight) / 2)
        const link = one.querySelector('a')
        return { count: document.querySelectorAll(`#main a[href="${link?.href}"]`).length, y: scrollY }
      })
      expect(left.count).toBe(2)
      await row.evaluate((one: HTMLElement) => one.querySelector('a')?.click())
      await page.locator('.summary').first().waitFor()
      // What comes above it once it is there is the browser's: the row stays where it is.
      const moved = await page.evaluate(async (y) => {
        const frames = async (count: number) => {
          for (let i = 0; i < count; i++) await new Promise(requestAnimationFrame)
        }
        history.back()
        const row = () => document.querySelector('#main tr:has(a)')
        while (row() === null || Math.abs(scrollY - y) > 1) await frames(1)
        await frames(20)
        const top = row()?.getBoundingClientRect().top ?? 0
        const more = document.createElement('div')
        more.style.height = '100px'
        row()?.closest('table')?.before(more)
        await frames(5)
        return Math.abs((row()?.getBoundingClientRect().top ?? 0) - top)
      }, left.y)
      expect(moved).toBeLessThan(2)
    })

    test('what was unfolded is open again after Back and Forward, and nothing else is', async () => {
      const { accounts } = await client.dev.state()
      const wallet = accounts.find(({ name }) => name === 'wallet4')?.friendly ?? ''
      const { transactions } = await client.v3.transactions({ account: [wallet], limit: 1 })
      await open(`/tx/${Buffer.from(transactions[0]?.hash ?? '', 'base64').toString('hex')}?view=raw`)
      const isOpen = (name: string) =>
        page
          .locator('#main details', { has: page.locator('summary', { hasText: name }) })
          .last()
          .evaluate((one) => (one as HTMLDetailsElement).open)
      const fold = (name: string) => page.locator('#main summary', { hasText: name }).last().click()
      await page.locator('.json summary', { hasText: 'compute_ph' }).waitFor()
      expect([await isOpen('compute_ph'), await isOpen('in_msg')]).toEqual([false, true])
      await fold('compute_ph')
      await fold('in_msg')
      await page.locator('.panel h2 a').click()
      await fold('Other forms of the address')
      await page.getByText('Bounceable', { exact: false }).first().waitFor()
      await page.goBack()
      await expect.poll(() => isOpen('compute_ph'), ROOM).toBe(true)
      expect([await isOpen('in_msg'), await isOpen('storage_ph')]).toEqual([false, false])
      await page.goForward()
      await expect.poll(() => isOpen('Other forms of the address'), ROOM).toBe(true)
    })

    test.each([
      ['again', '.vm-step summary'],
      ['raw', '.json summary:has-text("compute_ph")'],
    ])('what is unfolded of a transaction is not of another one of its trace: %s', async (view, name) => {
      const { accounts } = await client.dev.state()
      const account = accounts.find(({ name: of }) => of === 'wallet4')?.address ?? ''
      const { traces } = await client.v3.traces({ account, limit: 100, include_actions: false })
      // Of longer runs the first steps are not shown.
      const isShort = ({ description: { compute_ph: compute } }: Transaction) =>
        compute?.skipped === false && compute.vm_steps < 100
      const trace = traces.find(({ transactions = {} }) => Object.values(transactions).filter(isShort).length > 2)
      await open(`/trace/${Buffer.from(trace?.trace_id ?? '', 'base64').toString('hex')}?as=list&view=${view}`)
      const isOpen = () =>
        page
          .locator(`.panel ${name}`)
          .first()
          .evaluate((one) => (one.parentElement as HTMLDetailsElement).open)
      const select = async (hash: string): Promise<void> => {
        await page.locator(`.tree-row[data-hash="${hash}"] .tree-call`).click()
        await expect.poll(() => page.url()).toContain(Buffer.from(hash, 'base64').toString('hex'))
        await page.locator(`.panel ${name}`).first().waitFor()
      }
      const [one = '', other = ''] = Object.values(trace?.transactions ?? {})
        .filter(isShort)
        .map(({ hash }) => hash)
      await select(one)
      await page.locator(`.panel ${name}`).first().click()
      await expect.poll(isOpen).toBe(true)
      await select(other)
      await expect.poll(isOpen).toBe(false)
      await select(one)
      await expect.poll(isOpen).toBe(true)
    })

    test.each(['/docs', '/docs/contracts'])('Back from %s', async (path) => {
      await readHome()
      await page.goto(service.url + path)
      await page.goBack()
      await returnsTo(240)
    })
  },
)
