// What a person looks for on the page of an account: what failed, whose a token is, how many there are.

import { expect, test } from 'vitest'
import { rawOf } from '../../../shared/explorer/views.ts'
import { client, context, onOnePage, open, page, service } from '../../setup/explorerScene.ts'
import { mockReplies } from '../../setup/mockedReplies.ts'
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

  test('a payment is found by a part of its comment, in every kind of history', async () => {
    const { actions } = await client.v3.actions({ action_type: ['ton_transfer', 'jetton_transfer'], limit: 500 })
    const commented = actions.flatMap(({ type, details }) =>
      (type === 'ton_transfer' || type === 'jetton_transfer') && details.comment
        ? [
            {
              kind: type === 'ton_transfer' ? 'ton' : 'jettons',
              text: details.comment,
              account: 'sender' in details ? details.sender : details.source,
            },
          ]
        : [],
    )
    const rows = page.locator('.history-row')
    for (const { kind, text, account } of ['ton', 'jettons'].flatMap((one) =>
      commented.filter(({ kind }) => kind === one).slice(0, 1),
    ))
      for (const shown of ['all', kind]) {
        await page.goto(
          `${service.url}/address/${account}?kind=${shown}&with=${encodeURIComponent(text.slice(1).toUpperCase())}`,
        )
        await rows.first().waitFor()
        expect(await rows.filter({ hasNotText: text }).count(), `${shown} “${text}”`).toBe(0)
        await page.getByLabel('With').fill('of no comment')
        await page.keyboard.press('Enter')
        await expect.poll(() => rows.count()).toBe(0)
        await page.getByText('Not an account: searched in comments.').waitFor()
      }
    expect(new Set(commented.map(({ kind }) => kind))).toEqual(new Set(['ton', 'jettons']))
  })

  test('every mention of the account under the pointer or the focus is marked', async () => {
    const { accounts } = await client.dev.state()
    await page.goto(`${service.url}/address/${accounts.find(({ name }) => name === 'wallet4')?.friendly}`)
    const chips = page.locator('.history-row .address')
    await chips.first().waitFor()
    expect(await page.locator('.same').count()).toBe(0)
    const raw = await chips.first().getAttribute('data-address')
    await chips.first().hover()
    const marked = () => page.locator('.same').evaluateAll((all) => all.map((one) => one.getAttribute('data-address')))
    await expect.poll(async () => (await marked()).length).toBeGreaterThan(1)
    expect(new Set(await marked())).toEqual(new Set([raw]))
    await page.mouse.move(0, 0)
    await expect.poll(marked).toEqual([])
  })

  test('the button that saves a name is beside the field, not beside the words below it', async () => {
    const { accounts } = await client.dev.state()
    await page.goto(`${service.url}/address/${accounts[0]?.friendly}`)
    await page.getByRole('button', { name: 'Name', exact: true }).click()
    const field = await page.locator('#own-name').boundingBox()
    const save = await page.getByRole('button', { name: 'Save', exact: true }).boundingBox()
    expect(Math.abs((save?.y ?? 0) - (field?.y ?? 99))).toBeLessThanOrEqual(2)
  })

  test('the list of keys does not touch its button', async () => {
    await page.goto(service.url)
    await page.locator('.row').first().waitFor()
    await page.keyboard.press('?')
    const last = await page.locator('dialog .keys > div').last().boundingBox()
    const button = await page.locator('dialog button').boundingBox()
    expect((button?.y ?? 0) - (last?.y ?? 0) - (last?.height ?? 0)).toBeGreaterThanOrEqual(8)
    await page.keyboard.press('Escape')
    await expect.poll(() => page.locator('dialog').isVisible()).toBe(false)
  })

  test('an external message says no fee of import that is always zero beside the one that was paid', async () => {
    const { accounts } = await client.dev.state()
    const account = accounts.find(({ name }) => name === 'wallet4')?.address ?? ''
    const { transactions } = await client.v3.transactions({ account: [account], limit: 50 })
    const outside = transactions.find(({ in_msg }) => in_msg?.source === null)
    await page.goto(`${service.url}/tx/${Buffer.from(outside?.hash ?? '', 'base64').toString('hex')}?view=messages`)
    await page.locator('.panel .facts').first().waitFor()
    expect(await page.getByText('Import fee', { exact: true }).count()).toBe(0)
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

  test('a wallet shows the names that lead to it, and what it sells for how much', async () => {
    const posts: string[] = []
    page.on('request', (request) => request.method() === 'POST' && posts.push(request.postData() ?? ''))
    const [alice] = (await client.v3.dns.records({ domain: 'alice.ton' })).records
    await page.goto(`${service.url}/address/${alice?.dns_wallet}?tab=nfts`)
    const name = page.locator('.domains').getByRole('link', { name: 'alice.ton', exact: true })
    const path = (await name.getAttribute('href')) ?? ''
    expect(rawOf(path.slice(path.lastIndexOf('/') + 1))).toBe(alice?.nft_item_address)
    const items = (await client.v3.nft.items({ include_on_sale: true, limit: 500 })).nft_items
    const sold = items.find(({ sale_contract_address: sale }) => sale !== undefined)
    const [sale] = (await client.v3.nft.sales({ address: [sold?.sale_contract_address ?? ''] })).nft_sales
    const price = `${Number(sale?.details.full_price) / 1e9} TON`
    const offer = page.locator('.item').getByRole('link', { name: `on sale price ${price}` })
    // With a block prices are read again.
    await client.dev.setMining({ mode: 'manual' })
    posts.length = 0
    await page.goto(`${service.url}/address/${sold?.real_owner}?tab=nfts`)
    await offer.waitFor()
    expect(posts.filter((text) => /sales|dns|items/.test(text))).toEqual([])
    await client.dev.setMining({ mode: 'auto' })
    await offer.click()
    const fact = (of: string) =>
      page.locator('[role="tabpanel"] .facts > div', { has: page.getByText(of, { exact: true }) })
    expect(await fact('Price').locator('.amount').textContent()).toBe(price)
    expect(await fact('State').locator('dd').textContent()).toBe('open')
    // Nothing was fetched that would name it.
    expect(await fact('Item').locator('b').textContent()).toBe(`#${sold?.index}`)
    const collection = fact('Collection').locator('[data-address]')
    expect(await collection.getAttribute('data-address')).toBe(sold?.collection_address)
    expect(await fact('Seller').locator('[data-address]').getAttribute('data-address')).toBe(sold?.real_owner)
    const auctioned = items.find(({ auction_contract_address: auction }) => auction !== undefined)
    const auction = auctioned?.auction_contract_address ?? ''
    const [bidden] = (await client.v3.nft.sales({ address: [auction] })).nft_sales
    await page.goto(`${service.url}/address/${auction}?tab=sale`)
    expect(await fact('Highest bid').locator('.amount').textContent()).toBe(
      `${Number(bidden?.details.last_bid) / 1e9} TON`,
    )
    expect(await fact('A bid is higher by').locator('dd').textContent()).toBe(`${bidden?.details.min_step}%`)
  })

  test('a bid changes the price beside the item, in one call for all that are on sale', async () => {
    const items = (await client.v3.nft.items({ include_on_sale: true, limit: 500 })).nft_items
    const item = items.find(({ auction_contract_address: auction }) => auction !== undefined)
    let last_bid: `${bigint}` = '7000000000'
    const calls: (readonly string[])[] = []
    const own = await context.newPage()
    await mockReplies(own, /\/address\//, 'v3.nft.sales', ({ address }, real) => {
      calls.push(address)
      const nft_sales = real.nft_sales.map((sale) => ({ ...sale, details: { ...sale.details, last_bid } }))
      return { ...real, nft_sales }
    })
    await own.goto(`${service.url}/address/${item?.collection_address}?tab=items`)
    const offers = own.locator('.item .on-sale')
    await offers.filter({ hasText: 'bid 7 TON' }).first().waitFor()
    expect(calls[0]?.length).toBe(await offers.count())
    last_bid = '9000000000'
    await client.dev.mine({ blocks: 1 })
    await offers.filter({ hasText: 'bid 9 TON' }).first().waitFor()
    await own.unrouteAll({ behavior: 'ignoreErrors' })
    await own.close()
  })

  test('keys go along cards and along what a search found, and what the list of keys leads to is not behind it', async () => {
    const [collection] = (await client.v3.nft.collections({ limit: 1 })).nft_collections
    const lists = [
      [`/address/${collection?.address}?tab=items`, '.grid > li'],
      ['/search?q=wall', '.hits > li'],
    ] as const
    const rowOf = (rows: string) =>
      page.evaluate(
        (of) => [...document.querySelectorAll(of)].findIndex((row) => row.contains(document.activeElement)),
        rows,
      )
    for (const [at, rows] of lists) {
      await open(at)
      await page.locator(rows).nth(1).waitFor()
      for (const row of [0, 1]) {
        await page.keyboard.press('j')
        await expect.poll(() => rowOf(rows)).toBe(row)
      }
      await page.keyboard.press('k')
      expect(await rowOf(rows)).toBe(0)
    }
    await page.keyboard.press('?')
    await page.locator('dialog[open]').waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('w')
    await page.waitForURL('**/wallets')
    expect(await page.locator('dialog[open]').count()).toBe(0)
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main')
  })

  test('a name that leads to an account and belongs to another says so', async () => {
    const { accounts } = await client.dev.state()
    const stranger = `0:${'57'.repeat(32)}`
    const [alice] = (await client.v3.dns.records({ domain: 'alice.ton' })).records
    if (alice === undefined) throw new Error('the demo has no alice.ton')
    const other = { ...alice, domain: 'other.ton', nft_item_owner: stranger }
    const own = await context.newPage()
    await mockReplies(own, /\/address\//, 'v3.dns.records', (_, real) => ({ ...real, records: [other] }))
    await own.goto(`${service.url}/address/${accounts.find(({ name }) => name === 'wallet4')?.friendly}?tab=nfts`)
    const line = own.locator('.domains li', { hasText: 'other.ton' })
    expect(await line.locator('[data-address]').getAttribute('data-address')).toBe(stranger)
    await own.unrouteAll({ behavior: 'ignoreErrors' })
    await own.close()
  })

  test('an account has the name a person gave it, in every tab and after a reload, until it is taken away', async () => {
    const { accounts } = await client.dev.state()
    const at = (name: string) => `${service.url}/address/${accounts.find((one) => one.name === name)?.friendly}`
    const other = await context.newPage()
    await other.goto(at('wallet5'))
    await page.goto(at('wallet5'))
    const button = page.getByRole('button', { name: 'Name', exact: true })
    await button.click()
    const field = page.getByLabel('Your name of this account')
    await expect.poll(() => field.evaluate((input) => input === document.activeElement)).toBe(true)
    await field.fill('Wallet6')
    await page.getByText('Another account has this name here.').waitFor()
    await field.fill('land\u202elord')
    await page.getByText('It has characters that are not seen').waitFor()
    await field.fill('Landlord of 7')
    await page.keyboard.press('Enter')
    const heading = { level: 1, name: 'Account Landlord of 7' }
    for (const one of [page, other]) await one.getByRole('heading', heading).waitFor()
    expect(await button.evaluate((one) => one === document.activeElement)).toBe(true)
    await other.close()
    await page.goto(`${service.url}/search?q=landlord of 7`)
    await page.getByRole('heading', heading).waitFor()
    await button.click()
    await field.fill('')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Account wallet5' }).waitFor()
  })

  test('Escape closes the field for a name, which is not kept, and the QR code', async () => {
    const { accounts } = await client.dev.state()
    await page.goto(`${service.url}/address/${accounts.find(({ name }) => name === 'wallet5')?.friendly}`)
    const button = page.getByRole('button', { name: 'Name', exact: true })
    await button.click()
    const field = page.getByLabel('Your name of this account')
    await expect.poll(() => field.evaluate((input) => input === document.activeElement)).toBe(true)
    await field.fill('Landlord')
    await page.keyboard.press('Escape')
    await field.waitFor({ state: 'detached' })
    expect(await button.evaluate((one) => one === document.activeElement)).toBe(true)
    await page.getByRole('heading', { level: 1, name: 'Account wallet5' }).waitFor()
    const code = page.getByRole('button', { name: 'QR code' })
    await code.click()
    await page.locator('.qr').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('.qr').waitFor({ state: 'detached' })
    expect(await code.getAttribute('aria-expanded')).toBe('false')
  })

  test('going to an account within the page reads its lists once, and what comes later is added', async () => {
    const { accounts } = await client.dev.state()
    const { friendly = '', name = '' } = accounts.find((one) => one.name === 'wallet9') ?? {}
    const read: string[] = []
    const own = await context.newPage()
    own.on('request', (request) => {
      if (request.method() !== 'POST') return
      for (const { method, params } of [request.postDataJSON()].flat())
        if (params?.account !== undefined && /traces|transactions/.test(method))
          read.push(`${method} ${JSON.stringify(params)}`)
    })
    for (const [list, row] of [
      ['', '.history-row'],
      ['?tab=transactions', '#main tbody tr'],
    ] as const) {
      await own.goto(`${service.url}/wallets`)
      await own.waitForLoadState('networkidle')
      read.length = 0
      await own.evaluate((href) => {
        const link = document.createElement('a')
        link.href = href
        document.getElementById('main')?.append(link)
        link.click()
      }, `/address/${friendly}${list}`)
      await own.getByRole('heading', { level: 1, name: `Account ${name}` }).waitFor()
      await own.locator(row).first().waitFor()
      await own.waitForLoadState('networkidle')
      expect(read).not.toEqual([])
      expect([...new Set(read)]).toEqual(read)
      const newest = () => own.locator(`${row} a`).first().getAttribute('href')
      const before = await newest()
      await client.dev.faucet({ address: friendly, amount: '1000000000' })
      await expect.poll(newest).not.toBe(before)
    }
    await own.close()
  })

  test('Back leads to the row of a long history that was left, with all that was loaded', async () => {
    const { accounts } = await client.dev.state()
    const own = await context.newPage()
    await own.setViewportSize({ width: 1280, height: 500 })
    await open(`/address/${accounts.find((one) => one.name === 'wallet4')?.friendly}`, own)
    const rows = own.locator('.history-row')
    const first = await rows.count()
    await own.getByRole('button', { name: 'Load older' }).click()
    await expect.poll(() => rows.count()).toBeGreaterThan(first)
    const all = await rows.count()
    const link = rows.last().locator('a.when')
    await link.scrollIntoViewIfNeeded()
    // Rows have their height in a frame after they came into view, and then move those below.
    const at = await link.evaluate(async (one) => {
      for (let was = Number.NaN, still = 0; still < 10; ) {
        await new Promise(requestAnimationFrame)
        const { top } = one.getBoundingClientRect()
        still = top === was ? still + 1 : 0
        was = top
      }
      return scrollY
    })
    expect(at).toBeGreaterThan(0)
    await link.click()
    await own.locator('.summary').waitFor()
    await own.goBack()
    await expect.poll(() => rows.count()).toBe(all)
    await expect.poll(() => own.evaluate(() => scrollY)).toBe(at)
    await own.close()
  })
})
