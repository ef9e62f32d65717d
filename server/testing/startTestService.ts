// A service for a file of tests: on a free port, in a folder of its own, and gone with the tests.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type Client, createClient } from '../../client/index.ts'
import { type CommandProcess, runCommand, runInFolder, startInFolder } from './commandProcess.ts'

export interface TestServiceOptions {
  /** Settings as in a config file, without `data`: `{ mining: 'manual' }`. The default of `seed` is `'none'`: no demo. */
  readonly settings?: Readonly<Record<string, unknown>> | undefined
  /** A folder made by `backup`, or by `tonrpc backup`: the chain begins as a copy of it. */
  readonly copyOf?: string | undefined
}

export interface TestService {
  /** `http://127.0.0.1:41234` */
  readonly url: string
  readonly client: Client
  /** Copies the chain as it is now to a new folder, for `copyOf`. */
  readonly backup: (to: string) => Promise<void>
  /** Stops the service and removes its folder. Throws Error with what it printed when it had ended before. */
  readonly stop: () => Promise<void>
}

const READY_MS = 120_000
const POLL_MS = 20
/** For one call to a service that is ready, by way of whatever is in between. */
const REACH_MS = 30_000

const NAMES: ReadonlySet<string> = new Set<keyof TestServiceOptions>(['settings', 'copyOf'])

function checkOptions(options: TestServiceOptions): void {
  const unknown = Object.keys(options).find((name) => !NAMES.has(name))
  if (unknown !== undefined)
    throw new TypeError(`startTestService has no option ${unknown}: there are ${[...NAMES].join(' and ')}`)
  if (Object.hasOwn(options.settings ?? {}, 'data'))
    throw new TypeError('a test service has a data folder of its own: leave out data, or name a backup as copyOf')
}

/** Where it listens, in its banner. */
const ADDRESS = /JSON-RPC 2\.0 +(\S+)\/jsonRPC/

/** Whether everything answers, v3 too. Rejects when no reply comes in time. No proxy of the environment is in between. */
function isReady(url: string, withinMs: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const sent = get(`${url}/readyz`, { agent: false, signal: AbortSignal.timeout(withinMs) })
    sent.once('error', reject).once('response', (reply) => {
      reply.once('error', reject).once('end', () => resolve(reply.statusCode === 200))
      reply.resume()
    })
  })
}

/** Throws Error where calls of this process do not arrive: its tests would fail one by one, with errors of a proxy. */
async function checkReach(url: string): Promise<void> {
  const why = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(REACH_MS) }).then(
    async (reply) => {
      await reply.arrayBuffer()
      return reply.ok ? null : `the answer is ${reply.status}`
    },
    (error: unknown) => String(error instanceof Error ? (error.cause ?? error) : error),
  )
  if (why === null) return
  const remedy = 'where Node uses a proxy (NODE_USE_ENV_PROXY), name 127.0.0.1 in NO_PROXY'
  throw new Error(`calls of this process do not reach the service at ${url}: ${why}; ${remedy}`)
}

async function readyUrl(service: CommandProcess): Promise<string> {
  const until = performance.now() + READY_MS
  const url = await Promise.race([service.find(ADDRESS), wait(READY_MS, null, { ref: false })])
  while (url !== null && performance.now() < until && !service.hasEnded) {
    const left = Math.ceil(until - performance.now())
    if (await isReady(url, left).catch(() => false)) return url
    await wait(POLL_MS)
  }
  const why = service.hasEnded ? 'it ended' : `it was not ready after ${READY_MS / 1000} s`
  throw new Error(`the service did not start: ${why}\n${service.printed}`)
}

/** What `stop` does, also when it is called again. */
function stopping(service: CommandProcess, end: () => Promise<void>): () => Promise<void> {
  let stopped: Promise<void> | null = null
  const stop = async (): Promise<void> => {
    const { hasEnded } = service
    await end()
    if (hasEnded) throw new Error(`the service ended before it was stopped\n${service.printed}`)
  }
  return () => {
    stopped ??= stop()
    return stopped
  }
}

/** Starts a service. Throws Error with what it printed when it cannot start. */
export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  checkOptions(options)
  const folder = await mkdtemp(join(tmpdir(), 'tonrpc-'))
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 3 })
  const data = join(folder, 'data')
  const config = join(folder, 'settings.json')
  const settings = { seed: 'none', port: 0, ...options.settings, data }
  let service: CommandProcess | null = null
  const end = async (): Promise<void> => {
    await service?.stop()
    await remove()
  }
  try {
    await writeFile(config, JSON.stringify(settings))
    if (options.copyOf !== undefined) await runInFolder(folder, ['restore', resolve(options.copyOf), '--data', data])
    service = startInFolder(folder, ['--config', config])
    const url = await readyUrl(service)
    await checkReach(url)
    service.release()
    const backup = (to: string): Promise<void> => runCommand(['backup', resolve(to), '--data', data])
    return { url, client: createClient({ url }), backup, stop: stopping(service, end) }
  } catch (error) {
    await end()
    throw error
  }
}
