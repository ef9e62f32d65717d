// The explorer in a real browser, over a real service on its demo chain.

import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { beginCell, writeBoc } from '../../../server/cell/index.ts'
import { addAxe, COLOURS, violationsOf } from '../../setup/axe.ts'
import { client, context, inBrowser, open, page, problems, service } from '../../setup/explorerScene.ts'
import { faultsOfWalk } from '../../setup/keyboardWalk.ts'
import { servePlayed } from '../../setup/playedDemo.ts'
import { startPrefixProxy } from '../../setup/prefixProxy.ts'

/** A contract that accepts an empty body, and throws 777 for every other. */
const THROWER = Buffer.from(writeBoc(beginCell().storeUint(0x30d749f2d309n, 48).end())).toString('hex')
const hexOf = (base64: string): string => Buffer.from(base64, 'base64').toString('hex')

const DESKTOP = { width: 1280, height: 900 }
const PHONE = { width: 390, height: 844 }

inBrowser(servePlayed, () => {
  let requests: string[]
  const views: string[] = []
  let failed: { readonly hex: string; readonly trace: string; readonly code: number }

  beforeAll(async () => {
    for await (const { hash, trace_id, description } of client.v3.transactions.each({ exclude_system: true })) {
      const { compute_ph: compute } = description
      if (!compute || compute.skipped || compute.success || trace_id === undefined) continue
      failed = { hex: hexOf(hash), trace: hexOf(trace_id), code: compute.exit_code }
      break
    }
    const state = await client.dev.state()
    const { seqno } = state.head
    const wallet = state.accounts.find(({ name }) => name === 'wallet4')?.friendly ?? ''
    const tabs = ['', '?tab=transactions', '?tab=tokens', '?tab=nfts', '?tab=contract', '?tab=methods']
    views.push(
      '/',
      `/tx/${failed.hex}`,
      `/tx/${failed.hex}?view=again`,
      `/trace/${failed.trace}?as=list`,
      `/trace/${failed.trace}?as=flow&view=messages`,
    )
    views.push(...tabs.map((tab) => `/address/${wallet}${tab}`), `/block/${seqno}`, '/search?q=0x0f8a7ea5')
    const [jetton] = (await client.v3.jetton.masters({ limit: 1 })).jetton_masters
    const [collection] = (await client.v3.nft.collections({ limit: 1 })).nft_collections
    views.push(`/address/${jetton?.address}?tab=holders`, `/address/${collection?.address}?tab=items`)
    views.push('/status', '/lab', '/wallets', '/console', '/validators', '/pools', '/config', '/cell')
    views.push('/search?q=nothing', '/address/nonsense', '/tx/12', `/tx/${'00'.repeat(32)}`, '/block/999999')
  })
  beforeEach(() => {
    requests = []
    page.on('console', (message) => problems.push(message.text()))
    page.on('request', (request) => requests.push(request.url()))
  })

  test('a path of no page has status 404', async () => {
    expect((await page.goto(`${service.url}/no/such/page`))?.status()).toBe(404)
  })

  test('a failed call is found from the first page, and understood', async () => {
    await open('/')
    await page.getByLabel("Show the chain's own").check()
    await page.goto(`${service.url}/trace/${failed.trace}`)
    await page.locator('.cause').waitFor()
    expect(await page.locator('.cause').textContent()).toContain(`exit code ${failed.code}`)
    const selected = page.getByRole('region', { name: 'Selected transaction' })
    expect(await selected.textContent()).toContain(`exit code ${failed.code}`)
    await page.getByRole('tab', { name: 'Value flow' }).click()
    await page.getByRole('tabpanel').first().getByText('Fees of all').waitFor()
  })

  test('a transaction is run again on request: its steps, the one that ended it, and their stacks', async () => {
    await open(`/tx/${failed.hex}`)
    const replays = () => requests.filter((url) => /Replay/.test(url)).length
    expect(replays()).toBe(0)
    await page.getByRole('tab', { name: 'Run again' }).click()
    await page.getByText('Same result').waitFor()
    expect(replays()).toBe(1)
    const steps = page.locator('.vm-steps > li')
    expect(await steps.count()).toBeLessThanOrEqual(100)
    await page.getByRole('button', { name: 'Go to the exit' }).click()
    const exit = steps.last()
    expect(await exit.locator('.badge').textContent()).toBe(`exit code ${failed.code}`)
    expect(await page.locator('.vm-step.exit').count()).toBe(1)
    await page.keyboard.press('Enter')
    await exit.getByText(`terminating vm with exit code ${failed.code}`).waitFor()
    expect(await exit.locator('.stack li').count()).toBeGreaterThan(0)
    expect(await exit.textContent()).toMatch(/\d gas left/)
    const before = await steps.count()
    const more = page.getByRole('button', { name: /earlier steps$/ })
    if ((await more.count()) > 0) {
      await more.click()
      await expect.poll(() => steps.count()).toBeGreaterThan(before)
    }
  })

  test('what the chain does not keep of a state is not shown as nothing', async () => {
    const { transactions } = await client.v3.transactions({ exclude_system: true, limit: 500 })
    const between = transactions.find(({ account_state_after: after }) => after.balance === null)
    if (between === undefined) throw new Error('no block of the demo has two transactions of one account')
    await open(`/tx/${hexOf(between.hash)}?view=state`)
    const table = page.getByRole('region', { name: 'Selected transaction' })
    expect(await table.getByText('not kept').count()).toBeGreaterThan(0)
    expect(await table.getByText('none', { exact: true }).count()).toBe(0)
    await open(`/address/${between.account}?tab=transactions`)
    const changes = await page.locator('#main tbody td:last-child').allTextContents()
    expect(changes.filter((text) => !/\d/.test(text))).toEqual([])
  })

  test('a step within a trace keeps it, and changes the address', async () => {
    await open(`/trace/${failed.trace}?as=list`)
    const rows = page.getByRole('treeitem')
    // What follows the chain is loaded after the view, and what marks addresses with the first move of the pointer.
    await rows.last().hover()
    await page.waitForFunction(() =>
      ['sameAddresses', 'scrollBack'].every((name) =>
        performance.getEntriesByType('resource').some((one) => one.name.includes(name)),
      ),
    )
    await page.waitForLoadState('networkidle')
    const before = requests.length
    await rows.last().click()
    await expect.poll(() => page.url()).toMatch(/\/tx\/[0-9a-f]{64}\?as=list$/)
    expect(await rows.last().getAttribute('aria-selected')).toBe('true')
    expect(requests.slice(before).filter((url) => url.includes('/explorer/'))).toEqual([])
  })

  test('the search leads to what a text names', async () => {
    await open('/')
    await page.keyboard.press('/')
    await page.keyboard.type('wallet4')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Account wallet4' }).waitFor()
    expect(page.url()).toMatch(/\/address\/0Q[\w-]{46}$/)
    await page.goBack()
    await page.getByRole('heading', { name: 'Latest activity' }).waitFor()
    await page.locator('#q').fill(failed.hex)
    await page.keyboard.press('Enter')
    await page.locator('.summary').waitFor()
    expect(page.url()).toContain(`/tx/${failed.hex}`)
  })

  test('holders of a jetton, items of a collection, and what failed of a history are lists of their own', async () => {
    await open(views.find((view) => view.endsWith('?tab=holders')) ?? '')
    await page.locator('tbody tr').first().waitFor()
    expect(await page.locator('tbody').textContent()).toMatch(/wallet\d/)
    await open(views.find((view) => view.endsWith('?tab=items')) ?? '')
    await page.locator('.grid .item').first().waitFor()
    await page.locator('#q').fill('wallet4')
    await page.keyboard.press('Enter')
    await page.locator('.history-row').first().waitFor()
    await page.getByLabel('Outcome').selectOption('Failed')
    await page.getByText(/of the \d+ newest traces/).waitFor()
    expect(await page.locator('.history-row:not(.failed)').count()).toBe(0)
    expect(page.url()).toContain('show=failed')
  })

  test('the first page gives TON away', async () => {
    const address = `0:${'A7'.repeat(32)}`
    await open('/')
    await page.locator('summary', { hasText: 'Faucet' }).click()
    await page.locator('#faucet-to').fill(address)
    await page.getByLabel('Amount').fill('3')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('Sent 3 TON.', { exact: true }).waitFor()
    const given = async () => (await client.v3.accountStates({ address: [address] })).accounts[0]?.balance
    await expect.poll(given).toBe('3000000000')
  })

  test('a contract is deployed and called from the lab: emulated first, then as it was shown', async () => {
    await open('/lab')
    const lab = page.locator('.compose')
    const send = async () => {
      await lab.getByRole('button', { name: 'Send', exact: true }).click()
      return lab.locator('.outcome a')
    }
    await lab.getByLabel('From').selectOption('wallet4')
    await lab.getByLabel('Deploy a contract').check()
    await lab.getByLabel('Or code as text').fill(JSON.stringify({ hex: THROWER }))
    await lab.getByText('Add an ABI of this contract').click()
    await lab.getByLabel('Or as text', { exact: true }).fill('reset#3a752f06 by:uint32 = Msg')
    await lab.getByRole('button', { name: 'Add the ABI' }).click()
    const address = (await lab.getByText('Deploys to').locator('a').getAttribute('title')) ?? ''
    await lab.getByRole('button', { name: 'Emulate' }).click()
    await lab.locator('.summary').getByText('Success').waitFor()
    expect(await client.getAddressState({ address })).toBe('uninitialized')
    await (await send()).waitFor()
    await expect.poll(() => client.getAddressState({ address })).toBe('active')

    await lab.getByLabel('Deploy a contract').uncheck()
    await lab.getByLabel('From').selectOption('any address, without a signature')
    await lab.getByLabel('To', { exact: true }).fill(address)
    await lab.getByLabel('Body').selectOption('Message of its ABI')
    await lab.getByLabel('by', { exact: true }).fill('many')
    await lab.getByText('A whole number, decimal or 0x….').waitFor()
    expect(await lab.getByRole('button', { name: 'Emulate' }).isDisabled()).toBe(true)
    await lab.getByLabel('by', { exact: true }).fill('5')
    await lab.getByRole('button', { name: 'Emulate' }).click()
    await lab.getByText('exit code 777').first().waitFor()
    expect(await lab.locator('.node.failed').textContent()).toContain('reset')
    await (await send()).click()
    await page.locator('.cause').getByText('exit code 777').waitFor()
    expect(problems).toEqual([])
  })

  test('code is saved as a file, and a transaction is opened in the console', async () => {
    const wallet = views.find((view) => view.endsWith('?tab=contract')) ?? ''
    const [state] = (await client.v3.accountStates({ address: [wallet.split(/[/?]/)[2] ?? ''] })).accounts
    await open(wallet)
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save the file of the code' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('code.boc')
    expect(readFileSync(await file.path()).toString('base64')).toBe(state?.code_boc)
    await page.getByRole('button', { name: 'Show the size' }).waitFor({ state: 'hidden' })
    expect(await page.locator('.facts').first().textContent()).toMatch(/Storagecode \d+ bytes in \d+ cells?, data/)
    await open(`/tx/${failed.hex}?view=raw`)
    await page.getByRole('link', { name: 'Open in the console' }).click()
    await page.getByRole('heading', { level: 1, name: 'v3.transactions' }).waitFor()
    expect(await page.locator('#main form').innerHTML()).toContain('hash')
  })

  test('a get-method runs, and a wrong argument is explained', async () => {
    const wallet = views.find((view) => view.endsWith('?tab=methods')) ?? ''
    await open(wallet)
    await page.getByRole('button', { name: 'seqno', exact: true }).click()
    await page.getByText('exit 0').waitFor()
    await page.getByLabel('Name or id').fill('is_plugin_installed')
    await page.getByRole('button', { name: 'Add an argument' }).click()
    await page.getByLabel('Argument 1', { exact: true }).fill('twelve')
    await page.getByRole('button', { name: 'Run' }).click()
    await page.getByText('“twelve” is no whole number.').waitFor()
  })

  test('new blocks come by themselves, and a moved clock is explained', async () => {
    await open('/')
    const { seqno } = await client.dev.mine({ blocks: 3 })
    const shown = async () => Number(/block (\d+)/.exec((await page.locator('#head').textContent()) ?? '')?.[1])
    await expect.poll(shown).toBeGreaterThanOrEqual(seqno)
    const { id } = await client.dev.snapshot()
    await client.dev.increaseTime({ seconds: 3600 })
    await client.dev.mine({ blocks: 1 })
    await page.getByText("The chain's clock is").waitFor()
    await client.dev.revert({ id })
    await page.getByText('The chain was reverted').waitFor()
    await page.getByText("The chain's clock is").waitFor({ state: 'detached' })
  })

  test('names by strangers are text, without what turns or hides the text around them', async () => {
    // A document that was changed on its way may not open sockets.
    await page.routeWebSocket(/jsonRPC/, () => undefined)
    const hostile = `<img src=x onerror="document.title=1">\u202eNOT\u200b${'x'.repeat(10_000)}`
    await page.route(/\/address\/|\/jsonRPC/, async (route) => {
      const reply = await route.fetch()
      const name = JSON.stringify(hostile).replaceAll('<', '\\u003c')
      const body = (await reply.text()).replaceAll(/"(?:name|symbol)":"(?!wallet|faucet)[^"]*"/g, (field) =>
        field.startsWith('"name"') ? `"name":${name}` : `"symbol":${name}`,
      )
      await route.fulfill({ response: reply, body })
    })
    await open(views.find((view) => view.endsWith('?tab=tokens')) ?? '')
    await page.locator('tbody tr').first().waitFor()
    const text = (await page.locator('main').textContent()) ?? ''
    expect(text).toContain('<img src=x')
    expect(text).not.toMatch(/[\u202e\u200b]|x{100}/)
    expect(await page.locator('main img').count()).toBe(0)
    expect(await page.title()).toMatch(/tonrpc/)
    expect(problems).toEqual([])
  })

  test('below a prefix of a proxy every page works, and stays below it', async () => {
    await using proxy = await startPrefixProxy('/ton', service.url)
    await page.goto(`${proxy.url}/tx/${failed.hex}`)
    await page.locator('.summary').waitFor()
    await page.locator('.brand').click()
    await page.locator('.rows .row').first().waitFor()
    await page.locator('#q').fill('wallet4')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Account wallet4' }).waitFor()
    await page.getByRole('tab', { name: 'Transactions' }).click()
    await page.locator('tbody tr').first().waitFor()
    expect(requests.filter((url) => !url.startsWith(`${proxy.url}/`))).toEqual([])
  })

  test('the theme is kept, and the service writes the page in it', async () => {
    await open('/')
    const button = page.locator('#theme')
    const named = (theme: string) => page.getByRole('button', { name: `Theme: ${theme}` }).waitFor()
    await button.click()
    await named('light')
    await button.click()
    await named('dark')
    await page.reload()
    await named('dark')
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
    await button.click()
    await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBeNull()
  })

  test('keys lead to pages, along rows and to their list, and the focus comes back', async () => {
    await open('/status')
    await page.locator('h1').click()
    // Their script is loaded by the first one: none is lost, and their order stays.
    await page.keyboard.press('g')
    await page.keyboard.press('h')
    await page.locator('.rows .row').first().waitFor()
    const focused = () =>
      page.evaluate(() => document.activeElement?.closest('.row')?.querySelector('a')?.getAttribute('href') ?? '')
    await page.keyboard.press('j')
    const first = await focused()
    expect(first).not.toBe('')
    await page.keyboard.press('j')
    expect(await focused()).not.toBe(first)
    await page.keyboard.press('k')
    expect(await focused()).toBe(first)
    await page.keyboard.press('?')
    const dialog = page.getByRole('dialog', { name: 'Keys' })
    await dialog.waitFor()
    expect(await dialog.textContent()).toContain('Next and previous row')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    expect(await focused()).toBe(first)
    await page.keyboard.press('Enter')
    await page.locator('.summary').waitFor()
  })

  test('an Enter right after the first j opens the first row while the script of keys is loading', async () => {
    let release = () => {}
    const pressed = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(/\/keyboard-[^/]*\.js/, async (route) => {
      await pressed
      await route.continue()
    })
    await open('/')
    await page.locator('.rows .row').first().waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    release()
    await page.locator('.summary').waitFor()
  })

  test('without scripts a page has its facts, and previews have them as their title', async () => {
    const read = async (at: string) => (await fetch(service.url + at, { headers: { accept: 'text/html' } })).text()
    // The results are in the document when the service has them in time.
    const trace = () => read(`/tx/${failed.hex}`)
    await expect.poll(trace).toMatch(/<noscript>\s*<dl class="facts"><div><dt>Outcome/)
    expect(await trace()).toMatch(new RegExp(`og:title" content="(?:Partly f|F)ailed: exit code ${failed.code}: `))
    const account = views.find((view) => view.startsWith('/address/')) ?? ''
    await expect.poll(() => read(account)).toMatch(/<dt>Balance<\/dt><dd>[\d.]+ TON<\/dd>/)
    for (const name of ['wallet4', 'Wallet4', 'alice.ton'])
      await expect.poll(() => read(`/address/${name}`)).toMatch(/<dt>Balance<\/dt><dd>[\d.]+ TON<\/dd>/)
    const note =
      '<dt>Note</dt><dd><a dir="auto" href="../search?q=nonsense">Nothing is known of it. Search for it</a></dd>'
    expect(await read('/address/nonsense')).toContain(`<dl class="facts"><div>${note}</div></dl>`)
  })

  test('every view has one heading and this service as its only source, and pleases axe on desktops and phones', async () => {
    const found: string[] = []
    const sized = async (given: Page, viewport: typeof PHONE) => {
      await given.setViewportSize(viewport)
      await addAxe(given)
      return async (view: string, colorScheme: 'light' | 'dark', options: object) => {
        const wrong = await violationsOf(given, colorScheme, options)
        found.push(...wrong.map((line) => `${viewport.width} px ${view} ${line}`))
      }
    }
    const onDesktop = async () => {
      const check = await sized(page, DESKTOP)
      for (const view of views) {
        const response = await open(view)
        expect(response?.status(), view).toBe(200)
        expect(await page.locator('h1').count(), view).toBe(1)
        expect(await page.title(), view).toMatch(/ · tonrpc devnet$/)
        await check(view, 'light', { rules: { 'target-size': { enabled: true } } })
        await check(view, 'dark', COLOURS)
        found.push(...(await faultsOfWalk(page)).map((fault) => `${view}: ${fault}`))
      }
    }
    const onPhone = async () => {
      const phone = await context.newPage()
      const check = await sized(phone, PHONE)
      for (const view of views) {
        await open(view, phone)
        await check(view, 'dark', {})
        await check(view, 'light', COLOURS)
        const wide = await phone.evaluate(() => document.documentElement.scrollWidth - innerWidth)
        if (wide > 0) found.push(`${view} is ${wide} px too wide`)
      }
      await phone.close()
    }
    await Promise.all([onDesktop(), onPhone()])
    expect(found).toEqual([])
    expect(problems).toEqual([])
    expect(requests.filter((url) => !url.startsWith(service.url))).toEqual([])
  })
})
