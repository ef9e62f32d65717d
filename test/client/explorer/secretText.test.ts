// The secret of a wallet in the search box: it is refused at once, and nothing keeps it.

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isSecret } from '../../../shared/explorer/secretText.ts'
import { client, inBrowser, open, page, problems, serveIndexed, service } from '../../setup/explorerScene.ts'

const WORDS = 'abandon ability able about above absent absorb abstract absurd abuse access accident'
const BYTES_64 = Uint8Array.from({ length: 64 }, (_, at) => (at * 37 + 11) % 256)
const HEX_KEY = Buffer.from(BYTES_64).toString('hex')
const SEED = HEX_KEY.slice(0, 64)
const FRIENDLY = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N'

describe('secrets', () => {
  test.each([
    WORDS,
    `${WORDS} ${WORDS}`,
    `My words: ${WORDS.toUpperCase()}.`,
    WORDS.split(' ').join('\n'),
    WORDS.split(' ')
      .map((word, at) => `${at + 1}. ${word}`)
      .join('\n'),
    JSON.stringify(WORDS.split(' ')),
    JSON.stringify({ mnemonic: WORDS }),
    HEX_KEY,
    `0x${HEX_KEY.toUpperCase()}`,
    Buffer.from(BYTES_64).toString('base64'),
    Buffer.from(BYTES_64).toString('base64url'),
    `Private key: ${SEED}`,
    `{"secretKey":"${SEED}"}`,
  ])('%s', (text) => expect(isSecret(text)).toBe(true))

  test.each([
    '',
    WORDS.split(' ').slice(1).join(' '),
    'the best of all tokens on the open network is a token that you can send to me',
    'тонкий кошелёк собирает слова одно другое третье слово четыре пять шесть семь восемь девять',
    SEED,
    `${SEED} ${SEED}`,
    `(-1,8000000000000000,17):${SEED}:${SEED}`,
    FRIENDLY,
    `https://tonviewer.com/${FRIENDLY}`,
    `https://explorer.toncoin.org/transaction?account=${FRIENDLY}&lt=4&hash=jSE%2FgBnDgZOD8XG6nWYYvhoxQWQIMwI1S%2F8vyRJFu4A%3D`,
    `{"type":"block","name":"short","state":"active","code":"none","kind":"plain","from":"here","hash":"${SEED}"}`,
    `te6c${'A'.repeat(82)}==`,
    `te6c${'abc1'.repeat(20)}`,
    `b5ee9c72${'0'.repeat(120)}`,
  ])('are not: %s', (text) => expect(isSecret(text)).toBe(false))

  test('are not 200 kB of anything', () => {
    for (const text of ['a', '1', 'word word word 1 ', 'ab.cd-', '='])
      expect(isSecret(text.repeat(1 + 200_000 / text.length))).toBe(text.startsWith('word'))
    expect(isSecret(`${'word '.repeat(5)}${'1'.repeat(200_000)}`)).toBe(false)
  })
})

