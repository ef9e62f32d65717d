// Every form of the reference pages on a new demo chain, in a real browser: what stands in it when it opens gets an answer.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '../../../client/index.ts'
import { type Browser, findChromium, launchChromium, reportNoBrowser } from '../../setup/chromium.ts'
import { serve, type TestService } from '../../setup/service.ts'

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

const executable = findChromium()

const inBrowser = (path: string) => () => {
  let browser: Browser
  let service: TestService

  beforeAll(async () => {
    browser = await launchChromium(path)
    service = await serve({ withIndex: true, config: { seed: 'demo', callMs: 60_000 } })
    // What changes the chain waits for the end of the demo.
    const client = createClient({ url: service.url, timeoutMs: 120_000 })
    const { seqno } = await client.dev.mine({ blocks: 1 })
    for (let indexed = 0; indexed < seqno; ) indexed = (await client.v3.masterchainInfo()).last.seqno
  }, 300_000)
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]()
    await service?.[Symbol.asyncDispose]()
  })

  async function pressAll(version: 'v2' | 'v3'): Promise<readonly Pressed[]> {
    const page = await browser.context.newPage()
    await page.goto(`${service.url}/api/${version}/`)
    const pressed: Pressed[] = []
    for (const article of await page.locator('article.method').all()) {
      const name = (await article.getAttribute('id'))?.replace('method-', '') ?? ''
      await article.getByRole('button', { name: `Try it: ${name}`, exact: true }).click()
      await article.getByRole('button', { name: 'Send', exact: true }).click()
      const sure = article.getByRole('button', { name: 'Send it' })
      const status = article.locator('.reply .status strong, .reply .status.bad')
      await sure.or(status).first().waitFor({ timeout: 60_000 })
      if (await sure.isVisible()) await sure.click()
      await article.locator('.reply .status strong').waitFor({ timeout: 60_000 })
      const reply = (await article.locator('.reply pre').textContent()) ?? ''
      pressed.push({ name, status: (await status.first().textContent()) ?? '', reply })
    }
    await page.close()
    return pressed
  }

  test.each(['v3', 'v2'] as const)('%s', { timeout: 300_000 }, async (version) => {
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
    expect(wrong).toEqual([])
  })
}

if (executable) describe('in a browser, every form has an answer:', inBrowser(executable))
else test('says that there is no browser', reportNoBrowser)
