// Lists that were read beyond their first page, when a later block adds rows to them.

import { expect, test } from 'vitest'
import { client, inBrowser, open, page, serveIndexed } from '../../setup/explorerScene.ts'
import { mockReplies } from '../../setup/mockedReplies.ts'
import { untilIndexed } from '../../setup/untilIndexed.ts'

const ROOM = { timeout: 300_000 }
const HASH = Buffer.alloc(32).toString('base64')

const raw = (at: number): string => `0:${at.toString(16).toUpperCase().padStart(64, '0')}`

inBrowser(serveIndexed, () => {
  const rows = () => page.locator('[role="tabpanel"] tbody tr')
  const count = () => rows().count()

  const give = async (address: string) => {
    await client.dev.faucet({ address, amount: '1000000' })
    await untilIndexed(client, (await client.dev.mine({ blocks: 1 })).seqno)
  }

  test('the oldest first, read to its end, goes on with what the account does next', async () => {
    const address = `0:${'5E'.repeat(32)}`
    for (let at = 0; at < 18; at++) await give(address)
    await open(`/address/${address}?tab=transactions&order=oldest`)
    await page.getByRole('button', { name: 'Load newer' }).click(ROOM)
    await page.getByText('Nothing newer.').waitFor(ROOM)
    expect(await count()).toBe(18)
    for (const all of [19, 20]) {
      await give(address)
      await expect.poll(count, ROOM).toBe(all)
    }
    const { transactions } = await client.v3.transactions({ account: [address], limit: 1 })
    const newest = Buffer.from(transactions[0]?.hash ?? '', 'base64').toString('hex')
    expect(await rows().last().locator('a').first().getAttribute('href')).toContain(newest)
    expect(await page.getByText('Nothing newer.').count()).toBe(1)
  })

  test('the oldest first, on one page with the focus in it: there is a way to what comes beyond the page', async () => {
    const address = `0:${'5F'.repeat(32)}`
    for (let at = 0; at < 15; at++) await give(address)
    await open(`/address/${address}?tab=transactions&order=oldest`)
    await expect.poll(count, ROOM).toBe(15)
    await rows().nth(3).locator('a').first().focus()
    await give(address)
    await page.getByRole('button', { name: 'Load newer' }).click(ROOM)
    await expect.poll(count, ROOM).toBe(16)
  })

  test('jettons so many of which came that some between are not known: the reader has them shown', async () => {
    const account = `0:${'6E'.repeat(32)}`
    await give(account)
    let first = 1_000
    const walletAt = (at: number) => ({
      address: raw(at),
      balance: '1' as const,
      owner: account,
      jetton: raw(at + 50_000),
      last_transaction_lt: '1' as const,
      code_hash: HASH,
      data_hash: HASH,
    })
    await mockReplies(page, /\/address\//, 'v3.jetton.wallets', ({ cursor, limit = 0 }) => {
      const from = Number(cursor ?? first)
      return {
        jetton_wallets: Array.from({ length: Number(limit) }, (_, at) => walletAt(from + at)),
        cursor: String(from + Number(limit)),
        address_book: {},
        metadata: {},
      }
    })
    await open(`/address/${account}?tab=tokens`)
    await page.getByRole('button', { name: 'Load more' }).click(ROOM)
    await expect.poll(count, ROOM).toBe(200)
    first = 100
    await give(account)
    await page.getByRole('button', { name: 'Show newer ↑' }).click(ROOM)
    await expect.poll(count, ROOM).toBe(100)
    const { address } = walletAt(first)
    expect(await rows().first().locator(`[data-address="${address}"]`).count()).toBe(1)
  })
})
