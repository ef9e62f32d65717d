// How many connections there may be where a process may open few files: with none left, the chain, the index and threads fail.

import { mostRefusals } from '../../http/httpOptions.ts'
import type { Log } from '../../observe/index.ts'
import { processesOf } from './processes.ts'
import type { Config } from './settings.ts'

type Bounds = Pick<Config, 'connections' | 'connectionsPerAddress' | 'sockets'>
type FileSettings = Bounds & Pick<Config, 'litePort' | 'workers' | 'database' | 'role' | 'memory'>

const MOST_LITE_CLIENTS = 512

/** A browser opens six, and two pages are often open. */
const LEAST_PER_ADDRESS = 12

/** The bounds with so many connections in all, and the others in proportion. */
function boundsWith(connections: number, whole: Bounds): Bounds {
  const part = (of: number): number => Math.ceil((of * connections) / whole.connections)
  const perAddress = Math.max(LEAST_PER_ADDRESS, part(whole.connectionsPerAddress))
  return {
    connections,
    connectionsPerAddress: Math.min(whole.connectionsPerAddress, perAddress),
    sockets: part(whole.sockets),
  }
}

/** Files of the process that has the chain. A worker, which has files of its own, passes its WebSockets to it. */
function filesOverHttp({ connections, sockets }: Bounds, settings: FileSettings): number {
  const processes = processesOf(settings)
  const passed = processes === 1 ? 0 : Math.min(sockets, connections)
  return Math.ceil(connections / processes) + passed + mostRefusals(connections)
}

/** Lite clients get as many files as callers over HTTP. */
function filesFor(bounds: Bounds, settings: FileSettings): number {
  const lite = settings.litePort === 'off' ? 0 : Math.min(MOST_LITE_CLIENTS, bounds.connections)
  return filesOverHttp(bounds, settings) + lite
}

/** The largest bounds for which so many files are enough, at least those of one connection. */
export function boundsWithin(files: number, settings: FileSettings): Bounds {
  let least = 1
  let most = settings.connections
  while (least < most) {
    const middle = Math.ceil((least + most) / 2)
    if (filesFor(boundsWith(middle, settings), settings) <= files) least = middle
    else most = middle - 1
  }
  return boundsWith(least, settings)
}

const RAISE_LIMIT = 'raise the limit of open files: ulimit -n, LimitNOFILE of systemd'

/** The settings with as many connections as leave the service its own files. */
export function settingsWithin(files: number, config: Config, log: Pick<Log, 'warn'>): Config {
  const bounds = boundsWithin(files, config)
  const { connections } = bounds
  if (connections === config.connections) return config
  const facts = { connections, wanted: config.connections, remedy: RAISE_LIMIT }
  log.warn(facts, 'fewer connections than --connections: this process may not open enough files')
  return { ...config, ...bounds }
}

/** Lite clients in all, and of one address or network, where there are so many files for callers. */
export function liteLimitsWithin(files: number, settings: FileSettings) {
  const left = files - filesOverHttp(settings, settings)
  const maxConnections = Math.max(1, Math.min(MOST_LITE_CLIENTS, left))
  return { maxConnections, maxPerAddress: Math.ceil(maxConnections / 8) }
}
