// A page that stays open: what it shows beside its lists is of the newest block, too.

import { Address, beginCell, external, internal, SendMode, storeMessage, toNano } from '@ton/core'
import { beforeEach, expect, test } from 'vitest'
import { client, context, inBrowser, open, page } from '../../setup/explorerScene.ts'
import { fundedWallet } from '../../setup/fundedWallet.ts'
import { serve } from '../../setup/service.ts'
import { untilIndexed } from '../../setup/untilIndexed.ts'

const BAGS = ['te6cckEBAQEADAAAFAAAAABIZWxsbyGVgYQo', 'te6cckEBAQEAAgAAAEysuc0='] as const
const RECEIVER = `0:${'AC'.repeat(32)}`

inBrowser(
  () => serve({ withIndex: true, config: { mining: 'manual' } }),
  () => {
    beforeEach(() => untilIndexed(client, 1))

    const mine = async (blocks = 1) => untilIndexed(client, (await client.dev.mine({ blocks })).seqno)
    const fact = (of: string) =>
      page.locator('.facts > div', { has: page.getByText(of, { exact: true }) }).locator('dd')

    test('results of get-methods and the size of what is stored are those of the newest transaction', async () => {
      const { wallet, secretKey } = await fundedWallet(client)
      const address = wallet.address.toRawString()
      await open(`/address/${address}?tab=methods`)
      const shown = () => fact('seqno').textContent()
      await expect.poll(shown).toMatch(/^0/)
      await page.getByRole('button', { name: 'Show the size' }).click()
      await expect.poll(() => fact('Storage').textContent()).toMatch(/^code \d+ bytes/)
      const { utime } = await client.dev.state()
      const order = internal({ to: Address.parse(RECEIVER), value: toNano('1'), bounce: false })
      const sendMode = SendMode.PAY_GAS_SEPARATELY
      const body = wallet.createTransfer({ seqno: 0, secretKey, sendMode, messages: [order], timeout: utime + 60 })
      const message = beginCell()
        .store(storeMessage(external({ to: wallet.address, body })))
        .endCell()
      await client.sendBoc({ boc: message.toBoc().toString('base64') })
      await mine()
      await expect.poll(shown).toMatch(/^1/)
      // What was read is of an older state.
      await page.getByRole('button', { name: 'Show the size' }).waitFor()
    })

    test('an account that sent back what it was sent has transactions, though there is nothing', async () => {
      const account = `0:${'5E'.repeat(32)}`
      await open(`/address/${account}`)
      await page.getByText('has no transactions').waitFor()
      const [{ address: from = '' } = {}] = (await client.dev.state()).accounts
      await client.dev.sendInternal({ from, to: account, value: '100000000', bounce: true })
      await mine(2)
      await page.locator('.history-row').first().waitFor()
      await expect.poll(() => page.getByText(/has no transactions|was ever sent|Nothing was deployed/).count()).toBe(0)
    })

    test('a block of a shard that is not made yet is shown when it is', async () => {
      const newest = async () => (await client.v3.blocks({ workchain: 0, limit: 1 })).blocks[0]?.seqno ?? 0
      // The chain's own blocks may be ahead of those of the shard.
      await mine(2)
      const at = (await newest()) + 1
      await open(`/block/0:8000000000000000:${at}`)
      await page.locator('.empty').waitFor()
      while ((await newest()) < at) await mine()
      await fact('Root hash').waitFor()
    })

    test('a watched account is a notification while the page is behind others', async () => {
      await page.addInitScript(() => {
        const notes: string[] = []
        class Note {
          static readonly permission = 'granted'
          onclick = () => undefined
          constructor(title: string) {
            notes.push(title)
            Object.assign(globalThis, { press: () => this.onclick() })
          }
        }
        Object.assign(globalThis, { notes, Notification: Note })
      })
      const { address = '' } = (await client.dev.state()).accounts.find(({ name }) => name === 'wallet5') ?? {}
      await open(`/address/${address}`)
      const first = page.waitForResponse((reply) => reply.request().postData()?.includes('accountStates') ?? false)
      await page.getByRole('button', { name: 'Watch' }).click()
      await first
      await page.evaluate(() => {
        Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => 'hidden' })
        document.dispatchEvent(new Event('visibilitychange'))
      })
      await client.dev.faucet({ address, amount: '1000000000' })
      await mine()
      const notes = () => page.evaluate(() => (globalThis as unknown as { readonly notes: readonly string[] }).notes)
      await expect.poll(notes).toEqual(['New transaction of wallet5'])
      // It leads to the account, which is watched further.
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Wallets' }).click()
      await page.getByRole('heading', { level: 1, name: 'Wallets' }).waitFor()
      await page.evaluate(() => (globalThis as unknown as { readonly press: () => void }).press())
      await page.getByRole('heading', { level: 1, name: 'Account wallet5' }).waitFor()
      await page.getByRole('button', { name: 'Watching' }).waitFor()
    })

    test('of two tabs that send from one wallet at once, one sends, and the other says what it waits for', async () => {
      const { address = '' } = (await client.dev.state()).accounts.find(({ name }) => name === 'wallet4') ?? {}
      const seqno = async () => (await client.getWalletInformation({ address })).seqno ?? 0
      const before = await seqno()
      const other = await context.newPage()
      const tabs = [page, other]
      for (const tab of tabs) {
        await open('/lab', tab)
        await tab.locator('#compose-by').selectOption('wallet4')
        await tab.locator('#compose-to').fill('wallet5')
        await tab.locator('#compose-value').fill('1')
      }
      const send = (tab: typeof page) =>
        tab.locator('.compose').getByRole('button', { name: 'Send', exact: true }).click()
      const refused = (tab: typeof page) =>
        tab
          .locator('.compose')
          .getByText(/a message that no block has yet/)
          .count()
      const sent = (tab: typeof page) => tab.locator('.compose .outcome a').count()
      await Promise.all(tabs.map(send))
      for (const seen of [sent, refused])
        await expect.poll(async () => (await Promise.all(tabs.map(seen))).sort()).toEqual([0, 1])
      await mine()
      const [late] = (await refused(page)) === 1 ? [page] : [other]
      await send(late)
      await expect.poll(() => sent(late)).toBe(1)
      await mine()
      expect(await seqno()).toBe(before + 2)
      await other.close()
    })

    test('the field for cells has those that are shown below it', async () => {
      const field = page.getByLabel(/^Bag of cells/)
      await open(`/cell?boc=${encodeURIComponent(BAGS[0])}`)
      expect(await field.inputValue()).toBe(BAGS[0])
      await page.locator('#q').fill(BAGS[1])
      await page.keyboard.press('Enter')
      await page.getByText('0 bits').waitFor()
      await expect.poll(() => field.inputValue()).toBe(BAGS[1])
      await page.goBack()
      await page.getByText('80 bits').waitFor()
      await expect.poll(() => field.inputValue()).toBe(BAGS[0])
    })
  },
)
