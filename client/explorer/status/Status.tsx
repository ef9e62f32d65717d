// For those who run the service: whether it is ready, how far behind it is, and what calls cost it.

import { useEffect, useRef, useState } from 'preact/hooks'
import { duration } from '../../../shared/explorer/duration.ts'
import { fetchDocument, writtenTexts } from '../documents.ts'
import { bytes } from '../format/number.ts'
import { connected, tick } from '../live.ts'
import { wordsFor } from '../pageClient.ts'
import { Trouble, Waiting } from '../parts/Empty.tsx'
import { Facts } from '../parts/Facts.tsx'
import { groupDigits } from '../parts/groupDigits.ts'
import { Table } from '../parts/Table.tsx'
import { exactTime } from '../parts/When.tsx'
import { badgeOf, figureOf, type MethodUse, type MetricSample, methodUses, readMetrics } from './readMetrics.ts'
import { ServerCharts } from './ServerCharts.tsx'
import { Usage } from './Usage.tsx'
import { useReadings } from './useReadings.ts'

interface Readiness {
  readonly ready: boolean
  readonly checks: Readonly<Record<string, string>>
}

interface Reports {
  readonly readiness: Readiness
  readonly samples: readonly MetricSample[]
}

/** A service that hangs answers nothing, and refuses nothing. */
const PATIENCE_MS = 15_000

async function readReports(): Promise<Reports> {
  const signal = AbortSignal.timeout(PATIENCE_MS)
  const read = async (path: string): Promise<string> => (await fetchDocument(path, { signal })).text()
  try {
    const [readiness, metrics] = await Promise.all([read('/readyz'), read('/metrics')])
    return { readiness: JSON.parse(readiness), samples: readMetrics(metrics) }
  } catch {
    // Browsers have words of their own for it, and so have proxies.
    throw new Error('The service does not answer.')
  }
}

const seconds = (value: number): string => (value < 1 ? `${Math.round(value * 1000)} ms` : `${value.toFixed(2)} s`)

/** A chain's clock can be moved ahead. */
const ageWords = (age: number): string =>
  age <= -1
    ? `none: ${duration(Math.round(-age))} ahead of this computer's clock`
    : duration(Math.round(Math.max(0, age)))

const FIGURES: readonly (readonly [title: string, name: string, write: (value: number) => string])[] = [
  ['Indexed block', 'tonrpc_index_seqno', (value) => groupDigits(String(value))],
  ['Blocks the index is behind', 'tonrpc_index_lag_blocks', String],
  ['Age of the newest indexed block', 'tonrpc_index_head_age_seconds', ageWords],
  ['Blocks indexed per second', 'tonrpc_index_blocks_per_second', (value) => value.toFixed(2)],
  ['Connections', 'tonrpc_http_connections', String],
  ['WebSocket connections', 'tonrpc_sockets', String],
  ['Worker processes', 'tonrpc_workers', String],
  ['Calls running', 'tonrpc_calls_running', String],
  ['Calls waiting', 'tonrpc_calls_waiting', String],
  ['TVM threads busy', 'tonrpc_tvm_busy', String],
  ['TVM runs waiting', 'tonrpc_tvm_queued', String],
  ['Event loop late, 99th percentile', 'tonrpc_nodejs_eventloop_lag_p99_seconds', seconds],
  ['Memory', 'tonrpc_process_resident_memory_bytes', bytes],
  ['Heap used', 'tonrpc_nodejs_heap_size_used_bytes', bytes],
  ['Running since', 'tonrpc_process_start_time_seconds', exactTime],
]

const COLUMNS: readonly (readonly [title: string, name: string, write: (value: number) => string])[] = [
  ['Connected', 'up', (value) => (value === 1 ? 'yes' : 'no')],
  ['Newest block', 'head_seqno', (value) => groupDigits(String(value))],
  ['Blocks behind', 'lag_blocks', String],
  ['Time of an answer', 'latency_seconds', seconds],
  ['Calls', 'calls', (value) => groupDigits(String(value))],
  ['Failures', 'failures', (value) => groupDigits(String(value))],
  ['In flight', 'in_flight', String],
]

