// What an operator sees of the streams.

import type { Metrics } from '../observe/index.ts'

export class StreamCounts {
  readonly #sent = new Map<string, number>()
  #delays: number[] = []
  /** Readers that were closed because they did not read. */
  slow = 0

  sent(type: string, finality: string, count: number): void {
    const name = `${type} ${finality}`
    this.#sent.set(name, (this.#sent.get(name) ?? 0) + count)
  }

  /** Notes how long a block took from the index to its last notification. */
  delayed(ms: number): void {
    this.#delays.push(ms)
    if (this.#delays.length > MOST_DELAYS) this.#delays = this.#delays.slice(-MOST_DELAYS / 2)
  }

  measure(
    metrics: Pick<Metrics, 'gauge' | 'total' | 'sums'>,
    open: { connections(): number; subscriptions(): number },
  ): void {
    const gauge: Metrics['gauge'] = (name, help, read) => metrics.gauge(name, help, read)
    gauge('tonrpc_stream_connections', 'Open streaming connections.', open.connections)
    gauge('tonrpc_stream_subscriptions', 'Subscriptions in force.', open.subscriptions)
    metrics.total(
      'tonrpc_stream_slow_readers_total',
      'Streaming connections closed because their reader was too slow.',
      () => this.slow,
    )
    gauge(
      'tonrpc_stream_block_seconds',
      'Time from an indexed block to its last notification, 99th percentile of late.',
      () => this.#p99(),
    )
    const help = 'Notifications sent, by type and finality.'
    metrics.sums('tonrpc_stream_notifications_total', { help, label: 'kind', isTotal: true }, () => this.#sent)
  }

  #p99(): number {
    const sorted = [...this.#delays].sort((a, b) => a - b)
    return (sorted[Math.floor(sorted.length * 0.99)] ?? 0) / 1000
  }
}

const MOST_DELAYS = 1000
