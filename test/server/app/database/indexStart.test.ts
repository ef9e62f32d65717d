// Which index a service may start with.

import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createFileKeyStore } from '../../../../server/access/index.ts'
import type { Config } from '../../../../server/app/settings/settings.ts'
import { cuttableProxy } from '../../../setup/cuttableProxy.ts'
import { drivers, dropDatabase, emptyDatabase } from '../../../setup/database.ts'
import { serve, type TestService } from '../../../setup/service.ts'

const withIndex = (config: Partial<Config> = {}): Promise<TestService> => serve({ withIndex: true, config })

async function isReady({ url }: TestService): Promise<void> {
  await vi.waitFor(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200), { timeout: 300_000 })
}

async function someFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tonrpc-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

const blockHashes = async ({ url }: TestService): Promise<unknown> =>
  ((await (await fetch(`${url}/api/v3/blocks?workchain=-1&seqno=1`)).json()) as { blocks: unknown[] }).blocks

describe.runIf(drivers.includes('postgres'))('a database on a server', () => {
  async function someDatabase(): Promise<string> {
    const address = await emptyDatabase()
    onTestFinished(() => dropDatabase(address))
    return address
  }

  test('with the index of another chain refuses every role with a reason and keeps its rows', async () => {
    const database = await someDatabase()
    const data = await someFolder()
    const first = await withIndex({ database, data })
    await isReady(first)
    const before = await blockHashes(first)
    await first.close()
    for (const role of ['both', 'index', 'api'] as const)
      await expect(withIndex({ database, role })).rejects.toThrow(/index of another chain.*genesis.*--reindex-from 1/)
    await using again = await withIndex({ database, data })
    await isReady(again)
    expect(await blockHashes(again)).toEqual(before)
  })

  test('of another chain that answers late gets no keys of the folder, that of the own chain does', async () => {
    const database = await someDatabase()
    const data = await someFolder()
    const other = await someFolder()
    const first = await withIndex({ database, data })
    await isReady(first)
    await first.close()
    const order = { network: 'devnet', plan: 'free', perSecond: null, label: '', expiresAt: null } as const
    for (const folder of [data, other]) await createFileKeyStore(folder).create(order)
    const address = new URL(database)
    const proxy = await cuttableProxy(Number(address.port || 5432), address.hostname)
    onTestFinished(() => proxy.close())
    proxy.cut()
    address.host = `127.0.0.1:${proxy.port}`
    await using late = await withIndex({ database: address.href, data: other })
    proxy.heal()
    const state = async () => await (await fetch(`${late.url}/readyz`)).text()
    await vi.waitFor(async () => expect(await state()).toContain('index of another chain'), { timeout: 300_000 })
    await using again = await withIndex({ database, data })
    await vi.waitFor(async () => expect(await readdir(data)).toContain('keys.json.imported'), { timeout: 300_000 })
    expect(await readdir(other)).toContain('keys.json')
    await isReady(again)
  })

  test('answers a process that only reads when it is of the chain of its folder', async () => {
    const database = await someDatabase()
    const data = await someFolder()
    const writer = await withIndex({ database, data })
    await isReady(writer)
    const before = await blockHashes(writer)
    await writer.close()
    await using reader = await withIndex({ database, data, role: 'api' })
    await isReady(reader)
    expect(await blockHashes(reader)).toEqual(before)
  })

  test('that is empty refuses a process that only reads a devnet', async () => {
    await expect(withIndex({ database: await someDatabase(), role: 'api' })).rejects.toThrow(/belongs to one process/)
  })

  test('and its new chain are indexed on request', async () => {
    const database = await someDatabase()
    const first = await withIndex({ database })
    await isReady(first)
    const before = await blockHashes(first)
    await first[Symbol.asyncDispose]()
    await using second = await withIndex({ database, reindexFrom: 1 })
    await isReady(second)
    expect(await blockHashes(second)).not.toEqual(before)
  })
})

test('a process that only reads a devnet does not start without its database', async () => {
  const closed = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => closed.once('listening', resolve))
  const { port } = closed.address() as { port: number }
  await new Promise((resolve) => closed.close(resolve))
  const database = `postgres://me:s3cret@127.0.0.1:${port}/none`
  const started = withIndex({ role: 'api', database })
  await expect(started).rejects.toThrow(/belongs to one process.*ECONNREFUSED/)
  await expect(started).rejects.not.toThrow(/s3cret/)
})

test('--reset begins the embedded index again with its chain', async () => {
  const data = await someFolder()
  const first = await withIndex({ data })
  await isReady(first)
  const before = await blockHashes(first)
  await first.close()
  await using second = await withIndex({ data, reset: true })
  await isReady(second)
  expect(await blockHashes(second)).not.toEqual(before)
})
