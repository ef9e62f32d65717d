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

  test.each([
    { tab: 'history', rows: '.history-row' },
    { tab: 'transactions', rows: '[role="tabpanel"] tbody tr' },
  ])(
    'of $tab: a new row above hundreds is styled without them, and each keeps its element',
    async ({ tab, rows }) => {
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
          const traces = ids.map((at) => ({ ...trace, trace_id: hashAt(at), start_lt: `${at}` }))
          return { ...real, traces, cursor: `${ids.at(-1)}` }
        },
        'v3.transactions': (params, real) => {
          if (params.hash !== undefined) return real
          const ids = idsOf(params)
          return {
            ...real,
            transactions: ids.map((at) => ({ ...transaction, hash: hashAt(at) })),
            cursor: `${ids.at(-1)}`,
          }
        },
      })
      await page.goto(`${service.url}/address/${ACCOUNT}?tab=${tab}`)
      const all = page.locator(rows)
      await all.nth(4).waitFor(ROOM)
      await page.waitForLoadState('networkidle')
      for (let count = await all.count(); count < ROWS; ) {
        await page.getByRole('button', { name: 'Load older' }).click()
        await expect.poll(() => all.count(), ROOM).toBeGreaterThan(count)
        count = await all.count()
      }
      const before = await all.count()
      const marked = (selector: string) =>
        page.evaluate((one) => [...document.querySelectorAll(one)].filter((row) => 'mine' in row).length, selector)
      await all.evaluateAll((list) => {
        for (const row of list) Object.assign(row, { mine: true })
      })
      const come = async (count: number): Promise<void> => {
        newest += count
        await give()
        await expect.poll(() => all.count(), ROOM).toBe(before + newest - 5_000)
      }
      // The first block is the first that moves the page.
      await come(1)
      expect(await restyledBy(page, () => come(3))).toBeLessThan(ROWS / 2)
      expect(await marked(rows)).toBe(before)
    },
    600_000,
  )
})
