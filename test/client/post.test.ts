import { describe, expect, test, vi } from 'vitest'
import { endpoint, shown } from '../../client/endpoint.ts'
import { postTransport } from '../../client/post.ts'
import { failure, perItem, raw, refuse, startStub, success } from './stubService.ts'

const request = (id: number) => ({ jsonrpc: '2.0', id, method: 'echo', params: { value: id } }) as const
const { signal } = new AbortController()

describe('endpoint', () => {
  test('args: url', () => {
    const found = (url: string) => endpoint(url).href
    expect(found('http://localhost:8081')).toBe('http://localhost:8081/jsonRPC')
    expect(found('http://localhost:8081/')).toBe('http://localhost:8081/jsonRPC')
    expect(found('http://localhost:8081/jsonRPC')).toBe('http://localhost:8081/jsonRPC')
    expect(found('http://localhost:8081/api/v2/jsonRPC/')).toBe('http://localhost:8081/api/v2/jsonRPC')
    expect(found('https://host/ton//')).toBe('https://host/ton/jsonRPC')
    expect(found('https://host/ton?x=1#part')).toBe('https://host/ton/jsonRPC?x=1')
  })

  test('error: no URL', () => {
    for (const url of ['', '/relative', 'http://']) expect(() => endpoint(url)).toThrow(TypeError)
  })

  test('error: a page that gives none, which is no path of the page', () => {
    vi.stubGlobal('location', { href: 'https://host/page' })
    try {
      expect(endpoint('/ton').href).toBe('https://host/ton/jsonRPC')
      const given = endpoint as unknown as (url: unknown) => URL
      for (const url of [undefined, null, 8081, {}]) expect(() => given(url)).toThrow('url must be an address such as')
    } finally {
      vi.unstubAllGlobals()
    }
  })

  test('behavior: a query is not shown', () => {
    expect(shown(endpoint('wss://host:1/?api_key=secret'))).toBe('wss://host:1/jsonRPC')
    expect(shown(endpoint('http://user:word@host/?k=secret'))).toBe('http://host/jsonRPC')
  })
})

