// What the metrics say of calls and numbers, of one process and of several together.

import { expect, test } from 'vitest'
import { callsOf, createMetrics, type Metrics } from '../../../server/observe/index.ts'

/** Lines of our own, without those of the process and the words about them. */
async function linesOf(metrics: Metrics, others?: Parameters<Metrics['text']>[0]): Promise<string[]> {
  const text = await metrics.text(others)
  return text.split('\n').filter((line) => /^tonrpc_(?:call|test)/.test(line))
}

/** A process that made these calls and has these numbers. */
function scene(calls: readonly (readonly [outcome: string, ms: number])[], numbers: number): Metrics {
  const metrics = createMetrics()
  for (const [outcome, ms] of calls) metrics.method('subtract').done(outcome, ms, `${outcome} after ${ms}`)
  metrics.gauge('tonrpc_test_now', 'Now.', () => numbers)
  metrics.total('tonrpc_test_all', 'Since the start.', () => numbers)
  metrics.gauges('tonrpc_test_own', 'Of one.', 'plan', () => [['a "b"\\\n', numbers]])
  metrics.sums('tonrpc_test_each', { help: 'Of each.', label: 'server', isTotal: true }, () => [['one', numbers]])
  metrics.sums('tonrpc_test_each_now', { help: 'Of each.', label: 'server', isTotal: false }, () => [['one', numbers]])
  return metrics
}

const OWN = scene(
  [
    ['ok', 1],
    ['ok', 1.5],
    ['timeout', 20_000],
    ['timeout', 100],
    ['notFound', 3],
  ],
  3,
)

test('calls by outcome, times up to each bound, and numbers', async () => {
  expect(await linesOf(OWN)).toEqual([
    'tonrpc_test_now 3',
    'tonrpc_test_all 3',
    'tonrpc_test_own{plan="a \\"b\\"\\\\\\n"} 3',
    'tonrpc_test_each{server="one"} 3',
    'tonrpc_test_each_now{server="one"} 3',
    'tonrpc_calls_total{method="subtract",outcome="ok"} 2',
    'tonrpc_calls_total{method="subtract",outcome="timeout"} 2',
    'tonrpc_calls_total{method="subtract",outcome="notFound"} 1',
    'tonrpc_call_seconds_bucket{method="subtract",le="0.001"} 1',
    'tonrpc_call_seconds_bucket{method="subtract",le="0.005"} 3',
    'tonrpc_call_seconds_bucket{method="subtract",le="0.02"} 3',
    'tonrpc_call_seconds_bucket{method="subtract",le="0.1"} 4',
    'tonrpc_call_seconds_bucket{method="subtract",le="0.5"} 4',
    'tonrpc_call_seconds_bucket{method="subtract",le="2"} 4',
    'tonrpc_call_seconds_bucket{method="subtract",le="10"} 4',
    'tonrpc_call_seconds_bucket{method="subtract",le="+Inf"} 5',
    'tonrpc_call_seconds_sum{method="subtract"} 20.1055',
    'tonrpc_call_seconds_count{method="subtract"} 5',
  ])
})

test('of one that runs and one that has ended: what is counted since the start stays, what is there now has ended', async () => {
  const running = scene([['ok', 2]], 10).counts()
  const ended = callsOf([scene([['timeout', 2]], 100).counts(), scene([['ok', 2]], 1_000).counts()])
  const lines = await linesOf(OWN, [running, ended])
  for (const line of [
    'tonrpc_test_now 13',
    'tonrpc_test_all 1113',
    'tonrpc_test_own{plan="a \\"b\\"\\\\\\n"} 3',
    'tonrpc_test_each{server="one"} 1113',
    'tonrpc_test_each_now{server="one"} 13',
    'tonrpc_calls_total{method="subtract",outcome="ok"} 4',
    'tonrpc_calls_total{method="subtract",outcome="timeout"} 3',
    'tonrpc_call_seconds_bucket{method="subtract",le="0.001"} 1',
    'tonrpc_call_seconds_bucket{method="subtract",le="0.005"} 6',
    'tonrpc_call_seconds_sum{method="subtract"} 20.1115',
    'tonrpc_call_seconds_count{method="subtract"} 8',
  ])
    expect(lines).toContain(line)
  // Its own numbers are as they were.
  expect(await linesOf(OWN)).toContain('tonrpc_calls_total{method="subtract",outcome="ok"} 2')
})

test('what is counted since the start is a counter, what is there now a gauge', async () => {
  const types = [...(await OWN.text()).matchAll(/^# TYPE tonrpc_test_(\w+) (\w+)$/gm)].map(([, name, type]) => [
    name,
    type,
  ])
  expect(types).toEqual([
    ['now', 'gauge'],
    ['all', 'counter'],
    ['own', 'gauge'],
    ['each', 'counter'],
    ['each_now', 'gauge'],
  ])
})

test('of failures each kind has its count and its newest request, and the newest kind is first', () => {
  const failed = (kind: string, at: number) => ({
    name: 'subtract',
    counts: {
      ok: 0,
      outcomes: new Map([[kind, 2]]),
      buckets: new Float64Array(8),
      sumMs: 0,
      newest: new Map([[kind, { at, ms: 1, requestId: `at ${at}` }]]),
    },
  })
  const of = (...all: ReturnType<typeof failed>[]) => ({
    methods: all.map(({ name, counts }) => [name, counts] as const),
    gauges: [],
    totals: [],
  })
  const found = createMetrics().failures([of(failed('timeout', 5), failed('busy', 7)), of(failed('timeout', 4))])
  expect(found.map(({ kind, count, requestId }) => [kind, count, requestId])).toEqual([
    ['busy', 2, 'at 7'],
    ['timeout', 4, 'at 5'],
  ])
})
