// Calls to lite servers for the metrics: each process makes its own, and the numbers of all are summed.

import type { ServerPool } from '../../node/index.ts'
import type { Metrics } from '../../observe/index.ts'

type Report = ServerPool['servers'][number]

export function measureLiteCalls(pool: Pick<ServerPool, 'servers'>, metrics: Pick<Metrics, 'sums'>): void {
  const perServer = (name: string, help: string, isTotal: boolean, read: (report: Report) => number): void =>
    metrics.sums(`tonrpc_lite_server_${name}`, { help, label: 'server', isTotal }, () =>
      pool.servers.map((report) => [report.name, read(report)] as const),
    )
  perServer('calls_total', 'Calls to the lite server since the start.', true, ({ calls }) => calls)
  perServer('failures_total', 'Calls it did not answer since the start.', true, ({ failures }) => failures)
  perServer('in_flight', 'Calls it has not answered yet.', false, ({ inFlight }) => inFlight)
}
