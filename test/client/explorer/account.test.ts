// What a person looks for on the page of an account: what failed, whose a token is, how many there are.

import { expect, test } from 'vitest'
import { client, onOnePage, page, service } from '../../setup/explorerScene.ts'
import { servePlayed } from '../../setup/playedDemo.ts'
import { untilIndexed } from '../../setup/untilIndexed.ts'

onOnePage(servePlayed, () => {
  test('what failed is looked for below the first page of a history', async () => {
    const [action] = (
      await client.v3.actions({ action_type: ['nft_transfer', 'jetton_transfer'], limit: 500 })
    ).actions.filter(({ success }) => !success)
    const trace = action?.trace_id ?? ''
    const [first] = (await client.v3.transactions({ hash: [trace] })).transactions
    const sender = first?.account ?? ''
    for (let sent = 0; sent < 6; sent++) await client.dev.faucet({ address: sender, amount: '1000000000' })
    await untilIndexed(client, (await client.dev.mine({ blocks: 1 })).seqno)
    await page.goto(`${service.url}/address/${sender}?show=failed`)
    await page
      .locator(`.history-row.failed a[href$="/trace/${Buffer.from(trace, 'base64').toString('hex')}"]`)
      .first()
      .waitFor()
  })

  test('an item, a jetton wallet and a jetton say whose they are and how many there are', async () => {
    const fact = (name: string) => page.locator('.facts > div', { has: page.getByText(name, { exact: true }) })
    const [wallet] = (await client.v3.jetton.wallets({ limit: 1, exclude_zero_balance: true })).jetton_wallets
    await page.goto(`${service.url}/address/${wallet?.address}`)
    expect(await fact('Owner').locator('[data-address]').getAttribute('data-address')).toBe(wallet?.owner)
    expect(await fact('Holds').locator('[data-address]').getAttribute('data-address')).toBe(wallet?.jetton)
    const items = (await client.v3.nft.items({ limit: 100 })).nft_items
    const item = items.find(({ owner_address }) => owner_address !== null)
    await page.goto(`${service.url}/address/${item?.address}`)
    expect(await fact('Owner').locator('[data-address]').getAttribute('data-address')).toBe(item?.owner_address)
    await page.goto(`${service.url}/address/${wallet?.jetton}?tab=holders`)
    const [master] = (await client.v3.jetton.masters({ address: [wallet?.jetton ?? ''] })).jetton_masters
    const supply = await fact('Supply').locator('.amount').getAttribute('title')
    expect(supply).toContain(`${master?.total_supply} `)
    await page.locator('[role="tabpanel"] td').first().waitFor()
    const shares = await page.locator('[role="tabpanel"] td:nth-child(3)').allTextContents()
    const sum = shares.reduce((all, text) => all + Number.parseFloat(text.replace('<', '')), 0)
    expect(sum).toBeGreaterThan(99)
    expect(sum).toBeLessThan(101)
  })
})
