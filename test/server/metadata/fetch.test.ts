// Descriptions fetched from hosts that anybody may have named.

import { getEventListeners } from 'node:events'
import { describe, expect, test } from 'vitest'
import { type FetchRules, fetchPublic } from '../../../server/metadata/fetchPublic.ts'
import { metadataText } from '../../../server/metadata/metadataText.ts'
import { SilentHosts } from '../../../server/metadata/silentHosts.ts'
import { targetOf } from '../../../server/metadata/uri.ts'
import { turnsOf } from '../../setup/othersTurns.ts'
import { CERTIFICATE, listen } from './tlsHost.ts'

const never = new AbortController().signal
const here = { address: '127.0.0.1', family: 4 }
const json = { 'content-type': 'application/json; charset=utf-8' }

/** Takes this machine for a public host under its two names; other addresses of it stay private. */
const rulesFor = (port: string, more: FetchRules = {}): FetchRules => ({
  resolve: async (name) => (name.endsWith('.test') ? [here] : [{ address: '10.0.0.1', family: 4 }]),
  isAllowed: (address) => address === here.address,
  ports: [port],
  ca: CERTIFICATE,
  ...more,
})

const get = async (url: string, rules: FetchRules) =>
  Buffer.from(await fetchPublic(new URL(url), rules, never)).toString()
const refusalOf = (url: string, rules: FetchRules): Promise<unknown> =>
  get(url, rules).then(
    (text) => text,
    (error: { code?: unknown; message?: unknown }) => `${String(error.code)}: ${String(error.message)}`,
  )

test('a description is fetched, over redirects too', async () => {
  const port = await listen(({ url, headers }, response) => {
    if (url === '/moved') response.writeHead(302, { location: `https://other.test:${port}/final` }).end()
    else response.writeHead(200, json).end(JSON.stringify({ url, host: headers.host }))
  })
  const rules = rulesFor(port)
  expect(JSON.parse(await get(`https://token.test:${port}/moved`, rules))).toEqual({
    url: '/final',
    host: `other.test:${port}`,
  })
})

test('three redirects are followed, and no fourth', async () => {
  const port = await listen(({ url }, response) => {
    const left = Number(url?.slice(1))
    if (left === 0) response.writeHead(200, json).end('{}')
    else response.writeHead(302, { location: `/${left - 1}` }).end()
  })
  expect(await refusalOf(`https://token.test:${port}/3`, rulesFor(port))).toBe('{}')
  expect(await refusalOf(`https://token.test:${port}/4`, rulesFor(port))).toBe('refused: over 3 redirects')
})

test('of a host with several addresses one that does not answer is passed over', async () => {
  const port = await listen((_, response) => response.writeHead(200, json).end('{}'))
  const resolve = async () => [{ address: '::1', family: 6 }, here]
  expect(await get(`https://token.test:${port}/`, rulesFor(port, { resolve, isAllowed: () => true }))).toBe('{}')
})

