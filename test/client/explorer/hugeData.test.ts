// A trace that comes without its transactions, for there are too many, one that has not ended, the largest amount, and a
// transaction that sends hundreds of messages: pages show what there is of them.

import { expect, test } from 'vitest'
import type { Message } from '../../../client/index.ts'
import type { Api } from '../../../shared/registry.ts'
import { client, inBrowser, page, problems, serveIndexed, service } from '../../setup/explorerScene.ts'
import { mockReplies } from '../../setup/mockedReplies.ts'

type Traces = Api['v3.traces']['result']

const hashOf = (at: number): string => Buffer.alloc(32, String(at).padStart(8, '0')).toString('base64')

/** As the service writes a trace of more than 4,000 transactions. */
const withoutTransactions = (real: Traces): Traces => ({
  ...real,
  traces: real.traces.map(({ trace: _, transactions: __, transactions_order: ___, ...rest }) => ({
    ...rest,
    trace_info: { ...rest.trace_info, transactions: 10_101, classification_state: 'broken' },
    is_incomplete: true,
    warning: 'trace is too large',
    actions: [],
  })),
})

/** Each of its transactions sends as many messages as one can. */
const sendingMany = (trace: Traces['traces'][number]): Traces['traces'][number] => ({
  ...trace,
  transactions: Object.fromEntries(
    Object.entries(trace.transactions ?? {}).map(([key, one]) => [
      key,
      { ...one, out_msgs: Array.from({ length: 255 }, (_, at) => ({ ...(one.in_msg as Message), hash: hashOf(at) })) },
    ]),
  ),
})

inBrowser(serveIndexed, () => {
  /** The path of a transaction that is in the index. */
  const sent = async (): Promise<string> => {
    const { tx_hash } = await client.dev.faucet({ address: `0:${'78'.repeat(32)}`, amount: '1234000000' })
    if (!tx_hash) throw new Error('no block has the transaction')
    await expect.poll(async () => (await client.v3.traces({ tx_hash: [tx_hash] })).traces.length).toBe(1)
    return `/tx/${Buffer.from(tx_hash, 'base64').toString('hex')}`
  }
  const panel = () => page.getByRole('region', { name: 'Selected transaction' })

  test('of a trace that is too large the transaction of the address is shown, and no outcome is made up', async () => {
    const path = await sent()
    await mockReplies(page, /\/tx\//, 'v3.traces', (_, real) => withoutTransactions(real))
    await page.goto(service.url + path)
    await panel().getByText('1.234').first().waitFor()
    const outcome = (await page.getByRole('region', { name: 'Outcome' }).textContent()) ?? ''
    expect(outcome).toContain('10101 transactions')
    expect(outcome).not.toMatch(/Success|fees/)
    await page.getByText('too many transactions to be shown at once').waitFor()
    const rows = page.getByRole('region', { name: 'All transactions of the trace' }).locator('tbody tr')
    await expect.poll(() => rows.count()).toBe(2)
    expect(await page.locator(`tbody tr a[href$="${path}"]`).count()).toBe(1)
    const times = (await rows.locator('td:last-child').allTextContents()).map(BigInt)
    expect(times).toEqual([...times].sort((a, b) => Number(a - b)))
    // A click shows the other one, and the list stays.
    await rows.locator(`a[href*="/tx/"]:not([href$="${path}"])`).first().click()
    await panel().getByRole('link', { name: 'faucet' }).first().waitFor()
    expect(page.url()).not.toContain(path)
    await expect.poll(() => rows.count()).toBe(2)
    expect(problems).toEqual([])
  })

  test('a transaction whose trace has not ended is shown without it', async () => {
    const path = await sent()
    await mockReplies(page, /\/tx\//, 'v3.traces', (_, real) => ({ ...real, traces: [] }))
    await page.goto(service.url + path)
    await panel().getByText('1.234').first().waitFor()
    await page.getByText('The trace of this transaction has not ended').waitFor()
    const soFar = page.getByRole('region', { name: 'Transactions of the trace so far' })
    await expect.poll(() => soFar.locator('tbody tr').count()).toBe(2)
    expect(problems).toEqual([])
  })
  test('the largest amount of a jetton is not wider than a small phone', async () => {
    await page.setViewportSize({ width: 320, height: 700 })
    const { tx_hash } = await client.dev.jetton({ address: `0:${'79'.repeat(32)}`, amount: `${2n ** 100n - 1n}` })
    if (!tx_hash) throw new Error('no block has the transaction')
    await expect.poll(async () => (await client.v3.traces({ tx_hash: [tx_hash] })).traces.length).toBe(1)
    await page.goto(`${service.url}/tx/${Buffer.from(tx_hash, 'base64').toString('hex')}`)
    await page.locator('.actions .amount').first().waitFor()
    await expect.poll(() => page.locator('.waiting').count()).toBe(0)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  })

  test('of the messages that a transaction sent the first are shown, and more of them', async () => {
    const path = await sent()
    await mockReplies(page, /\/tx\//, 'v3.traces', (_, real) => ({ ...real, traces: real.traces.map(sendingMany) }))
    await page.goto(`${service.url}${path}?view=messages`)
    await panel().getByText('Sent 20 of 255').waitFor()
    expect(
      await panel()
        .getByText(/^Sent \d+ of/)
        .count(),
    ).toBe(20)
    await panel().getByRole('button', { name: 'Show 20 more of 255' }).click()
    await panel().getByText('Sent 40 of 255').waitFor()
  })
})
