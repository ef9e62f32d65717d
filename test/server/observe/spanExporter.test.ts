// What sends spans to a collector, and what makes them: bounds, failures, whose trace.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { FinishedSpan } from '../../../server/observe/createTraces.ts'
import { createTraces, SpanExporter } from '../../../server/observe/index.ts'
import { traceCollector } from '../../setup/traceCollector.ts'

const service = { name: 'tonrpc', version: '1.2.3', instance: 'here:1' }
const span = (name: string): FinishedSpan => ({
  traceId: 'a'.repeat(32),
  spanId: 'b'.repeat(16),
  parentId: null,
  name,
  kind: 'server',
  error: null,
  startMs: 1_700_000_000_000.125,
  endMs: 1_700_000_000_001,
  attributes: { text: 'x', count: 3, yes: true },
})

const WAIT = { timeout: 300_000, interval: 20 }

function watchedLog() {
  const lines: string[] = []
  const write = (facts: unknown, text?: unknown) => void lines.push(`${String(text)} ${JSON.stringify(facts)}`)
  return { lines, warn: write, info: write }
}

const exporterTo = (endpoint: string, log = watchedLog()) => new SpanExporter({ endpoint, service, log, everyMs: 10 })

describe('spans are sent', () => {
  test('as OTLP JSON, with the service and nanoseconds', async () => {
    await using collector = await traceCollector()
    const exporter = exporterTo(collector.url)
    exporter.add(span('one'))
    await expect.poll(() => collector.spans().length, WAIT).toBe(1)
    expect(collector.paths).toEqual(['/v1/traces'])
    expect(collector.spans()[0]).toMatchObject({
      name: 'one',
      kind: 2,
      startTimeUnixNano: '1700000000000125000',
      endTimeUnixNano: '1700000000001000000',
      attributes: [
        { key: 'text', value: { stringValue: 'x' } },
        { key: 'count', value: { intValue: '3' } },
        { key: 'yes', value: { boolValue: true } },
      ],
    })
    expect(collector.resources()[0]).toContainEqual({ key: 'service.version', value: { stringValue: '1.2.3' } })
    await exporter.close()
  })

  test('in batches, and what is left at the end', async () => {
    await using collector = await traceCollector()
    const exporter = exporterTo(collector.url)
    for (let i = 0; i < 1_300; i++) exporter.add(span(`span ${i}`))
    await exporter.close()
    expect(collector.spans().map(({ name }) => name)).toEqual(Array.from({ length: 1_300 }, (_, i) => `span ${i}`))
    expect(collector.bodies.length).toBe(3)
    expect([exporter.sent, exporter.dropped]).toEqual([1_300, 0])
  })

  test('also a single one at the end, before its time has come', async () => {
    await using collector = await traceCollector()
    const exporter = new SpanExporter({ endpoint: collector.url, service, log: watchedLog(), everyMs: 3_600_000 })
    exporter.add(span('last'))
    await exporter.close()
    expect(collector.spans().map(({ name }) => name)).toEqual(['last'])
    expect([exporter.sent, exporter.dropped]).toEqual([1, 0])
  })

  test('with the password of the address as a header, and not in the log', async () => {
    await using collector = await traceCollector()
    const log = watchedLog()
    const exporter = exporterTo(collector.url.replace('//', '//user:pass%20word@'), log)
    collector.answer(503)
    exporter.add(span('one'))
    await expect.poll(() => log.lines.length, WAIT).toBe(1)
    collector.answer(200)
    await expect.poll(() => collector.spans().length, WAIT).toBe(1)
    await exporter.close()
    expect(collector.authorizations[0]).toBe(`Basic ${Buffer.from('user:pass word').toString('base64')}`)
    expect(log.lines).toHaveLength(2)
    expect(log.lines.join()).not.toMatch(/word|user/)
  })
})

