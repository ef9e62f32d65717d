// A password that an operator changes while the service runs: in the server and in the file that the service has it from.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { RedisConnection } from '../../../server/sharing/redisConnection.ts'
import { hasRedis, ownRedis } from '../../setup/ownRedis.ts'
import { startBuilt } from '../../setup/runningService.ts'

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

  const admin = new RedisConnection({ address: address('first'), onChange: () => undefined })
  onTestFinished(() => admin.close())
  await expect.poll(() => admin.send(['CONFIG', 'SET', 'requirepass', 'second']).catch(String), PATIENCE).toBe('OK')
  await admin.send(['CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes'])
  await expect.poll(said, PATIENCE).toMatch(/^not shared: WRONGPASS/)
  // As an editor writes it, or a mount that is being replaced.
  await writeFile(file, '')
  await writeFile(file, address('second'))
  await expect.poll(said, PATIENCE).toBe('shared')
})
