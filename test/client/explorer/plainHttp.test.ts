// The explorer by the name of a machine in one's own network, over plain http: browsers give such a page no clipboard.

import { afterEach, expect, test } from 'vitest'
import { bagOf, EMPTY_CELL } from '../../../client/explorer/cell/build.ts'
import { inBrowser, page, problems, serveIndexed, service } from '../../setup/explorerScene.ts'

const OFFICE = 'http://tonrpc.office.test'

inBrowser(serveIndexed, () => {
  afterEach(() => expect(problems).toEqual([]))

  async function openAtOffice(path: string): Promise<void> {
    await page.route(`${OFFICE}/**`, async (route) => {
      const response = await route.fetch({ url: route.request().url().replace(OFFICE, service.url) })
      await route.fulfill({ response })
    })
    await page.goto(OFFICE + path)
    expect(await page.evaluate(() => isSecureContext)).toBe(false)
  }

  test('the buttons that copy do, and keep the focus', async () => {
    await openAtOffice(`/address/-1:${'3'.repeat(64)}`)
    const button = page.getByRole('button', { name: 'Copy the address' }).first()
    await button.click()
    await page.locator('.toasts', { hasText: /^Copied the address/ }).waitFor()
    expect(await button.evaluate((one) => one === document.activeElement)).toBe(true)
    await page.locator('#q').focus()
    await page.keyboard.press('Control+V')
    expect(await page.locator('#q').inputValue()).toBe(await page.locator('.identity code').textContent())
  })

  test('why a secret key is not computed is said', async () => {
    await openAtOffice('/wallets')
    await page.getByText('Keys of wallet1', { exact: true }).click()
    await page.getByRole('button', { name: 'Show the secret key of wallet1', exact: true }).click()
    await page.locator('.toasts').getByText('This browser computes keys on secure pages only.').waitFor()
  })

  test('why a message cannot be signed is said, and why a contract has no address', async () => {
    await openAtOffice('/lab')
    await page.locator('#compose-to').fill('wallet5')
    await page.locator('.compose').getByRole('button', { name: 'Emulate' }).click()
    await page.locator('.compose').getByText('This browser signs on secure pages only').waitFor()
    await page.getByLabel('Deploy a contract').check()
    await page.getByLabel('Or code as text').fill(bagOf(EMPTY_CELL))
    await page.getByText('Its address cannot be computed').waitFor()
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
