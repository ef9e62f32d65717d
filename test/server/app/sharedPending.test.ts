// Two processes over one PostgreSQL and the lite port of a devnet, and a Redis between them: what is sent through one is pending
// in the other, and is not sent again. Without the Redis each goes on alone.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { writeBoc } from '../../../server/cell/index.ts'
import { createFaucet } from '../../../server/devchain/index.ts'
import { drivers, dropDatabase, emptyDatabase } from '../../setup/database.ts'
import { hasRedis, ownRedis } from '../../setup/ownRedis.ts'
import { type RunningService, readerFlags, startBuilt } from '../../setup/runningService.ts'

const PATIENCE = { timeout: 300_000, interval: 50 }
const faucet = createFaucet()
const someBoc = (): string =>
  Buffer.from(writeBoc(faucet.request([{ to: { workchain: 0, hash: new Uint8Array(32) }, amount: 1n }]))).toString(
    'base64',
  )

async function call({ url }: RunningService, method: string, params: unknown): Promise<Record<string, unknown>> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const reply = await fetch(`${url}/jsonRPC`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
  })
  const { result, error } = (await reply.json()) as { result?: Record<string, unknown>; error?: unknown }
  if (result === undefined) throw new Error(`${method}: ${JSON.stringify(error)}`)
  return result
}

const listOf = async (service: RunningService, name: string, params: unknown): Promise<number> => {
  const { [name]: list } = await call(service, `v3.pending${name[0]?.toUpperCase()}${name.slice(1)}`, params)
  return Array.isArray(list) ? list.length : 0
}
const isPending = (service: RunningService, hash: unknown) =>
  expect.poll(() => listOf(service, 'traces', { ext_msg_hash: [hash] }).catch(() => 0), PATIENCE).toBe(1)

async function stateOf({ url }: RunningService) {
  const state = (await (await fetch(`${url}/readyz`)).json()) as { ready: boolean; checks: Record<string, string> }
  const metrics = await (await fetch(`${url}/metrics`)).text()
  const read = (name: string): number => Number(new RegExp(`^${name} (\\d+)`, 'm').exec(metrics)?.[1])
  return { ready: state.ready, redis: state.checks.redis, read }
}

describe.runIf(hasRedis && drivers.includes('postgres'))('two processes and a Redis', () => {
  test('share what is pending, as long as the Redis is there', async () => {
    const top = await mkdtemp(join(tmpdir(), 'tonrpc-shared-'))
    const database = await emptyDatabase()
    try {
      await using redis = await ownRedis()
      await using chain = await startBuilt(['--data', join(top, 'chain'), '--lite-port', '0', '--mining', 'manual'])
      const start = (name: string, role: string) =>
        startBuilt([
          '--data',
          join(top, name),
          ...readerFlags(chain, { role, database }),
          '--redis',
          `redis://127.0.0.1:${redis.port}`,
          '--limits',
          'off',
          '--workers',
          '1',
        ])
      await using one = await start('one', 'both')
      await using two = await start('two', 'api')
      const both = [one, two]
      for (const each of both)
        await expect.poll(() => stateOf(each), PATIENCE).toMatchObject({ ready: true, redis: 'shared' })

      const boc = someBoc()
      const { hash_norm: hash } = await call(one, 'sendBocReturnHash', { boc })
      await isPending(two, hash)
      const account = Buffer.from(faucet.address.hash).toString('hex')
      expect(await listOf(two, 'transactions', { account: [`-1:${account}`, `0:${account}`] })).toBeGreaterThan(0)
      expect(await listOf(two, 'actions', { ext_msg_hash: [hash] })).toBeGreaterThan(0)

      const waited = await call(two, 'v3.sendAndWait', { boc, wait: 'pending' })
      expect(waited).toMatchObject({ status: 'pending', message_hash_norm: hash })
      const sent = both.map(async (each) => (await stateOf(each)).read('tonrpc_sent_messages_waiting'))
      expect(await Promise.all(sent)).toEqual([1, 0])

      await redis.stop()
      for (const each of both)
        await expect.poll(() => stateOf(each), PATIENCE).toMatchObject({ ready: true, redis: /not shared: / })
      expect((await stateOf(two)).read('tonrpc_redis_shares')).toBe(0)
      const { hash_norm: meanwhile } = await call(two, 'sendBocReturnHash', { boc: someBoc() })
      await isPending(two, meanwhile)
      await redis.start()
      await isPending(one, meanwhile)
      for (const each of both) await expect.poll(() => stateOf(each), PATIENCE).toMatchObject({ redis: 'shared' })

      const done = call(two, 'v3.sendAndWait', { boc, wait: 'finalized' })
      for (let i = 0; i < 4; i++) await call(chain, 'dev.mine', {})
      expect(await done).toMatchObject({ status: 'finalized', message_hash_norm: hash })
    } finally {
      await dropDatabase(database)
      await rm(top, { recursive: true, force: true, maxRetries: 5 })
    }
  })
})
