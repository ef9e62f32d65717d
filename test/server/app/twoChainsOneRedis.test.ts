// Two chains of one name over one Redis: what a caller has spent at one is not missing at the other.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { RedisConnection } from '../../../server/sharing/index.ts'
import { hasRedis, ownRedis } from '../../setup/ownRedis.ts'
import { type RunningService, startBuilt } from '../../setup/runningService.ts'

const PATIENCE = { timeout: 300_000, interval: 50 }

async function genesisOf({ url }: RunningService): Promise<string> {
  const { result } = (await (await fetch(`${url}/api/v2/getMasterchainInfo`)).json()) as {
    result: { init: { root_hash: string } }
  }
  return Buffer.from(result.init.root_hash, 'base64').toString('hex')
}

describe.runIf(hasRedis)('two chains and a Redis', () => {
  test('keep the budgets of a caller apart', async () => {
    const top = await mkdtemp(join(tmpdir(), 'tonrpc-redis-'))
    try {
      await using redis = await ownRedis()
      const address = `redis://127.0.0.1:${redis.port}`
      const start = (name: string) =>
        startBuilt([
          '--data',
          join(top, name),
          '--seed',
          'none',
          '--redis',
          address,
          '--limits',
          'on',
          '--workers',
          '1',
        ])
      await using one = await start('one')
      await using two = await start('two')
      expect(await genesisOf(one)).not.toBe(await genesisOf(two))

      const connection = new RedisConnection({ address, onChange: () => undefined })
      const spentAt = async (...services: readonly RunningService[]) => {
        for (const { url } of services) await fetch(`${url}/api/v2/getMasterchainInfo`)
        return await connection.send(['KEYS', '*:budget:*']).catch(() => [])
      }
      await expect.poll(() => spentAt(one), PATIENCE).toHaveLength(1)
      await expect.poll(() => spentAt(one, two), PATIENCE).toHaveLength(2)
      connection.close()
    } finally {
      await rm(top, { recursive: true, force: true })
    }
  })
})
