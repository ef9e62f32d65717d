// The client against the running service: from Node, and from a page of another origin.

import { describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createClient, isRpcError } from '../../client/index.ts'
import { webSocketTransport } from '../../client/ws.ts'
import { registry } from '../../shared/registry.ts'
import { findChromium, launchChromium, reportNoBrowser } from '../setup/chromium.ts'
import { type InPage, startPages } from '../setup/clientPage.ts'
import { serve } from '../setup/service.ts'
import { openWallet } from '../setup/streams.ts'

/** For a call on a busy machine. */
const PATIENCE_MS = 300_000
const RAW = '0:83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8'
const FRIENDLY = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N'
const { packAddress, detectHash } = registry

/** Addresses that differ, so that none of their calls is merged with another. */
const addressOf = (i: number): string => `0:${i.toString(16).padStart(64, '0')}`

test('default: every kind of call, in one batch', async () => {
  await using service = await serve()
  const client = createClient({ url: service.url, timeoutMs: PATIENCE_MS })
  const [packed, hash, detected, document] = await Promise.all([
    client.packAddress(packAddress.example.params),
    client.detectHash(detectHash.example.params),
    client.detectAddress({ address: RAW }),
    client.rpc.discover(),
  ])
  expect(packed).toBe(FRIENDLY)
  expect(hash).toEqual(detectHash.example.result)
  expect(detected.given_type).toBe('raw_form')
  expect(document.methods.map(({ name }) => name)).toContain('packAddress')
})

test('behavior: more calls than fit one batch come back whole', async () => {
  await using service = await serve({ config: { batchItems: 40 } })
  const client = createClient({ url: service.url, timeoutMs: PATIENCE_MS })
  const results = await Promise.all(
    Array.from({ length: 250 }, (_, i) => client.unpackAddress({ address: addressOf(i) })),
  )
  expect(results).toEqual(Array.from({ length: 250 }, (_, i) => addressOf(i).toUpperCase()))
})

test('error: a bad parameter is reported with its name, and the rest of the batch is well', async () => {
  await using service = await serve()
  const client = createClient({ url: service.url, timeoutMs: PATIENCE_MS })
  const [bad, good] = await Promise.allSettled([
    client.packAddress({ address: 'nonsense' }),
    client.packAddress({ address: RAW }),
  ])
  expect(good).toMatchObject({ value: FRIENDLY })
  const reason = bad.status === 'rejected' ? bad.reason : null
  expect(isRpcError(reason) && [reason.kind, reason.code, reason.data?.param]).toEqual([
    'invalidParams',
    -32602,
    'address',
  ])
})

test('behavior: a plan too small for the batch is waited out', async () => {
  await using service = await serve({ config: { limits: 'on' } })
  const { key } = await service.newKey({ plan: 'custom', perSecond: 5 })
  const client = createClient({ url: service.url, apiKey: key, timeoutMs: PATIENCE_MS })
  const results = await Promise.all(
    Array.from({ length: 8 }, (_, i) => client.unpackAddress({ address: addressOf(i) })),
  )
  expect(results).toHaveLength(8)
})

test('error: a key that was never issued', async () => {
  await using service = await serve()
  const client = createClient({ url: service.url, apiKey: 'unknown', timeoutMs: PATIENCE_MS })
  await expect(client.packAddress({ address: RAW })).rejects.toMatchObject({ kind: 'unauthorized', status: 401 })
})

test('behavior: the same over a socket', async () => {
  await using service = await serve({ config: { limits: 'on' } })
  const { key } = await service.newKey({ plan: 'advanced' })
  const transport = webSocketTransport({ url: service.url, apiKey: key, WebSocket })
  const client = createClient({ transport, timeoutMs: PATIENCE_MS })
  const results = await Promise.all(
    Array.from({ length: 50 }, (_, i) => client.unpackAddress({ address: addressOf(i) })),
  )
  expect(results[49]).toBe(addressOf(49).toUpperCase())
  await expect(client.packAddress({ address: '' })).rejects.toMatchObject({ kind: 'invalidParams' })
  transport.close()
})