inBrowser(serveIndexed, () => {
  let sent: string[]

  beforeEach(() => {
    sent = []
    page.on('request', (request) => sent.push(`${decodeURIComponent(request.url())} ${request.postData() ?? ''}`))
  })
  afterEach(() => expect(problems).toEqual([]))

  const box = () => page.locator('#q')
  const refusal = () => page.getByText('This looks like the secret words or the private key of a wallet')
  const mnemonicOf = async (wanted: string) =>
    (await client.dev.state()).accounts.find(({ name }) => name === wanted)?.mnemonic ?? ''
  /** Steps of the history, and what the browser stores. */
  const kept = async () => {
    const stored = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage, history.state]))
    return `${decodeURIComponent(page.url()).replaceAll('+', ' ')} ${stored}`
  }
  const steps = () => page.evaluate(() => history.length)
  const expectNothing = async (secret: string, before: number) => {
    for (const text of [await kept(), ...sent]) expect(text.replaceAll('+', ' ')).not.toContain(secret)
    expect(await steps()).toBe(before)
  }

  test('is refused as soon as it is pasted, and taken out of the box', async () => {
    const words = await mnemonicOf('wallet3')
    for (const secret of [words, words.split(' ').slice(0, 12).join(' '), HEX_KEY]) {
      await open('/')
      const before = await steps()
      await box().focus()
      await page.locator('#q[role="combobox"]').waitFor()
      await page.keyboard.insertText(secret)
      await refusal().waitFor()
      expect(await box().inputValue()).toBe('')
      // Often pressed with the paste: the reason stays.
      await box().press('Enter')
      expect(await refusal().isVisible()).toBe(true)
      // What is typed next is searched for as ever.
      await box().fill('wallet4')
      await page
        .getByRole('option', { name: /wallet4/ })
        .first()
        .waitFor()
      await expectNothing(secret, before)
    }
  })

  test('is not searched for when Enter comes before the script of the box', async () => {
    const words = await mnemonicOf('wallet3')
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(/\/suggest-[^/]*\.js/, async (route) => {
      await released
      return route.continue()
    })
    await open('/')
    const before = await steps()
    await box().focus()
    await page.keyboard.insertText(words)
    await page.keyboard.press('Enter')
    release()
    await refusal().waitFor()
    expect(await box().inputValue()).toBe('')
    await expectNothing(words, before)
  })

  test('is not searched for when the script of the box is gone, as after an update; names and addresses are', async () => {
    const words = await mnemonicOf('wallet3')
    await page.route(/\/suggest-[^/]*\.js/, (route) => route.abort())
    await open('/')
    const before = await steps()
    for (const secret of [words, HEX_KEY]) {
      await box().fill(secret)
      await box().press('Enter')
      await page.locator('.toasts').getByText('did not load').last().waitFor()
      await expectNothing(secret, before)
    }
    await box().fill('wallet4')
    await box().press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Account wallet4' }).waitFor()
  })

  test('leaves the address it came with, and is not offered again', async () => {
    const words = await mnemonicOf('wallet3')
    await page.goto(`${service.url}/search?q=${encodeURIComponent(words)}`)
    await refusal().waitFor()
    await expect.poll(() => page.url()).toBe(`${service.url}/search`)
    expect(await kept()).not.toContain(words)
    expect(sent.filter((text) => text.includes('v3.search'))).toEqual([])
    await page.reload()
    await page.getByText('An address').first().waitFor()
    expect(await refusal().count()).toBe(0)
    await box().fill('wallet4')
    await box().press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Account wallet4' }).waitFor()
  })

  test('comes into no address where no script takes it from the box, and the reason is said', async () => {
    for (const [javaScriptEnabled, at] of [
      [false, '/'],
      [false, '/docs/'],
      [true, '/api/v3/'],
    ] as const) {
      await using context = await page.context().browser()?.newContext({ javaScriptEnabled })
      if (context === undefined) throw new Error('the browser is gone')
      const bare = await context.newPage()
      const addresses: string[] = []
      bare.on('request', (request) => addresses.push(request.url().replaceAll('+', ' ')))
      const searchFrom = async (text: string, to: string) => {
        await bare.goto(service.url + at)
        await bare.locator('#q').fill(text)
        await bare.locator('#q').press('Enter')
        await bare.waitForURL(service.url + to)
      }
      await searchFrom(WORDS, javaScriptEnabled ? '/search' : '/search?refused=')
      await expect.poll(() => bare.locator('body').innerText()).toContain('This looks like the secret words')
      expect(decodeURIComponent(addresses.join())).not.toContain('abandon')
      // Any other text can be shared as ever.
      await searchFrom('no such thing', '/search?q=no+such+thing')
    }
  })

  test('of 32 bytes is taken for a hash, and only one that something has is offered again', async () => {
    const [newest] = (await client.v3.transactions({ limit: 1 })).transactions
    const hex = Buffer.from(newest?.hash ?? '', 'base64').toString('hex')
    for (const hash of [SEED, hex]) {
      await page.goto(`${service.url}/search?q=${hash}`)
      await page.waitForURL((url) => url.pathname.endsWith(`/${hash}`))
      await expect.poll(() => page.locator('.waiting').count()).toBe(0)
    }
    const stored = await kept()
    expect(stored).toContain(hex)
    expect(stored.replace(page.url(), '')).not.toContain(SEED)
  })
})
