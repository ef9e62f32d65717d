// Results of get-methods that a contract chose to be hard to show: tuples in tuples, thousands of values, words without end.

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
})
