// Lists of thousands of rows in a real browser.

import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { Api } from '../../../shared/registry.ts'
import { countLinks, linksOf } from '../../setup/countedLinks.ts'
import { client, inBrowser, page, service } from '../../setup/explorerScene.ts'
import { mockReplies } from '../../setup/mockedReplies.ts'
import { serve } from '../../setup/service.ts'
import { untilIndexed } from '../../setup/untilIndexed.ts'

const ROOM = { timeout: 300_000 }
const ACCOUNT = `0:${'77'.repeat(32)}`
const PAGES = 20

const HASH = Buffer.alloc(32).toString('base64')

type JettonWallet = Api['v3.jetton.wallets']['result']['jetton_wallets'][number]

const raw = (at: number): string => `0:${at.toString(16).toUpperCase().padStart(64, '0')}`

const tokenAt = (at: number): JettonWallet => ({
  address: raw(2 * at),
  balance: `${BigInt(at + 1)}`,
  owner: ACCOUNT,
  jetton: raw(2 * at + 1),
  last_transaction_lt: '1',
  code_hash: HASH,
  data_hash: HASH,
})

/** Rows from a place on, and a cursor that is the place after them. */
const pageFrom = <R>(all: readonly R[], cursor: string | undefined, limit: number) => {
  const from = Number(cursor ?? 0)
  return { rows: all.slice(from, from + limit), cursor: from + limit < all.length ? String(from + limit) : null }
}

const start = () => serve({ withIndex: true, config: { mining: 'manual' } })

