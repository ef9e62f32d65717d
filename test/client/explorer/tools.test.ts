// The pages to work with, in a real browser over a real service: what a person does there happens on the chain.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addAxe, violationsOf } from '../../setup/axe.ts'
import { client, inBrowser, open, page, problems, service } from '../../setup/explorerScene.ts'
import { mockReplies } from '../../setup/mockedReplies.ts'
import { startPrefixProxy } from '../../setup/prefixProxy.ts'
import { serve } from '../../setup/service.ts'

/** What an operator writes: one that reads, and one that never ends. */
const PLUGIN = `export default [{
  name: 'Till', interfaces: ['wallet_v4r2'], opcodes: { '0x7e8764ef': 'Pay' },
  message(body, way) {
    const reader = body.read()
    return reader.uint(32) === 0x7e8764efn
      ? { type: 'Pay', fields: [{ name: 'number', value: reader.uint(64) }, { name: 'way', value: way }] } : null
  },
  storage() { for (;;); },
}]`
const PATIENCE = { timeout: 300_000 }

async function start() {
  const explorerPlugin = join(await mkdtemp(join(tmpdir(), 'tonrpc-plugin-')), 'plugin.js')
  await writeFile(explorerPlugin, PLUGIN)
  const running = await serve({ withIndex: true, config: { seed: 'none', callMs: 60_000, explorerPlugin } })
  await rm(dirname(explorerPlugin), { recursive: true })
  return running
}

