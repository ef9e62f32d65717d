// Pages in a browser that has no room left for what a person keeps in it, or has it damaged.

import { expect, test } from 'vitest'
import { client, inBrowser, open, page, problems, serveIndexed } from '../../setup/explorerScene.ts'

inBrowser(serveIndexed, () => {
  test('a favourite and a name that cannot be kept last as long as the page, and the name says so', async () => {
    await page.addInitScript(() => {
      Storage.prototype.setItem = () => {
        throw new DOMException('no room', 'QuotaExceededError')
      }
    })
    const [{ friendly = '' } = {}] = (await client.dev.state()).accounts
    await open(`/address/${friendly}`)
    await page.getByRole('button', { name: 'Favourite' }).click()
    await page.getByRole('button', { name: 'Name', exact: true }).click()
    await page.getByLabel('Your name of this account').fill('My savings')
    await page.keyboard.press('Enter')
    const heading = page.getByRole('heading', { level: 1, name: 'Account My savings' })
    await heading.waitFor()
    await page.getByText('The browser is full: the name lasts as long as this page.').waitFor()
    // What is searched for is remembered, too.
    await page.locator('#q').fill('nothing of this name')
    await page.keyboard.press('Enter')
    await page.getByText('Nothing is known under').first().waitFor()
    await page.goBack()
    await heading.waitFor()
    expect(await page.getByRole('button', { name: 'Favourite' }).getAttribute('aria-pressed')).toBe('true')
    expect(problems).toEqual([])
  })

  test('calls that were stored damaged are left out of those the console has', async () => {
    const stored = [
      null,
      'text',
      { method: 'a' },
      { method: 'b', params: null },
      { method: 'getMasterchainInfo', params: {} },
    ]
    await page.addInitScript((calls) => {
      localStorage.setItem('console-history', JSON.stringify(calls))
      sessionStorage.setItem('typed-batch', JSON.stringify(calls))
    }, stored)
    await open('/console/getMasterchainInfo')
    await page.getByRole('button', { name: 'Call', exact: true }).waitFor()
    await page.getByRole('heading', { name: 'Batch of 1' }).waitFor()
    await page.getByText('Last calls').click()
    expect(await page.locator('main a[href$="/console/a"], main a[href$="/console/b"]').count()).toBe(0)
    expect(problems).toEqual([])
  })
})
