// What a person does on the page of an account: describes its code by a file, and runs its get-methods.

import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createClient } from '../../../client/index.ts'
import { type Browser, findChromium, launchChromium, reportNoBrowser } from '../../setup/chromium.ts'
import { serve, type TestService } from '../../setup/service.ts'

const inBrowser = (path: string) => () => {
  let browser: Browser
  let service: TestService
  let page: Page

  beforeAll(async () => {
    browser = await launchChromium(path)
    service = await serve({ withIndex: true })
  }, 300_000)
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]()
    await service?.[Symbol.asyncDispose]()
  })
  beforeEach(async () => {
    page = await browser.context.newPage()
  })
  afterEach(() => page.close())

  const client = () => createClient({ url: service.url, timeoutMs: 120_000 })
  const open = async (at: string) => {
    await page.goto(service.url + at)
    await page.locator('h1').waitFor()
    await expect.poll(() => page.locator('.waiting').count()).toBe(0)
  }

  test('an ABI that is dropped on the page of an account names its messages, and other files are refused', async () => {
    const { accounts } = await client().dev.state()
    const { friendly = '' } = accounts.find(({ name }) => name === 'wallet3') ?? {}
    await open(`/address/${friendly}`)
    // The index may not have come to it yet.
    await page.locator('.facts').getByText('active', { exact: true }).waitFor()
    const drop = (text: string) =>
      page.evaluate((content) => {
        const dataTransfer = new DataTransfer()
        dataTransfer.items.add(new File([content], 'contract.abi'))
        const event = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true })
        return document.querySelector('h1')?.dispatchEvent(event)
      }, text)
    const says = (text: string) => page.locator('.toasts').getByText(text).first().waitFor()
    // The browser does not leave the page for the file.
    expect(await drop('{"no": "abi"}')).toBe(false)
    await says('This JSON is no ABI')
    await drop('pay#7e8764ef query_id:uint64 = Msg')
    await says('for one code')
    await page.getByRole('tab', { name: 'Contract' }).click()
    await page.getByRole('button', { name: 'Remove the ABI' }).click()
    const listed = ['11', '22'].map((byte) => byte.repeat(32))
    const tact = { name: 'Till', types: [{ name: 'Pay', header: 7, fields: [] }] }
    await drop(JSON.stringify({ compiler_abi: tact, code_hashes: listed }))
    await says('of Till for 2 codes')
    await page.getByText('All ABIs of this browser').click()
    await page.getByRole('button', { name: 'Export 2 ABIs' }).waitFor()
  })

  test('a get-method runs at a block of before, and its call is copied with its arguments', async () => {
    await page.addInitScript(() => {
      const copied: string[] = []
      Object.assign(globalThis, { copied })
      Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text: string) => copied.push(text) } })
    })
    const { accounts, head } = await client().dev.state()
    const { friendly = '' } = accounts.find(({ kind }) => kind === 'v4r2') ?? {}
    await open(`/address/${friendly}?tab=methods`)
    await page.getByLabel('Name or id').fill('get_public_key')
    await page.getByLabel('At masterchain block').fill(String(head.seqno))
    const sent = page.waitForRequest((request) => (request.postData() ?? '').includes(`"seqno":${head.seqno}`))
    await page.getByRole('button', { name: 'Run' }).click()
    await sent
    await page.getByText('exit 0').waitFor()
    await page.getByRole('button', { name: 'Add an argument' }).click()
    await page.getByLabel('Argument 1', { exact: true }).fill('0x2a')
    await page.getByRole('button', { name: 'Copy as curl' }).click()
    const copied = await page.evaluate(() => (globalThis as unknown as { copied: string[] }).copied[0] ?? '')
    expect(copied).toContain(`"stack":[{"type":"num","value":"0x2a"}],"seqno":${head.seqno}`)
    await page.getByLabel('At masterchain block').fill(String(head.seqno + 1_000_000))
    await page.getByRole('button', { name: 'Remove argument 1' }).click()
    await page.getByRole('button', { name: 'Run' }).click()
    await page.getByRole('alert').waitFor()
  })
}

const executable = findChromium()
if (executable) describe('in a browser', inBrowser(executable))
else test('says that there is no browser', reportNoBrowser)
