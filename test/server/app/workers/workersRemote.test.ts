// Several processes on a chain of lite servers: each reads the chain by itself, and callers do not notice which answers.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { Caller, callerOfEach, callers, workersOf } from '../../../setup/callers.ts'
import { type RunningService, startBuilt } from '../../../setup/runningService.ts'

let folder: string
let chain: RunningService
let service: RunningService

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tonrpc-workers-remote-'))
  const own = ['--lite-port', '0', '--mining', 'manual', '--log-format', 'json']
  chain = await startBuilt(['--data', join(folder, 'chain'), '--seed', 'none', ...own])
  const servers = ['--network', 'custom', '--liteservers', join(folder, 'chain', 'global.config.json')]
  const words = ['--data', join(folder, 'service'), '--workers', '3', '--log-format', 'json', ...servers]
  service = await startBuilt(words)
  await ready()
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await chain[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

async function ready(): Promise<void> {
  while (!/"workers":"2 of 2 ready"/.test(await (await fetch(`${service.url}/readyz`)).text())) await sleep(50)
}

const metricsOf = async ({ url }: RunningService): Promise<string> => await (await fetch(`${url}/metrics`)).text()
const valueIn = (metrics: string, line: RegExp): number => Number(line.exec(metrics)?.[1] ?? 0)
const measured = async (of: RunningService, line: RegExp): Promise<number> => valueIn(await metricsOf(of), line)

const addressOf = (number: number): string => `0:${number.toString(16).padStart(64, '0')}`

test('a call that reads the chain is answered by the process that has its connection', async () => {
  const each = await callerOfEach(service, 3)
  onTestFinished(() => {
    for (const one of each.values()) one[Symbol.dispose]()
  })
  const all = [...each.values()]
  await Promise.all(all.map((one) => one.ask('getMasterchainInfo')))
  // The owner, which follows the chain, and both workers.
  await expect.poll(() => measured(chain, /tonrpc_lite_clients_connections (\d+)/)).toBeGreaterThanOrEqual(3)
  const CALLS = /tonrpc_lite_server_calls_total\{[^}]*\} (\d+)/
  const calls = () => measured(service, CALLS)
  const before = await calls()
  const replies = await Promise.all(
    Array.from({ length: 60 }, async (_, i) => {
      const { by, body } = (await all[i % 3]?.post('/jsonRPC', {
        jsonrpc: '2.0',
        id: i,
        method: 'getAddressInformation',
        params: { address: addressOf(1000 + i) },
      })) ?? { by: '', body: {} }
      expect(body).toMatchObject({ ok: true, result: { state: 'uninitialized' } })
      return by
    }),
  )
  expect(new Set(replies)).toEqual(new Set(each.keys()))
  // Each of the 60 read the account, in its own process: the metrics have the sum.
  // Those of a process that does not answer within a second are of before: its calls of both kinds come together.
  let metrics = ''
  const answered = async (): Promise<number> => {
    metrics = await metricsOf(service)
    return valueIn(metrics, /tonrpc_calls_total\{method="getAddressInformation",outcome="ok"\} (\d+)/)
  }
  await expect.poll(answered).toBe(60)
  expect(valueIn(metrics, CALLS) - before).toBeGreaterThanOrEqual(60)
  // Workers that end take nothing away.
  const sum = await calls()
  for (const pid of workersOf(service)) process.kill(pid, 'SIGKILL')
  await expect.poll(() => measured(service, /tonrpc_worker_restarts_total (\d+)/)).toBe(2)
  expect(await calls()).toBeGreaterThanOrEqual(sum)
  await ready()
})

test('callers see no earlier block after a later one, and a new state with it, whichever process answers', async () => {
  using all = callers(service, 6)
  using owner = new Caller(chain)
  const seqnoOf = (body: object): number =>
    (body as { readonly result: { readonly last: { readonly seqno: number } } }).result.last.seqno
  for (let i = 1; i <= 20; i++) {
    const address = addressOf(5000 + i)
    const before = await Promise.all(all.map(async (one) => seqnoOf(await one.ask('getMasterchainInfo'))))
    expect(await owner.ask('dev.setAccount', { address, balance: String(i) })).toMatchObject({ ok: true })
    expect(await owner.ask('dev.mine', { blocks: 1 })).toMatchObject({ ok: true })
    const one = all[i % 6]
    const newest = async () => seqnoOf((await one?.ask('getMasterchainInfo')) ?? {})
    // One of them has seen it: from then on all have.
    await expect.poll(newest, { timeout: 300_000 }).toBeGreaterThan(Math.max(...before))
    const after = await Promise.all(all.map(async (one) => seqnoOf(await one.ask('getMasterchainInfo'))))
    expect(Math.min(...after)).toBeGreaterThan(Math.max(...before))
    const balances = await Promise.all(all.map((one) => one.ask('getAddressBalance', { address })))
    for (const body of balances) expect(body).toMatchObject({ ok: true, result: String(i) })
  }
})

test('refusals are those of the owner', async () => {
  using all = callers(service, 6)
  const requested: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
    ['getBlockHeader', { workchain: -1, shard: '-9223372036854775808', seqno: 4_000_000 }],
    ['getAddressInformation', { address: 'nonsense' }],
    ['getTransactions', { address: addressOf(1), lt: '1', hash: 'A'.repeat(43).concat('=') }],
    ['lookupBlock', { workchain: 7, shard: '-9223372036854775808', seqno: 1 }],
  ]
  for (const [method, params] of requested) {
    const bodies = await Promise.all(all.map((one) => one.ask(method, params)))
    for (const body of bodies) expect({ ...body, '@extra': null }).toEqual({ ...bodies[0], '@extra': null })
  }
})