describe('postTransport', () => {
  test('default: one request as an object, several as an array', async () => {
    await using stub = await startStub()
    const send = postTransport({ url: stub.url })
    expect(await send([request(1)], signal)).toEqual([success(1, { value: 1 })])
    expect(await send([request(1), request(2)], signal)).toHaveLength(2)
    expect(stub.messages.map(({ isBatch }) => isBatch)).toEqual([false, true])
    expect(stub.messages[0]?.headers).toMatchObject({ 'content-type': 'application/json' })
    expect(stub.messages[0]?.headers).not.toHaveProperty('x-api-key')
  })

  test('args: apiKey, headers, fetch', async () => {
    await using stub = await startStub()
    const seen: string[] = []
    const send = postTransport({
      url: stub.url,
      apiKey: 'secret',
      headers: { 'x-trace': 't' },
      fetch: (input, init) => {
        seen.push(String(input))
        return fetch(input, init)
      },
    })
    await send([request(1)], signal)
    expect(seen).toEqual([`${stub.url}/jsonRPC`])
    expect(stub.messages[0]?.headers).toMatchObject({ 'x-api-key': 'secret', 'x-trace': 't' })
  })

  test('behavior: a refusal keeps its status and the wait of its header', async () => {
    await using stub = await startStub(refuse('rateLimited', {}, { 'retry-after': '7' }), (message) => ({
      status: 429,
      body: message.items.map(({ id }) => failure(id, 'rateLimited', { retryAfter: 2 })),
    }))
    const send = postTransport({ url: stub.url })
    expect(await send([request(1)], signal)).toMatchObject([{ id: null, status: 429, retryAfter: 7 }])
    expect(await send([request(1), request(2)], signal)).toMatchObject([
      { id: 1, status: 429 },
      { id: 2, status: 429 },
    ])
  })

  test('error: an HTML page of something in between', async () => {
    await using stub = await startStub(
      raw(502, '<h1>Bad Gateway</h1>', { 'retry-after': '3' }),
      raw(200, '<h1>Hi</h1>'),
    )
    const send = postTransport({ url: stub.url })
    await expect(send([request(1)], signal)).rejects.toMatchObject({ reason: 'status', status: 502, retryAfter: 3 })
    await expect(send([request(1)], signal)).rejects.toMatchObject({ reason: 'reply', status: 200 })
  })

  test('error: JSON that is no JSON-RPC', async () => {
    const bodies = ['{"message":"slow down"}', '"x"', 'null', '[]', '{"error":"text"}']
    await using stub = await startStub(...bodies.map((body) => raw(503, body)))
    const send = postTransport({ url: stub.url })
    for (const _ of bodies) {
      await expect(send([request(1)], signal)).rejects.toMatchObject({ reason: 'status', status: 503 })
    }
  })

  test('error: an empty or a broken answer', async () => {
    await using stub = await startStub(raw(200, ''), raw(200, '{"jsonrpc":'), () => 'half')
    const send = postTransport({ url: stub.url })
    await expect(send([request(1)], signal)).rejects.toThrow('an empty answer')
    await expect(send([request(1)], signal)).rejects.toThrow('not JSON')
    await expect(send([request(1)], signal)).rejects.toMatchObject({ reason: 'network' })
  })

  test('error: nothing there, or not under this path', async () => {
    await using stub = await startStub()
    await expect(postTransport({ url: `${stub.url}/wrong` })([request(1)], signal)).rejects.toThrow('check url')
    await stub[Symbol.asyncDispose]()
    const { message, cause } = await postTransport({ url: `${stub.url}/?key=secret` })([request(1)], signal).then(
      () => new Error('answered'),
      (error: Error) => error,
    )
    expect(message).toContain(`no answer from ${stub.url}/jsonRPC: `)
    expect(message).toContain('ECONNREFUSED')
    expect(message).not.toContain('secret')
    expect(cause).toBeInstanceOf(TypeError)
  })

  test('error: a status of a proxy is told from one of the service', async () => {
    const statuses = [500, 501, 502, 503, 504, 505]
    await using stub = await startStub(...statuses.map((status) => raw(status, '<p>no')))
    const send = postTransport({ url: stub.url })
    const said = []
    for (const _ of statuses) said.push(await send([request(1)], signal).catch(({ message }: Error) => message))
    const proxied = said.map((message) => String(message).endsWith('the service behind the proxy does not answer'))
    expect(proxied).toEqual([false, false, true, true, true, false])
  })

  test('error: a proxy over its limits', async () => {
    await using stub = await startStub(raw(429, 'slow down', { 'retry-after': '60' }))
    const answer = postTransport({ url: stub.url })([request(1)], signal)
    await expect(answer).rejects.toMatchObject({ status: 429, retryAfter: 60 })
    await expect(answer).rejects.toThrow(`HTTP 429 from ${stub.url}/jsonRPC: too many calls, retry after 60 s`)
  })

  test('error: not an address of an HTTP service', () => {
    for (const url of ['ftp://host', 'localhost:8081', 'ws://host']) {
      expect(() => postTransport({ url })).toThrow('http:// or https://')
    }
    // `fetch` refuses those: each call would look as if the service were down.
    for (const url of ['http://user:word@host', 'https://user@host/jsonRPC'])
      expect(() => postTransport({ url })).toThrow('pass them as headers: { authorization }')
    expect(() => postTransport({ url: 'http://host/a@b' })).not.toThrow()
  })

  test('behavior: the signal ends the exchange', async () => {
    await using stub = await startStub(() => 'hang')
    const stop = new AbortController()
    const answer = postTransport({ url: stub.url })([request(1)], stop.signal)
    await expect.poll(() => stub.messages.length).toBe(1)
    stop.abort()
    await expect(answer).rejects.toThrow()
    await expect.poll(stub.abandoned).toBe(1)
  })

  test('behavior: replies come back as they are, also those that were not requested', async () => {
    await using stub = await startStub(perItem(({ id }) => success(`${id}`, 1)))
    expect(await postTransport({ url: stub.url })([request(1)], signal)).toEqual([success('1', 1)])
  })

  test('error: an address that leads elsewhere is named with where it leads', async () => {
    await using service = await startStub()
    const location = (url: string) => ({ location: `${url}/jsonRPC?api_key=secret` })
    for (const body of ['', '<h1>Moved</h1>']) {
      await using old = await startStub(raw(301, body, location(service.url)))
      const error: unknown = await postTransport({ url: old.url })([request(1)], signal).catch((failure) => failure)
      expect(error).toMatchObject({ name: 'TransportError', reason: 'reply' })
      expect(String(error)).toContain(`${old.url}/jsonRPC leads to ${service.url}/jsonRPC, where calls do not arrive`)
    }
  })

  test('behavior: a redirection that keeps the calls is followed, and a refusal there is one', async () => {
    await using service = await startStub(perItem(), refuse('invalidParams'))
    const on = raw(308, '', { location: `${service.url}/jsonRPC` })
    await using old = await startStub(on, on)
    const send = postTransport({ url: old.url })
    expect(await send([request(1)], signal)).toEqual([success(1, { value: 1 })])
    expect(await send([request(1)], signal)).toMatchObject([{ error: { data: { kind: 'invalidParams' } } }])
  })
})
