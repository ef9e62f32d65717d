// How far the index is behind, what kind of contract an account is, and logical times of transactions.

import { expect, test } from 'vitest'
import { client, inBrowser, open, page } from '../../setup/explorerScene.ts'
import { mockMethods, mockReplies } from '../../setup/mockedReplies.ts'
import { servePlayed } from '../../setup/playedDemo.ts'
import { untilIndexed } from '../../setup/untilIndexed.ts'

const PATIENCE = { timeout: 300_000 }
const hexOf = (base64: string): string => Buffer.from(base64, 'base64').toString('hex')

inBrowser(servePlayed, () => {
  test('the first page says how many blocks the index is behind, when it is', async () => {
    await open('/')
    await page.locator('.facts').getByText('Newest block').waitFor()
    expect(await page.getByText('blocks behind').count()).toBe(0)
    await mockReplies(page, /\/$/, 'getMasterchainInfo', (_, real) => ({
      ...real,
      last: { ...real.last, seqno: real.last.seqno + 1_000_000 },
    }))
    await open('/')
    // Blocks may come meanwhile.
    await page.getByText(/^(?:1000\d{3}|999\d{3}) blocks behind$/).waitFor()
  })

  test('a trace says what kind of contract each account is, seen and heard', async () => {
    const { actions } = await client.v3.actions({ action_type: ['jetton_transfer'], limit: 1 })
    const at = `/trace/${hexOf(actions[0]?.trace_id ?? '')}`
    await open(at)
    const letters = () => page.locator('.node .node-kind').allTextContents()
    await expect.poll(letters).toContainEqual(expect.stringMatching(/\bJW$/))
    expect(await page.locator('.node > title').allTextContents()).toContainEqual(
      expect.stringMatching(/\(jetton wallet\): /),
    )
    await open(`${at}?as=list`)
    expect(await page.getByRole('treeitem', { name: /jetton wallet/ }).count()).toBe(
      (await page.locator('.tree .for-readers').allTextContents()).filter((text) => text === 'jetton wallet').length,
    )
    expect(await page.getByRole('treeitem', { name: /jetton wallet/ }).count()).toBeGreaterThan(1)
  })

  test('signatures of a block are checked by the browser, and one of another block is wrong', async () => {
    const { seqno } = (await client.v3.masterchainInfo()).last
    const checks = page.locator('[aria-label="Table of signatures"] tbody .badge')
    await open(`/block/${seqno}`)
    await expect.poll(() => checks.allTextContents(), PATIENCE).toContain('valid')
    expect(new Set(await checks.allTextContents())).toEqual(new Set(['valid']))
    const other = await client.getMasterchainBlockSignatures({ seqno: seqno - 1 })
    await mockReplies(page, new RegExp(`/block/${seqno}$`), 'getMasterchainBlockSignatures', (_, real) => ({
      ...real,
      signatures: other.signatures,
    }))
    await open(`/block/${seqno}`)
    await expect.poll(() => checks.allTextContents(), PATIENCE).toContain('wrong')
  })

  test('a browser that cannot check signatures says so', async () => {
    await page.addInitScript('crypto.subtle.digest = () => Promise.reject(new Error("none here"))')
    await open(`/block/${(await client.v3.masterchainInfo()).last.seqno}`)
    const table = page.locator('[aria-label="Table of signatures"]')
    await table.getByText('not checked').first().waitFor()
    expect(await table.getByText('not checked').count()).toBe(await table.locator('tbody tr').count())
  })

  test('the newest block of a chain whose clock is ahead is said to be ahead', async () => {
    const { id } = await client.dev.snapshot()
    await client.dev.increaseTime({ seconds: 7_200 })
    await untilIndexed(client, (await client.dev.mine({ blocks: 1 })).seqno)
    await open('/status')
    const age = page.locator('.facts > div', { has: page.getByText('Age of the newest indexed block') }).locator('dd')
    expect(await age.textContent()).toMatch(/^none: [12] h ahead of this computer's clock$/)
    await client.dev.revert({ id })
  })

  test.each([2 ** 48 - 1, Number.MAX_SAFE_INTEGER])('times that strangers chose end no page: %i', async (far) => {
    const { actions } = await client.v3.actions({ action_type: ['multisig_create_order', 'vesting_send_message'] })
    const detailOf = (of: string) =>
      actions.flatMap(({ details }) => Object.entries(details)).find(([key]) => key === of)
    const { destination } = (actions.find(({ type }) => type === 'multisig_create_order')?.details ?? {}) as {
      readonly destination?: string
    }
    const items = (await client.v3.nft.items({ include_on_sale: true, limit: 500 })).nft_items
    const sold = items.find(({ auction_contract_address: auction }) => auction !== undefined)
    await mockMethods(page, /\/address\//, {
      'v3.multisig.orders': (_, real) => ({
        ...real,
        orders: real.orders.map((one) => ({ ...one, expiration_date: far })),
      }),
      'v3.vesting': (_, real) => ({
        ...real,
        vesting_contracts: real.vesting_contracts.map((one) => ({ ...one, start_time: far, cliff_duration: far })),
      }),
      'v3.nft.sales': (_, real) => ({
        ...real,
        nft_sales: real.nft_sales.map((one) => ({ ...one, details: { ...one.details, end_time: far } })),
      }),
    })
    const places = [
      `/address/${destination}?tab=orders`,
      `/address/${detailOf('vesting')?.[1]}?tab=vesting`,
      `/address/${sold?.auction_contract_address}?tab=sale`,
    ]
    for (const at of places) {
      await open(at)
      await page.getByRole('tabpanel').getByText('far future').first().waitFor()
    }
  })

  test('failures have the time of the service, whatever that of the chain is', async () => {
    const { id } = await client.dev.snapshot()
    await client.dev.increaseTime({ seconds: 90_000 })
    await untilIndexed(client, (await client.dev.mine({ blocks: 1 })).seqno)
    const today = (): string => `${new Date().toISOString().slice(0, 10)} `
    const before = today()
    await client.getAddressInformation({ address: 'nonsense' }).catch(() => undefined)
    // A midnight may have passed.
    const days = [before, today()]
    await open('/status')
    const row = page.locator('[aria-label="Table of errors"] tr', { hasText: 'getAddressInformation' })
    const text = await row.textContent()
    expect(days.filter((day) => text?.includes(day))).not.toEqual([])
    await client.dev.revert({ id })
  })

  test('a caller that left is no fault of the service', async () => {
    const row = {
      method: 'v3.far',
      kind: 'abandoned',
      count: 2,
      newest: { time: '2026-11-01T00:00:00Z', request_id: 'a', ms: 1 },
    }
    await page.route('**/metrics', (route) =>
      route.fulfill({ body: 'tonrpc_calls_total{method="v3.far",outcome="abandoned"} 2' }),
    )
    await page.route('**/api/admin/failures', (route) => route.fulfill({ json: { failures: [row] } }))
    await open('/status')
    // The page came with its first documents, and reads them again with a block.
    await client.dev.mine({ blocks: 1 })
    for (const table of ['Table of methods', 'Table of errors']) {
      const badge = page.locator(`[aria-label="${table}"] tr`, { hasText: 'v3.far' }).locator('.badge')
      expect(await badge.getAttribute('class')).toBe('badge')
    }
  })

  test('no link leads to a block before the first one, and keys of the browser stay its own', async () => {
    await open('/block/1')
    expect(await page.locator('.steps a').allTextContents()).toEqual(['2 →'])
    // Neither does a key.
    await page.keyboard.press('[')
    await page.keyboard.press(']')
    await page.getByRole('heading', { level: 1, name: 'Block 2' }).waitFor()
    await open('/block/2')
    expect(await page.locator('.steps a').allTextContents()).toEqual(['← 1', '3 →'])
    await page.keyboard.press('Meta+[')
    await page.keyboard.press('Meta+]')
    await page.keyboard.press(']')
    await page.getByRole('heading', { level: 1, name: 'Block 3' }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Block 2' }).waitFor()
  })

  test('a key that leads to another block closes the list of keys, and leaves the focus on the page', async () => {
    await open('/block/2')
    await page.keyboard.press('?')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press(']')
    await page.getByRole('heading', { level: 1, name: 'Block 3' }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.locator('.steps a').first().focus()
    await page.keyboard.press(']')
    await page.getByRole('heading', { level: 1, name: 'Block 4' }).waitFor()
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main')
  })

  test('transactions of an account and of a block have their logical times', async () => {
    const { accounts } = await client.dev.state()
    const wallet = accounts.find(({ name }) => name === 'wallet4')?.address ?? ''
    const [newest] = (await client.v3.transactions({ account: [wallet], limit: 1 })).transactions
    for (const at of [
      `/address/${newest?.account}?tab=transactions`,
      `/block/0:8000000000000000:${newest?.block_ref.seqno}`,
    ]) {
      await open(at)
      const row = page.getByRole('row').filter({ has: page.getByRole('cell', { name: newest?.lt ?? '', exact: true }) })
      await row.first().waitFor()
      // Of a block, transactions of two accounts may have the same one.
      const link = row.locator(`a[href$="/tx/${hexOf(newest?.hash ?? '')}"]`)
      expect(await link.count()).toBeGreaterThan(0)
    }
  })
})
