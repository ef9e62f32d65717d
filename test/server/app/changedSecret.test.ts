// A password that an operator changes while the service runs: in the server and in the file that the service has it from.

import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { RedisConnection } from '../../../server/sharing/redisConnection.ts'
import { drivers, dropDatabase, emptyDatabase, onServer } from '../../setup/database.ts'
import { hasRedis, ownRedis } from '../../setup/ownRedis.ts'
import { startBuilt } from '../../setup/runningService.ts'

const MINE = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'dev.mine', params: {} })
const PATIENCE = { timeout: 120_000, interval: 100 }

test.runIf(hasRedis)('the password of a Redis is read again from its file', async () => {
  const data = await mkdtemp(join(tmpdir(), 'tonrpc-secret-'))
  onTestFinished(() => rm(data, { recursive: true, force: true, maxRetries: 20 }))
  await using redis = await ownRedis('--requirepass', 'first')
  const address = (password: string) => `redis://:${password}@127.0.0.1:${redis.port}`
  const file = join(data, 'redis')
  await writeFile(file, `${address('first')}\n`)
  await using service = await startBuilt(['--data', join(data, 'own'), '--redis-file', file])
  const said = async () => (await (await fetch(`${service.url}/readyz`)).json()).checks.redis
  await expect.poll(said, PATIENCE).toBe('shared')

  const admin = new RedisConnection({
    address: address('first'),
    onChange: () => undefined,
    answerMs: PATIENCE.timeout,
  })
  onTestFinished(() => admin.close())
  await expect.poll(() => admin.send(['CONFIG', 'SET', 'requirepass', 'second']).catch(String), PATIENCE).toBe('OK')
  await admin.send(['CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes'])
  await expect.poll(said, PATIENCE).toMatch(/^not shared: WRONGPASS/)
  // As an editor writes it, or a mount that is being replaced.
  await writeFile(file, '')
  await writeFile(file, address('second'))
  await expect.poll(said, PATIENCE).toBe('shared')
})

// Another user: a server that takes any password takes it only for a user there is.
test.runIf(drivers.includes('postgres'))('the user of a database is read again from its file', async () => {
  const data = await mkdtemp(join(tmpdir(), 'tonrpc-secret-'))
  onTestFinished(() => rm(data, { recursive: true, force: true, maxRetries: 20 }))
  const url = new URL(await emptyDatabase())
  const name = url.pathname.slice(1)
  const [one, two] = [randomUUID(), randomUUID()].map((id) => `tonrpc_${id.replaceAll('-', '')}`)
  await onServer(`create role ${one} login password 'first'`)
  await onServer(`alter database "${name}" owner to ${one}`)
  const file = join(data, 'database')
  const hold = async (user = '', password = '') => {
    Object.assign(url, { username: user, password })
    await writeFile(file, url.href)
  }
  await hold(one, 'first')
  {
    await using service = await startBuilt(['--data', join(data, 'own'), '--database-file', file])
    const readiness = async () => await (await fetch(`${service.url}/readyz`)).json()
    await expect.poll(async () => (await readiness()).ready, PATIENCE).toBe(true)
    await onServer(`alter role ${one} rename to ${two}`)
    await onServer(`alter role ${two} password 'second'`)
    await onServer(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
    await expect.poll(async () => (await readiness()).checks.index, PATIENCE).toContain(one)
    await hold(two, 'second')
    await fetch(`${service.url}/jsonRPC`, { method: 'POST', body: MINE })
    await expect.poll(async () => (await readiness()).checks.index, PATIENCE).toMatch(/, 0 behind/)
  }
  await dropDatabase(url.href)
  await onServer(`drop role ${two}`)
})
