// What a new block costs below a list of hundreds of rows: a browser may give all of them their style again for one.

import { expect, test } from 'vitest'
import type { Api } from '../../../shared/registry.ts'
import { client, inBrowser, page, service } from '../../setup/explorerScene.ts'
import { mockMethods } from '../../setup/mockedReplies.ts'
import { restyledBy } from '../../setup/restyled.ts'
import { serve } from '../../setup/service.ts'
import { untilIndexed } from '../../setup/untilIndexed.ts'

const ROOM = { timeout: 300_000 }
const ACCOUNT = `0:${'79'.repeat(32)}`
const ROWS = 600

const hashAt = (at: number): string => Buffer.alloc(32, String(at).padStart(8, '0')).toString('base64')

const start = () => serve({ withIndex: true, config: { mining: 'manual' } })

inBrowser(start, () => {
  async function give(): Promise<void> {
    await client.dev.faucet({ address: ACCOUNT, amount: '1000000000' })
    await untilIndexed(client, (await client.dev.mine({ blocks: 1 })).seqno)
  }

  async function patterns() {
    const read = async () => ({
      trace: (await client.v3.traces({ account: ACCOUNT, limit: 1, include_actions: true })).traces[0],
      transaction: (await client.v3.transactions({ account: [ACCOUNT], limit: 1 })).transactions[0],
    })
    await give()
    await expect.poll(async () => (await read()).trace?.actions?.length, ROOM).toBe(1)
    const { trace, transaction } = await read()
    if (trace === undefined || transaction === undefined) throw new Error('the account has no history')
    return { trace, transaction }
  }

  /** A list of so many rows and more, above which others can come. */
  async function longList(tab: string, rows: string, least = ROWS) {
    const { trace, transaction } = await patterns()
    let newest = 5_000
    // A cursor is the number of the last row that was given.
    const idsOf = ({ cursor, limit = 0 }: Api['v3.traces']['params'] | Api['v3.transactions']['params']) => {
      const from = cursor === undefined ? newest : Number(cursor) - 1
      return Array.from({ length: Number(limit) }, (_, at) => from - at)
    }
    await mockMethods(page, /\/address\//, {
      'v3.traces': (params, real) => {
        const ids = idsOf(params)
        const traces = ids.map((at) => ({ ...trace, trace_id: hashAt(at), start_lt: `${BigInt(at)}` as const }))
        return { ...real, traces, cursor: `${ids.at(-1)}` }
      },
      'v3.transactions': (params, real) => {
        if (params.hash !== undefined) return real
        const ids = idsOf(params)
        const transactions = ids.map((at) => ({ ...transaction, hash: hashAt(at) }))
        return { ...real, transactions, cursor: `${ids.at(-1)}` }
      },
    })
    await page.goto(`${service.url}/address/${ACCOUNT}?tab=${tab}`)
    const all = page.locator(rows)
    await all.nth(4).waitFor(ROOM)
    await page.waitForLoadState('networkidle')
    let count = await all.count()
    for (; count < least; count = await all.count()) {
      // As by a key: a mouse would be where the button is, so that each row is seen.
      await page.getByRole('button', { name: 'Load older' }).dispatchEvent('click')
      await expect.poll(() => all.count(), ROOM).toBeGreaterThan(count)
    }
    const come = async (more: number): Promise<void> => {
      newest += more
      await give()
      await expect.poll(() => all.count(), ROOM).toBe(count + newest - 5_000)
    }
    return { all, count, come }
  }

  test.each([
    { tab: 'history', rows: '.history-row' },
    { tab: 'transactions', rows: '[role="tabpanel"] tbody tr' },
  ])(
    'of $tab: a new row above hundreds is styled without them, and each keeps its element',
    async ({ tab, rows }) => {
      const { all, count, come } = await longList(tab, rows)
      await all.evaluateAll((list) => {
        for (const row of list) Object.assign(row, { mine: true })
      })
      // The first block is the first that moves the page.
      await come(1)
      expect(await restyledBy(page, () => come(3))).toBeLessThan(ROWS / 2)
      expect(await all.evaluateAll((list) => list.filter((row) => 'mine' in row).length)).toBe(count)
    },
    600_000,
  )

  test('rows that new ones have moved far down have a layout only on the screen, as those below', async () => {
    const { all, come } = await longList('history', '.history-row', 50)
    const near = () => all.evaluateAll((list) => list.findIndex((row) => row.classList.contains('far')))
    expect(await near()).toBe(25)
    for (let times = 0; times < 10; times++) await come(3)
    expect(await near()).toBe(25)
  })

  test('on a phone the end of hundreds of rows is where they were said to end', async () => {
    await page.setViewportSize({ width: 360, height: 640 })
    const { all, count } = await longList('history', '.history-row')
    // Rows that were not on the screen yet get their height as they come.
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    await all.nth(count - 1).waitFor(ROOM)
    const frames = () => page.evaluate('new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r)))')
    for (let frame = 0; frame < 5; frame++) await frames()
    const button = await page.getByRole('button', { name: 'Load older' }).boundingBox()
    expect(button?.y).toBeLessThan(640)
  }, 600_000)
})
