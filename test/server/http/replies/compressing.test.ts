// Compression runs in threads that do not tell callers apart. Counted is how many bodies of one caller are compressed before that of
// another; time is not measured.

import { randomBytes } from 'node:crypto'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { compress } from '../../../../server/http/replies/compress.ts'

const MANY = 40
const TEXT = randomBytes(1_000_000).toString('base64')

const receiverOf = (subject: string, signal = new AbortController().signal) => ({
  caller: { subject, keyId: null, tier: null },
  signal,
})

test('one of another caller does not wait for the many of a caller', async () => {
  let ended = 0
  const many = Array.from({ length: MANY }, () =>
    compress('br', { body: TEXT, receiver: receiverOf('stranger') }).then(() => ended++),
  )
  const packed = await compress('br', { body: TEXT, receiver: receiverOf('other') })
  expect(ended).toBeLessThan(MANY / 4)
  expect(brotliDecompressSync(packed).toString()).toBe(TEXT)
  await Promise.all(many)
})

test('the many of callers who have gone are not made', async () => {
  const gone = Array.from({ length: MANY }, () => new AbortController())
  const settled = Promise.allSettled(
    gone.map(({ signal }) => compress('br', { body: TEXT, receiver: receiverOf('stranger', signal) })),
  )
  for (const one of gone) one.abort(new Error('the caller is gone'))
  expect((await settled).filter(({ status }) => status === 'rejected').length).toBeGreaterThan(MANY / 2)
})

test('pieces of bytes are compressed as one', async () => {
  const bytes = Buffer.from(TEXT)
  const pieces = [bytes.subarray(0, 13), bytes.subarray(13, 500_000), bytes.subarray(500_000)]
  expect(
    brotliDecompressSync(await compress('br', { body: pieces, receiver: receiverOf('other') })).equals(bytes),
  ).toBe(true)
})

test('the same bytes are compressed once for each encoding, unless that saves little', async () => {
  const pieces = [Buffer.from('a page that many ask for '.repeat(10_000)), Buffer.from('its end')]
  const first = await compress('br', { body: pieces, receiver: receiverOf('one') })
  const gzipped = await compress('gzip', { body: pieces, receiver: null })
  expect(await compress('br', { body: pieces, receiver: receiverOf('other') })).toBe(first)
  expect(await compress('gzip', { body: pieces, receiver: receiverOf('other') })).toBe(gzipped)
  expect(brotliDecompressSync(first).equals(Buffer.concat(pieces))).toBe(true)
  expect(gunzipSync(gzipped).equals(Buffer.concat(pieces))).toBe(true)
  const dense = [Buffer.from(TEXT)]
  expect(await compress('br', { body: dense, receiver: null })).not.toBe(
    await compress('br', { body: dense, receiver: null }),
  )
})

test('a text of a cached answer is compressed once, another one each time', async () => {
  const body = 'an answer that many ask for '.repeat(1_000)
  const text = { body, receiver: receiverOf('one') }
  const cached = { ...text, isCached: true }
  const first = await compress('br', cached)
  expect(brotliDecompressSync(first).toString()).toBe(body)
  expect(await compress('br', { ...cached, receiver: receiverOf('other') })).toBe(first)
  expect(await compress('br', text)).not.toBe(first)
  expect(gunzipSync(await compress('gzip', cached)).toString()).toBe(body)
})

test('callers who want the same bytes at once get those of the one that is made', async () => {
  const body = [Buffer.from('a page that all ask for when a block comes '.repeat(40_000))]
  const all = await Promise.all(
    ['one', 'two', 'two', 'three'].map((of) => compress('br', { body, receiver: receiverOf(of) })),
  )
  expect(new Set(all).size).toBe(1)
})
