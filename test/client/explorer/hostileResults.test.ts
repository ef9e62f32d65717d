// Results that a contract chose to be hard to show: tuples in tuples, thousands of values, words without end, characters that turn
// what is around them.

import { beginCell } from '@ton/core'
import { expect, test } from 'vitest'
import type { Api } from '../../../shared/registry.ts'
import { client, inBrowser, page, problems, serveIndexed, service } from '../../setup/explorerScene.ts'
import { mockReplies } from '../../setup/mockedReplies.ts'

type Stack = Api['v3.runGetMethod']['result']['stack']
type Entry = Stack[number]

const num = (value: number): Entry => ({ type: 'num', value: `0x${value.toString(16)}` })

const nested = (depth: number): Entry =>
  depth === 0 ? num(0x7e57) : { type: 'tuple', value: [nested(depth - 1), num(depth)] }

const wide: Entry = {
  type: 'tuple',
  value: Array.from({ length: 255 }, (_, at) => ({
    type: 'tuple' as const,
    value: Array.from({ length: 60 }, (__, i) => num(at * i)),
  })),
}

const word: Entry = {
  type: 'slice',
  value: beginCell().storeUint(0, 32).storeStringTail('W'.repeat(600)).endCell().toBoc().toString('base64'),
}

inBrowser(serveIndexed, () => {
  /** The page of methods, on which each of them returns this. */
  async function run(stack: Stack): Promise<void> {
    await page.setViewportSize({ width: 320, height: 700 })
    const { accounts } = await client.dev.state()
    const faucet = accounts.find(({ name }) => name === 'faucet')
    await mockReplies(page, /\/address\//, 'v3.runGetMethod', (_, real) => ({ ...real, exit_code: 0, stack }))
    await page.goto(`${service.url}/address/${faucet?.friendly}?tab=methods`)
    await page.locator('#method-name').fill('seqno')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await outcome().waitFor()
  }
  const outcome = () => page.locator('.outcome')
  const pageWidth = () => page.evaluate(() => document.documentElement.scrollWidth)

  test('tuples in tuples open one after the other', async () => {
    await run([nested(99)])
    expect(await outcome().locator('ol').count()).toBe(3)
    for (let opened = 1; opened <= 20; opened++) {
      await outcome().locator('details:not([open]) > summary').last().click()
      await expect.poll(() => outcome().locator('details[open]').count()).toBeGreaterThanOrEqual(opened)
    }
    expect(await pageWidth()).toBeLessThanOrEqual(320)
    expect(problems).toEqual([])
  })

  test('of thousands of values the first ones are drawn, and more of them', async () => {
    await run([wide])
    expect(await page.locator('*').count()).toBeLessThan(10_000)
    const values = () => outcome().locator('code').count()
    const before = await values()
    await outcome().getByRole('button', { name: 'Show 10 more of 60' }).first().click()
    await expect.poll(values).toBe(before + 10)
    expect(await pageWidth()).toBeLessThanOrEqual(320)
  })

  test('a word without end is not wider than a small phone', async () => {
    await run([word])
    await outcome().locator('q').waitFor()
    expect(await pageWidth()).toBeLessThanOrEqual(320)
  })

  const TURNING = /[\u200b\u202a-\u202e\u2066-\u2069]/
  const turned = '\u202e\u2066NOT\u200b<b>'

  /** The page of the console, on which a call is answered so. */
  async function call(answer: object): Promise<void> {
    await page.routeWebSocket(/jsonRPC/, () => undefined)
    await page.goto(`${service.url}/console/v3.transactions`)
    await page.locator('form.call').waitFor()
    await page.route('**/jsonRPC', async (route) => {
      const calls = [route.request().postDataJSON()].flat() as { readonly id: number }[]
      const replies = calls.map(({ id }) => ({ jsonrpc: '2.0', id, ...answer }))
      await route.fulfill({ json: replies.length === 1 ? replies[0] : replies })
    })
    await page.getByRole('button', { name: 'Call', exact: true }).click()
  }
  const said = async (place: string) => (await page.locator(place).first().textContent()) ?? ''

  test('JSON of a reply says which characters turn the text around them', async () => {
    await call({ result: { name: turned, [turned]: [1] } })
    await page.locator('.reply').waitFor()
    expect(await said('.reply')).toContain(String.raw`name: "\u202e\u2066NOT\u200b<b>"`)
    expect(await page.locator('.reply').evaluate((one) => one.outerHTML)).not.toMatch(TURNING)
  })

  test('an error is short, and turns nothing', async () => {
    await call({ error: { code: -32602, message: `${turned} ${'long '.repeat(4_000)}` } })
    await page.locator('#main [role="alert"]').waitFor()
    const text = await said('#main [role="alert"]')
    expect(text).toContain('NOT<b>')
    expect(text).not.toMatch(TURNING)
    expect(text.length).toBeLessThan(1_100)
    expect(problems).toEqual([])
  })
})
