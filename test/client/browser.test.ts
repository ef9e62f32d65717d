// The client in a real page: its bundle on one origin, the service on another.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findChromium, launchChromium, reportNoBrowser } from '../setup/chromium.ts'
import { type InPage, startPages } from '../setup/clientPage.ts'
import { type StubApi, type StubService, startStub } from './stubService.ts'

const inPages = (executable: string) => () => {
  const running: AsyncDisposable[] = []
  let stub: StubService
  let page: Page

  beforeAll(async () => {
    stub = await startStub()
    running.unshift(stub)
    const pages = await startPages()
    running.unshift(pages)
    const browser = await launchChromium(executable)
    running.unshift(browser)
    page = await browser.context.newPage()
    await page.goto(pages.url)
  })
  afterAll(async () => {
    for (const one of running) await one[Symbol.asyncDispose]()
  })

  test('a call', async () => {
    const result = await page.evaluate(async (url) => {
      const { createClient } = (globalThis as unknown as InPage).client
      return createClient<StubApi>({ url, apiKey: 'a key' }).echo({ value: 'from a page' })
    }, stub.url)
    expect(result).toEqual({ value: 'from a page' })
    expect(stub.messages.at(-1)?.headers).toMatchObject({ 'x-api-key': 'a key', origin: new URL(page.url()).origin })
  })

  test('a batch of 50 is one request', async () => {
    const before = stub.messages.length
    const result = await page.evaluate(async (url) => {
      const client = (globalThis as unknown as InPage).client.createClient<StubApi>({ url })
      return Promise.all(Array.from({ length: 50 }, (_, a) => client.math.add({ a, b: 1 })))
    }, stub.url)
    expect(result).toEqual(Array.from({ length: 50 }, (_, a) => ({ sum: a + 1 })))
    expect(stub.messages.slice(before).map(({ items }) => items.length)).toEqual([50])
  })

  test('calls of a page in the background, whose timers rest, are sent all the same', async () => {
    const result = await page.evaluate(async (url) => {
      const { createClient } = (globalThis as unknown as InPage).client
      const { setTimeout } = globalThis
      Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
      Object.assign(globalThis, { setTimeout: () => 0 })
      try {
        const clients = [undefined, 50].map((waitMs) => createClient<StubApi>({ url, batch: { waitMs } }))
        const calls = clients.flatMap((client) => [client.echo({ value: 1 }), client.math.add({ a: 1, b: 2 })])
        return await Promise.all(calls)
      } finally {
        Object.assign(globalThis, { setTimeout })
        Reflect.deleteProperty(document, 'visibilityState')
      }
    }, stub.url)
    expect(result).toEqual([{ value: 1 }, { sum: 3 }, { value: 1 }, { sum: 3 }])
    expect(stub.messages.slice(-2).map(({ items }) => items.length)).toEqual([2, 2])
  })

  test('an answer that unpacks to more than one may have is not read, though the page sees only its packed length', async () => {
    const packed = gzipSync(Buffer.alloc(160 << 20, ' '))
    const server = createServer((request, response) => {
      request.resume()
      response.writeHead(200, {
        'access-control-allow-origin': '*',
        'access-control-allow-headers': 'content-type',
        'content-type': 'application/json',
        'content-encoding': 'gzip',
        'content-length': packed.length,
      })
      response.end(request.method === 'POST' ? packed : '')
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    running.unshift({ [Symbol.asyncDispose]: async () => void server.close() })
    // The cast: it listens on a port.
    const { port } = server.address() as AddressInfo
    const said = await page.evaluate(async (url) => {
      const { createClient } = (globalThis as unknown as InPage).client
      return await createClient<StubApi>({ url, timeoutMs: 0 })
        .echo({})
        .catch((error) => String(error))
    }, `http://127.0.0.1:${port}`)
    expect(said).toMatch(/an answer of more than 134217728 bytes/)
  })

  test('an error', async () => {
    const result = await page.evaluate(async (url) => {
      const { createClient, isRpcError } = (globalThis as unknown as InPage).client
      try {
        return await createClient<StubApi>({ url }).refused({ kind: 'notFound' })
      } catch (error) {
        return isRpcError(error) && { kind: error.kind, message: error.message }
      }
    }, stub.url)
    expect(result).toEqual({ kind: 'notFound', message: 'refused: Not found (notFound)' })
  })

  test('an abort ends the request', async () => {
    const before = { messages: stub.messages.length, abandoned: stub.abandoned() }
    stub.script.push(() => 'hang')
    const result = page.evaluate(async (url) => {
      const client = (globalThis as unknown as InPage).client.createClient<StubApi>({ url })
      const stop = new AbortController()
      Object.assign(globalThis, { stop })
      return client.echo({}, { signal: stop.signal }).catch((error: Error) => error.name)
    }, stub.url)
    await expect.poll(() => stub.messages.length).toBe(before.messages + 1)
    await page.evaluate(() => (globalThis as unknown as { stop: AbortController }).stop.abort())
    expect(await result).toBe('AbortError')
    await expect.poll(stub.abandoned).toBe(before.abandoned + 1)
  })

  test('a socket', async () => {
    const result = await page.evaluate(async (url) => {
      const { client, ws } = globalThis as unknown as InPage
      const transport = ws.webSocketTransport({ url, apiKey: 'a key' })
      const { echo, math } = client.createClient<StubApi>({ transport })
      const results = await Promise.all([echo({ value: 1 }), math.add({ a: 1, b: 2 })])
      transport.close()
      return results
    }, stub.url)
    expect(result).toEqual([{ value: 1 }, { sum: 3 }])
    expect(stub.messages.at(-1)).toMatchObject({ via: 'ws', isBatch: true, url: '/jsonRPC?api_key=a+key' })
    await expect.poll(() => stub.sockets.size).toBe(0)
  })
}

const executable = findChromium()
if (executable) describe('in a page of another origin', inPages(executable))
else test('says that there is no browser', reportNoBrowser)
