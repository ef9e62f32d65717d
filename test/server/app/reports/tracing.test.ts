// Traces of a service as a collector gets them: one tree for each request, from the caller's span down to statements, runs of
// the TVM and queries to lite servers.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Connect } from '../../../../server/node/index.ts'
import { registry } from '../../../../shared/registry.ts'
import { callers } from '../../../setup/callers.ts'
import { ask, call, connectTo, post, rpc, STRICT } from '../../../setup/calls.ts'
import { startBuilt } from '../../../setup/runningService.ts'
import { forAllTests, serve } from '../../../setup/service.ts'
import { type CollectedSpan, type TraceCollector, traceCollector } from '../../../setup/traceCollector.ts'
import { openScene } from '../../devchain/lite/liteScene.ts'

const PARENT = '00f067aa0ba902b7'
const WAIT = { timeout: 300_000, interval: 50 }
const WALLET = String(registry.runGetMethod.example.params.address)

let traces = 0
/** A caller's trace, by which its spans are found again. */
function newTrace() {
  const id = (++traces).toString(16).padStart(32, 'a')
  return { id, headers: { traceparent: `00-${id}-${PARENT}-01` } }
}

let collector: TraceCollector
beforeAll(async () => {
  collector = await traceCollector()
})
afterAll(() => collector[Symbol.asyncDispose]())
const service = forAllTests(() =>
  serve({
    withIndex: true,
    config: { limits: 'off', otlpEndpoint: collector.url, adminToken: 'a-secret-of-mine-0001' },
  }),
)

const spansOf = (trace: string): CollectedSpan[] => collector.spans().filter(({ traceId }) => traceId === trace)

/** The spans of a trace once that of the request is there, which ends last. */
async function treeOf(trace: string): Promise<CollectedSpan[]> {
  await expect.poll(() => spansOf(trace).some(({ parentSpanId }) => parentSpanId === PARENT), WAIT).toBe(true)
  return spansOf(trace)
}

const attributeOf = ({ attributes }: CollectedSpan, name: string): unknown =>
  Object.values(attributes.find(({ key }) => key === name)?.value ?? {})[0]

/** Names from the first span of the service down to this one. */
function pathOf(span: CollectedSpan, all: readonly CollectedSpan[]): string[] {
  const parent = all.find(({ spanId }) => spanId === span.parentSpanId)
  return [...(parent === undefined ? [] : pathOf(parent, all)), span.name]
}

