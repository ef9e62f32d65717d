// Pages of the explorer whose results are late, as browsers, browsers without scripts and previews in chats get them.

import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import type { Docs } from '../../../../server/docs/index.ts'
import { shellPage } from '../../../../server/docs/pages/shell.ts'
import type { HttpExchange } from '../../../../server/http/exchange/exchange.ts'
import { createExplorer } from '../../../../server/http/pages/explorer.ts'
import type { Dispatch } from '../../../../server/methods/index.ts'

const ADDRESS = `0:${'AB'.repeat(32)}`
const STATE = { address: ADDRESS, balance: '1500000000', status: 'active', interfaces: [] }
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
const FACT = '<dt>Balance</dt><dd>1.5 TON</dd>'

/** A service whose results come when `answer` is called. */
function lateService() {
  let answer = (): void => undefined
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  const files = { styles: 's.css', script: 's.js', worker: 'w.js', pages: {}, parts: {} }
  const facts = { title: 'tonrpc', network: 'devnet', versions: { v2: '2', v3: '3' } }
  // The casts: nothing else of these is read or called.
  const shell = ((page) => shellPage(page, files as never, facts as never)) as Docs['shell']
  const explorer = createExplorer({
    network: 'devnet',
    publicUrl: null,
    plugin: null,
    pictures: false,
    limits: { pageMs: 1, pageCallsMs: 60_000 },
    docs: { shell } as Docs,
    dispatch: {
      run: async () => {
        await answered
        return { json: JSON.stringify({ accounts: [STATE] }), isCached: false }
      },
    } as unknown as Dispatch,
    whyNoControl: () => null,
    callerOf: () => ({ subject: 'someone', keyId: null, tier: null }),
    documentAt: async () => null,
  })
  const page = (agent: string, query = 'tab=tokens') => {
    const headers = { accept: 'text/html', 'user-agent': agent }
    const req = { method: 'GET', headers } as unknown as IncomingMessage
    return explorer.page({ req, path: `/address/${ADDRESS}`, query, requestId: 'r1' } as unknown as HttpExchange)
  }
  return { page, answer }
}

test('a browser has its page at once; without scripts it goes on to one that waits, once', async () => {
  const { page, answer } = lateService()
  const early = (await page(BROWSER)) ?? ''
  expect(early).not.toContain(FACT)
  const [, url = ''] = /<noscript><meta http-equiv="refresh" content="0;url=\?([^"]+)"><\/noscript>/.exec(early) ?? []
  const query = url.replaceAll('&amp;', '&')
  expect([...new URLSearchParams(query)]).toEqual([
    ['tab', 'tokens'],
    ['scripts', 'off'],
  ])
  const whole = page(BROWSER, query)
  answer()
  expect(await whole).toContain(FACT)
  expect(await whole).not.toContain('http-equiv')
})

test.each([
  'curl/8.5.0',
  '',
  'TelegramBot (like TwitterBot)',
  'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
  'Mozilla/5.0 (Linux; Android 6.0.1) AppleWebKit/537.36 Chrome/140 Mobile Safari/537.36 (compatible; Googlebot/2.1)',
])('%j has the facts with its first request', async (agent) => {
  const { page, answer } = lateService()
  const whole = page(agent)
  setTimeout(answer, 20)
  expect(await whole).toContain(FACT)
  expect(await whole).toContain('og:title" content="1.5 TON, active')
})
