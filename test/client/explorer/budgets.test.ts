// What a page costs before it shows its data: requests, bytes and elements, for every page and every part of one that an
// address opens.

import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createClient } from '../../../client/index.ts'
import { type Browser, findChromium, launchChromium, reportNoBrowser } from '../../setup/chromium.ts'
import { servePlayed } from '../../setup/playedDemo.ts'
import type { TestService } from '../../setup/service.ts'

const executable = findChromium()
const hexOf = (base64: string): string => Buffer.from(base64, 'base64').toString('hex')

const MOST_REQUESTS = 4
const MOST_BYTES = 80_000
const MOST_STYLES = 8_000
/** Of the pages that links from elsewhere lead to; and of tools, and of pages that begin with a further part. */
const MOST_SCRIPT = 40_000
const MOST_SCRIPT_WITH_MORE = 46_000
const MOST_ELEMENTS = 1_500
/** Cumulative layout shift: what moves under a person's eyes while the page comes. */
const MOST_SHIFT = 0.02

interface View {
  readonly at: string
  /** What is there when the data is. */
  readonly shows: string
  readonly script: number
}

const NO_HASH = '00'.repeat(32)

const inBrowser = (path: string) => () => {
  let browser: Browser
  let service: TestService
  let page: Page
  let requests: string[]
  const views: View[] = []

  const see = (script: number, at: string, shows: string): void => void views.push({ at, shows, script })

  beforeAll(async () => {
    browser = await launchChromium(path)
    service = await servePlayed()
    const client = createClient({ url: service.url, timeoutMs: 120_000 })
    const { accounts, head } = await client.dev.state()
    const wallet = `/address/${accounts.find(({ name }) => name === 'wallet4')?.friendly}`
    const [newest] = (await client.v3.transactions({ account: [wallet.slice(9)], limit: 1 })).transactions
    const transaction = `/tx/${hexOf(newest?.hash ?? '')}`
    const [jetton] = (await client.v3.jetton.masters({ limit: 1 })).jetton_masters
    const [collection] = (await client.v3.nft.collections({ limit: 1 })).nft_collections
    const [order] = (await client.v3.actions({ action_type: ['multisig_create_order'], limit: 1 })).actions
    const { destination: multisig } = (order?.details ?? {}) as { readonly destination?: string }

    see(MOST_SCRIPT, '/', '.rows .row')
    see(MOST_SCRIPT, transaction, '.summary')
    see(MOST_SCRIPT, `/trace/${hexOf(newest?.trace_id ?? '')}?as=list`, '[role="treeitem"]')
    see(MOST_SCRIPT, wallet, '.history-row')
    see(MOST_SCRIPT, `${wallet}?tab=transactions`, '#main tbody tr')
    see(MOST_SCRIPT, `${wallet}?tab=tokens`, '#main tbody tr')
    see(MOST_SCRIPT, `${wallet}?tab=nfts`, '.empty')
    see(MOST_SCRIPT, `/address/${collection?.address}?tab=items`, '.grid .item')
    see(MOST_SCRIPT, `/block/${head.seqno}`, '[aria-label="Table of signatures"] tbody tr')
    see(MOST_SCRIPT, `/block/0:8000000000000000:${newest?.block_ref.seqno}`, '#main table')

    const more = (at: string, shows: string): void => see(MOST_SCRIPT_WITH_MORE, at, shows)
    more(`${transaction}?as=flow`, '#main table')
    more(`${transaction}?view=state`, '.panel tbody tr')
    more(`${transaction}?view=messages`, '.panel .facts')
    more(`${transaction}?view=again`, '.vm-steps > li')
    more(`${transaction}?view=raw`, '.panel .json')
    more(`${wallet}?tab=contract`, '[aria-label="Code"]')
    more(`${wallet}?tab=methods`, '.methods .facts dd')
    more(`${wallet}?tab=balance`, '#main svg')
    more(`/address/${jetton?.address}?tab=holders`, '#main tbody tr')
    more(`/address/${multisig}?tab=orders`, '#main tbody tr')
    more('/address/nonsense', '.empty')
    more('/tx/12', '.empty')
    more(`/tx/${NO_HASH}`, '.empty')
    more(`/trace/${NO_HASH}`, '.empty')
    more('/block/999999999', '.empty')
    more('/block/nonsense', '.empty')
    more('/search?q=nothing', '.empty')
    more('/search?q=wall', '#main li a')
    more('/search?q=0x0f8a7ea5', '#main tbody tr')
    more('/console', '.method-list summary')
    more('/console/v3.transactions', '#main form')
    more('/console/no.such', '#main [role="alert"]')
    more('/lab', '.compose')
    more('/wallets', '#main tbody .amount')
    more('/cell?boc=te6cckEBAQEADAAAFAAAAABIZWxsbyGVgYQo', '.cell')
    more('/config', '#main .param')
    more('/validators', '#main h2')
    more('/pools', '#main tbody tr')
    more('/status', '#main h2')
  }, 300_000)
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]()
    await service?.[Symbol.asyncDispose]()
  })
  beforeEach(async () => {
    requests = []
    page = await browser.context.newPage()
    page.on('request', (request) => requests.push(request.url()))
    await page.addInitScript(() => {
      const seen = { shifted: 0 }
      Object.assign(globalThis, { seen })
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) seen.shifted += (entry as unknown as { readonly value: number }).value
      }).observe({ type: 'layout-shift', buffered: true })
    })
  })
  afterEach(() => page.close())

  const loaded = () => requests.filter((url) => !/^(?:ws|data):?/.test(url))

  test('every view is four requests that do not wait for each other, and fits the budgets', async () => {
    for (const { at, shows, script } of views) {
      // The results are in the document when the service has them in time, and no block comes meanwhile.
      const load = async () => {
        requests.length = 0
        await page.goto(service.url + at)
        await page.locator(shows).first().waitFor()
        await expect.poll(() => page.locator('.waiting').count()).toBe(0)
        return loaded()
      }
      await expect
        .poll(async () => (await load()).length, { message: at, timeout: 60_000 })
        .toBeLessThanOrEqual(MOST_REQUESTS)
      const sizes = new Map<string, number>()
      for (const url of loaded()) {
        const reply = await fetch(url, { headers: { accept: 'text/html' } })
        sizes.set(url, gzipSync(Buffer.from(await reply.arrayBuffer())).length)
      }
      const sum = (ends: string) => [...sizes].reduce((all, [url, size]) => (url.endsWith(ends) ? all + size : all), 0)
      expect(sum(''), at).toBeLessThan(MOST_BYTES)
      expect(sum('.js'), at).toBeLessThan(script)
      expect(sum('.css'), at).toBeLessThan(MOST_STYLES)
      // Two round trips: the document names all that its view loads.
      const document = await (await fetch(service.url + at, { headers: { accept: 'text/html' } })).text()
      const named = (url: string) => document.includes(url.slice(service.url.length + 1))
      expect(
        loaded().filter((url) => /\.(?:js|css)$/.test(url) && !named(url)),
        at,
      ).toEqual([])
      expect(await page.locator('*').count(), at).toBeLessThan(MOST_ELEMENTS)
      const shifted = () => (globalThis as unknown as { seen: { shifted: number } }).seen.shifted
      expect(await page.evaluate(shifted), at).toBeLessThan(MOST_SHIFT)
    }
  })
}

if (executable) describe('in a browser', inBrowser(executable))
else test('says that there is no browser', reportNoBrowser)
