// What is around every page of the explorer: its links, its keys, and the clock it counts ages by.

import { expect, test } from 'vitest'
import { client, context, inBrowser, page, serveIndexed, service } from '../../setup/explorerScene.ts'
import { mockReplies } from '../../setup/mockedReplies.ts'
import { startPrefixProxy } from '../../setup/prefixProxy.ts'

/** A day and an hour. */
const OFF_MS = 90_000_000

inBrowser(serveIndexed, () => {
  const linksOfFrame = () =>
    page.locator('.top a, .foot a').evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href))

  test('what is typed for the search right after the page is there is not lost', async () => {
    await page.route(/\/keyboard-[^/]*\.js/, (route) => route.abort())
    await page.goto(`${service.url}/`)
    // The first script shows it.
    await page.locator('#copy-url').waitFor()
    await page.keyboard.type('/wallet4')
    expect(await page.locator('#q').inputValue()).toBe('wallet4')
  })

  test('a theme that was chosen is that of the reference, of the guides, and of pages that are not there', async () => {
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.goto(service.url)
    await page.locator('#theme').click()
    const themeOf = () => page.evaluate(() => document.documentElement.dataset.theme)
    expect(await themeOf()).toBe('light')
    for (const at of ['/api/', '/api/v2/', '/docs/', '/docs/explorer', '/nothing/here']) {
      await page.goto(service.url + at)
      expect(await themeOf(), at).toBe('light')
    }
    await context.clearCookies()
    await page.goto(`${service.url}/docs/`)
    expect(await themeOf()).toBeUndefined()
  })

  test('in a window in which the bar has two lines, what the focus goes back to is not behind it', async () => {
    await page.setViewportSize({ width: 900, height: 500 })
    // Otherwise guides scroll smoothly, and the place of the focus is measured while the page still moves.
    await page.emulateMedia({ reducedMotion: 'reduce' })
    const hidden: string[] = []
    for (const at of ['/config', '/api/v2/', '/docs/explorer']) {
      await page.goto(service.url + at)
      await page.locator('main :is(a, summary)').first().waitFor()
      await expect.poll(() => page.locator('.waiting, .late').count()).toBe(0)
      expect(await page.locator('.top').evaluate((one) => one.clientHeight), at).toBeGreaterThan(80)
      await page.locator('main :is(a, summary)').last().focus()
      for (let press = 0; press < 40; press++) {
        await page.keyboard.press('Shift+Tab')
        const behind = await page.evaluate(() => {
          const focused = document.activeElement
          const bar = document.querySelector('.top')
          const { top = 0, bottom = 0 } = focused?.getBoundingClientRect() ?? {}
          const by = (bar?.getBoundingClientRect().bottom ?? 0) - top
          // Not hidden: a long table that fills everything below the bar.
          const isHidden = by > 0 && bottom < innerHeight && focused?.closest('main, .side')
          return isHidden ? `“${focused?.textContent?.slice(0, 30)}” by ${by} px` : null
        })
        if (behind !== null) hidden.push(`${at}: ${behind}`)
      }
    }
    expect(hidden).toEqual([])
  })

  test('the button of the foot is as high as a finger needs, in line with the links before it', async () => {
    await page.goto(`${service.url}/`)
    const button = page.locator('#copy-url')
    await button.waitFor()
    const heightOf = (where: typeof button) => where.evaluate((one) => one.getBoundingClientRect().height)
    expect(await heightOf(button)).toBeGreaterThanOrEqual(24)
    const bottoms = await page.locator('.foot :is(a, button)').evaluateAll((all) =>
      all.map((one) => {
        const range = document.createRange()
        range.selectNodeContents(one)
        return range.getBoundingClientRect().bottom
      }),
    )
    expect(Math.max(...bottoms) - Math.min(...bottoms)).toBeLessThan(1)
  })

  test('links of the frame lead to the same pages from every view', async () => {
    await page.goto(service.url)
    await page.locator('.blocks a').first().waitFor()
    const first = await linksOfFrame()
    expect(first).toContain(`${service.url}/console`)
    await page.locator('.blocks a').first().click()
    await page.getByRole('heading', { level: 1, name: /^Block/ }).waitFor()
    expect(await linksOfFrame()).toEqual(first)
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Console' }).click()
    await page.getByRole('heading', { level: 1, name: 'Console' }).waitFor()
    expect(await page.locator('nav [aria-current="page"]').textContent()).toBe('Console')
    // Another name of a page is replaced by its own, which is less deep.
    const [{ friendly = '' } = {}] = (await client.dev.state()).accounts
    await page.goto(`${service.url}/explorer/address/${friendly}`)
    await page.getByRole('tab', { name: 'History' }).waitFor()
    expect(await linksOfFrame()).toEqual(first)
  })

  test('a chain that stands still with an old block is an alarm, one whose old blocks follow each other is none', async () => {
    let stands = true
    let seqno = 100
    await page.routeWebSocket(/jsonRPC/, (socket) => socket.close())
    await mockReplies(page, /\/cell$/, 'v3.masterchainInfo', (_, { last, ...real }) => {
      if (!stands) seqno++
      return { ...real, last: { ...last, seqno, gen_utime: `${BigInt(Math.floor(Date.now() / 1000) - 7_500)}` } }
    })
    await page.goto(`${service.url}/cell`)
    const pill = page.locator('#head')
    await pill.getByText('100 · 2 h').waitFor()
    const isAlarm = () => pill.evaluate((one) => one.classList.contains('stale'))
    expect(await isAlarm()).toBe(true)
    stands = false
    await expect.poll(isAlarm).toBe(false)
    expect(await pill.textContent()).toContain('· 2 h')
  })

  test('the head of a chain with millions of blocks is whole on every screen, with its age', async () => {
    await page.routeWebSocket(/jsonRPC/, (socket) => socket.close())
    // A digit more than testnet has, for its name is a letter longer.
    await mockReplies(page, /\/cell$/, 'v3.masterchainInfo', (_, { last, ...real }) => ({
      ...real,
      last: { ...last, seqno: 451_234_567, gen_utime: `${BigInt(Math.floor(Date.now() / 1000) - 3_570)}` },
    }))
    await page.goto(`${service.url}/cell`)
    const pill = page.locator('#head')
    await pill.getByText('451234567 · 59 min').waitFor()
    for (const width of [320, 360, 390, 480, 640, 800, 1000, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      const cut = await pill.evaluate((one) => one.scrollWidth - one.clientWidth)
      const beside = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect([width, cut, beside]).toEqual([width, 0, 0])
    }
    await page.setViewportSize({ width: 360, height: 800 })
    const { right, up } = await pill.evaluate((one) => {
      document.documentElement.style.fontSize = '200%'
      return { right: one.scrollWidth - one.clientWidth, up: one.scrollHeight - one.clientHeight }
    })
    expect([right, up], 'with texts twice as large').toEqual([0, 0])
  })

  test('the links of the bar are in the same places on every page', async () => {
    const places = () =>
      page.locator('.top nav a').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().x))
    await page.goto(`${service.url}/console`)
    const before = await places()
    await page.goto(`${service.url}/lab`)
    expect(await places()).toEqual(before)
  })

  test.each([-OFF_MS, OFF_MS])('ages are right on a computer whose clock is off by %i ms', async (off) => {
    await page.addInitScript((ms) => {
      const { now } = Date
      Date.now = () => now() + ms
    }, off)
    await client.dev.mine({ blocks: 1 })
    await page.goto(service.url)
    await expect.poll(() => page.locator('#head').textContent()).toMatch(/· \d+ s$/)
    expect(await page.locator('.facts time').first().textContent()).toMatch(/^(?:now|\d+ s ago)$/)
    const notice = await page.locator('.notice').textContent()
    expect(notice).toContain(`The chain's clock is 1 d ${off < 0 ? 'ahead of' : 'behind'} this computer`)
  })

  test('a clock that is set while the page is open changes no age', async () => {
    await page.addInitScript(() => {
      const { now } = Date
      Object.assign(globalThis, { offMs: 0 })
      Date.now = () => now() + (globalThis as unknown as { offMs: number }).offMs
    })
    await client.dev.mine({ blocks: 1 })
    await page.goto(service.url)
    await expect.poll(() => page.locator('#head').textContent()).toMatch(/· \d+ (?:s|min)$/)
    await page.evaluate((ms) => Object.assign(globalThis, { offMs: ms }), -OFF_MS)
    await page.locator('.notice').getByText("The chain's clock is 1 d ahead of this computer").waitFor()
    expect(await page.locator('#head').textContent()).toMatch(/· \d+ (?:s|min)$/)
  })

  test('where the browser replaces all colours, the open tab and pressed buttons are still told apart', async () => {
    const [{ friendly = '' } = {}] = (await client.dev.state()).accounts
    await page.emulateMedia({ forcedColors: 'active' })
    await page.goto(`${service.url}/address/${friendly}`)
    const edgeOf = (name: string) =>
      page.getByRole('tab', { name, exact: true }).evaluate((tab) => getComputedStyle(tab).borderBottomColor)
    expect(await edgeOf('History')).not.toBe(await edgeOf('Tokens'))
    const backOf = (name: RegExp) =>
      page.getByRole('button', { name }).evaluate((button) => getComputedStyle(button).backgroundColor)
    await page.getByRole('button', { name: 'Favourite' }).click()
    await page.getByRole('button', { name: 'Favourite', pressed: true }).waitFor()
    expect(await backOf(/Favourite/)).not.toBe(await backOf(/QR code/))
    await page.getByRole('button', { name: 'Favourite' }).click()
  })

  test('where the browser replaces all colours, the open page is still told apart in the bar', async () => {
    await page.emulateMedia({ forcedColors: 'active' })
    const lineOf = (name: string) =>
      page.locator('.top nav a', { hasText: name }).evaluate((link) => getComputedStyle(link).textDecorationLine)
    for (const [at, name] of [
      ['wallets', 'Wallets'],
      ['api/v3/', 'API v3'],
      ['docs/', 'Guides'],
    ] as const) {
      await page.goto(`${service.url}/${at}`)
      await page.locator('.top nav a[aria-current]').waitFor()
      expect([at, await lineOf(name), await lineOf('Lab')]).toEqual([at, 'underline', 'none'])
    }
  })

  test('a reader who wants more contrast has no pale text', async () => {
    await page.goto(`${service.url}/lab`)
    const hint = page.locator('#main .hint:not(:empty)').first()
    await hint.waitFor()
    for (const colorScheme of ['light', 'dark'] as const)
      for (const contrast of ['no-preference', 'more'] as const) {
        await page.emulateMedia({ colorScheme, contrast })
        const colours = await hint.evaluate((one) => [one, document.body].map((it) => getComputedStyle(it).color))
        expect([colorScheme, contrast, new Set(colours).size]).toEqual([
          colorScheme,
          contrast,
          contrast === 'more' ? 1 : 2,
        ])
      }
  })

  test('two tabs add to one list of calls and one list of ABIs', async () => {
    const other = await context.newPage()
    await page.goto(`${service.url}/console/v3.masterchainInfo`)
    await other.goto(`${service.url}/console/getMasterchainInfo`)
    for (const one of [page, other]) {
      await one.getByRole('button', { name: 'Call', exact: true }).click()
      await one.getByRole('region', { name: 'Reply' }).waitFor()
    }
    await page.reload()
    await page.getByText('Last calls').click()
    expect(await page.locator('.history code').allTextContents()).toEqual(['getMasterchainInfo', 'v3.masterchainInfo'])
    const { accounts } = await client.dev.state()
    const wallet = (name: string) =>
      `/address/${accounts.find((account) => account.name === name)?.friendly}?tab=contract`
    await page.goto(service.url + wallet('wallet5'))
    await other.goto(service.url + wallet('wallet3'))
    for (const one of [page, other]) {
      await one.getByLabel('Or as text').fill('pay#7e8764ef query_id:uint64 = Msg')
      await one.getByRole('button', { name: 'Add the ABI' }).click()
      await one.getByRole('button', { name: 'Remove the ABI' }).waitFor()
    }
    for (const one of [page, other]) {
      if ((await one.getByRole('button', { name: /^Export/ }).count()) === 0)
        await one.getByText('All ABIs of this browser').click()
      await one.getByRole('button', { name: 'Export 2 ABIs' }).waitFor()
    }
    for (const one of [page, other]) await one.getByRole('button', { name: 'Remove the ABI' }).click()
    await other.close()
  })

  test('below a prefix every page is there by its own address, and stays below it', async () => {
    await using proxy = await startPrefixProxy('/deep/ton', service.url)
    const elsewhere: string[] = []
    page.on('request', (request) => {
      const url = request.url()
      if (!url.startsWith(`${proxy.url}/`) && !/^(?:data|ws):/.test(url)) elsewhere.push(url)
    })
    const [{ friendly = '' } = {}] = (await client.dev.state()).accounts
    const paths = [
      '/',
      '/wallets',
      '/lab',
      '/console',
      '/console/v3.blocks',
      '/cell',
      '/config',
      '/validators',
      '/pools',
      '/status',
    ]
    const named = [`/address/${friendly}?tab=methods`, '/block/1', '/search?q=wallet', `/explorer/address/${friendly}`]
    for (const at of [...paths, ...named]) {
      await page.goto(proxy.url + at)
      await page.locator('h1').waitFor()
      await expect.poll(() => page.locator('.waiting, .late').count(), { message: at }).toBe(0)
      const links = await linksOfFrame()
      expect(
        links.filter((link) => !link.startsWith(`${proxy.url}/`)),
        at,
      ).toEqual([])
    }
    expect(elsewhere).toEqual([])
    expect((await page.goto(`${proxy.url}/no/such/page`))?.status()).toBe(404)
    await page.locator('main a').first().click()
    await expect.poll(() => page.url()).toMatch(new RegExp(`^${proxy.url}/`))
    expect(elsewhere).toEqual([])
  })

  test('back and forward, from a document of another kind too, lead to the page as it was', async () => {
    await page.goto(`${service.url}/config`)
    await page.locator('#main .param').first().waitFor()
    await page.goto(`${service.url}/docs/`)
    await page.goBack()
    await page.locator('#main .param').first().waitFor()
    await expect.poll(() => page.locator('#head').textContent()).toMatch(/block \d+/)
    await page.goForward()
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(page.url()).toBe(`${service.url}/docs/`)
  })
})
