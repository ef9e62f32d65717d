// A page that follows the chain: by the feed of the service while it is visible, by questions where there is no feed.

import type { WebSocketRoute } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { client, inBrowser, page, service } from '../../setup/explorerScene.ts'
import { serve } from '../../setup/service.ts'

const PATIENTLY = { timeout: 300_000, interval: 100 }

const start = () => serve({ withIndex: true, config: { mining: 'manual' } })

inBrowser(start, () => {
  let requests: string[]
  let sockets: number

  beforeEach(() => {
    requests = []
    sockets = 0
    page.on('request', (request) => requests.push(`${request.method()} ${request.postData() ?? request.url()}`))
    page.on('websocket', () => sockets++)
  })

  const shown = async () => Number(/block (\d+)/.exec((await page.locator('#head').textContent()) ?? '')?.[1])
  const open = async (at = '/') => {
    await page.goto(service.url + at)
    await expect.poll(shown, PATIENTLY).toBeGreaterThan(0)
  }
  const mine = async (blocks = 1) => (await client.dev.mine({ blocks })).seqno
  const isHead = (text: string) => text.includes('masterchainInfo')
  /** What a tab in front of others, or behind them, hears of it. */
  const setVisible = (isVisible: boolean) =>
    page.evaluate(
      (state) => {
        Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state })
        document.dispatchEvent(new Event('visibilitychange'))
      },
      isVisible ? 'visible' : 'hidden',
    )

  test('blocks come over the socket: the head is never requested, and views are read once a block at most', async () => {
    const subscribed = page
      .waitForEvent('websocket')
      .then((socket) =>
        socket.waitForEvent('framereceived', ({ payload }) => String(payload).includes('"subscription"')),
      )
    const isListed = async () =>
      await page
        .locator('.blocks')
        .getByText(String(await shown()), { exact: true })
        .waitFor()
    await open()
    await subscribed
    await isListed()
    const before = requests.length
    for (let block = 0; block < 4; block++) await expect.poll(shown, PATIENTLY).toBe(await mine())
    await isListed()
    const reads = requests.slice(before)
    expect(reads.filter(isHead)).toEqual([])
    expect(reads.filter((text) => text.includes('v3.blocks')).length).toBeLessThanOrEqual(4)
    expect(sockets).toBe(1)
  })

  test('a burst of blocks is a few reads, of which the last one has the newest block', async () => {
    await open()
    const before = requests.length
    const began = performance.now()
    const newest = await mine(30)
    await expect.poll(shown, PATIENTLY).toBe(newest)
    await page.locator('.blocks').getByText(String(newest), { exact: true }).waitFor()
    const reads = requests.slice(before).filter((text) => text.includes('v3.blocks')).length
    expect(reads).toBeLessThanOrEqual((performance.now() - began) / 500 + 2)
  })

  test('a tab that wakes up behind many blocks reads the state of the chain a few times, not with each of them', async () => {
    let held: string[] | null = null
    let wakeUp = (): void => undefined
    let states = 0
    await page.routeWebSocket(/jsonRPC/, (socket) => {
      const server = socket.connectToServer()
      socket.onMessage((text) => {
        if (String(text).includes('"dev.state"')) states++
        server.send(text)
      })
      server.onMessage((text) => {
        if (held === null) socket.send(text)
        else held.push(String(text))
      })
      wakeUp = () => {
        for (const text of held ?? []) socket.send(text)
        held = null
      }
    })
    await open('/lab')
    await expect.poll(() => states, PATIENTLY).toBeGreaterThan(0)
    held = []
    const newest = await mine(40)
    await expect.poll(() => held?.filter((text) => text.includes('"blocks"')).length, PATIENTLY).toBeGreaterThan(39)
    states = 0
    wakeUp()
    await expect.poll(shown, PATIENTLY).toBe(newest)
    await expect.poll(shown, PATIENTLY).toBe(await mine())
    expect(states).toBeLessThan(10)
  })

  test('a hidden page is silent and has no socket; shown again it has what it missed', async () => {
    let closed = 0
    page.on('websocket', (socket) => socket.on('close', () => closed++))
    await open()
    await expect.poll(() => sockets, PATIENTLY).toBe(1)
    const before = await shown()
    await setVisible(false)
    await expect.poll(() => closed, PATIENTLY).toBe(1)
    const requested = requests.length
    const newest = await mine(3)
    await expect.poll(async () => (await client.v3.masterchainInfo()).last.seqno, PATIENTLY).toBe(newest)
    expect(requests.slice(requested)).toEqual([])
    expect(await shown()).toBe(before)
    await setVisible(true)
    await expect.poll(shown, PATIENTLY).toBe(newest)
    expect(sockets).toBe(2)
  })

  test('a broken socket is opened again', async () => {
    const routes: WebSocketRoute[] = []
    await page.routeWebSocket(/jsonRPC/, (route) => {
      routes.push(route)
      route.connectToServer()
    })
    await open()
    await expect.poll(() => routes.length, PATIENTLY).toBe(1)
    await routes[0]?.close({ code: 1013 })
    await expect.poll(() => routes.length, PATIENTLY).toBe(2)
    await expect.poll(shown, PATIENTLY).toBe(await mine())
  })

  test('a head that was requested before a block, and comes behind it, is not taken for the newest', async () => {
    const late: (() => void)[] = []
    await page.routeWebSocket(/jsonRPC/, (route) => {
      const server = route.connectToServer()
      route.onMessage((message) => server.send(message))
      server.onMessage((message) => {
        const isFirst =
          late.length === 0 && /"result":\{"last":\{.*"id":2\b|"id":2\b.*"result":\{"last"/.test(String(message))
        if (isFirst) late.push(() => route.send(message))
        else route.send(message)
      })
    })
    await open()
    await expect.poll(() => late.length, PATIENTLY).toBe(1)
    const newest = await mine()
    await expect.poll(shown, PATIENTLY).toBe(newest)
    late[0]?.()
    // What comes behind it on the socket is drawn after it.
    const { address = '' } = (await client.dev.state()).accounts.find(({ name }) => name === 'wallet6') ?? {}
    await client.dev.faucet({ address, amount: '1000000000' })
    await page.locator('.facts > div', { hasText: 'Pending messages' }).getByText('1', { exact: true }).waitFor()
    expect(await shown()).toBe(newest)
    await mine()
  })

  test('a computer that slept opens another socket at once: the one of before may be dead', async () => {
    const routes: WebSocketRoute[] = []
    let looks = 0
    await page.routeWebSocket(/jsonRPC/, (route) => {
      routes.push(route)
      const server = route.connectToServer()
      route.onMessage((message) => {
        if (routes[0] === route && isHead(String(message))) looks++
        server.send(message)
      })
      // Of the first one, nothing comes but what it began with.
      server.onMessage((message) => {
        if (routes[0] !== route || !String(message).includes('"type":"blocks"')) route.send(message)
      })
    })
    await open()
    await expect.poll(() => looks, PATIENTLY).toBe(1)
    const newest = await mine(2)
    await page.evaluate(() => {
      const now = Date.now
      Date.now = () => now() + 3 * 3_600_000
    })
    await expect.poll(() => routes.length, PATIENTLY).toBe(2)
    await expect.poll(shown, PATIENTLY).toBe(newest)
    // A silent one is requested for the head before it is given up.
    expect(looks).toBe(1)
  })

  test('without sockets, and with one that is refused, the head is requested', async () => {
    const replies = [
      '',
      JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32005, message: 'connection limit reached' } }),
    ]
    for (const reply of replies) {
      await page.routeWebSocket(/jsonRPC/, (route) => {
        if (reply === '') void route.close()
        else route.onMessage(() => route.send(reply))
      })
      await open()
      await expect.poll(() => requests.some(isHead), PATIENTLY).toBe(true)
      await expect.poll(shown, PATIENTLY).toBe(await mine())
      requests.length = 0
    }
  })

  test('a message that waits for a block made by hand is counted before that block', async () => {
    const { accounts } = await client.dev.state()
    const { address = '' } = accounts.find(({ name }) => name === 'wallet6') ?? {}
    await open()
    const waiting = page
      .locator('.facts > div', { has: page.getByText('Pending messages', { exact: true }) })
      .locator('dd')
    await expect.poll(() => waiting.textContent(), PATIENTLY).toBe('0')
    const before = await shown()
    for (const count of [1, 2]) {
      await client.dev.faucet({ address, amount: `${count}000000000` })
      await expect.poll(() => waiting.textContent(), PATIENTLY).toBe(String(count))
    }
    expect(await shown()).toBe(before)
    await mine()
    await expect.poll(() => waiting.textContent(), PATIENTLY).toBe('0')
  })

  test('a watched account says so when it has a new transaction, and only then', async () => {
    const { accounts } = await client.dev.state()
    const { address = '' } = accounts.find(({ name }) => name === 'wallet5') ?? {}
    await open(`/address/${address}`)
    const first = page.waitForResponse((reply) => reply.request().postData()?.includes('accountStates') ?? false)
    await page.getByRole('button', { name: 'Watch' }).click()
    await page.getByRole('button', { name: 'Watching', pressed: true }).waitFor()
    await first
    await expect.poll(shown, PATIENTLY).toBe(await mine())
    const notice = page.locator('.toasts').getByText('New transaction of wallet5')
    expect(await notice.count()).toBe(0)
    const { id } = await client.dev.snapshot()
    await client.dev.faucet({ address, amount: '1000000000' })
    await mine()
    await notice.first().waitFor()
    await notice.first().waitFor({ state: 'detached' })
    // Its newest transaction is an older one again.
    const again = page.waitForResponse((reply) => reply.request().postData()?.includes('accountStates') ?? false)
    await client.dev.revert({ id })
    await again
    await expect.poll(shown, PATIENTLY).toBe(await mine())
    expect(await notice.count()).toBe(0)
  })

  test('a chain with another genesis: the page begins again, once, and says why until it is left', async () => {
    const routes: WebSocketRoute[] = []
    const sent: string[] = []
    const real = (await client.getMasterchainInfo()).init.root_hash
    let zero = real
    await page.routeWebSocket(/jsonRPC/, (route) => {
      routes.push(route)
      route.connectToServer().onMessage((message) => {
        const text = String(message)
        route.send(text.replace(/(?<="init":\{[^}]*"root_hash":")[^"]+/, zero))
        if (text.includes('"init":')) sent.push(zero)
      })
    })
    await open()
    await expect.poll(() => sent, PATIENTLY).toEqual([real])
    zero = 'bmV3'
    // Documents are of that chain, too.
    await page.addInitScript((hash) => {
      const parse = JSON.parse
      JSON.parse = (text) => {
        const found = parse(text)
        if (typeof found?.genesis === 'string') found.genesis = hash
        return found
      }
    }, zero)
    const again = page.waitForEvent('domcontentloaded')
    await routes[0]?.close({ code: 1013 })
    await again
    await expect.poll(() => sent, PATIENTLY).toEqual([real, 'bmV3', 'bmV3'])
    await expect.poll(shown, PATIENTLY).toBe(await mine())
    expect(routes.length).toBe(3)
    const notice = page.getByText('The service has another chain now')
    await notice.waitFor()
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Console' }).click()
    await notice.waitFor({ state: 'detached' })
    await open()
    expect(await notice.count()).toBe(0)
  })

  test('a page that was opened behind others begins again when the chain is another one before it is looked at', async () => {
    const { id } = await client.dev.snapshot()
    const address = `0:${'3d'.repeat(32)}`
    await client.dev.faucet({ address, amount: '1000000000' })
    await mine()
    await page.addInitScript(() =>
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => 'hidden' }),
    )
    await page.routeWebSocket(/jsonRPC/, (route) =>
      route.connectToServer().onMessage((message) => {
        route.send(String(message).replace(/(?<="init":\{[^}]*"root_hash":")[^"]+/, 'bmV3'))
      }),
    )
    await page.goto(`${service.url}/address/${address}`)
    await page.locator('.history-row').first().waitFor()
    await client.dev.revert({ id })
    const again = page.waitForEvent('domcontentloaded')
    await setVisible(true)
    await again
    await page.getByText('The service has another chain now').waitFor()
    expect(await page.locator('.history-row').count()).toBe(0)
  })

  test('a page whose script could not be had goes on when the service is back', async () => {
    let isGone = false
    const feeds: WebSocketRoute[] = []
    await page.routeWebSocket(/jsonRPC/, (socket) => {
      if (isGone) void socket.close()
      else feeds.push(socket.connectToServer() && socket)
    })
    await page.route('**/*', (route) => (isGone ? route.abort() : route.continue()))
    await open()
    isGone = true
    for (const feed of feeds) await feed.close()
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Console' }).click()
    await page.getByRole('alert').getByText('The service does not answer').waitFor()
    expect(await page.locator('#main h1').allTextContents()).toEqual(['Console'])
    isGone = false
    await page.locator('.method-list summary').first().waitFor()
    expect(page.url()).toBe(`${service.url}/console`)
  })

  test('what could not be read is read when the service is back, without a new block', async () => {
    let isGone = false
    const feeds: WebSocketRoute[] = []
    await page.routeWebSocket(/jsonRPC/, (socket) => {
      if (isGone) void socket.close()
      else feeds.push(socket.connectToServer() && socket)
    })
    await page.route('**/jsonRPC', (route) => (isGone ? route.abort() : route.continue()))
    await open()
    isGone = true
    for (const feed of feeds) await feed.close()
    await page.locator('#head').getByText('no answer').waitFor()
    await page.getByRole('link', { name: 'Configuration' }).click()
    await page.getByRole('alert').waitFor()
    isGone = false
    await page.locator('#main .param').first().waitFor()
  })

  test('without a network the bar says so while the socket is open, and goes on when the network is back', async () => {
    await open()
    await expect.poll(() => sockets, PATIENTLY).toBe(1)
    await page.context().setOffline(true)
    await page.locator('#head').getByText('no answer').waitFor()
    const newest = await mine(2)
    await page.context().setOffline(false)
    await expect.poll(shown, PATIENTLY).toBe(newest)
    await expect.poll(() => sockets, PATIENTLY).toBeGreaterThan(1)
    await expect.poll(shown, PATIENTLY).toBe(await mine())
  })

  test('a revert is seen without a new block', async () => {
    await open()
    const { id } = await client.dev.snapshot()
    const before = (await client.dev.state()).head.seqno
    await expect.poll(shown, PATIENTLY).toBe(await mine(2))
    await client.dev.revert({ id })
    await page.getByText('The chain was reverted').waitFor()
    await expect.poll(shown, PATIENTLY).toBe(before)
  })

  test('a transaction that a revert has undone is not shown any more', async () => {
    const { id } = await client.dev.snapshot()
    const address = `0:${'3c'.repeat(32)}`
    await client.dev.faucet({ address, amount: '1000000000' })
    await mine()
    const found = () => client.v3.transactions({ account: [address] }).then(({ transactions: [first] }) => first?.hash)
    await expect.poll(found, PATIENTLY).toBeDefined()
    await page.goto(`${service.url}/tx/${encodeURIComponent((await found()) ?? '')}`)
    await page.getByText('Success').first().waitFor()
    await client.dev.revert({ id })
    await page.getByText('No transaction, trace or message with this hash').waitFor()
    expect(await page.getByText('Success').count()).toBe(0)
    await expect.poll(() => page.locator('.empty').textContent()).toContain('undone when the chain was reverted')
    await page.waitForLoadState('networkidle')
    // What is near is read for it, too, which says the same where there is nothing.
    expect(await page.locator('.empty').textContent()).not.toContain('Nothing in the index')
  })
})