test('behavior: what was fetched, refused or not found keeps no listener on a signal that lives on', async () => {
  const port = await listen(({ url }, response) => {
    if (url === '/gone') response.destroy()
    else response.writeHead(url === '/found' ? 200 : 404, json).end('{}')
  })
  const { signal } = new AbortController()
  for (const path of ['found', 'missing', 'gone'])
    await fetchPublic(new URL(`https://token.test:${port}/${path}`), rulesFor(port), signal).catch(() => null)
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

describe('hosts that are never contacted', () => {
  test('a private host, however it is written, and a name with one private address', async () => {
    const requested: string[] = []
    const port = await listen((request, response) => {
      requested.push(request.url ?? '')
      response.end('{}')
    })
    const rules: FetchRules = { ports: [port], ca: CERTIFICATE }
    for (const host of ['127.0.0.1', '0x7f.1', '2130706433', '[::1]', '[::ffff:127.0.0.1]', 'localhost'])
      expect(await refusalOf(`https://${host}:${port}/`, rules)).toMatch(/^refused: the host is not a public one/)
    const both = async () => [{ address: '8.8.8.8', family: 4 }, here]
    expect(await refusalOf(`https://token.test:${port}/`, { ...rules, resolve: both })).toMatch(/not a public one/)
    expect(requested).toEqual([])
  })

  test('a redirect to a private host, to another protocol or port, or without an end', async () => {
    const port = await listen(({ url }, response) => {
      const to = decodeURIComponent(String(url).slice(1))
      response.writeHead(307, { location: to === 'again' ? url : to }).end()
    })
    const rules = rulesFor(port)
    const leading = (to: string) => refusalOf(`https://token.test:${port}/${encodeURIComponent(to)}`, rules)
    expect(await leading(`https://private.example:${port}/`)).toMatch(/not a public one/)
    expect(await leading(`https://10.0.0.1:${port}/`)).toMatch(/not a public one/)
    expect(await leading('http://token.test/')).toMatch(/no https link/)
    expect(await leading('file:///etc/passwd')).toMatch(/no https link/)
    expect(await leading('https://token.test:22/')).toMatch(/unusual port/)
    expect(await leading('again')).toMatch(/over 3 redirects/)
  })

  test('the name is resolved once: what it says later does not count', async () => {
    const port = await listen((_, response) => response.writeHead(200, json).end('{}'))
    let times = 0
    const resolve = async () => [times++ === 0 ? here : { address: '10.0.0.1', family: 4 }]
    expect(await get(`https://token.test:${port}/`, rulesFor(port, { resolve }))).toBe('{}')
    expect(times).toBe(1)
  })
})

test('answers that are too long, too late, compressed, of another type or missing', async () => {
  const port = await listen(({ url }, response) => {
    if (url === '/longest') response.writeHead(200, json).end('x'.repeat(1000))
    else if (url === '/long') response.writeHead(200, json).end('x'.repeat(1001))
    else if (url === '/packed') response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end('x')
    else if (url === '/page') response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')
    else if (url === '/gone') response.writeHead(404, json).end('{}')
    else if (url === '/slow') response.writeHead(200, json).write('{')
    else response.destroy()
  })
  const at = (path: string, timeoutMs = 300_000) =>
    refusalOf(`https://token.test:${port}/${path}`, rulesFor(port, { mostBytes: 1000, timeoutMs }))
  expect(await at('longest')).toBe('x'.repeat(1000))
  expect(await at('long')).toBe('refused: the answer is longer than 1000 bytes')
  expect(await at('packed')).toMatch(/^refused: .*compressed/)
  expect(await at('page')).toBe('failed: the content type of the answer is not JSON')
  expect(await at('gone')).toBe('failed: the answer is 404')
  expect(await at('slow', 1500)).toBe('failed: it took too long')
  expect(await at('broken')).toBe('failed: the host did not answer')
})

test('an answer in chunks of one byte, or with heads of chunks far longer than its content, is cut off', async () => {
  const chunks = new Map([
    ['/bytes', '1\r\na\r\n'.repeat(1_000)],
    ['/heads', `1;${'x'.repeat(3_000)}\r\na\r\n`.repeat(20)],
    ['/few', '1\r\na\r\n'.repeat(1_000)],
  ])
  const port = await listen(({ url = '', socket }) => {
    const some = chunks.get(url) ?? ''
    const more = (error?: Error | null): void => void (error || socket.destroyed || socket.write(some, more))
    socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')
    if (url === '/few') socket.write(`${some}0\r\n\r\n`)
    else more()
  })
  const at = (path: string) =>
    refusalOf(`https://token.test:${port}/${path}`, rulesFor(port, { mostBytes: 100_000, timeoutMs: 300_000 }))
  expect(await at('few')).toBe('a'.repeat(1_000))
  expect(await at('bytes')).toBe('refused: the answer is in too many or too long chunks')
  expect(await at('heads')).toBe('refused: the answer is in too many or too long chunks')
})

test('a host that answers with an error in between is not one that was late several times in a row', async () => {
  const port = await listen((_, response) => response.writeHead(404).end())
  const silent = new SilentHosts()
  const rules = rulesFor(port, { silent, timeoutMs: 300_000 })
  for (let i = 0; i < 2; i++) {
    for (let times = 0; times < 2; times++) silent.wasLate('token.test')
    expect(await refusalOf(`https://token.test:${port}/`, rules)).toBe('failed: the answer is 404')
  }
})

test('a host that switches protocols, or sends interim answers without end, is one that did not answer', async () => {
  const port = await listen(({ url, socket }) => {
    const more = (): void => void (!socket.destroyed && socket.write('HTTP/1.1 103 Early Hints\r\n\r\n', more))
    if (url === '/hints') more()
    else socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n')
  })
  const at = (path: string) => refusalOf(`https://token.test:${port}/${path}`, rulesFor(port, { timeoutMs: 300_000 }))
  expect(await at('switch')).toBe('failed: the host did not answer')
  expect(await at('hints')).toBe('failed: the host did not answer')
})

test('a host with a certificate nobody vouches for, or that speaks no HTTP, is one that did not answer', async () => {
  const port = await listen(({ socket }) => void socket.end('SSH-2.0-nothing\r\n'))
  const url = `https://token.test:${port}/`
  expect(await refusalOf(url, rulesFor(port))).toBe('failed: the host did not answer')
  const { ca: _, ...unknown } = rulesFor(port)
  expect(await refusalOf(url, unknown)).toBe('failed: the host did not answer')
  expect(await refusalOf('https://token.test:1/', rulesFor('1'))).toBe('failed: the host did not answer')
})

test('an error of ours is not told as a failure of the host', async () => {
  const fault = new Error('ours')
  const isAllowed = () => {
    throw fault
  }
  await expect(get('https://token.test/', rulesFor('', { isAllowed }))).rejects.toBe(fault)
  // Neither one that comes while the name is looked up, or when the time is over.
  const mistake = new TypeError('ours')
  const resolve = () => Promise.reject(mistake)
  await expect(get('https://token.test/', rulesFor('', { resolve }))).rejects.toBe(mistake)
  const unknown = () => Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }))
  expect(await refusalOf('https://token.test/', rulesFor('', { resolve: unknown }))).toBe(
    'failed: the host is not known',
  )
})

