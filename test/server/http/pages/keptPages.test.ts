// Documents are the same for all callers: a request for one must not cost what it takes to make it.

import { createHook } from 'node:async_hooks'
import { once } from 'node:events'
import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { HttpExchange } from '../../../../server/http/exchange/exchange.ts'
import { KeptPages } from '../../../../server/http/pages/keptPages.ts'
import { forAllTests, serve } from '../../../setup/service.ts'

const service = forAllTests(() => serve())
const PATHS = ['/api/v2', '/api/v3/', '/openapi/v3.json', '/api/v3/doc.json', '/docs/operating', '/docs/operating.md']
const UNPACK: Readonly<Record<string, (bytes: Buffer) => Buffer>> = { br: brotliDecompressSync, gzip: gunzipSync }

/** Without unpacking, as a stranger may. */
async function get(path: string, headers: Readonly<Record<string, string>>) {
  const sent = request(service().url + path, { headers })
  sent.end()
  const [reply] = await once(sent, 'response')
  const parts: Buffer[] = []
  for await (const part of reply) parts.push(part)
  return { headers: reply.headers, bytes: Buffer.concat(parts) }
}

/** How often something is compressed in this process from now on. */
function countCompressions(): { readonly count: number } {
  const seen = { count: 0 }
  const hook = createHook({
    init(_, type) {
      if (type === 'ZLIB') seen.count++
    },
  }).enable()
  onTestFinished(() => void hook.disable())
  return seen
}

test.each(PATHS)('%s is compressed once, and the same in each encoding', async (path) => {
  // Examples of a page are the same for a few seconds: no time passes, however long this takes.
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now())
  onTestFinished(() => clock.mockRestore())
  const plain = (await get(path, {})).bytes
  for (const encoding of ['br', 'gzip']) {
    await get(path, { 'Accept-Encoding': encoding })
    const compressions = countCompressions()
    const { headers, bytes } = await get(`${path}?another`, { 'Accept-Encoding': encoding })
    expect(compressions.count).toBe(0)
    expect([headers['content-encoding'], headers.vary]).toEqual([encoding, expect.stringContaining('Accept-Encoding')])
    expect(UNPACK[encoding]?.(bytes).equals(plain)).toBe(true)
  }
})

test('a page keeps to the theme and the path of its caller', async () => {
  for (const encoding of ['br', 'identity']) {
    const [light, none, dark] = await Promise.all(
      ['theme=light', '', 'theme=dark'].map((Cookie) => get('/api/v3/', { Cookie, 'Accept-Encoding': encoding })),
    )
    const texts = [light, none, dark].map((reply) =>
      String(encoding === 'br' ? brotliDecompressSync(reply?.bytes ?? '') : reply?.bytes),
    )
    expect(texts.map((text) => /<html [^>]*>/.exec(text)?.[0])).toEqual([
      '<html lang="en" data-theme="light">',
      '<html lang="en">',
      '<html lang="en" data-theme="dark">',
    ])
    const other = await get('/api/v3', {})
    expect(String(other.bytes)).not.toBe(texts[1])
  }
})

describe('a page that is kept', () => {
  // The cast: nothing else of an exchange is looked at.
  const exchange = { req: { headers: {} } } as unknown as HttpExchange
  const page = { status: 200, type: 'text/html', name: 'start' }

  test('is made again when its text has changed', async () => {
    const pages = new KeptPages()
    const sent = async (body: string) => String((await pages.finish({ ...page, body }, exchange)).body)
    expect([await sent('old'), await sent('new'), await sent('new')]).toEqual(['old', 'new', 'new'])
  })

  test('is made again when that has failed', async () => {
    const pages = new KeptPages()
    const makes = ['the text', null]
    const make = () => {
      const text = makes.pop()
      if (text == null) throw new Error('not now')
      return text
    }
    const finish = () => pages.finish({ ...page, body: 'a body', make }, exchange)
    await expect(finish()).rejects.toThrow('not now')
    await new Promise(setImmediate)
    expect(String((await finish()).body)).toBe('the text')
  })
})
