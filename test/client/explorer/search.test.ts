// The search box while a person types: what a text is, descriptions of contracts by name, and garbage.

import { afterEach, beforeEach, expect, test } from 'vitest'
import { parseAddress, toFriendly } from '../../../shared/address.ts'
import { client, inBrowser, open, page, problems, serveIndexed, service } from '../../setup/explorerScene.ts'
import { makeToken } from '../../setup/madeToken.ts'
import { mockReplies } from '../../setup/mockedReplies.ts'

const HEX = 'ab'.repeat(32)
const BAG = 'te6cckEBAQEADAAAFAAAAABIZWxsbyGVgYQo'

const GARBAGE: readonly (readonly [what: string, text: string])[] = [
  ['letters', 'a'.repeat(10_000)],
  ['digits', '7'.repeat(10_000)],
  ['dots', 'a.'.repeat(5_000)],
  ['a raw address without end', `-1:${'f'.repeat(9_997)}`],
  ['a bag without end', `te6c${'A'.repeat(9_996)}`],
  ['marks', `x${'\u0301'.repeat(9_999)}`],
  ['other scripts', '漢𝒳🙂\u202e'.repeat(1_600)],
]

inBrowser(serveIndexed, () => {
  let requests: string[]

  beforeEach(async () => {
    requests = []
    page.on('request', (request) => requests.push(request.postData() ?? ''))
    await page.goto(service.url)
    await box().focus()
    await page.locator('#q[role="combobox"]').waitFor()
  })
  afterEach(() => expect(problems).toEqual([]))

  const box = () => page.locator('#q')
  const words = () => page.locator('.suggestions .note').first()

  /** They come when the function that it returns is called. */
  const holdReplies = async (): Promise<() => void> => {
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/jsonRPC', async (route) => {
      await released
      await route.continue()
    })
    return () => release()
  }

  test('says what a text is while it is typed, before anything is requested', async () => {
    const { accounts } = await client.dev.state()
    const { friendly = '' } = accounts.find(({ name }) => name === 'wallet4') ?? {}
    const damaged = `${friendly.slice(0, -1)}${friendly.endsWith('A') ? 'B' : 'A'}`
    const said: readonly (readonly [text: string, words: RegExp])[] = [
      [friendly, /^This is an address of test networks, not bounceable\.$/],
      [`"${friendly}"`, /^This is an address of test networks, not bounceable\.$/],
      [`https://testnet.tonviewer.com/${friendly}`, /^This is an address of test networks, not bounceable\.$/],
      [`0:${HEX}`, /^This is an address of devnet, in its raw form\.$/],
      ['Wallet4', /^Wallet4 is an account of devnet\.$/],
      [HEX, /^This is a hash:/],
      ['352', /^This may be masterchain block 352\.$/],
      ['(0,8000000000000000,17)', /^This is the id of a block\.$/],
      ['alice.ton', /^This is a domain\.$/],
      ['0x7e8764EF', /^This is an opcode: 0x7e8764ef\.$/],
      [BAG, /^This is a bag of cells: 27 bytes\.$/],
      [damaged, /checksum|mistyped|not/i],
    ]
    // Replies come later than all of it.
    const release = await holdReplies()
    for (const [text, expected] of said) {
      await box().fill(text)
      await expect.poll(() => words().textContent(), { message: text }).toMatch(expected)
    }
    await box().fill('bean')
    await expect.poll(() => words().count()).toBe(0)
    release()
  })

  test('that nothing was found is not said of the next text', async () => {
    await box().fill('zzzz')
    const note = page.locator('.suggestions .note')
    await note.waitFor()
    const release = await holdReplies()
    await box().fill('wall')
    expect(await note.count()).toBe(0)
    release()
    await page.getByRole('option').first().waitFor()
  })

  test('nor is it when the reply comes while the next text is typed', async () => {
    const held: (() => void)[] = []
    await page.route('**/jsonRPC', async (route) => {
      if (route.request().postData()?.includes('zzzz')) await new Promise<void>((release) => held.push(release))
      await route.continue()
    })
    await box().fill('zzzz')
    await expect.poll(() => held.length).toBe(1)
    // In one step: the search for the next text begins a moment after it was typed.
    const late = page.waitForResponse((reply) => reply.request().postData()?.includes('zzzz') ?? false)
    await page.evaluate(() => {
      const notes: string[] = []
      Object.assign(globalThis, { notes })
      const look = () =>
        notes.push(...[...document.querySelectorAll('.suggestions .note')].map((one) => `${one.textContent}`))
      const box = document.querySelector<HTMLInputElement>('#q')
      if (box !== null) box.value = 'wall'
      box?.dispatchEvent(new InputEvent('input', { bubbles: true }))
      look()
      new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true })
    })
    held[0]?.()
    await late
    await page.getByRole('option').first().waitFor()
    expect(await page.evaluate('notes')).toEqual([])
  })

  test('finds contracts by the name of their ABI, and the way leads to those with the code', async () => {
    const { accounts } = await client.dev.state()
    const { address = '' } = accounts.find(({ name }) => name === 'wallet3') ?? {}
    const codeHash = async () =>
      (await client.v3.accountStates({ address: [address], include_boc: false })).accounts[0]?.code_hash ?? ''
    // The index may not have come to it yet.
    await expect.poll(codeHash).not.toBe('')
    const hash = await codeHash()
    const abi = { name: '<b>Till</b> of Ann', types: [{ name: 'Pay', header: 7, fields: [] }] }
    await client.dev.setAbi({ code_hash: hash, abi: JSON.stringify(abi) })
    await page.reload()
    await box().fill('of ann')
    await page.getByRole('option', { name: 'ABI <b>Till</b> of Ann' }).waitFor()
    await box().press('Enter')
    const hit = page.locator('#main .hits a', { hasText: '<b>Till</b> of Ann' })
    await hit.click()
    await expect.poll(() => page.url()).toContain(Buffer.from(hash, 'base64').toString('hex'))
    await page.locator('#main .hits a').first().waitFor()
    await page.goto(`${service.url}/search?q=no+such+contract`)
    await page.locator('.empty').waitFor()
    expect(await page.locator('#main .hits a').count()).toBe(0)
  })

  test('an address without its middle is named as one, and leads to accounts that are known by it', async () => {
    const { accounts } = await client.dev.state()
    const { address = '' } = accounts.find(({ name }) => name === 'wallet4') ?? {}
    const { workchain, hash } = parseAddress(address) ?? { workchain: 0, hash: new Uint8Array(32) }
    for (const bounceable of [true, false])
      for (const testOnly of [true, false]) {
        const friendly = toFriendly({ workchain, hash, bounceable, testOnly })
        await box().fill(`${friendly.slice(0, 4)}…${friendly.slice(-4)}`)
        await page.getByRole('option', { name: /wallet4/ }).waitFor()
        expect(await words().textContent()).toMatch(/^The middle of this address is left out/)
      }
    await box().fill(`${address.slice(0, 6)}...${address.slice(-4)}`)
    await page.getByRole('option', { name: /wallet4/ }).waitFor()
    await box().press('Enter')
    // Another account may begin and end alike: it is not opened by itself.
    await page.locator('#main .hits a', { hasText: 'wallet4' }).waitFor()
    await page.locator('#main').getByText('The middle of this address is left out').waitFor()
    await page.goto(`${service.url}/search?q=EQAb…wxyz`)
    await page.locator('#main .empty').getByText('The middle of this address is left out').waitFor()
  })

  test('after a search, keys and readers of the screen begin at the page it led to', async () => {
    const placeOfFocus = () => page.evaluate(() => document.activeElement?.id)
    await box().fill('elector')
    await box().press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Account elector' }).waitFor()
    await expect.poll(placeOfFocus).toBe('main')
    await box().fill('wallet4')
    await page
      .getByRole('option', { name: /wallet4/ })
      .first()
      .waitFor()
    await box().press('ArrowDown')
    await box().press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Account wallet4' }).waitFor()
    await expect.poll(placeOfFocus).toBe('main')
    // What one was searched for, as by a link of a stranger, is offered without what turns text.
    await page.goto(`${service.url}/search?q=${encodeURIComponent('bean\u202ehc')}`)
    await page.locator('.empty').waitFor()
    // Kept a moment after the page is drawn.
    await expect.poll(() => page.evaluate(() => JSON.stringify(localStorage))).toContain('bean')
    await box().focus()
    await page.getByRole('option', { name: 'Searched beanhc' }).waitFor()
  })

  test.each([
    ['no such thing', 'Search: no such thing'],
    ['<img src=x onerror=alert(1)>', 'Search: <img src=x onerror=alert(1)>'],
    ['n'.repeat(2_000), `Search: ${'n'.repeat(99)}…`],
    ['', 'Search'],
  ])('what was searched for is in the heading, as text: %s', async (text, heading) => {
    await page.goto(`${service.url}/search?q=${encodeURIComponent(text)}`)
    await expect.poll(() => page.locator('#main h1').textContent()).toBe(heading)
    expect(await page.locator('#main h1 img').count()).toBe(0)
  })

  test('what is behind a name of letters that go to the left stays behind it', async () => {
    const none = { hash: null, block: null, opcode: null }
    const jetton = {
      type: 'jetton',
      match: 'prefix',
      account: `0:${HEX}`,
      name: '\u05d3\u05de\u05d5',
      symbol: null,
    } as const
    await mockReplies(page, /\/search/, 'v3.search', (_, real) => ({
      ...real,
      results: [1, 2].map((holders) => ({ ...jetton, ...none, account: `${holders - 2}:${HEX}`, holders })),
    }))
    await page.goto(`${service.url}/search?q=name`)
    const hit = page.locator('#main .hit').first()
    await hit.waitFor()
    const endOf = (part: string) => hit.locator(part).evaluate((one) => one.getClientRects()[0]?.right ?? 0)
    const starts = await hit.locator('.quiet').evaluate((one) => one.getClientRects()[0]?.left ?? 0)
    expect(starts).toBeGreaterThanOrEqual(await endOf('b'))
  })

  test('of a text that is the name of a method it is not said that nothing is known under it', async () => {
    await page.goto(`${service.url}/search?q=getMasterchainInfo`)
    await page.getByRole('link', { name: 'getMasterchainInfo' }).waitFor()
    await expect.poll(() => page.locator('.waiting').count()).toBe(0)
    await page.waitForLoadState('networkidle')
    expect(await page.locator('#main').textContent()).not.toMatch(/Nothing|What can be searched/)
    await page.goto(`${service.url}/search?q=getMasterchainInf`)
    await page.getByText('What can be searched').waitFor()
  })

  test.each(['', 'invoice 77', '12345', '123456789012'])('how a payment is found by its comment: %s', async (text) => {
    await page.goto(`${service.url}/search?q=${encodeURIComponent(text)}`)
    await page.getByText('A payment is found at its sender or its receiver').waitFor()
  })

  test('a hash that nothing has opens its page, which may know more later', async () => {
    await page.goto(`${service.url}/search?q=${HEX}`)
    await page.waitForURL(`${service.url}/trace/${HEX}`)
    await expect.poll(() => page.locator('#main').textContent()).toContain('with this hash is in the index')
  })

  test.each(GARBAGE)('10 kB of garbage are refused in words, without a request: %s', async (_, text) => {
    const session = await page.context().newCDPSession(page)
    await session.send('Performance.enable')
    const scripted = async () =>
      (await session.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? 0
    const before = await scripted()
    await box().fill(text)
    await expect.poll(() => words().textContent()).toMatch(/too long|cut short|damaged|bag of cells/)
    // Backtracking would be minutes.
    expect((await scripted()) - before).toBeLessThan(30)
    await box().press('Enter')
    await page.locator('#main .empty, #main .trouble, #main [role="alert"]').first().waitFor()
    expect(requests.filter((body) => body.includes('v3.search'))).toEqual([])
    // The page goes on.
    await box().fill('wallet4')
    await page
      .getByRole('option', { name: /wallet4/ })
      .first()
      .waitFor()
  })

  test('a page that found nothing shows what a later block has', async () => {
    await open('/search?q=Latecom')
    await page.getByText('Nothing is known under').waitFor()
    await makeToken(client, { kind: 'jetton', content: { fields: { name: 'Latecomer', symbol: 'LATE' } } })
    const found = page.locator('.hits a', { hasText: 'Latecomer' })
    // Names are read after the block that has them.
    await expect.poll(async () => (await client.dev.mine({ blocks: 1 })) && found.count()).toBe(1)
  })
})
