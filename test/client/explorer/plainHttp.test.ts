// The explorer by the name of a machine in one's own network, over plain http: browsers give such a page no clipboard.

import { afterEach, expect, test } from 'vitest'
import { inBrowser, page, problems, serveIndexed, service } from '../../setup/explorerScene.ts'

const OFFICE = 'http://tonrpc.office.test'

inBrowser(serveIndexed, () => {
  afterEach(() => expect(problems).toEqual([]))

  test('the buttons that copy do, and keep the focus', async () => {
    await page.route(`${OFFICE}/**`, async (route) => {
      const response = await route.fetch({ url: route.request().url().replace(OFFICE, service.url) })
      await route.fulfill({ response })
    })
    await page.goto(`${OFFICE}/address/-1:${'3'.repeat(64)}`)
    expect(await page.evaluate(() => isSecureContext)).toBe(false)
    const button = page.getByRole('button', { name: 'Copy the address' }).first()
    await button.click()
    await page.locator('.toasts', { hasText: /^Copied the address/ }).waitFor()
    expect(await button.evaluate((one) => one === document.activeElement)).toBe(true)
    await page.locator('#q').focus()
    await page.keyboard.press('Control+V')
    expect(await page.locator('#q').inputValue()).toBe(await page.locator('.identity code').textContent())
  })

  test('a browser that lets a page copy nothing shows what is to be copied, also where the page has it nowhere', async () => {
    await page.addInitScript(() => {
      Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined })
      document.execCommand = () => false
    })
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto(`${service.url}/address/-1:${'3'.repeat(64)}`)
    await page.getByRole('button', { name: 'Copy RPC URL' }).click()
    const message = page.locator('.toasts p', { hasText: `${service.url}/jsonRPC` })
    await message.waitFor()
    expect(await message.evaluate((one) => one.scrollWidth - one.clientWidth)).toBeLessThanOrEqual(0)
  })
})