inBrowser(start, () => {
  let requests: string[]

  beforeEach(() => {
    requests = []
    page.on('console', (message) => {
      // A page that is left early closes a socket that is not open yet.
      if (!message.text().includes('closed before the connection is established')) problems.push(message.text())
    })
    page.on('request', (request) => requests.push(request.url()))
  })
  afterEach(() => {
    expect(problems).toEqual([])
    expect(requests.filter((url) => !url.startsWith(service.url) && !url.startsWith('ws:'))).toEqual([])
  })
  /** What a test brings about on purpose. */
  const forgive = (isExpected: (text: string) => boolean): void => {
    problems.splice(0, problems.length, ...problems.filter((text) => !isExpected(text)))
  }

  const faucet = () => page.locator('form:has(#faucet-to)')

  test('the faucet sends TON, and leads to what happened', async () => {
    await open('/lab')
    await page.locator('#faucet-to').fill('wallet2')
    await page.getByLabel('Amount').fill('12.5')
    await faucet().getByRole('button', { name: 'Send' }).click()
    const link = page.locator('.outcome a')
    await link.waitFor()
    await link.click()
    await expect.poll(() => page.url(), PATIENCE).toMatch(/\/tx\/[0-9a-f]{64}$/)
    const { accounts } = await client.dev.state()
    const { address = '', balance = '0' } = accounts.find(({ name }) => name === 'wallet2') ?? {}
    const now = BigInt(await client.getAddressBalance({ address }))
    expect(now - BigInt(balance) > 12_400_000_000n).toBe(true)
  })

  test('amounts and addresses that are none are refused before they are sent', async () => {
    await open('/lab')
    await page.getByLabel('Amount').fill('a lot')
    await page.getByText('An amount in TON, such as 1.5').waitFor()
    expect(await faucet().getByRole('button', { name: 'Send' }).isDisabled()).toBe(true)
    await page.getByLabel('Amount').fill('1')
    await page.locator('#faucet-to').fill('not an address')
    await page.getByText('A name of a test account, or an address.').waitFor()
    expect(await faucet().getByRole('button', { name: 'Send' }).isDisabled()).toBe(true)
  })

  test('nothing of a jetton is not sent as one', async () => {
    await open('/lab')
    await page.locator('#faucet-asset').selectOption('jetton')
    await page.getByLabel('Amount').fill('0')
    await expect.poll(() => faucet().getByRole('button', { name: 'Send' }).isDisabled()).toBe(true)
  })

  test('what the service refuses is said', async () => {
    await open('/lab')
    await page.getByLabel('at an interval').click()
    await page.locator('#mining-interval').fill('often')
    await page.locator('form:has(#mining-interval) button').click()
    const words = await page.locator('section:has(#mining-interval)').getByRole('alert').textContent()
    expect(words).toMatch(/interval|mining|mode/i)
    // What was refused is still there to be mended.
    expect(await page.locator('#mining-interval').inputValue()).toBe('often')
    await page.getByLabel('with each message').click()
    forgive((text) => /status of 4\d\d/.test(text))
  })

  test('a snapshot, a message, and back again', async () => {
    await open('/lab')
    await page.getByLabel('Name of a new one').fill('before-message')
    await page.getByRole('button', { name: 'Take' }).click()
    await page.getByText('before-message').first().waitFor()
    // Not the newest block of now: one may have been made since.
    const [{ seqno: before } = { seqno: 0 }] = (await client.dev.snapshots()).snapshots
    const message = page.locator('.compose')
    await message.getByLabel('To', { exact: true }).fill('wallet3')
    await message.getByLabel('Body').selectOption('comment')
    await message.locator('#compose-body').fill('Hello <b>world</b>')
    await message.getByRole('button', { name: 'Send', exact: true }).click()
    await message.locator('.outcome a').click()
    await page.getByText('Hello <b>world</b>').first().waitFor()
    const since = async () => {
      const { transactions } = await client.v3.transactions({ exclude_system: true, limit: 250 })
      return transactions.filter(({ mc_block_seqno: at }) => (at ?? 0) > before).length
    }
    // What is shown may be its preview, or be read before the block that ends its trace.
    await expect.poll(since, PATIENCE).toBeGreaterThan(1)
    const many = await since()
    await open('/lab')
    await page.getByRole('button', { name: 'Revert to before-message …' }).click()
    await page
      .getByText(new RegExp(`^This loses \\d+ blocks? with ${many} transactions, and later snapshots`))
      .waitFor()
    await page.getByRole('button', { name: 'Revert to before-message', exact: true }).click()
    await page.getByText(/^The chain was reverted: its newest block is \d+\.$/).waitFor()
    expect((await client.dev.snapshots()).snapshots).toEqual([])
  })

  test('time moves forward, with a snapshot to come back and a notice why wallets fail', async () => {
    await open('/lab')
    await page.getByRole('button', { name: '+1 h' }).click()
    await page
      .locator('.notice')
      .getByText(/clock is .* ahead/)
      .waitFor()
    expect((await client.dev.state()).clock_offset).toBeGreaterThan(3_000)
    const [{ id } = { id: '' }] = (await client.dev.snapshots()).snapshots
    await client.dev.revert({ id })
    await client.dev.resetTime()
  })

  test('wallets show what they hold, and their keys on request', async () => {
    await open('/wallets')
    const row = page.getByRole('row').filter({ hasText: 'wallet4' })
    await row.locator('.amount').waitFor()
    const { accounts } = await client.dev.state()
    const { mnemonic = '' } = accounts.find(({ name }) => name === 'wallet4') ?? {}
    expect(await page.getByText(mnemonic).isVisible()).toBe(false)
    await row.getByText('Keys of wallet4').click()
    expect(await page.getByText(mnemonic).isVisible()).toBe(true)
    expect(await row.getByText('In the lab').evaluate((link) => link.getClientRects().length)).toBe(1)
  })

  test('wallets whose state is on its way are said to load, not to be elsewhere', async () => {
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    // A document that was changed on its way may not open sockets.
    await page.routeWebSocket(/jsonRPC/, () => undefined)
    await mockReplies(page, /\/wallets$/, 'dev.state', (_, real) => real)
    await page.route(/\/jsonRPC$/, async (route) => {
      await released
      await route.fallback()
    })
    await page.goto(`${service.url}/wallets`)
    await page.locator('#main :is(.waiting, .empty)').first().waitFor()
    expect(await page.locator('#main .empty').count()).toBe(0)
    release()
    await page.getByRole('row').filter({ hasText: 'wallet4' }).waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })

  test('the console calls a method, shows the reply with links, and keeps the call in the address', async () => {
    // More than a page of transactions.
    const { seqno } = await client.dev.mine({ blocks: 3 })
    await expect
      .poll(async () => (await client.v3.masterchainInfo()).last.seqno, PATIENCE)
      .toBeGreaterThanOrEqual(seqno)
    await open('/console')
    // Some to begin with, each by what it does.
    expect(await page.locator('.console-main dd').allTextContents()).toHaveLength(8)
    await page.getByRole('link', { name: 'Runs a get-method of a contract.' }).click()
    await page.getByRole('heading', { level: 1, name: 'runGetMethod' }).waitFor()
    await page.getByPlaceholder(/^Filter/).fill('history')
    await page.getByRole('link', { name: 'v3.transactions', exact: true }).click()
    await page.locator('#param-limit').fill('2')
    await page.getByRole('button', { name: 'Call', exact: true }).click()
    await page.locator('.reply .json a').first().waitFor()
    expect(page.url()).toMatch(/\/console\/v3\.transactions\?limit=2$/)
    expect(await page.locator('.reply .json a[href*="/tx/"]').count()).toBeGreaterThan(0)
    await page.getByRole('button', { name: 'Next page' }).click()
    await expect.poll(() => page.url(), PATIENCE).toContain('cursor=')
    await page.getByText('Copy as …').click()
    expect(await page.locator('.sample pre').first().textContent()).toContain("curl 'http")
  })

  test('another method keeps the list of methods, the focus and what was typed', async () => {
    const address = `0:${'A7'.repeat(32)}`
    await open('/console')
    await page.getByText('Accounts', { exact: true }).click()
    const link = (name: string) => page.getByRole('link', { name, exact: true })
    await link('getAddressInformation').press('Enter')
    await page.getByLabel('address').fill(address)
    await link('v3.accountStates').press('Enter')
    await page.getByRole('heading', { level: 1, name: 'v3.accountStates' }).waitFor()
    expect(await page.getByLabel('address').inputValue()).toBe(address)
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('v3.accountStates')
    await page.getByLabel('address').fill('wallet')
    await link('getAddressInformation').press('Enter')
    await page.getByRole('heading', { level: 1, name: 'getAddressInformation' }).waitFor()
    expect(await page.getByLabel('address').inputValue()).toBe(address)
    await link('v3.accountStates').press('Enter')
    await page.getByRole('heading', { level: 1, name: 'v3.accountStates' }).waitFor()
    expect(await page.getByLabel('address').inputValue()).toBe('wallet')
  })

  test('the console reads the list of methods, then the one that is opened, and no more', async () => {
    const sizes: [path: string, bytes: number][] = []
    const calls: string[] = []
    page.on('request', (request) => calls.push(request.postData() ?? ''))
    page.on('response', async (response) => {
      const { pathname } = new URL(response.url())
      if (pathname.startsWith('/openrpc/')) sizes.push([pathname, (await response.body()).length])
    })
    await open('/console')
    await page.getByRole('searchbox').last().fill('v3.transactions')
    await page.getByRole('link', { name: 'v3.transactions', exact: true }).click()
    await page.locator('#param-limit, #more-params').first().waitFor()
    await expect
      // The list comes with the page, when the service has it in time.
      .poll(() => sizes.map(([path]) => path).filter((path) => path !== '/openrpc/methods.json'))
      .toEqual(['/openrpc/method/v3.transactions.json'])
    expect(sizes.reduce((sum, [, bytes]) => sum + bytes, 0)).toBeLessThan(100_000)
    expect(calls.filter((body) => body.includes('rpc.discover'))).toEqual([])
  })

  test('a wrong parameter is explained, and calls go together as one batch', async () => {
    await open('/console/v3.accountStates?address=nonsense')
    await page.getByRole('button', { name: 'Call', exact: true }).click()
    await page
      .getByRole('alert')
      .getByText(/address/)
      .waitFor()
    await page.getByRole('button', { name: 'Add to the batch' }).click()
    await page.goto(`${service.url}/console/v3.masterchainInfo`)
    await page.getByRole('button', { name: 'Add to the batch' }).click()
    await page.getByRole('button', { name: 'Add to the batch' }).click()
    await page.getByRole('heading', { name: /^Batch of [23]$/ }).waitFor()
    await page.locator('.tray').getByRole('button', { name: 'Send' }).click()
    await page.locator('.tray .badge.good').first().waitFor()
    forgive((text) => /status of 4\d\d/.test(text))
  })

  test('cells are shown as a tree, and what is none is explained', async () => {
    await open('/cell')
    await page.getByLabel(/^Bag of cells/).fill('te6cckEBAQEADAAAFAAAAABIZWxsbyGVgYQo')
    await page.getByRole('button', { name: 'Show' }).click()
    await page.getByText('text_comment').waitFor()
    await page.getByRole('button', { name: 'Read as …' }).click()
    await page.getByText('Hello!').first().waitFor()
    expect(await page.locator('.cell-hash code').textContent()).toMatch(/^…$|^[0-9a-f]{64}$/)
    await open('/cell?boc=te6cckEBAQEADA')
    await page.getByRole('alert').getByText('cut short').waitFor()
  })

  test('a contract with an ABI of its own has its messages by name', async () => {
    const { accounts } = await client.dev.state()
    const { address = '' } = accounts.find(({ name }) => name === 'wallet5') ?? {}
    const body = 'te6ccgEBAQEADgAAGH6HZO8AAAAAAAAABw=='
    const { tx_hash: hash = '' } = await client.dev.sendInternal({
      from: address,
      to: address,
      value: '50000000',
      body,
      bounce: false,
    })
    await open(`/address/${address}?tab=contract`)
    await page.getByLabel('Or as text').fill('increase#7e8764ef query_id:uint64 = Msg')
    await page.getByRole('button', { name: 'Add the ABI' }).click()
    await page.getByRole('button', { name: 'Remove the ABI' }).waitFor()
    await open(`/tx/${Buffer.from(hash, 'base64').toString('hex')}?view=messages`)
    const own = page.getByRole('region', { name: 'By its own ABI' }).first()
    await own.getByText('increase').waitFor()
    expect(await own.textContent()).toContain('query_id: "7"')

    await open(`/address/${address}?tab=contract`)
    await page.getByText('All ABIs of this browser').click()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export 1 ABI' }).click(),
    ])
    const exported = await readFile(await file.path(), 'utf8')
    await page.getByRole('button', { name: 'Remove the ABI' }).click()
    const take = (text: string) =>
      page
        .getByLabel('Import exported ABIs')
        .setInputFiles({ name: 'abis.json', mimeType: 'application/json', buffer: Buffer.from(text) })
    await take(exported.replace('uint64', 'riddle'))
    await page.getByRole('alert').getByText('riddle').waitFor()
    await take('[]')
    await page.getByRole('alert').getByText('no file of exported ABIs').waitFor()
    expect(await page.getByRole('button', { name: 'Remove the ABI' }).count()).toBe(0)
    await take(exported)
    await page.getByText('Imported 1 ABI.').waitFor()
    await page.getByRole('button', { name: 'Remove the ABI' }).waitFor()
  })

  /** Bounds of a decoder and of loading its script: a busy machine may need longer. */
  const MORE_TIME = `{
    const wait = globalThis.setTimeout
    globalThis.setTimeout = (run, ms, ...given) => wait(run, ms === 50 || ms === 5_000 ? 60 * ms : ms, ...given)
  }`

  test("the operator's decoders read messages, and one that takes too long is ended", async () => {
    await page.addInitScript({ content: MORE_TIME })
    const { accounts } = await client.dev.state()
    const { address = '' } = accounts.find(({ kind }) => kind === 'v4r2') ?? {}
    const body = 'te6ccgEBAQEADgAAGH6HZO8AAAAAAAAABw=='
    const sent = { from: address, to: address, value: '50000000', body, bounce: false }
    const { tx_hash: hash = '' } = await client.dev.sendInternal(sent)
    const read = async () => {
      await open(`/tx/${Buffer.from(hash, 'base64').toString('hex')}?view=messages`)
      const found = page.getByRole('region', { name: 'By Till' }).first()
      await found.waitFor()
      expect(await found.textContent()).toMatch(/number: "7".*way: "in"/s)
    }
    await read()
    await open(`/address/${address}?tab=contract`)
    await page.getByText('The decoder Till failed: it took longer than 50 ms.').waitFor()
    await read()
  })

  test('the configuration has names and fields', async () => {
    await open('/config')
    await page.locator('#param-15 summary').first().click()
    await page.locator('#param-15').getByText('Validators work for').waitFor()
    await page.locator('#param-1 summary').first().click()
    await page.locator('#param-1 .address').waitFor()
  })

  test('below a prefix of a proxy the reference and the guides stay below it', async () => {
    await using proxy = await startPrefixProxy('/ton', service.url)
    await page.goto(`${proxy.url}/api/v2/`)
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Guides' }).click()
    await page.waitForURL(`${proxy.url}/docs/`)
    await page.locator('main a.card').first().click()
    await page.waitForURL(/\/ton\/docs\/\w+$/)
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Explorer' }).click()
    await page.waitForURL(`${proxy.url}/`)
    expect(requests.filter((url) => !url.startsWith(`${proxy.url}/`))).toEqual([])
    // The page may still read when the proxy ends.
    await page.goto('about:blank')
    requests = []
    // A hint of the browser about the field for keys.
    forgive((text) => text.startsWith('[DOM]'))
  })

  test('charts of the chain have their values as text', async () => {
    await open('/')
    const chart = page.getByRole('img', { name: /^Transactions by minute/ })
    await chart.waitFor()
    expect(await chart.getAttribute('aria-label')).toMatch(/60 values/)
    await page.getByLabel('Period').selectOption('day')
    await page.getByRole('img', { name: /^Transactions by day.*30 values/ }).waitFor()
  })

  const VIEWS = [
    '/lab',
    '/wallets',
    '/console',
    '/console/v3.transactions?limit=1',
    '/cell?boc=te6cckEBAQEADAAAFAAAAABIZWxsbyGVgYQo',
    '/config',
    '/validators',
    '/pools',
    '/docs/contracts',
  ]

  test.each([
    ['light', { width: 1280, height: 900 }],
    ['dark', { width: 320, height: 700 }],
  ] as const)('axe finds nothing in any view, and nothing is wider than the screen: %s', async (colorScheme, size) => {
    await page.setViewportSize(size)
    await addAxe(page)
    const found: string[] = []
    for (const view of VIEWS) {
      expect((await open(view))?.status(), view).toBe(200)
      expect(await page.locator('h1').count(), view).toBe(1)
      found.push(...(await violationsOf(page, colorScheme, {})).map((line) => `${view} ${line}`))
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      if (wide > 0) found.push(`${view} is ${wide} px too wide`)
    }
    expect(found).toEqual([])
  })
})
