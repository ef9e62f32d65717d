// A service of several processes while leaders are killed: `npm run bench -- operate`. Two processes answer, over a PostgreSQL and
// its replica, and two index; the one that leads is killed each minute and started again. MINUTES is how long (2), CONNECTIONS
// how many callers (32). Needs the programs of a PostgreSQL server on this machine.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { hasServer, ownPostgres } from '../setup/ownPostgres.ts'
import { type RunningService, startBuilt } from '../setup/runningService.ts'
import { load } from './load.ts'

const MINUTES = Number(process.env.MINUTES ?? 2)
const CONNECTIONS = Number(process.env.CONNECTIONS ?? 32)
const MINUTE_MS = 60_000
/** When in a minute the leader is killed: the minute shows what happens before and after. */
const KILL_AT_MS = 15_000
const LOOK_MS = 200
/** Blocks that are read. */
const MOST_SEQNO = 20

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`
const text = async (url: string): Promise<string> => await (await fetch(url)).text()
const indexedBy = async ({ url }: RunningService): Promise<number> =>
  Number(/^tonrpc_index_seqno (\d+)/m.exec(await text(`${url}/metrics`))?.[1] ?? 0)
const leads = async ({ url }: RunningService): Promise<boolean> =>
  /^tonrpc_index_leads 1/m.test(await text(`${url}/metrics`))

async function until(what: () => Promise<boolean>): Promise<number> {
  const began = performance.now()
  while (!(await what().catch(() => false))) await sleep(LOOK_MS)
  return performance.now() - began
}

async function measure(): Promise<void> {
  const top = await mkdtemp(join(tmpdir(), 'tonrpc-operate-'))
  await using own = await ownPostgres()
  const replica = await own.replica()
  const address = (port: number): string => `postgres://postgres@127.0.0.1:${port}/postgres`
  const database = ['--database', address(own.primary.port)]
  await using chain = await startBuilt(['--data', join(top, 'chain'), '--lite-port', '0', '--block-time', '1s'])
  const network = ['--network', 'custom', '--liteservers', `${chain.url}/global.config.json`, '--index-from', '1']
  const started = new Set<RunningService>()
  const start = async (name: string, ...more: readonly string[]): Promise<RunningService> => {
    const one = await startBuilt(['--data', join(top, name), '--limits', 'off', ...network, ...database, ...more])
    started.add(one)
    return one
  }
  try {
    const index = [await start('index1', '--role', 'index'), await start('index2', '--role', 'index')]
    const read = ['--role', 'api', '--database-read', address(replica.port)]
    const apis = [await start('api1', ...read), await start('api2', ...read)]
    for (const one of apis) {
      await until(async () => (await indexedBy(one)) > MOST_SEQNO)
      await until(async () => (await fetch(`${one.url}/readyz`)).status === 200)
    }

    let n = 0
    const paths = [
      () => '/api/v3/masterchainInfo',
      () => `/api/v3/blocks?workchain=-1&seqno=${1 + (n % MOST_SEQNO)}`,
      () => `/api/v3/transactions?limit=${1 + (n % 10)}&mc_seqno=${1 + (n % MOST_SEQNO)}`,
      () => '/api/v2/getMasterchainInfo',
    ]
    const request = () => get(paths[n++ % paths.length]?.() ?? '/')
    for (let minute = 1; minute <= MINUTES; minute++) {
      const loads = apis.map(({ url }) =>
        load({ port: Number(new URL(url).port), request, connections: CONNECTIONS / 2, ms: MINUTE_MS, holds: null }),
      )
      const kill = async () => {
        await sleep(KILL_AT_MS)
        const leader = (await Promise.all(index.map(leads))).indexOf(true)
        const victim = index[leader]
        if (victim === undefined) throw new Error('no process leads')
        const before = Math.max(...(await Promise.all(apis.map(indexedBy))))
        victim.child.kill('SIGKILL')
        const stalled = await until(async () => (await indexedBy(apis[0] ?? victim)) > before + 1)
        started.delete(victim)
        index[leader] = await start(`index${leader + 1}`, '--role', 'index')
        return stalled
      }
      const [rates, stalled] = await Promise.all([Promise.all(loads), kill()])
      const rate = rates.reduce((sum, one) => sum + one, 0)
      console.log(
        `minute ${minute}: ${Math.round(rate)} requests per second, none failed; leader killed, two blocks later after ${(stalled / 1000).toFixed(1)} s`,
      )
    }
  } finally {
    for (const one of started) await one[Symbol.asyncDispose]()
    await rm(top, { recursive: true, force: true, maxRetries: 5 })
  }
}

if (hasServer) await measure()
else console.log('not run here: there are no programs of a PostgreSQL server')