/** Heads and lags of lite servers, one row for each. */
function Servers({ samples }: { readonly samples: readonly MetricSample[] }) {
  const servers = new Map<string, Map<string, number>>()
  for (const { name, labels, value } of samples) {
    if (labels.server === undefined) continue
    const own = servers.get(labels.server) ?? new Map<string, number>()
    servers.set(labels.server, own.set(name.replace('tonrpc_lite_server_', ''), value))
  }
  if (servers.size === 0) return null
  const written = (own: ReadonlyMap<string, number>, name: string, write: (value: number) => string): string => {
    const value = own.get(name)
    return value === undefined ? '' : write(value)
  }
  return (
    <section aria-labelledby="servers">
      <h2 id="servers">Lite servers</h2>
      <ServerCharts samples={samples} />
      <Table label="Table of lite servers" columns={['Server', ...COLUMNS.map(([title]) => ({ number: title }))]}>
        {[...servers].map(([server, own]) => (
          <tr key={server}>
            <th scope="row">{server}</th>
            {COLUMNS.map(([, name, write]) => (
              <td key={name} class="number">
                {written(own, name, write)}
              </td>
            ))}
          </tr>
        ))}
      </Table>
    </section>
  )
}

const MethodRow = ({ use }: { readonly use: MethodUse }) => (
  <tr>
    <th scope="row">
      <code>{use.method}</code>
    </th>
    <td class="number">{groupDigits(String(use.calls))}</td>
    <td class="number">{use.seconds === null ? '' : seconds(use.seconds)}</td>
    <td>
      {Object.entries(use.failures).map(([kind, count]) => (
        <span key={kind} class={badgeOf(kind)}>
          {kind} {count}
        </span>
      ))}
    </td>
  </tr>
)

const Calls = ({ samples }: { readonly samples: readonly MetricSample[] }) => (
  <section aria-labelledby="calls">
    <h2 id="calls">Methods since the start, slowest in all first</h2>
    <Table
      label="Table of methods"
      columns={['Method', { number: 'Calls' }, { number: 'Mean time' }, 'Refused and failed']}
    >
      {methodUses(samples).map((use) => (
        <MethodRow key={use.method} use={use} />
      ))}
    </Table>
  </section>
)

interface ShownProps extends Reports {
  /** False when the service was asked again, and the reports are older. */
  readonly isNew: boolean
}

function Shown({ readiness, samples, isNew }: ShownProps) {
  const isReady = isNew && readiness.ready
  return (
    <>
      <div class="status">
        <section class="card" aria-labelledby="ready">
          <h2 id="ready">
            <span class={isReady ? 'badge big good' : 'badge big bad'}>
              {isReady ? 'Ready' : isNew ? 'Not ready' : 'No answer'}
            </span>
          </h2>
          {isNew && <Facts rows={Object.entries(readiness.checks)} />}
        </section>
        <section class="card" aria-labelledby="figures">
          <h2 id="figures">Figures</h2>
          <Facts
            rows={FIGURES.map(([title, name, write]) => {
              const value = figureOf(samples, name)
              return [title, value === null ? null : write(value)]
            })}
          />
        </section>
      </div>
      <Servers samples={samples} />
      <Calls samples={samples} />
      <Usage />
    </>
  )
}

/** Those the page came with: the first view has them at once. */
function writtenReports(): Reports | null {
  const [readiness, metrics] = writtenTexts(['/readyz', '/metrics']) ?? []
  return readiness === undefined || metrics === undefined
    ? null
    : { readiness: JSON.parse(readiness), samples: readMetrics(metrics) }
}

/** A chain that stands still, or an index that fell behind, makes no block that the page would be told of. */
const LOOK_MS = 10_000

export function Status() {
  const [reports, setReports] = useState(writtenReports)
  const [error, setError] = useState<string | null>(null)
  const [looks, setLooks] = useState(0)
  const moment = `${tick.value} ${looks} ${connected.value}`
  /** The reports the page came with are those of its beginning. */
  const written = useRef(reports === null ? null : moment)
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && setLooks((count) => count + 1), LOOK_MS)
    return () => clearInterval(timer)
  }, [])
  useReadings(moment, async () => {
    if (moment === written.current) return
    written.current = null
    await readReports().then(
      (found) => {
        setReports(found)
        setError(null)
      },
      (failure: unknown) => setError(wordsFor(failure)),
    )
  })
  return (
    <>
      <h1>Status of the service</h1>
      {error !== null && <Trouble error={error} />}
      {reports === null && error === null && <Waiting />}
      {reports && <Shown {...reports} isNew={error === null} />}
    </>
  )
}
