// What an account has, and a message carries, besides TON.

import { expect, test } from 'vitest'
import { client, inBrowser, open, page, serveIndexed, service } from '../../setup/explorerScene.ts'
import { mockReplies } from '../../setup/mockedReplies.ts'

const CARRIED = { 100: '2500' } as const

inBrowser(serveIndexed, () => {
  test('an account shows its extra currencies, and a message those it carries', async () => {
    const wallet = (await client.dev.state()).accounts.find(({ name }) => name === 'wallet7')?.address ?? ''
    // The index has an account with its first transaction.
    const { tx_hash } = await client.dev.faucet({ address: wallet, amount: '1000000000' })
    await expect.poll(async () => (await client.v3.traces({ tx_hash: [tx_hash ?? ''] })).traces.length).toBe(1)
    await open(`/address/${wallet}`)
    await page
      .getByLabel('Account', { exact: true })
      .getByText(/\d{3} of currency 100$/)
      .waitFor()

    await mockReplies(page, /\/tx\//, 'v3.traces', (_, real) => ({
      ...real,
      traces: real.traces.map((trace) => ({
        ...trace,
        transactions: Object.fromEntries(
          Object.entries(trace.transactions ?? {}).map(([key, one]) => [
            key,
            { ...one, in_msg: one.in_msg && { ...one.in_msg, value_extra_currencies: CARRIED } },
          ]),
        ),
      })),
    }))
    await page.goto(`${service.url}/tx/${Buffer.from(tx_hash ?? '', 'base64').toString('hex')}?view=messages`)
    await page.getByText('2\u202f500 of currency 100').first().waitFor()
  })
})