inBrowser(start, () => {
  beforeAll(() => give())
  beforeEach(() => countLinks(page))

  /** A transaction of the account, in the index. */
  async function give(): Promise<void> {
    await client.dev.faucet({ address: ACCOUNT, amount: '1000000000' })
    await untilIndexed(client, (await client.dev.mine({ blocks: 1 })).seqno)
  }

  const rows = () => page.locator('[role="tabpanel"] tbody tr')
  const more = async (count: number): Promise<void> => {
    await page.getByRole('button', { name: /^Load (?:more|older)$/ }).click()
    await expect.poll(() => rows().count(), ROOM).toBe(count)
  }

  test('the twentieth page of tokens costs what the first one did, and the browser finds each row', async () => {
    const all = Array.from({ length: 100 * (PAGES + 2) }, (_, at) => tokenAt(at))
    await mockReplies(page, /\/address\//, 'v3.jetton.wallets', ({ cursor, limit = 0 }) => {
      const { rows: jetton_wallets, cursor: next } = pageFrom(all, cursor, Number(limit))
      return { jetton_wallets, cursor: next, address_book: {}, metadata: {} }
    })
    await page.goto(`${service.url}/address/${ACCOUNT}?tab=tokens`)
    await rows().first().waitFor(ROOM)
    const first = await linksOf(page, () => more(200))
    for (let loaded = 2; loaded < PAGES; loaded++) await more(100 * (loaded + 1))
    const last = await linksOf(page, () => more(100 * (PAGES + 1)))
    // Two accounts in each of 100 rows.
    expect(first).toBeGreaterThanOrEqual(200)
    expect(last).toBeLessThan(1.5 * first)
    const address = await rows().nth(1_234).locator('a').first().getAttribute('title')
    const found = (text: string | null) => (window as unknown as { find(text: string | null): boolean }).find(text)
    expect(await page.evaluate(found, address)).toBe(true)
    expect(await page.evaluate(() => getSelection()?.toString())).toBe(address)
  })

  test('Back leads to the row that was left, however long the list takes to be drawn', async () => {
    const all = Array.from({ length: 900 }, (_, at) => tokenAt(at))
    await mockReplies(page, /\/address\//, 'v3.jetton.wallets', ({ cursor, limit = 0 }) => {
      const { rows: jetton_wallets, cursor: next } = pageFrom(all, cursor, Number(limit))
      return { jetton_wallets, cursor: next, address_book: {}, metadata: {} }
    })
    // As on a slow machine: what waits for the next turn of the page waits for some frames.
    await page.addInitScript(() => {
      const { setTimeout: wait } = globalThis
      Object.assign(globalThis, { setTimeout: (run: () => void, ms = 200) => wait(run, ms) })
    })
    await page.goto(`${service.url}/address/${ACCOUNT}?tab=tokens`)
    await rows().first().waitFor(ROOM)
    for (let count = 200; count <= all.length; count += 100) await more(count)
    const left = rows().nth(850)
    await left.scrollIntoViewIfNeeded()
    const before = await page.evaluate(() => scrollY)
    await left.locator('a').first().click()
    await page.waitForURL((url) => !url.href.includes('tokens'))
    await page.goBack()
    await expect.poll(() => rows().count(), ROOM).toBe(all.length)
    await expect.poll(() => page.evaluate(() => Math.round(scrollY)), ROOM).toBe(Math.round(before))
  }, 600_000)

  test('a row that comes at the head of 2,000 is drawn without the others, and time passes without drawing them', async () => {
    const [pattern] = (await client.v3.transactions({ account: [ACCOUNT], limit: 1 })).transactions
    if (pattern === undefined) throw new Error('the account has no transaction')
    let newest = 2_100
    const hashAt = (at: number): string => Buffer.alloc(32, String(at).padStart(8, '0')).toString('base64')
    const sent = (at: number) => ({ ...pattern.in_msg, source: raw(at) }) as typeof pattern.in_msg
    await mockReplies(page, /\/address\//, 'v3.transactions', ({ cursor, limit = 0 }) => {
      // A cursor is the number of the last row that was given.
      const from = cursor === undefined ? newest : Number(cursor) - 1
      const ids = Array.from({ length: Math.min(Number(limit), from) }, (_, at) => from - at)
      return {
        transactions: ids.map((at) => ({ ...pattern, hash: hashAt(at), in_msg: sent(at) })),
        cursor: from > Number(limit) ? String(ids.at(-1)) : null,
        address_book: {},
      }
    })
    await page.goto(`${service.url}/address/${ACCOUNT}?tab=transactions`)
    await expect.poll(() => rows().count(), ROOM).toBe(15)
    for (let count = 15; count < 2_000; ) {
      count += 60
      await more(count)
    }
    const count = await rows().count()
    const drawn = await linksOf(page, async () => {
      newest++
      await give()
      await expect.poll(() => rows().count(), ROOM).toBe(count + 1)
      const now = await page.evaluate(() => performance.now())
      await page.waitForFunction((since) => performance.now() - since > 3_000, now)
    })
    // The rows of the first page, and the head of the account.
    expect(drawn).toBeLessThan(200)
    const hex = (at: number): string => Buffer.from(hashAt(at), 'base64').toString('hex')
    const links = await rows()
      .locator('td:first-child a')
      .evaluateAll((all) => all.map((one) => one.getAttribute('href')))
    expect(links).toEqual(Array.from({ length: count + 1 }, (_, at) => `${service.url}/tx/${hex(newest - at)}`))
    // So many at once that some between are not known: nothing moves until the reader says so.
    newest += 100
    await give()
    const renew = page.getByRole('button', { name: 'Show newer ↑' })
    await renew.waitFor(ROOM)
    expect(await rows().count()).toBe(count + 1)
    await renew.click()
    await expect.poll(() => rows().count(), ROOM).toBe(15)
    expect(await rows().locator('a').first().getAttribute('href')).toBe(`${service.url}/tx/${hex(newest)}`)
  })

  test('what an account did first is one choice away, and an address that names it comes with it', async () => {
    await give()
    const { transactions } = await client.v3.transactions({ account: [ACCOUNT], limit: 15, sort: 'asc' })
    const [first] = transactions
    const path = `/tx/${Buffer.from(first?.hash ?? '', 'base64').toString('hex')}`
    await page.goto(`${service.url}/address/${ACCOUNT}?tab=transactions`)
    const top = () => rows().first().locator('a').first().getAttribute('href')
    await rows().first().waitFor(ROOM)
    expect(await top()).not.toBe(service.url + path)
    await page.getByLabel('Order').selectOption('Oldest first')
    await expect.poll(top, ROOM).toBe(service.url + path)
    await expect.poll(() => rows().count(), ROOM).toBe(transactions.length)
    const calls: string[] = []
    page.on('request', (request) => calls.push(request.postData() ?? ''))
    calls.length = 0
    await page.reload()
    await expect.poll(top, ROOM).toBe(service.url + path)
    expect(calls.filter((text) => text.includes('v3.transactions'))).toEqual([])
  }, 600_000)

  test('a key in the form above a long reply draws none of the reply again', async () => {
    await untilIndexed(client, (await client.dev.mine({ blocks: 40 })).seqno)
    await page.goto(`${service.url}/console/v3.transactions?limit=100`)
    const drawn = await linksOf(page, async () => {
      await page.getByRole('button', { name: 'Call', exact: true }).click()
      await page.getByRole('region', { name: 'Reply' }).waitFor(ROOM)
    })
    expect(drawn).toBeGreaterThan(100)
    const typed = await linksOf(page, async () => {
      await page.getByLabel('limit', { exact: true }).press('End')
      await page.keyboard.type('0')
      await page
        .locator('.samples')
        .getByText('1000', { exact: false })
        .first()
        .waitFor({ state: 'attached', ...ROOM })
    })
    expect(typed).toBeLessThan(20)
  })

  test('of a long reply the first twenty rows are open, any other opens, and what is copied has all of them', async () => {
    await untilIndexed(client, (await client.dev.mine({ blocks: 60 })).seqno)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto(`${service.url}/console/v3.transactions?limit=100`)
    await page.getByRole('button', { name: 'Call', exact: true }).click()
    const reply = page.getByRole('region', { name: 'Reply' })
    await reply.waitFor(ROOM)
    const all = reply.locator('details:has(> summary:has-text("[100 items]")) > ul > li > details')
    expect(await all.count()).toBe(100)
    expect(await all.evaluateAll((rows) => rows.map((row) => (row as HTMLDetailsElement).open))).toEqual(
      Array.from({ length: 100 }, (_, at) => at < 20),
    )
    await all.nth(70).locator('summary').first().click()
    await all.nth(70).getByText('total_fees', { exact: true }).waitFor(ROOM)
    await reply.getByRole('button', { name: 'Copy JSON' }).click()
    await page.getByText('Copied the reply.').waitFor(ROOM)
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(JSON.parse(copied).transactions).toHaveLength(100)
    expect(copied).toMatch(/\n {2}"transactions": \[\n {4}\{\n/)
  })

  test('a list of transactions begins with two; the usual number comes by itself where they are small', async () => {
    const [pattern] = (await client.v3.transactions({ account: [ACCOUNT], limit: 1 })).transactions
    if (pattern?.in_msg == null) throw new Error('the account has no transaction with a message')
    const message = pattern.in_msg
    let sent = 0
    const asked: number[] = []
    await mockReplies(page, /\/address\//, 'v3.transactions', ({ cursor, hash, limit = 0 }, real) => {
      if (hash !== undefined) return real
      asked.push(Number(limit))
      const from = Number(cursor ?? 0)
      return {
        transactions: Array.from({ length: Number(limit) }, (_, at) => ({
          ...pattern,
          hash: Buffer.alloc(32, `${sent} ${from + at} `).toString('base64'),
          out_msgs: Array.from({ length: sent }, () => message),
        })),
        cursor: String(from + Number(limit)),
        address_book: {},
      }
    })
    for (const order of ['', '&order=oldest']) {
      asked.length = 0
      sent = 0
      const list = `${service.url}/address/${ACCOUNT}?tab=transactions${order}`
      await page.goto(list)
      await expect.poll(() => rows().count(), ROOM).toBe(15)
      expect(asked).toEqual([2, 15])
      asked.length = 0
      sent = 250
      await page.goto(list)
      await expect.poll(() => rows().count(), ROOM).toBe(2)
      await page.getByRole('button', { name: /^Load (?:newer|older)$/ }).click()
      await expect.poll(() => rows().count(), ROOM).toBe(4)
      expect(asked).toEqual([2, 2])
    }
  })
})
