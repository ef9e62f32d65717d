// A trace of a thousand transactions in a real browser: a real one of the chain, made longer on its way to the page.

import { expect, test } from 'vitest'
import type { Api } from '../../../shared/registry.ts'
import { countLinks, linksOf } from '../../setup/countedLinks.ts'
import { client, onOnePage, page, serveIndexed, service } from '../../setup/explorerScene.ts'
import { mockReplies } from '../../setup/mockedReplies.ts'

const MANY = 1_000
const ROOM = { timeout: 300_000 }

type Trace = Api['v3.traces']['result']['traces'][number]

const hashOf = (at: number): string => Buffer.alloc(32, String(at).padStart(8, '0')).toString('base64')

/** A chain of messages, each to an account of its own, and an action for each. */
function lengthened(trace: Trace): Trace {
  const pattern = Object.values(trace.transactions ?? {})[0]
  const action = trace.actions?.[0]
  if (pattern === undefined || action === undefined) throw new Error('the trace has no transaction or no action')
  const all = Array.from({ length: MANY }, (_, at) => {
    const account = `0:${at.toString(16).toUpperCase().padStart(64, '0')}`
    return { ...pattern, hash: hashOf(at), account, lt: `${BigInt(pattern.lt) + BigInt(at)}` as const }
  })
  const root = all.reduceRight<NonNullable<Trace['trace']> | null>(
    (child, { hash }) => ({ tx_hash: hash, in_msg_hash: hash, children: child === null ? [] : [child] }),
    null,
  )
  return {
    ...trace,
    ...(root === null ? {} : { trace: root }),
    transactions: Object.fromEntries(all.map((one) => [one.hash, one])),
    actions: all.map(({ hash }) => ({ ...action, action_id: hash, transactions: [hash] })),
  }
}

onOnePage(serveIndexed, () => {
  test('its actions, transactions and accounts are shown in parts, and a step to another one draws these two', async () => {
    await countLinks(page)
    const { tx_hash: sent = '' } = await client.dev.faucet({ address: `0:${'77'.repeat(32)}`, amount: '1000000000' })
    const find = async () => (await client.v3.traces({ tx_hash: [sent], include_actions: true })).traces[0]
    await expect.poll(async () => (await find())?.actions?.length ?? 0, ROOM).toBeGreaterThan(0)
    const found = await find()
    if (found === undefined || found.trace_id === null) throw new Error('the trace is gone')
    const long = lengthened(found)
    await mockReplies(page, /\/trace\//, 'v3.traces', (_, real) => ({ ...real, traces: [long] }))
    await page.goto(`${service.url}/trace/${Buffer.from(found.trace_id, 'base64').toString('hex')}`)
    await page.locator('.tree-row').first().waitFor(ROOM)
    const nodes = () => page.evaluate(() => document.querySelectorAll('*').length)
    expect(await page.locator('.actions > li').count()).toBe(20)
    expect(await page.locator('.tree-row').count()).toBe(100)
    expect(await nodes()).toBeLessThan(8_000)
    await page.getByRole('button', { name: `Show 20 more of ${MANY}` }).click()
    await expect.poll(() => page.locator('.actions > li').count(), ROOM).toBe(40)
    // Two clicks before the list is drawn again are one.
    for (let rows = 200; rows <= MANY; rows += 100) {
      await page.locator('.tree ~ button').click()
      await expect.poll(() => page.locator('.tree-row').count(), ROOM).toBe(rows)
    }
    // What is still read about its accounts is drawn, too.
    await expect.poll(() => linksOf(page, () => page.waitForTimeout(1_000)), ROOM).toBe(0)
    const row = page.locator('.tree-row').nth(900)
    const step = async () => {
      await row.locator('.tree-call').click()
      await expect.poll(() => row.getAttribute('aria-selected'), ROOM).toBe('true')
    }
    // A link for each of the actions that are shown, and those of the transaction.
    expect(await linksOf(page, step)).toBeLessThan(MANY / 4)
    // What the selected row says is below the list: no screens away.
    const topOf = async (selector: string) => (await page.locator(selector).first().boundingBox())?.y ?? 0
    const screen = page.viewportSize()?.height ?? 0
    const isNear = async () => {
      const away = (await topOf('.panel')) - (await topOf('.tree-row[aria-selected="true"]'))
      return away > 0 && away < 1.2 * screen
    }
    await expect.poll(isNear).toBe(true)
    await page.locator('.tree-row').first().focus()
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.locator('.tree-row').last().getAttribute('aria-selected')).toBe('true')
    await expect.poll(isNear).toBe(true)
    await page.getByRole('tab', { name: 'Value flow' }).click()
    await page.getByRole('tab', { name: 'List' }).click()
    await expect.poll(isNear).toBe(true)
    await page.getByRole('tab', { name: 'Value flow' }).click()
    await page.getByText('Fees of all').waitFor(ROOM)
    expect(await page.locator('[role="tabpanel"] tbody tr').count()).toBe(100)
    await page.getByRole('button', { name: `Show 100 more of ${MANY}` }).click()
    await expect.poll(() => page.locator('[role="tabpanel"] tbody tr').count(), ROOM).toBe(200)
    // Back finds as much as was shown.
    await page.locator('[role="tabpanel"] tbody tr a').nth(150).click()
    await page.locator('.identity').waitFor(ROOM)
    await page.goBack()
    await expect.poll(() => page.locator('[role="tabpanel"] tbody tr').count(), ROOM).toBe(200)
    expect(await page.locator('.actions > li').count()).toBe(40)
    await page.getByRole('tab', { name: 'List' }).click()
    await expect.poll(() => page.locator('.tree-row').count(), ROOM).toBe(MANY)
  })
})
