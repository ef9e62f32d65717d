// Every form of the reference pages on a new demo chain, in a real browser: what stands in it when it opens gets an answer.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Browser, findChromium, launchChromium, reportNoBrowser } from '../../setup/chromium.ts'
import { servePlayed } from '../../setup/playedDemo.ts'
import type { TestService } from '../../setup/service.ts'

/** What a new chain has none of, and says so: messages on their way, libraries, and ABIs. */
const NOTHING_THERE: Readonly<Record<string, string>> = {
  'v3.pendingActions': '"actions": []',
  'v3.pendingTraces': '"traces": []',
  'v3.pendingTransactions': 'emulated traces not found',
  getLibraries: '"result": []',
  'v3.abis': '"abis": []',
}

interface Pressed {
  readonly name: string
  readonly status: string
  readonly reply: string
}

/**
 * Presses in the page, one form after the other: a pointer of the driver lays out the whole page for each step. Pointers
 * and keys are tried on single forms in `pages.test.ts`.
 */
async function pressEach(): Promise<readonly Pressed[]> {
  const pressed: Pressed[] = []
  for (const article of document.querySelectorAll('article.method')) {
    const name = article.id.replace('method-', '')
    const find = (text: string) => [...article.querySelectorAll('button')].find((one) => one.textContent === text)
    const press = (text: string) => {
      const button = find(text)
      if (!button?.checkVisibility()) throw new Error(`${name}: no button "${text}" can be seen`)
      button.click()
    }
    const answered = () => article.querySelector('.reply .status strong, .reply .status.bad')
    const shown = () =>
      new Promise<string>((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`${name}: no answer`)), 120_000)
        const observer = new MutationObserver(() => look())
        const look = () => {
          const status = answered()
          if (status === null) return
          observer.disconnect()
          clearTimeout(timer)
          resolve(status.textContent)
        }
        observer.observe(article, { childList: true, subtree: true })
        look()
      })
    press('Try it')
    press('Send')
    if (find('Send it')) press('Send it')
    const status = await shown()
    pressed.push({ name, status, reply: article.querySelector('.reply pre')?.textContent ?? '' })
  }
  return pressed
}

const executable = findChromium()

const inBrowser = (path: string) => () => {
  let browser: Browser
  let service: TestService

  beforeAll(async () => {
    browser = await launchChromium(path)
    service = await servePlayed()
  })
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]()
    await service?.[Symbol.asyncDispose]()
  })

  async function pressAll(version: 'v2' | 'v3'): Promise<readonly Pressed[]> {
    const page = await browser.context.newPage()
    await page.goto(`${service.url}/api/${version}/`)
    const pressed = await page.evaluate(pressEach)
    await page.close()
    return pressed
  }

  async function wrongOf(version: 'v2' | 'v3'): Promise<readonly string[]> {
    const wrong: string[] = []
    for (const { name, status, reply } of await pressAll(version)) {
      const expected = NOTHING_THERE[name]
      if (expected !== undefined) {
        if (!reply.includes(expected)) wrong.push(`${name}: ${reply.slice(0, 300)}`)
        continue
      }
      // Of v2 some replies are longer than what is shown.
      const body: unknown = status.startsWith('200') && version === 'v3' ? JSON.parse(reply) : null
      const isList = typeof body === 'object' && body !== null && !name.endsWith('Fee')
      const [list] = isList ? Object.values(body).filter(Array.isArray) : []
      const isEmpty = JSON.stringify(body) === '{}' || (list !== undefined && list.length === 0)
      if (!status.startsWith('200') || isEmpty) wrong.push(`${name}: ${status} ${reply.slice(0, 300)}`)
    }
    return wrong
  }

  test.each(['v3', 'v2'] as const)('%s', { timeout: 900_000 }, async (version) => {
    // A page waits three seconds for its examples, which is short on a busy machine: another one has another chance.
    await expect.poll(() => wrongOf(version), { timeout: 800_000 }).toEqual([])
  })
}

if (executable) describe('in a browser, every form has an answer:', inBrowser(executable))
else test('says that there is no browser', reportNoBrowser)