const inBrowser = (executable: string) => () => {
  test('calls, a batch of 100, an error with its limit, and a socket', async () => {
    // Time stands still, so that no budget fills up between two calls of a batch.
    await using service = await serve({ now: () => 1_000_000, config: { limits: 'on' } })
    const { key } = await service.newKey({ plan: 'custom', perSecond: 1000 })
    await using pages = await startPages()
    await using browser = await launchChromium(executable)
    const page = await browser.context.newPage()
    const complaints: string[] = []
    page.on('pageerror', (error) => complaints.push(error.message))
    await page.goto(pages.url)
    const seen = await page.evaluate(
      async ({ url, key, raw }) => {
        const { client: http, ws } = globalThis as unknown as InPage
        const client = http.createClient({ url, apiKey: key, timeoutMs: 300_000 })
        const one = await client.packAddress({ address: raw })
        const addresses = Array.from({ length: 100 }, (_, i) => `0:${i.toString(16).padStart(64, '0')}`)
        const batch = await Promise.all(addresses.map((address) => client.unpackAddress({ address })))
        const error = await client.packAddress({ address: 'x' }).catch((e: unknown) => http.isRpcError(e) && e.kind)
        const keyless = http.createClient({ url, retry: false, timeoutMs: 300_000 })
        const limited = await Promise.allSettled(
          addresses.slice(0, 3).map((address) => keyless.unpackAddress({ address })),
        )
        const transport = ws.webSocketTransport({ url, apiKey: key })
        const overSocket = await http.createClient({ transport, timeoutMs: 300_000 }).packAddress({ address: raw })
        transport.close()
        const refused = limited.flatMap((each) =>
          each.status === 'rejected' && http.isRpcError(each.reason) ? [each.reason.data?.retryAfter] : [],
        )
        return { one, batch: batch.length, last: batch[99], error, refused, overSocket }
      },
      { url: service.url, key, raw: RAW },
    )
    expect(seen).toEqual({
      one: FRIENDLY,
      batch: 100,
      last: addressOf(99).toUpperCase(),
      error: 'invalidParams',
      refused: [1, expect.any(Number)],
      overSocket: FRIENDLY,
    })
    expect(complaints).toEqual([])
    expect(new URL(page.url()).origin).not.toBe(service.url)
  })

  test('a stream, by the client and by a fetch of its own, with every letter', async () => {
    await using service = await serve({ withIndex: true, config: { mining: 'manual' } })
    const wallet = await openWallet(service)
    const receiver = `0:${'AB'.repeat(32)}`
    await using pages = await startPages()
    await using browser = await launchChromium(executable)
    const page = await browser.context.newPage()
    await page.goto(pages.url)
    const seen = page.evaluate(
      async ({ url, address }) => {
        const wish = { types: ['actions'], addresses: [address] } as const
        const body = JSON.stringify(wish)
        const reply = await fetch(`${url}/api/streaming/v2/sse`, { method: 'POST', body })
        const texts = reply.body?.pipeThrough(new TextDecoderStream()).getReader()
        let raw = ''
        const reading = (async () => {
          while (!raw.includes('"cursor"')) raw += (await texts?.read())?.value ?? ''
        })()
        const { client: http, ws } = globalThis as unknown as InPage
        const own = http.createClient({ url, stream: ws.stream })
        for await (const one of own.stream(wish)) {
          await reading
          return { one, raw }
        }
        return null
      },
      { url: service.url, address: receiver },
    )
    let isSeen = false
    void seen.finally(() => {
      isSeen = true
    })
    while (!isSeen) {
      await wallet.send(receiver, { comment: 'ünï 🌍' })
      await wallet.mine()
    }
    const { one, raw } = (await seen) ?? {}
    expect(one?.actions).toMatchObject([{ type: 'ton_transfer', details: { comment: 'ünï 🌍' } }])
    // A busy machine may need longer for the first one than a stream is silent.
    expect(raw?.replaceAll(': keepalive\n\n', '')).toMatch(
      /^event: connected\ndata: {"status":"subscribed"}\n\nid: \w+\nevent: event\ndata: {"type":"actions"/,
    )
    expect(raw).toContain('ünï 🌍')
  })
}

const executable = findChromium()
if (executable) describe('in a page of another origin', inBrowser(executable))
else test('says that there is no browser', reportNoBrowser)
