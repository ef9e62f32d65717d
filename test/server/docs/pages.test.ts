// Pages in a real browser, under the content security policy of the service.

import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createDrawing } from '../../../server/docs/createDrawing.ts'
import { createDocs } from '../../../server/docs/index.ts'
import { registry } from '../../../shared/registry.ts'
import { type Browser, findChromium, launchChromium, reportNoBrowser } from '../../setup/chromium.ts'
import { awkward, facts, NASTY } from './awkward.ts'
import { type PageServer, type Seen, type Stub, startPages } from './pageServer.ts'

const executable = findChromium()

/** A long whole number without quotes: it must not be rounded on its way to the page. */
const LONG = '123456789012345678901234567890'
const answered: Stub = {
  status: 200,
  headers: { 'RateLimit-Limit': '1', 'RateLimit-Remaining': '0', 'X-API-Version': '2.2.1', 'X-Other': 'hidden' },
  body: `{"ok":true,"result":${JSON.stringify({ text: NASTY, none: [] })},"lt":${LONG}}`,
}

function answer({ url, body }: Seen): Stub {
  if (url.includes('detectHash') || body.includes('detectHash')) {
    return {
      status: 429,
      headers: { 'Retry-After': '1' },
      body: '{"ok":false,"error":"Ratelimit exceeded","code":429}',
    }
  }
  if (url.includes('packAddress')) return { status: 200, body: JSON.stringify('x'.repeat(300_000)) }
  if (url.includes('dev.') || body.includes('dev.reset')) return { status: 502, body: '<h1>not json</h1>' }
  return answered
}

/** What single forms are tried on: a page of all methods takes ten times as long to lay out. */
const { detectAddress, detectHash, packAddress, unpackAddress } = registry

const few = { detectAddress, detectHash, packAddress, unpackAddress, 'dev.revert': registry['dev.revert'], ...awkward }

