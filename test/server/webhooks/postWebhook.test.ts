// One attempt, to hosts that a stranger has chosen: none but public ones are contacted, however they are named.

import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { createPost, endpointTrouble, type PostRules } from '../../../server/webhooks/postWebhook.ts'
import { isSigned, openReceiver, openTalker } from '../../setup/webhooks.ts'

const signal = new AbortController().signal
const posting = (endpoint: string) => ({
  owner: 'key',
  endpoint,
  token: 'token',
  secret: 'secret',
  name: 'test',
  body: '{"a":1}',
})
const PUBLIC: PostRules = { allowsPrivate: false }
const OWN: PostRules = { allowsPrivate: true }

const NOT_PUBLIC = [
  'http://127.0.0.1/',
  'http://127.1:80/',
  'http://2130706433/',
  'http://0x7f.1/',
  'http://0/',
  'http://10.1.2.3/',
  'http://169.254.169.254/latest/meta-data',
  'http://192.168.0.1/',
  'http://172.31.0.1/',
  'http://100.64.0.1/',
  'http://[::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[fd00::1]/',
  'http://[fe80::1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[2002:7f00:1::]/',
  'http://localhost/',
  'http://localhost./',
  'http://db/',
]

test.each(NOT_PUBLIC)('%s is not contacted', async (endpoint) => {
  const resolve = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }])
  const sent = await createPost({ ...PUBLIC, resolve })(posting(endpoint), signal)
  expect(sent).toMatchObject({ status: 0, error: 'the host is not a public one' })
})

test('a name is checked each time it is contacted, and all its addresses are', async () => {
  const receiver = await openReceiver()
  const { port } = new URL(receiver.url)
  const endpoint = `http://rebinding.example:${port}/hook`
  let requested = 0
  const addresses = [['203.0.113.7'], ['1.1.1.1', '127.0.0.1'], ['127.0.0.1']]
  const post = createPost({
    ...PUBLIC,
    connectMs: 50,
    resolve: () => Promise.resolve((addresses[requested++] ?? []).map((address) => ({ address, family: 4 }))),
  })
  for (let i = 0; i < 3; i++)
    expect(await post(posting(endpoint), signal)).toMatchObject({ error: 'the host is not a public one' })
  expect(requested).toBe(3)
  expect(receiver.all).toEqual([])
})

test('the connection goes to the address that was checked', async () => {
  const receiver = await openReceiver()
  const endpoint = `http://checked.example:${new URL(receiver.url).port}/hook`
  const resolve = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }])
  const sent = await createPost({ ...PUBLIC, resolve, isAllowed: () => true })(posting(endpoint), signal)
  expect(sent).toMatchObject({ status: 200, error: '' })
  expect(receiver.all[0]?.headers.host).toBe(new URL(endpoint).host)
})

test('a host of which one address is not there is reached at another', async () => {
  const receiver = await openReceiver()
  const endpoint = `http://several.example:${new URL(receiver.url).port}/hook`
  const resolve = () => Promise.resolve(['127.0.0.2', '127.0.0.1'].map((address) => ({ address, family: 4 })))
  const sent = await createPost({ ...PUBLIC, resolve, isAllowed: () => true })(posting(endpoint), signal)
  expect(sent).toMatchObject({ status: 200, error: '' })
})

