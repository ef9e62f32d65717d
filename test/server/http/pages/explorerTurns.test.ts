// Pages of the explorer that wait for the same results: each is written in a turn of its own.

import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import type { Docs } from '../../../../server/docs/index.ts'
import type { HttpExchange } from '../../../../server/http/exchange/exchange.ts'
import { createExplorer } from '../../../../server/http/pages/explorer.ts'
import type { Dispatch } from '../../../../server/methods/index.ts'

test('pages that have what they wait for at once are written one a turn', async () => {
  let answerAll = (): void => undefined
  const answered = new Promise<void>((resolve) => {
    answerAll = resolve
  })
  let written = 0
  const explorer = createExplorer({
    network: 'devnet',
    publicUrl: null,
    plugin: null,
    pictures: false,
    limits: { pageMs: 60_000, pageCallsMs: 60_000 },
    // The casts: nothing else of these is called.
    docs: { shell: () => `page ${written++}` } as unknown as Docs,
    dispatch: {
      run: async () => {
        await answered
        return { json: '{}', isCached: false }
      },
    } as unknown as Dispatch,
    whyNoControl: () => null,
    callerOf: () => ({ subject: 'someone', keyId: null, tier: null }),
    documentAt: async () => {
      await answered
      return { status: 200, text: 'text' }
    },
  })
  const req = { method: 'GET', headers: { accept: 'text/html' } } as unknown as IncomingMessage
  const exchange = { req, path: '/status', query: '', requestId: 'r1' } as unknown as HttpExchange
  const pages = Array.from({ length: 20 }, () => explorer.page(exchange))
  answerAll()
  const inTurns: number[] = []
  while (written < pages.length) {
    const before = written
    await new Promise((resolve) => setImmediate(resolve))
    inTurns.push(written - before)
  }
  expect((await Promise.all(pages)).at(-1)).toBe('page 19')
  expect(Math.max(...inTurns)).toBeLessThanOrEqual(2)
})