const inBrowser = (path: string) => () => {
  let browser: Browser
  let page: Page
  let server: PageServer
  let whole: PageServer
  let problems: string[]

  beforeAll(async () => {
    browser = await launchChromium(path)
    server = await startPages(createDocs(few, facts, { draw: createDrawing(few, facts) }), answer)
    const all = { ...registry, ...awkward }
    whole = await startPages(createDocs(all, facts, { draw: createDrawing(all, facts) }), answer)
  })
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]()
    await server?.[Symbol.asyncDispose]()
    await whole?.[Symbol.asyncDispose]()
  })
  beforeEach(async () => {
    problems = []
    server.seen.length = 0
    page = await browser.context.newPage()
    page.on('pageerror', (error) => problems.push(error.message))
    page.on('dialog', (dialog) => {
      problems.push(`dialog: ${dialog.message()}`)
      void dialog.dismiss()
    })
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text())
    })
  })
  afterEach(async () => {
    await page.close()
  })

  const open = async (path: string, { url } = server) => {
    await page.goto(url + path)
  }
  const openForm = async (name: string) => {
    await page.getByRole('button', { name: `Try it: ${name}`, exact: true }).click()
    return page.getByRole('form', { name: `Call ${name}`, exact: true })
  }
  const replyOf = (name: string) => page.locator(`[id="method-${name}"] .reply`)

  const doors = [
    { door: 'REST GET', verb: 'GET', url: '/api/v2/detectAddress?address=0%3A+%26x', body: '' },
    { door: 'REST POST', verb: 'POST', url: '/api/v2/detectAddress', body: { address: '0: &x' } },
    ...['/jsonRPC', '/api/v2/jsonRPC'].map((door) => ({
      door,
      verb: 'POST',
      url: door,
      body: { jsonrpc: '2.0', id: 1, method: 'detectAddress', params: { address: '0: &x' } },
    })),
  ]
  test.each(doors)('a call goes through $door and its reply is shown', async ({ door, verb, url, body }) => {
    await open('/api/v2/')
    const form = await openForm('detectAddress')
    await form.getByLabel('address').fill('0: &x')
    await form.getByLabel('Send by').selectOption(door)
    await form.getByRole('button', { name: 'Send', exact: true }).click()
    const reply = replyOf('detectAddress')
    await reply.getByText('200 OK').waitFor()
    expect(server.seen).toMatchObject([{ verb, url, key: undefined }])
    expect(body === '' ? server.seen[0]?.body : JSON.parse(server.seen[0]?.body ?? '')).toEqual(body)
    const text = await reply.textContent()
    expect(text).toContain(LONG)
    expect(text).toContain(JSON.stringify(NASTY))
    expect(text).toContain('ratelimit-remaining: 0')
    expect(text).toMatch(/\d+ ms/)
    expect(text).not.toContain('hidden')
    expect(await reply.locator('script, img').count()).toBe(0)
    expect(problems).toEqual([])
  })

  test('every kind of field comes out as its type', async () => {
    await open('/api/v2/')
    const form = await openForm('mixed')
    await form.getByLabel('numbers').fill('1\n\n 2 ')
    await form.getByLabel('colour').selectOption(NASTY)
    await form.getByLabel('flag').selectOption('false')
    await form.getByLabel('either').fill('7')
    await form.getByLabel('Send by').selectOption('REST POST')
    await form.getByRole('button', { name: 'Send', exact: true }).click()
    await replyOf('mixed').getByText('200 OK').waitFor()
    const { list, options, tuple, address } = awkward.mixed.example.params
    expect(JSON.parse(server.seen[0]?.body ?? '')).toEqual({
      address,
      either: 7,
      list,
      numbers: [1, 2],
      options,
      tuple,
      colour: NASTY,
      flag: false,
    })
    await form.getByLabel('Send by').selectOption('REST GET')
    await form.getByRole('button', { name: 'Send', exact: true }).click()
    await expect.poll(() => server.seen.length).toBe(2)
    const query = new URLSearchParams(server.seen[1]?.url.split('?')[1])
    expect(query.getAll('list')).toEqual(list)
    expect(query.getAll('numbers')).toEqual(['1', '2'])
    expect(JSON.parse(query.get('options') ?? '')).toEqual(options)
    expect(problems).toEqual([])
  })

  test('what cannot be read is not sent', async () => {
    await open('/api/v2/')
    const form = await openForm('mixed')
    const said = async (options: string) => {
      await form.getByLabel('options').fill(options)
      await form.getByRole('button', { name: 'Send', exact: true }).click()
      return await form.getByLabel('options').evaluate((input: HTMLTextAreaElement) => input.validationMessage)
    }
    expect(await said('{"depth":')).toMatch(/JSON/)
    expect(await said(`{"depth": ${LONG}}`)).toMatch(/in quotes/)
    expect(server.seen).toEqual([])
  })

  test('a large number is sent with every digit', async () => {
    await open('/api/v2/')
    const form = await openForm('mixed')
    for (const name of ['numbers', 'either']) await form.getByLabel(name).fill(LONG)
    await form.getByLabel('Send by').selectOption('REST POST')
    await form.getByRole('button', { name: 'Send', exact: true }).click()
    await expect.poll(() => server.seen.length).toBe(1)
    expect(JSON.parse(server.seen[0]?.body ?? '')).toMatchObject({ either: LONG, numbers: [LONG] })
  })

  test('the key goes along in the header, stays in the tab and out of copied calls', async () => {
    await browser.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await open('/api/v2/')
    await page.getByLabel('API key').fill('very-secret')
    await open('/api/v3/')
    expect(await page.getByLabel('API key').inputValue()).toBe('very-secret')
    const form = await openForm('v3.odd.rows')
    await form.getByRole('button', { name: 'Send', exact: true }).click()
    await replyOf('v3.odd.rows').getByText('200 OK').waitFor()
    expect(server.seen).toMatchObject([{ verb: 'GET', url: '/api/v3/odd/rows?limit=1', key: 'very-secret' }])
    await form.getByRole('button', { name: 'Copy as curl' }).click()
    await form.getByText('Copied as curl.').waitFor()
    expect(await replyOf('v3.odd.rows').textContent()).toContain('200 OK')
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied).toBe(`curl '${server.url}/api/v3/odd/rows?limit=1' \\\n  -H "X-API-Key: $API_KEY"`)
    expect(await page.evaluate(() => localStorage.length)).toBe(0)
  })

  test('a closed clipboard shows the call instead', async () => {
    await open('/api/v2/')
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('closed'))
    })
    const form = await openForm('detectAddress')
    await form.getByRole('button', { name: 'Copy as curl' }).click()
    await form.getByText(`curl '${server.url}/api/v2/detectAddress?address=`).waitFor()
  })

  test('failures, foreign text, long replies and a lost connection are shown as what they are', async () => {
    await open('/api/v2/')
    const sent = async (name: string) => {
      const form = await openForm(name)
      await form.getByRole('button', { name: 'Send', exact: true }).click()
      await replyOf(name).locator('.status:not(:text("Waiting"))').waitFor()
      return replyOf(name).textContent()
    }
    const refused = await sent('detectHash')
    expect(refused).toContain('429 Too Many Requests')
    expect(refused).toContain('retry-after: 1')
    expect(refused).toContain('"Ratelimit exceeded"')
    expect(await sent('dev.reset')).toContain('<h1>not json</h1>')
    expect(await sent('packAddress')).toContain('Cut: 200,000 of 300,002 characters are shown.')
    await page.route('**/unpackAddress*', (route) => route.abort())
    expect(await sent('unpackAddress')).toContain('The call did not get through')
  })

  test('the filter leaves what matches, and a link brings the rest back', async () => {
    await open('/api/v2/', whole)
    await page.keyboard.press('/')
    await page.keyboard.type('hash FORMS')
    expect(await page.locator('article.method:visible').evaluateAll((all) => all.map((one) => one.id))).toEqual([
      'method-detectHash',
    ])
    expect(await page.getByRole('heading', { level: 2 }).allInnerTexts()).toEqual([
      'Authentication',
      'Limits',
      'Errors',
      'Addresses',
      'Shapes of values',
    ])
    expect(await page.locator('#filter-note').textContent()).toMatch(/^1 of \d+ methods$/)
    await page.getByLabel('Filter methods').fill('no such thing')
    await page.getByText('No method of v2 matches').waitFor()
    for (const hash of ['#%', '#method-packAddress']) await page.evaluate((to) => location.assign(to), hash)
    await page.locator('[id="method-packAddress"]').waitFor({ state: 'visible' })
    expect(await page.getByLabel('Filter methods').inputValue()).toBe('')
    expect(problems).toEqual([])
  })

  test('the filter stays under the finger on a phone, and brings the first hit into view on a wide page', async () => {
    const top = () => page.evaluate(() => Math.round(scrollY))
    const view = page.viewportSize() ?? { width: 1280, height: 720 }
    try {
      await page.setViewportSize({ width: 390, height: 800 })
      await open('/api/v2/', whole)
      await page.getByLabel('Filter methods').click()
      const before = await top()
      await page.keyboard.type('hash')
      await page.locator('[id="method-packAddress"]').waitFor({ state: 'hidden' })
      expect(await top()).toBe(before)
      await page.setViewportSize({ width: 1280, height: 800 })
      await open('/api/v2/', whole)
      await page.getByLabel('Filter methods').click()
      await page.keyboard.type('hash')
      await page.waitForFunction(() => scrollY > 0)
    } finally {
      await page.setViewportSize(view)
    }
  })

  test('people find methods by their own words, in both versions, and groups without a hit are gone', async () => {
    await open('/api/v3/', whole)
    const hits = () => page.locator('article.method:visible').evaluateAll((all) => all.map(({ id }) => id.slice(7)))
    const others = () => page.locator('#elsewhere li:visible a').allInnerTexts()
    const groups = () => page.locator('.nav-group[data-methods]:visible').count()
    const wanted = {
      txs: 'v3.transactions',
      history: 'v3.transactions',
      token: 'v3.jetton.masters',
      fees: 'v3.estimateFee',
    }
    for (const [word, name] of Object.entries(wanted)) {
      await page.getByLabel('Filter methods').fill(word)
      expect(await hits(), word).toContain(name)
    }
    expect(await others()).toContain('estimateFee')
    expect(await groups()).toBeLessThan(5)
    await page.getByLabel('Filter methods').fill('faucet')
    expect(await hits()).toEqual([])
    expect(await others()).toContain('dev.faucet')
    await page.keyboard.press('Enter')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('dev.faucet')
    await page.getByLabel('Filter methods').press('Escape')
    expect(await page.getByLabel('Filter methods').inputValue()).toBe('')
    expect(await others()).toEqual([])
    expect((await hits()).length).toBeGreaterThan(40)
  })

  test('what a form holds is in the address: it is there after a reload, and nothing is sent by that', async () => {
    await open('/api/v2/')
    await page.getByLabel('API key').fill('very-secret')
    const form = await openForm('detectAddress')
    await form.getByLabel('address').fill('of a reload')
    await form.getByLabel('Send by').selectOption('/jsonRPC')
    expect(page.url()).not.toContain('very-secret')
    await page.goto(server.url)
    await page.goBack()
    const again = page.getByRole('form', { name: 'Call detectAddress', exact: true })
    expect(await again.getByLabel('address').inputValue()).toBe('of a reload')
    expect(await again.getByLabel('Send by').inputValue()).toBe('/jsonRPC')
    expect(server.seen).toEqual([])
    expect(problems).toEqual([])
  })

  test('what cannot be undone is sent only when it is said twice', async () => {
    await open('/api/v2/')
    const form = await openForm('dev.revert')
    const question = page.locator('[id="method-dev.revert"] .question')
    await form.getByRole('button', { name: 'Send', exact: true }).click()
    await question.getByText('Everything since the snapshot is lost').waitFor()
    await question.getByRole('button', { name: 'Leave it' }).click()
    expect(server.seen).toEqual([])
    await form.getByRole('button', { name: 'Send', exact: true }).click()
    await question.getByRole('button', { name: 'Send it' }).click()
    await expect.poll(() => server.seen.length).toBe(1)
  })

  test('samples and replies can be copied, and the reply stays', async () => {
    await browser.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await open('/api/v2/')
    const sample = page.locator('[id="method-detectAddress"] .door .code').first()
    await sample.getByRole('button', { name: 'Copy' }).click()
    await sample.getByText('Copied.').waitFor()
    const copied = () => page.evaluate(() => navigator.clipboard.readText())
    expect(await copied()).toContain(`curl '${server.url}/api/v2/detectAddress`)
    const form = await openForm('detectAddress')
    await form.getByRole('button', { name: 'Send', exact: true }).click()
    const reply = replyOf('detectAddress')
    await reply.getByRole('button', { name: 'Copy: Reply' }).click()
    await reply.getByText('Copied.').waitFor()
    expect(await copied()).toBe(answered.body)
    expect(await reply.textContent()).toContain(LONG)
  })

  test('example results get their colours when they come into view, and no other text', async () => {
    await open('/api/v2/', whole)
    const last = page.locator('article.method pre.data > code').last()
    const text = (await last.textContent()) ?? ''
    expect(await page.locator('.j-key').count()).toBeLessThan(500)
    expect(await last.locator('.j-key').count()).toBe(0)
    await last.scrollIntoViewIfNeeded()
    await last.locator('.j-key, .j-text, .j-value').first().waitFor()
    expect(await last.textContent()).toBe(text)
    expect(problems).toEqual([])
  })

  test('samples name the address the page came from', async () => {
    await open('/')
    expect(await page.locator('main').textContent()).toContain(`curl '${server.url}/jsonRPC'`)
  })

  test('by keyboard alone: open a form, write, send', async () => {
    await open('/api/v2/')
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content')
    await page.getByRole('button', { name: 'Try it: detectAddress' }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.type('X')
    await page.keyboard.press('Enter')
    await replyOf('detectAddress').getByText('200 OK').waitFor()
  })

  test.each(['/', '/api/v2/', '/api/v3/'])('%s fits a phone, in the light and in the dark', async (path) => {
    await page.setViewportSize({ width: 360, height: 740 })
    await page.emulateMedia({ colorScheme: 'light' })
    await open(path, whole)
    const clickAll = (name: RegExp) =>
      page.getByRole('button', { name }).evaluateAll((all) => {
        for (const button of all) (button as HTMLElement).click()
        return all.length
      })
    const forms = await clickAll(/^Try /)
    expect(await clickAll(/^Send$/)).toBe(forms)
    await expect.poll(() => page.getByText('Waiting for the reply').count()).toBe(0)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
    }
    expect(problems.filter((one) => !one.includes('status of'))).toEqual([])
  })

  test('every input has a label', async () => {
    await open('/api/v2/', whole)
    await openForm('mixed')
    const bare = await page
      .locator('input, select, textarea')
      .evaluateAll((all) => all.filter((one) => (one as HTMLInputElement).labels?.length !== 1).map((one) => one.id))
    expect(bare).toEqual([])
  })

  test('without a script everything can be read', async () => {
    await page.route('**/*.js', (route) => route.abort())
    await page.goto(`${server.url}/api/v2/`)
    const text = await page.locator('body').textContent()
    expect(text).toContain('detectAddress')
    expect(text).toContain('Ratelimit exceeded')
    expect(await page.getByLabel('Filter methods').isVisible()).toBe(false)
  })
}

if (executable) describe('in a browser', inBrowser(executable))
else test('says that there is no browser', reportNoBrowser)
