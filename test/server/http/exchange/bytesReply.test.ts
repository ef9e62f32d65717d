// A result that was made as bytes leaves as those, and is the same wherever a text is needed.

import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { z } from 'zod'
import { Written } from '../../../../server/methods/written.ts'
import { method } from '../../../../shared/method.ts'
import { ask, post, rpc, STRICT } from '../../../setup/calls.ts'
import { forAllTests, serveMethods } from '../../../setup/service.ts'

const page = (freshness: 'fixed' | 'live', path: `/api/v3/${string}`) =>
  method({
    summary: 'A page.',
    group: 'made up',
    params: z.strictObject({ rows: z.int() }),
    result: z.array(z.string()),
    rest: [{ verb: 'GET', path }],
    freshness,
    example: { params: { rows: 1 }, result: [] },
  })

const registry = { 'v3.page': page('live', '/api/v3/page'), 'v3.kept': page('fixed', '/api/v3/kept') }

const rowsOf = (rows: number): string[] => Array.from({ length: rows }, (_, i) => `row ${i} of zwölf \u{1F600}`)

/** Cut anywhere, within characters as well. */
function write({ rows }: { readonly rows: number }): Written<string[]> {
  const bytes = Buffer.from(JSON.stringify(rowsOf(rows)))
  const cuts = [0, 1, 13, 28, Math.floor(bytes.length / 2), bytes.length].filter((at) => at <= bytes.length)
  const ends = [...new Set(cuts)].sort((a, b) => a - b)
  return new Written(ends.slice(1).map((end, i) => bytes.subarray(ends[i], end)))
}

const handlers = () => ({
  'v3.page': async (params: { rows: number }) => write(params),
  'v3.kept': async (params: { rows: number }) => write(params),
})

describe.each([true, false])('results checked: %s', (checkResults) => {
  const service = forAllTests(() => serveMethods({ registry, handlers }, { checkResults }))

  test.each([0, 1, 3, 100, 30_000])('%s rows', async (rows) => {
    const whole = JSON.stringify(rowsOf(rows))
    for (const name of ['page', 'kept'])
      for (const encoding of ['identity', 'gzip', 'br', 'gzip']) {
        const reply = await ask(service(), `/api/v3/${name}?rows=${rows}`, { headers: { 'Accept-Encoding': encoding } })
        expect(reply.status).toBe(200)
        expect(reply.text === whole).toBe(true)
        const isPacked = encoding !== 'identity' && Buffer.byteLength(whole) > 1024
        expect(reply.headers.get('content-encoding')).toBe(isPacked ? encoding : null)
        if (!isPacked) expect(reply.headers.get('content-length')).toBe(String(Buffer.byteLength(whole)))
      }
    for (const door of [STRICT, '/api/v2/jsonRPC'])
      for (const name of ['v3.page', 'v3.kept', 'v3.kept']) {
        const { body } = await rpc(service(), door, name, { rows })
        expect(body).toMatchObject({ ok: true, jsonrpc: '2.0' })
        expect(JSON.stringify(body.result) === whole).toBe(true)
      }
  })

  test('over a WebSocket, alone and as a batch, as text', async () => {
    const ws = new WebSocket(`${service().url.replace('http', 'ws')}${STRICT}`)
    await once(ws, 'open')
    const calls = [1, 2].map((id) => ({ jsonrpc: '2.0', id, method: 'v3.page', params: { rows: 15_000 } }))
    for (const sent of [{ ...calls[0], params: { rows: 3 } }, { ...calls[0], params: { rows: 30_000 } }, calls]) {
      ws.send(JSON.stringify(sent))
      const [data, isBinary] = await once(ws, 'message')
      expect(isBinary).toBe(false)
      for (const [i, { id, result }] of [JSON.parse(String(data))].flat().entries()) {
        expect(id).toBe(i + 1)
        const { rows } = [sent].flat()[i]?.params ?? { rows: 0 }
        expect(JSON.stringify(result) === JSON.stringify(rowsOf(rows))).toBe(true)
      }
    }
    ws.terminate()
  })

  test('equal calls at once, HEAD, and parts of a batch', async () => {
    const whole = JSON.stringify(rowsOf(500))
    const replies = await Promise.all(Array.from({ length: 9 }, () => ask(service(), '/api/v3/page?rows=500')))
    expect(replies.map(({ text }) => text === whole)).toEqual(replies.map(() => true))
    const head = await ask(service(), '/api/v3/page?rows=500', { method: 'HEAD' })
    expect([head.status, head.text]).toEqual([200, ''])
    const calls = [1, 2].map((id) => ({ jsonrpc: '2.0', id, method: 'v3.kept', params: { rows: id } }))
    const { text } = await post(service(), STRICT, calls)
    expect(JSON.parse(text)).toMatchObject([{ result: rowsOf(1) }, { result: rowsOf(2) }])
  })
})
