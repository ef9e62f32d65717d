// How far lite servers are behind the best of them, since the page was opened.

import { useEffect, useState } from 'preact/hooks'
import { counted } from '../../../shared/explorer/counted.ts'
import { foreignText } from '../accountNames.ts'
import { Chart } from '../charts/Chart.tsx'
import type { ChartPoint } from '../charts/scale.ts'
import type { MetricSample } from './readMetrics.ts'

const LAG = 'tonrpc_lite_server_lag_blocks'
const UP = 'tonrpc_lite_server_up'
const MOST_POINTS = 60

type Curves = Readonly<Record<string, readonly ChartPoint[]>>

const lagsIn = (samples: readonly MetricSample[]): ReadonlyMap<string, number> =>
  new Map(samples.filter(({ name }) => name === LAG).map(({ labels: { server = '' }, value }) => [server, value]))

/** Of a server that is not connected no lag is known. */
function longer(before: Curves, samples: readonly MetricSample[], at: number): Curves {
  const lags = lagsIn(samples)
  const servers = samples.filter(({ name }) => name === UP).map(({ labels: { server = '' } }) => server)
  return Object.fromEntries(
    servers.map((server) => {
      const points = (before[server] ?? []).filter((point) => point.at < at)
      const value = lags.get(server)
      return [server, [...points, ...(value === undefined ? [] : [{ at, value }])].slice(-MOST_POINTS)]
    }),
  )
}

const blocks = (count: number): string => counted(count, 'block')

export function ServerCharts({ samples }: { readonly samples: readonly MetricSample[] }) {
  const [curves, setCurves] = useState<Curves>({})
  useEffect(() => setCurves((before) => longer(before, samples, Math.floor(Date.now() / 1000))), [samples])
  const lags = lagsIn(samples)
  return (
    <div class="server-charts">
      {Object.entries(curves).map(([server, points]) => (
        <Chart
          key={server}
          title={`${foreignText(server)}: ${lags.has(server) ? 'blocks behind' : 'not connected'}`}
          points={points}
          write={blocks}
          shape="steps"
          height={120}
        />
      ))}
    </div>
  )
}