describe('a collector in trouble', () => {
  test('that is gone: 4096 spans wait, more are dropped, and the end is not held up', async () => {
    const log = watchedLog()
    const exporter = exporterTo('http://127.0.0.1:1', log)
    for (let i = 0; i < 5_000; i++) exporter.add(span('lost'))
    expect(exporter.dropped).toBe(904)
    await expect.poll(() => log.lines.length, WAIT).toBe(1)
    await exporter.close()
    expect([exporter.sent, exporter.dropped]).toEqual([0, 5_000])
  })

  test('that never answers: the spans of the request are counted as dropped at the end', async () => {
    const server = createServer(() => undefined)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    // The cast: a server that listens on a port.
    const exporter = exporterTo(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    for (let i = 0; i < 600; i++) exporter.add(span('stuck'))
    await once(server, 'request')
    await exporter.close()
    expect([exporter.sent, exporter.dropped]).toEqual([0, 600])
  })

  test('that comes back gets what waited', async () => {
    await using collector = await traceCollector()
    collector.answer(503)
    const exporter = exporterTo(collector.url)
    exporter.add(span('patient'))
    await expect.poll(() => collector.paths.length, WAIT).toBeGreaterThan(1)
    collector.answer(200)
    await expect.poll(() => collector.spans().map(({ name }) => name), WAIT).toEqual(['patient'])
    await exporter.close()
    expect(exporter.dropped).toBe(0)
  })

  test('that refuses for good gets nothing twice', async () => {
    await using collector = await traceCollector()
    collector.answer(400)
    const exporter = exporterTo(collector.url)
    exporter.add(span('refused'))
    await expect.poll(() => exporter.dropped, WAIT).toBe(1)
    await exporter.close()
    expect(collector.paths).toHaveLength(1)
  })
})

describe('whose trace it is', () => {
  const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
  const PARENT = '00f067aa0ba902b7'
  const made = (sample = 1) => {
    const over: FinishedSpan[] = []
    const clock = { ms: 0 }
    return { over, clock, traces: createTraces({ sample, take: (span) => over.push(span), now: () => clock.ms }) }
  }

  test('the caller decides for its own', () => {
    const { traces, over } = made(1_000)
    traces.begin('first', 'server')?.end()
    expect(traces.begin('second', 'server')).toBeNull()
    expect(traces.begin('third', 'server', `00-${TRACE}-${PARENT}-00`)).toBeNull()
    traces.begin('fourth', 'server', `00-${TRACE}-${PARENT}-01`)?.end()
    expect(over).toMatchObject([
      { name: 'first', parentId: null },
      { name: 'fourth', traceId: TRACE, parentId: PARENT },
    ])
  })

  test('fifty of them a second: a stranger must not fill the queue', () => {
    const { traces, over, clock } = made(1_000)
    traces.begin('one of a thousand', 'server')
    const demand = () => traces.begin('demanded', 'server', `00-${TRACE}-${PARENT}-01`)?.end()
    for (let i = 0; i < 200; i++) demand()
    expect(over).toHaveLength(50)
    clock.ms = 1_001
    demand()
    expect(over).toHaveLength(51)
  })

  test.each([
    '',
    'nonsense',
    `00-${'0'.repeat(32)}-${PARENT}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `ff-${TRACE}-${PARENT}-01`,
    `00-${TRACE}-${PARENT}-01-more`,
    `00-${TRACE.toUpperCase()}-${PARENT}-01`,
    `00-${TRACE}-${PARENT}-01${'-x'.repeat(100)}`,
  ])('an unreadable header begins a trace: %s', (header) => {
    const { traces, over } = made()
    traces.begin('request', 'server', header)?.end()
    expect(over).toHaveLength(1)
    expect(over[0]).toMatchObject({ parentId: null, traceId: expect.not.stringContaining(TRACE) })
  })

  test('a trace has 256 spans at most, and a span that is over no further ones', () => {
    const { traces, over } = made()
    const root = traces.begin('batch', 'server')
    for (let i = 0; i < 1_000; i++) root?.child('call', 'internal')?.end()
    root?.end()
    expect(over).toHaveLength(256)
    expect(root?.child('late', 'internal')).toBeNull()
  })

  test('work that ends at once keeps its result, and its span ends with it', () => {
    const { traces, over } = made()
    expect(traces.within(traces.begin('call', 'server'), () => 'cached')).toBe('cached')
    expect(over).toMatchObject([{ name: 'call', error: null }])
    expect(traces.within(null, () => 'not traced')).toBe('not traced')
  })

  test('the span of another process of the service is that of what it passes on, and makes none itself', () => {
    const { traces, over } = made()
    const joined = traces.joined(`00-${TRACE}-${PARENT}-01`)
    joined?.child('part', 'internal')?.end()
    expect(over).toMatchObject([{ name: 'part', traceId: TRACE, parentId: PARENT }])
    expect(traces.joined(undefined)).toBeNull()
  })

  test('errors leave their kind, and not their text', async () => {
    const { traces, over } = made()
    const failing = () => Promise.reject(Object.assign(new Error('secret'), { kind: 'timeout' }))
    await expect(traces.within(traces.begin('call', 'server'), failing)).rejects.toThrow('secret')
    expect(over).toMatchObject([{ error: 'timeout' }])
    expect(JSON.stringify(over)).not.toContain('secret')
  })
})