describe('a name that never resolves', () => {
  const unresolved = (): Promise<never> => new Promise(() => undefined)
  const url = new URL('https://token.test/')

  test('is stopped when the time is over', async () => {
    const fetching = fetchPublic(url, { resolve: unresolved, timeoutMs: 20 }, never)
    await expect(fetching).rejects.toMatchObject({ code: 'failed', message: 'it took too long' })
  })

  test('is stopped with the work it is for, and its query gets an error', async () => {
    const end = new AbortController()
    const cancelled: boolean[] = []
    const resolve = (_: string, signal: AbortSignal) => {
      signal.addEventListener('abort', () => cancelled.push(true))
      return unresolved()
    }
    const fetching = fetchPublic(url, { resolve, timeoutMs: 3_600_000 }, end.signal)
    end.abort()
    await expect(fetching).rejects.toMatchObject({ code: 'failed' })
    expect(cancelled).toEqual([true])
  })

  test('is not waited for when the work had ended before', async () => {
    const fetching = fetchPublic(url, { resolve: unresolved, timeoutMs: 3_600_000 }, AbortSignal.abort())
    await expect(fetching).rejects.toMatchObject({ code: 'failed' })
  })
})

test('a link to IPFS leads to nothing else of its gateway', () => {
  const place = (uri: string) => () => targetOf(uri, 'https://gate.test/public')
  for (const path of ['..', '../../admin', 'Qm123/../../admin', 'Qm123/%2e%2e/%2E%2E/%2e%2e/admin', '..\\..\\admin'])
    expect(place(`ipfs://${path}`)).toThrow('the link leads to something else than content of IPFS')
  expect(place('ipfs://Qm123/a/../b')()).toMatchObject({ url: new URL('https://gate.test/public/ipfs/Qm123/b') })
})

test('links: https, ipfs by a gateway, data at once, and nothing else', async () => {
  const place = (uri: string) => targetOf(uri, 'https://gate.test/')
  expect(place('ipfs://Qm123/1.json')).toMatchObject({ url: new URL('https://gate.test/ipfs/Qm123/1.json') })
  expect(place('ipfs://ipfs/Qm123')).toMatchObject({ url: new URL('https://gate.test/ipfs/Qm123') })
  expect(place(' https://a.test/b ')).toMatchObject({ url: new URL('https://a.test/b') })
  for (const data of ['data:application/json;base64,eyJhIjoxfQ==', 'data:application/json,%7B%22a%22%3A1%7D']) {
    const found = place(data)
    expect(found.kind === 'data' && (await metadataText(found.bytes))).toBe('{"a":1}')
  }
  for (const uri of [
    'http://a.test/',
    'ftp://a.test/',
    'a.json',
    '',
    'https://u:p@a.test/',
    'data:image/png;base64,AA==',
  ])
    expect(() => place(uri)).toThrow(/link|data/)
  expect(() => place(`https://a.test/${'x'.repeat(3000)}`)).toThrow(/longer/)
})

test('descriptions: objects of JSON, without what a database cannot hold', async () => {
  const bytes = (text: string) => Buffer.from(text)
  expect(await metadataText(bytes('{"na\\u0000me":"a\\u0000b","__proto__":{"x":[1,null,true]}}'))).toBe(
    '{"name":"ab","__proto__":{"x":[1,null,true]}}',
  )
  for (const text of ['[]', '1', 'null', '"a"', '{', `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`, '['.repeat(100_000)])
    await expect(metadataText(bytes(text))).rejects.toThrow(/description/)
  await expect(metadataText(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))).rejects.toThrow(/UTF-8/)
})

test('a large description is kept without its longest members, however deep they are', async () => {
  const members = { name: 'a', attributes: [{ value: 'b'.repeat(50_000) }], image: 'c'.repeat(20_000) }
  const kept = await metadataText(Buffer.from(JSON.stringify({ ...members, decimals: 9 })))
  expect(JSON.parse(kept)).toEqual({ name: 'a', image: members.image, decimals: 9 })
  const fitting = JSON.stringify({ ...members, image: 'd' })
  expect(await metadataText(Buffer.from(fitting))).toBe(fitting)
})

test('others have their turns while a description of many values is read; one of too many members is refused', async () => {
  const described = (members: string) => metadataText(Buffer.from(`{"name":"a",${members}}`))
  const many = ['0,', '[],', '{"b":""},'].map((one) => `"a":[${one.repeat(60_000)}0]`)
  for (const members of [...many, `${'"a":{'.repeat(20)}"b":[${'[],'.repeat(60_000)}0]${'}'.repeat(20)}`]) {
    const { found, turns } = await turnsOf(() => described(members))
    expect(found).toBe('{"name":"a"}')
    expect(turns).toBeGreaterThan(60)
  }
  const members = Array.from({ length: 1000 }, (_, i) => `"${i}":0`).join()
  expect(await metadataText(Buffer.from(`{${members}}`))).toBe(`{${members}}`)
  await expect(described(members)).rejects.toThrow(/1000 members/)
  await expect(described(`"a":{"b":0,${members}}`)).rejects.toThrow(/1000 members/)
})
