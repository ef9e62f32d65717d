// What items and contracts are called: a domain by its name, a contract by the most that its methods say.

import { expect, test } from 'vitest'
import { client, inBrowser, page, service } from '../../setup/explorerScene.ts'
import { servePlayed } from '../../setup/playedDemo.ts'

inBrowser(servePlayed, () => {
  test('a sentence has the name of a domain, not the number of its item', async () => {
    const { actions } = await client.v3.actions({ action_type: ['auction_bid'], limit: 1 })
    const { bidder = '' } = (actions[0]?.details ?? {}) as { readonly bidder?: string }
    const [auction] = (await client.v3.dns.activeAuctions({ bidder })).auctions
    const trace = Buffer.from(actions[0]?.trace_id ?? '', 'base64').toString('hex')
    await page.goto(`${service.url}/trace/${trace}`)
    await page.locator('.sentence').first().waitFor()
    expect(await page.locator('.sentence').allTextContents()).toEqual(
      expect.arrayContaining([expect.stringContaining(`NFT ${auction?.domain} `)]),
    )
    expect(await page.locator('#main').textContent()).not.toMatch(/NFT #\d/)
  })

  test('a wallet that holds back TON is said to be one', async () => {
    const [sent] = (await client.v3.actions({ action_type: ['vesting_send_message'], limit: 1 })).actions
    const { vesting = '' } = (sent?.details ?? {}) as { readonly vesting?: string }
    const [state] = (await client.v3.accountStates({ address: [vesting] })).accounts
    expect(state?.interfaces.length).toBeGreaterThan(1)
    await page.goto(`${service.url}/address/${vesting}`)
    const kind = page.locator('.facts > div', { has: page.locator('dt', { hasText: 'Kind' }) }).locator('dd')
    expect(await kind.textContent()).toBe('wallet vesting by its methods')
  })
})