describe('a trace', () => {
  test('has the request, its method and its statements, inside the span of the caller', async () => {
    const { id, headers } = newTrace()
    const { status } = await ask(service(), `/api/v3/transactions?account=${WALLET}&limit=7`, { headers })
    expect(status).toBe(200)
    const spans = await treeOf(id)
    const root = spans.find(({ parentSpanId }) => parentSpanId === PARENT)
    expect(root).toMatchObject({ name: 'GET /api/v3/transactions', kind: 2 })
    expect(root && attributeOf(root, 'http.response.status_code')).toBe('200')
    const statements = spans.filter((span) => attributeOf(span, 'db.query.text') !== undefined)
    expect(statements.length).toBeGreaterThan(0)
    for (const statement of statements) {
      expect(pathOf(statement, spans)).toEqual(['GET /api/v3/transactions', 'v3.transactions', statement.name])
      expect(statement.name).toMatch(/^(?:select|with)\b/)
    }
    for (const { startTimeUnixNano, endTimeUnixNano } of spans) {
      expect(BigInt(startTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(root?.startTimeUnixNano ?? 0))
      expect(BigInt(endTimeUnixNano)).toBeLessThanOrEqual(BigInt(root?.endTimeUnixNano ?? 0))
    }
  })

  test('has the runs of the TVM', async () => {
    const { id, headers } = newTrace()
    await post(service(), STRICT, call('runGetMethod', { address: WALLET, method: 'seqno', stack: [] }), headers)
    const spans = await treeOf(id)
    const runs = spans.filter(({ name }) => name === 'tvm get-method').map((span) => pathOf(span, spans))
    expect(runs).toEqual([['POST /jsonRPC', 'runGetMethod', 'tvm get-method']])
  })

  test('has each call of a batch, its errors by their kinds', async () => {
    const { id, headers } = newTrace()
    const body = [
      call('getMasterchainInfo'),
      call('getAddressInformation', { address: 'secret-address' }),
      call('s3cr3t'),
    ]
    await post(service(), STRICT, body, headers)
    const spans = await treeOf(id)
    const methods = spans.filter((span) => attributeOf(span, 'rpc.method') !== undefined)
    const outcomes = methods.map((span) => [span.name, attributeOf(span, 'error.type') ?? 'ok'].join(' '))
    expect(outcomes.sort()).toEqual([
      'getAddressInformation invalidParams',
      'getMasterchainInfo ok',
      'unknown method methodNotFound',
    ])
    expect(new Set(methods.map((span) => pathOf(span, spans)[0]))).toEqual(new Set(['POST /jsonRPC']))
  })

  test('is not made for a caller who says so, and begins here for one who says nothing', async () => {
    const id = 'b'.repeat(32)
    const requestId = 'unsampled-1'
    const headers = { traceparent: `00-${id}-${PARENT}-00`, 'X-Request-Id': requestId }
    await post(service(), STRICT, call('getMasterchainInfo'), headers)
    await post(service(), STRICT, call('getMasterchainInfo'), { 'X-Request-Id': 'own-trace-1' })
    const ofOwn = () => collector.spans().filter((span) => attributeOf(span, 'tonrpc.request_id') === 'own-trace-1')
    await expect.poll(() => ofOwn().length, WAIT).toBe(2)
    expect(ofOwn().filter(({ parentSpanId }) => parentSpanId === undefined)).toHaveLength(1)
    expect(collector.bodies.join()).not.toContain(requestId)
    expect(spansOf(id)).toEqual([])
  })

  test('has a call of a WebSocket, which is in no request', async () => {
    await using socket = await connectTo(service())
    socket.send(call('v3.masterchainInfo'))
    const found = () =>
      collector
        .spans()
        .find(
          ({ name, parentSpanId, kind }) => name === 'v3.masterchainInfo' && parentSpanId === undefined && kind === 2,
        )
    await expect.poll(() => found() !== undefined, WAIT).toBe(true)
  })

  test('has no secret in it, and no value of a statement', async () => {
    const { key, id: keyId } = await service().newKey()
    const { id, headers } = newTrace()
    const path = `/api/v3/transactions?account=${WALLET}&lt=76543210987&api_key=${key}`
    await ask(service(), path, { headers: { ...headers, 'X-Admin-Token': 'a-secret-of-mine-0001' } })
    const spans = await treeOf(id)
    expect(spans.some((span) => attributeOf(span, 'tonrpc.key_id') === keyId)).toBe(true)
    const sent = collector.bodies.join()
    for (const secret of [key, WALLET, '76543210987', 'a-secret-of-mine', 'secret-address', 's3cr3t'])
      expect(sent).not.toContain(secret)
  })

  test('says which service it is of', () => {
    const [resource] = collector.resources()
    expect(resource).toContainEqual({ key: 'service.name', value: { stringValue: 'tonrpc' } })
    expect(resource).toContainEqual({
      key: 'service.version',
      value: { stringValue: expect.stringMatching(/^\d+\.\d+\.\d+/) },
    })
  })
})

test('queries to lite servers are inside the method that sent them', async () => {
  const scene = await openScene({ messages: 4, seed: 3 })
  const folder = await mkdtemp(join(tmpdir(), 'tonrpc-traced-'))
  try {
    const { init } = await scene.lite.masterchainInfo()
    const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
    const hashes = { root_hash: base64(init.rootHash), file_hash: base64(init.fileHash) }
    const liteservers = [{ ip: 2130706433, port: 1, id: { key: base64(new Uint8Array(32).fill(1)) } }]
    const zeroState = { workchain: -1, shard: '-9223372036854775808', seqno: 0, ...hashes }
    const file = join(folder, 'net.json')
    await writeFile(file, JSON.stringify({ liteservers, validator: { zero_state: zeroState } }))
    const connect: Connect = async () => ({
      ...scene.lite,
      kind: 'remote',
      close: () => undefined,
      onClose: () => undefined,
    })
    const config = { network: 'custom', liteservers: file, limits: 'off', otlpEndpoint: collector.url } as const
    await using remote = await serve({ connect, config })
    const { id, headers } = newTrace()
    const { status } = await ask(remote, `/api/v2/getAddressInformation?address=${WALLET}`, { headers })
    expect(status).toBe(200)
    const spans = await treeOf(id)
    const queries = spans.filter((span) => attributeOf(span, 'rpc.system') === 'adnl')
    expect(queries.length).toBeGreaterThan(0)
    const [first] = queries
    expect(first && pathOf(first, spans).slice(0, 2)).toEqual([
      'GET /api/v2/getAddressInformation',
      'getAddressInformation',
    ])
    expect(first && attributeOf(first, 'server.port')).toBe('1')
  } finally {
    await scene.close()
    await rm(folder, { recursive: true })
  }
})

describe('a collector that is away', () => {
  test('costs callers nothing, and is shown in the metrics', async () => {
    const config = { limits: 'off', otlpEndpoint: 'http://127.0.0.1:1' } as const
    await using lonely = await serve({ config })
    const { status } = await rpc(lonely, STRICT, 'getMasterchainInfo')
    expect(status).toBe(200)
    const { text } = await ask(lonely, '/metrics')
    expect(text).toMatch(/^tonrpc_trace_spans_sent_total 0$/m)
    expect(text).toMatch(/^tonrpc_trace_spans_dropped_total 0$/m)
  })
})

test('a worker and the owner of the chain are in one trace, by the standard name in the environment', async () => {
  const data = await mkdtemp(join(tmpdir(), 'tonrpc-traced-'))
  {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }
    await using running = await startBuilt(['--data', data, '--seed', 'none', '--workers', '2'], { env })
    const across = () => {
      const all = collector.spans()
      return all.some((span) =>
        pathOf(span, all).join(' > ').includes('POST /jsonRPC > getMasterchainInfo > getMasterchainInfo'),
      )
    }
    const ask = async () => {
      // Open at once: each process gets some of them.
      using all = callers(running, 4)
      await Promise.all(all.map((one) => one.ask('getMasterchainInfo')))
      return across()
    }
    await expect.poll(ask, WAIT).toBe(true)
  }
  await rm(data, { recursive: true, force: true, maxRetries: 5 })
})
