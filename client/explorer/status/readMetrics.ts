// The text of `/metrics`, as far as a page shows it.

export interface MetricSample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

const LINE = /^(\w+)(?:\{(.*)\})? (\S+)$/
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g

/** Samples of a text in the format of Prometheus; other lines are left out. */
export function readMetrics(text: string): readonly MetricSample[] {
  return text.split('\n').flatMap((line) => {
    const [, name, labels = '', number] = line.startsWith('#') ? [] : (LINE.exec(line) ?? [])
    const value = Number(number)
    if (name === undefined || Number.isNaN(value)) return []
    const pairs = [...labels.matchAll(LABEL)].map(([, key = '', text = '']) => [key, text.replace(/\\(.)/g, '$1')])
    return [{ name, labels: Object.fromEntries(pairs), value }]
  })
}

/** The one sample of a name without labels; null when there is none. */
export const figureOf = (samples: readonly MetricSample[], name: string): number | null =>
  samples.find((one) => one.name === name)?.value ?? null

export interface MethodUse {
  readonly method: string
  readonly calls: number
  /** By outcome, without the good ones. */
  readonly failures: Readonly<Record<string, number>>
  /** Mean seconds of a call that was computed; null when none was. */
  readonly seconds: number | null
}

/** Class of the badge of an outcome. A caller that left before it had a result, as pages do that are closed, is no fault. */
export const badgeOf = (outcome: string): string => (outcome === 'abandoned' ? 'badge' : 'badge bad')

/** Every method that was called, the ones that took the most time first. */
export function methodUses(samples: readonly MetricSample[]): readonly MethodUse[] {
  const uses = new Map<string, { calls: number; failures: Record<string, number>; sum: number; count: number }>()
  for (const { name, labels, value } of samples) {
    const method = labels.method
    if (method === undefined || value === 0) continue
    const use = uses.get(method) ?? { calls: 0, failures: {}, sum: 0, count: 0 }
    if (name === 'tonrpc_calls_total') {
      use.calls += value
      const outcome = labels.outcome ?? 'ok'
      if (outcome !== 'ok') use.failures[outcome] = (use.failures[outcome] ?? 0) + value
    } else if (name === 'tonrpc_call_seconds_sum') use.sum += value
    else if (name === 'tonrpc_call_seconds_count') use.count += value
    else continue
    uses.set(method, use)
  }
  return [...uses]
    .sort(([, a], [, b]) => b.sum - a.sum)
    .map(([method, { calls, failures, sum, count }]) => ({
      method,
      calls,
      failures,
      seconds: count === 0 ? null : sum / count,
    }))
}
