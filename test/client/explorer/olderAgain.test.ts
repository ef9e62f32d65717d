// Older rows of a list that could not be read: the list goes on when the service is back, and forgets what failed.

import { beforeAll, expect, test } from 'vitest'
import { client, inBrowser, open, page } from '../../setup/explorerScene.ts'
import { serve } from '../../setup/service.ts'
import { untilIndexed } from '../../setup/untilIndexed.ts'

const ACCOUNT = `0:${'5B'.repeat(32)}`
const COUNT = 40

inBrowser(
  () => serve({ withIndex: true, config: { mining: 'manual' } }),
  () => {
    beforeAll(async () => {
      for (let at = 0; at < COUNT; at++) await client.dev.faucet({ address: ACCOUNT, amount: '1000000' })
      // On a busy machine one block does not take all of them.
      for (let done = 0; done < COUNT; ) {
        await untilIndexed(client, (await client.dev.mine({ blocks: 1 })).seqno)
        done = (await client.v3.transactions({ account: [ACCOUNT], limit: COUNT })).transactions.length
      }
    })

    const rows = () => page.locator('[role="tabpanel"] tbody tr').count()
    const failed = () => page.locator('[role="tabpanel"] [role="alert"]')
    const older = () => page.getByRole('button', { name: 'Load older' })
    const openList = async () => {
      await open(`/address/${ACCOUNT}?tab=transactions`)
      await older().waitFor()
      return await rows()
    }
    const loadOlder = async () => {
      await older().click()
      await failed().waitFor()
    }

    test('they are read when the network is back, without a click', async () => {
      const before = await openList()
      await page.context().setOffline(true)
      await page.locator('#head').getByText('no answer').waitFor()
      await loadOlder()
      expect(await rows()).toBe(before)
      await page.context().setOffline(false)
      await expect.poll(rows).toBeGreaterThan(before)
      expect(await failed().count()).toBe(0)
    })

    const isOlder = (text: string | null): boolean => text?.includes('"cursor"') ?? false
    const refuseOlder = () =>
      page.route(/\/jsonRPC$/, (route) => (isOlder(route.request().postData()) ? route.abort() : route.continue()))

    test('after a step away and back the list does not say what failed before', async () => {
      const before = await openList()
      await refuseOlder()
      await loadOlder()
      await page.locator('[role="tabpanel"] tbody a').first().click()
      await page.locator('.summary').waitFor()
      await page.goBack()
      await expect.poll(rows).toBe(before)
      expect(await failed().count()).toBe(0)
      await page.unroute(/\/jsonRPC$/)
      await older().click()
      await expect.poll(rows).toBeGreaterThan(before)
    })

    test('a newer first page that could not be read is read after the next block, without a click', async () => {
      await open(`/address/${ACCOUNT}?tab=transactions`)
      const newest = () => page.locator('[role="tabpanel"] tbody a').first().getAttribute('href')
      await older().waitFor()
      const before = await newest()
      const isList = (text: string | null): boolean => text?.includes('"v3.transactions"') ?? false
      await page.route(/\/jsonRPC$/, (route) =>
        isList(route.request().postData()) ? route.fulfill({ status: 504, body: 'late' }) : route.continue(),
      )
      await client.dev.faucet({ address: ACCOUNT, amount: '1000000' })
      await untilIndexed(client, (await client.dev.mine({ blocks: 1 })).seqno)
      await failed().waitFor()
      await page.unroute(/\/jsonRPC$/)
      await client.dev.mine({ blocks: 1 })
      await expect.poll(newest).not.toBe(before)
      expect(await failed().count()).toBe(0)
    })

    test('what comes at the end of a whole list and could not be read is read when the network is back', async () => {
      await open(`/address/${ACCOUNT}?tab=transactions&order=oldest`)
      await page.getByRole('button', { name: 'Load newer' }).click()
      await page.getByText('Nothing newer.').waitFor()
      expect(await rows()).toBe(COUNT + 1)
      await refuseOlder()
      await client.dev.faucet({ address: ACCOUNT, amount: '1000000' })
      await untilIndexed(client, (await client.dev.mine({ blocks: 1 })).seqno)
      await failed().waitFor()
      await page.unroute(/\/jsonRPC$/)
      await page.context().setOffline(true)
      await page.locator('#head').getByText('no answer').waitFor()
      await page.context().setOffline(false)
      await expect.poll(rows).toBe(COUNT + 2)
      expect(await failed().count()).toBe(0)
    })
  },
)