test('an attempt that is over listens to nothing', async () => {
  const receiver = await openReceiver()
  const { signal } = new AbortController()
  const post = createPost(OWN)
  for (let i = 0; i < 3; i++) expect(await post(posting(receiver.url), signal)).toMatchObject({ status: 200 })
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

test('a redirect is refused, and its target not contacted', async () => {
  const [target, receiver] = await Promise.all([openReceiver(), openReceiver()])
  receiver.answer = (res) => void res.writeHead(307, { Location: target.url }).end()
  const sent = await createPost(OWN)(posting(receiver.url), signal)
  expect(sent).toMatchObject({ status: 307, error: 'answered 307: redirects are not followed' })
  expect(receiver.all).toHaveLength(1)
  expect(target.all).toEqual([])
})

test.each([
  [200, ''],
  [204, ''],
  [299, ''],
  [300, 'answered 300: redirects are not followed'],
  [399, 'answered 399: redirects are not followed'],
  [400, 'answered 400'],
  [503, 'answered 503'],
])('what an owner reads of an answer of %i: %j', async (status, error) => {
  const receiver = await openReceiver()
  receiver.answer = (res) => void res.writeHead(status).end()
  const began = performance.now()
  const { ms, ...posted } = await createPost(OWN)(posting(receiver.url), signal)
  expect(posted).toEqual({ status, error })
  expect(ms).toBeLessThanOrEqual(Math.ceil(performance.now() - began))
})

test('of an endpoint that is not there, or hangs up, the owner reads the code', async () => {
  const receiver = await openReceiver()
  receiver.answer = (res) => void res.destroy()
  const post = createPost(OWN)
  expect(await post(posting(receiver.url), signal)).toMatchObject({ error: 'the connection failed: ECONNRESET' })
  const nowhere = posting('http://127.0.0.1:9/')
  expect(await post(nowhere, signal)).toMatchObject({ status: 0, error: 'the connection failed: ECONNREFUSED' })
})

test('an endpoint that closes, hangs or answers without end takes a bounded time', async () => {
  const receiver = await openReceiver()
  // What ends at once has more time than it needs.
  const post = createPost({ ...OWN, connectMs: 300_000, answerMs: 300_000 })
  // Both together are the limit of the whole, a tenth of a second. A slow connection does not end by its own limit before.
  const hasty = createPost({ ...OWN, connectMs: 300_000, answerMs: -299_900 })
  receiver.answer = (res) => void res.destroy()
  expect(await post(posting(receiver.url), signal)).toMatchObject({
    status: 0,
    error: expect.stringContaining('the connection failed'),
  })
  receiver.answer = () => undefined
  expect(await hasty(posting(receiver.url), signal)).toMatchObject({ status: 0, error: 'no answer in time' })
  receiver.answer = (res) => {
    res.writeHead(500)
    const more = (): void => void (!res.destroyed && res.write('x'.repeat(16_384), () => setImmediate(more)))
    more()
  }
  expect(await post(posting(receiver.url), signal)).toMatchObject({ status: 500, error: 'answered 500' })
})

test('an endpoint that sends something else than an answer is one that failed', async () => {
  // What ends at once has more time than it needs.
  const post = createPost({ ...OWN, connectMs: 300_000, answerMs: 300_000 })
  const sendsOf = async (endlessly: boolean, text: string) => {
    const url = await openTalker((socket) => {
      const more = (): void => void (endlessly && !socket.destroyed && socket.write(text, more))
      socket.write(text, more)
    })
    return await post(posting(url), signal)
  }
  const switched = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'
  expect(await sendsOf(false, switched)).toMatchObject({ status: 0, error: 'the host sent no answer' })
  const interim = 'HTTP/1.1 100 Continue\r\n\r\n'
  expect(await sendsOf(true, interim)).toMatchObject({ status: 0, error: 'the host sent interim answers only' })
  const broken = 'HTTP/1.1 500 No\r\nTransfer-Encoding: chunked\r\n\r\nbroken'
  expect(await sendsOf(false, broken)).toMatchObject({ error: expect.stringMatching(/^(answered 500|the connection)/) })
  expect(await sendsOf(true, `HTTP/1.1 200 OK\r\nA: ${'a'.repeat(16_000)}`)).toMatchObject({ status: 0 })
})

test('an error of ours is not one of the endpoint, which is suspended for its own alone', async () => {
  const fault = new TypeError('ours')
  const isAllowed = () => {
    throw fault
  }
  await expect(createPost({ ...PUBLIC, isAllowed })(posting('http://1.1.1.1/'), signal)).rejects.toBe(fault)
  const resolve = () => Promise.reject(fault)
  await expect(createPost({ ...PUBLIC, resolve })(posting('http://a.example/'), signal)).rejects.toBe(fault)
})

test('a body with any characters arrives whole, signed as it arrives', async () => {
  const receiver = await openReceiver()
  const body = JSON.stringify({ comment: 'ünï 漢字 😀'.repeat(100) })
  const post = createPost(OWN)
  for (let i = 0; i < 2; i++)
    expect(await post({ ...posting(receiver.url), body }, signal)).toMatchObject({ status: 200, error: '' })
  expect(receiver.all.map(({ text }) => text)).toEqual([body, body])
  expect(receiver.all.every((one) => isSigned(one, 'secret'))).toBe(true)
})

test('what cannot be an endpoint', () => {
  const refused = [
    '',
    'example.com/hook',
    'ftp://example.com/',
    'file:///etc/passwd',
    'https://user:word@example.com/',
    'https://user@example.com/',
    'https://:word@example.com/',
    'http://example.com:25/',
    'http://example.com:465/',
    'https://example.com:587/',
    `https://example.com/${'a'.repeat(3000)}`,
  ]
  expect(refused.filter((endpoint) => endpointTrouble(endpoint) === null)).toEqual([])
  expect(endpointTrouble('https://example.com:8443/hook?a=1')).toBeNull()
})
