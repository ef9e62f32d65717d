// The index as callers of the service meet it.

import { expect, onTestFinished, test, vi } from 'vitest'
import { openDatabase } from '../../../../server/store/index.ts'
import { drivers, dropDatabase, emptyDatabase } from '../../../setup/database.ts'
import { gaugeOf } from '../../../setup/gauge.ts'
import { PATIENCE_MS } from '../../../setup/memoryStore.ts'
import { serve } from '../../../setup/service.ts'

interface Ready {
  readonly ready: boolean
  readonly checks: Readonly<Record<string, string>>
}

const account = `0:${'35'.repeat(32).toUpperCase()}`

async function rpc(
  url: string,
  method: string,
  params: object,
): Promise<{ result?: unknown; error?: { message: string } }> {
  const response = await fetch(`${url}/jsonRPC`, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return (await response.json()) as { result?: unknown; error?: { message: string } }
}

test('what happens on the chain can be read in v3, from the first moment of the service on', async () => {
  await using service = await serve({ withIndex: true })
  const { url } = service
  const read = async (path: string) =>
    (await (await fetch(`${url}/api/v3/${path}`)).json()) as Record<string, unknown[]>
  // The database is still being opened: the call waits for it and is answered.
  expect(await read(`transactions?account=${account}`)).toMatchObject({ transactions: [] })
  await rpc(url, 'dev.faucet', { address: account, amount: '1000000000' })
  await vi.waitFor(async () => expect((await read(`transactions?account=${account}`)).transactions).toHaveLength(1), {
    timeout: 300_000,
  })
  expect((await read(`accountStates?address=${account}`)).accounts).toMatchObject([{ balance: '1000000000' }])
  const snapshot = await rpc(url, 'dev.snapshot', {})
  await rpc(url, 'dev.faucet', { address: account, amount: '5' })
  await vi.waitFor(async () => expect((await read(`transactions?account=${account}`)).transactions).toHaveLength(2), {
    timeout: 300_000,
  })
  // A chain that goes back takes cached answers with it.
  await rpc(url, 'dev.revert', snapshot.result as object)
  await vi.waitFor(async () => expect((await read(`transactions?account=${account}`)).transactions).toHaveLength(1), {
    timeout: 300_000,
  })
})

test('the first calls of a start wait for the first block of the index', async () => {
  await using service = await serve({ withIndex: true, config: { webhookPrivate: true } })
  const { url } = service
  const endpoint = 'http://127.0.0.1:1/hook'
  const first = [
    fetch(`${url}/api/v3/masterchainInfo`),
    fetch(`${url}/webhooks`, { method: 'POST', body: JSON.stringify({ endpoint }) }),
  ]
  const answers = await Promise.all(first.map(async (answer) => await (await answer).json()))
  expect(answers).toMatchObject([{ last: { workchain: -1 } }, { webhook_id: 1 }])
})

test.runIf(drivers.includes('postgres'))('what is indexed is read, although a replica has not got it', async () => {
  const database = await emptyDatabase()
  onTestFinished(() => dropDatabase(database))
  await (await openDatabase({ database, readTimeoutMs: PATIENCE_MS })).close()
  // It stays as the primary was before the first block.
  const databaseRead = await emptyDatabase(new URL(database).pathname.slice(1))
  onTestFinished(() => dropDatabase(databaseRead))
  await using service = await serve({ withIndex: true, config: { database, databaseRead } })
  const { result } = await rpc(service.url, 'dev.faucet', { address: account, amount: '1000000000' })
  // The cast: the shape of its result.
  const { tx_hash, seqno } = result as { tx_hash: string; seqno: number }
  const find = () =>
    fetch(`${service.url}/api/v3/transactions?hash=${encodeURIComponent(tx_hash)}`, {
      headers: { 'X-Min-Seqno': String(seqno) },
    })
  await expect.poll(async () => (await find()).status, { timeout: 300_000 }).toBe(200)
  expect(await (await find()).json()).toMatchObject({ transactions: [{ hash: tx_hash }] })
})

test('readiness and metrics say how far the index is', async () => {
  await using service = await serve({ withIndex: true })
  const ready = async () => (await (await fetch(`${service.url}/readyz`)).json()) as Ready
  await vi.waitFor(async () => expect(await ready()).toMatchObject({ ready: true }), { timeout: 300_000 })
  expect((await ready()).checks.index).toMatch(/^block \d+/)
  const metrics = await (await fetch(`${service.url}/metrics`)).text()
  for (const name of ['seqno', 'lag_blocks', 'head_age_seconds', 'blocks_per_second', 'leads'])
    expect(metrics).toMatch(new RegExp(`^tonrpc_index_${name} -?[\\d.]+$`, 'm'))
})

interface Info {
  readonly first: { readonly seqno: number; readonly gen_utime: string }
  readonly last: { readonly seqno: number; readonly gen_utime: string }
}

test('metrics say from which block to which the index goes, of which time that is, and how old the newest is', async () => {
  await using service = await serve({ withIndex: true, config: { mining: 'manual' } })
  const { result } = await rpc(service.url, 'dev.increaseTime', { seconds: 3_600 })
  expect(result).toBeDefined()
  await rpc(service.url, 'dev.mine', { blocks: 3 })
  const info = async () => (await (await fetch(`${service.url}/api/v3/masterchainInfo`)).json()) as Info
  await expect.poll(async () => (await info()).last.seqno, { timeout: 300_000 }).toBeGreaterThan(3)
  const { first, last } = await info()
  const span = Number(last.gen_utime) - Number(first.gen_utime)
  expect(span).toBeGreaterThanOrEqual(3_600)
  const read = async (name: string) => await gaugeOf(service, `tonrpc_index_${name}`)
  expect(await read('seqno')).toBe(last.seqno)
  expect(await read('first_seqno')).toBe(first.seqno)
  expect(await read('span_seconds')).toBe(span)
  expect(await read('lag_blocks')).toBe(0)
  const before = Date.now() / 1000 - Number(last.gen_utime)
  const age = await read('head_age_seconds')
  expect(age).toBeGreaterThanOrEqual(before)
  expect(age).toBeLessThanOrEqual(Date.now() / 1000 - Number(last.gen_utime))
})

test('a process that only indexes answers no other method', async () => {
  await using service = await serve({ withIndex: true, config: { role: 'index' } })
  const { error } = await rpc(service.url, 'getMasterchainInfo', {})
  expect(error?.message).toBe('Method not found')
  await vi.waitFor(
    async () => expect(await (await fetch(`${service.url}/metrics`)).text()).toMatch(/^tonrpc_index_leads 1$/m),
    { timeout: 300_000 },
  )
})

test('without its database the service answers v2, and says what is missing', async () => {
  const warn = vi.fn()
  const log = { ...console, trace: vi.fn(), debug: vi.fn(), info: vi.fn(), warn, error: vi.fn(), fatal: vi.fn() }
  const database = 'postgres://nobody:secret@127.0.0.1:1/none'
  await using service = await serve({ withIndex: true, config: { database }, log })
  expect((await rpc(service.url, 'getMasterchainInfo', {})).result).toBeDefined()
  const response = await fetch(`${service.url}/readyz`)
  expect(response.status).toBe(503)
  expect(((await response.json()) as Ready).checks.index).toMatch(/database/)
  await expect.poll(() => warn).toHaveBeenCalled()
  expect(JSON.stringify(warn.mock.calls)).not.toContain('secret')
})
