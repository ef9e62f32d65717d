// The service as a lite server: the port, the configuration it hands out, its key, and what strangers may do there.

import { existsSync, readdirSync, readlinkSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAddressRanges } from '../../../../server/access/index.ts'
import { globalConfig, listenerAddressOf } from '../../../../server/app/chain/globalConfig.ts'
import { createAnswering } from '../../../../server/app/chain/liteListener.ts'
import { Settings } from '../../../../server/app/settings/settings.ts'
import { StartRefused } from '../../../../server/app/startRefused.ts'
import { startService } from '../../../../server/app/startService.ts'
import {
  type BlockIdExt,
  connectLiteServer,
  createRemoteChain,
  LiteError,
  type LiteServer,
} from '../../../../server/node/index.ts'
import { createLog, type Log } from '../../../../server/observe/index.ts'
import { encodeRequest, wrapQuery } from '../../../../server/tl/index.ts'
import { serve, type TestOptions } from '../../../setup/service.ts'

const open: { readonly close: () => void }[] = []
afterAll(() => {
  for (const one of open) one.close()
})

interface ConfigFile {
  readonly liteservers: readonly { readonly ip: number; readonly port: number; readonly id: { readonly key: string } }[]
  readonly validator: Record<'zero_state' | 'init_block', { readonly root_hash: string; readonly file_hash: string }>
}

async function configOf(url: string, path = '/global.config.json'): Promise<{ text: string; config: ConfigFile }> {
  const answer = await fetch(`${url}${path}`)
  expect(answer.status).toBe(200)
  const text = await answer.text()
  return { text, config: JSON.parse(text) as ConfigFile }
}

async function connect(config: ConfigFile): Promise<LiteServer> {
  const [server] = config.liteservers
  if (server === undefined) throw new Error('the configuration names no server')
  const host = [24, 16, 8, 0].map((shift) => (server.ip >>> shift) & 255).join('.')
  const address = { name: 'own', host, port: server.port, key: Buffer.from(server.id.key, 'base64'), slices: null }
  const lite = await connectLiteServer(address, new AbortController().signal)
  open.push(lite)
  return lite
}

const withLite = (options: TestOptions = {}) => serve({ ...options, config: { litePort: '0', ...options.config } })

describe('a service with a lite port', () => {
  let service: Awaited<ReturnType<typeof serve>>
  beforeAll(async () => {
    service = await withLite()
    return () => service[Symbol.asyncDispose]()
  })

  test('default: hands out a configuration by which clients find and trust it', async () => {
    const { text, config } = await configOf(service.url)
    expect((await configOf(service.url, '/lite.config.json')).text).toBe(text)
    expect(await readFile(join(service.data, 'global.config.json'), 'utf8')).toBe(text)
    expect(text).toMatch(/"shard": -9223372036854775808,/)
    const lite = await connect(config)
    const { init } = await lite.masterchainInfo()
    expect(Buffer.from(init.rootHash).toString('base64')).toBe(config.validator.zero_state.root_hash)
    const first = await lite.lookup({ workchain: -1, shard: 1n << 63n, seqno: 1 })
    expect(Buffer.from(first.id.rootHash).toString('base64')).toBe(config.validator.init_block.root_hash)
  })

  test('behavior: a chain read over the port is the one that is served', async () => {
    const { config } = await configOf(service.url)
    const lite = await connect(config)
    const chain = createRemoteChain(lite)
    const { id } = await chain.head()
    // By its number: the chain may have a newer one by now.
    const block = `workchain=-1&shard=8000000000000000&seqno=${id.seqno}`
    const answer = await fetch(`${service.url}/api/v2/lookupBlock?${block}`)
    const { result } = (await answer.json()) as { result: { seqno: number; root_hash: string } }
    expect(result).toMatchObject({ seqno: id.seqno, root_hash: Buffer.from(id.rootHash).toString('base64') })
    const elector = { workchain: -1, hash: new Uint8Array(32).fill(0x33) }
    expect((await chain.account(id, elector)).account?.storage.state.kind).toBe('active')
  })

  test('behavior: the key is for its owner alone', async () => {
    const path = join(service.data, 'lite.key')
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(await readFile(path, 'utf8')).toMatch(/^[0-9a-f]{64}\n$/)
  })

  test('behavior: what goes on is measured', async () => {
    const { config } = await configOf(service.url)
    await (await connect(config)).masterchainInfo()
    const metrics = await (await fetch(`${service.url}/metrics`)).text()
    expect(Number(/^tonrpc_lite_clients_queries_total (\d+)/m.exec(metrics)?.[1])).toBeGreaterThan(0)
  })
})

test('default: without the setting nothing listens, and there is no configuration', async () => {
  await using service = await serve()
  expect(service.lite).toBeNull()
  expect((await fetch(`${service.url}/global.config.json`)).status).toBe(404)
})

const silent = createLog({ format: 'json', level: 'silent' })

/** Empty where the system does not list them. */
function openFiles(): readonly string[] {
  if (!existsSync('/proc/self/fd')) return []
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)]
    } catch {
      // The one this list was read by is closed again.
      return []
    }
  })
}

test('behavior: after a restart the same key is used; error: a port that is taken', async () => {
  await using service = await withLite()
  const { data, lite } = service
  const port = lite?.address.split(':')[1] ?? ''
  const own = { port: 0, data: join(data, 'other'), requestLog: join(data, 'requests.log'), seed: 'none' }
  const start = (litePort: string) =>
    startService({
      config: Settings.parse({ ...own, litePort, logLevel: 'silent' }),
      log: silent,
      withoutIndex: true,
    })
  await expect(start(port)).rejects.toThrow(StartRefused)
  await expect(start(port)).rejects.toThrow(/lite port \d+ is taken/)
  expect(openFiles(), 'what a start has opened before it was refused').not.toContain(own.requestLog)
  const first = await start('0')
  await first.close()
  const second = await start('0')
  await second.close()
  expect(second.lite?.key).toBe(first.lite?.key)
  expect(first.lite?.key).not.toBe(lite?.key)
})

test('error: messages beyond the rate of their sender', async () => {
  await using service = await withLite({ config: { limits: 'on' } })
  const { config } = await configOf(service.url)
  const lite = await connect(config)
  const sent = await Promise.allSettled(Array.from({ length: 6 }, () => lite.send(Buffer.from('noise'))))
  const codes = sent.map((one) =>
    one.status === 'rejected' && one.reason instanceof LiteError ? one.reason.code : null,
  )
  expect(codes).toContain(0)
  expect(codes).toContain(429)
  // Reading is not limited by it.
  expect((await lite.masterchainInfo()).last.seqno).toBeGreaterThan(0)
})

test('behavior: an operator reads in the log that connected clients know blocks which are undone', async () => {
  const warned: string[] = []
  const log: Log = { ...silent, warn: (_: object, text?: string) => warned.push(text ?? '') }
  await using service = await withLite({ log, config: { mining: 'manual' } })
  const call = async (method: string, params: object): Promise<unknown> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const answer = await fetch(`${service.url}/jsonRPC`, { method: 'POST', body })
    return ((await answer.json()) as { result: unknown }).result
  }
  const { config } = await configOf(service.url)
  await (await connect(config)).masterchainInfo()
  const mark = (await call('dev.snapshot', {})) as { id: string }
  await call('dev.mine', { blocks: 2 })
  await call('dev.revert', { id: mark.id })
  expect(warned).toContainEqual(expect.stringContaining('lite clients know blocks that were reverted'))
})

test('behavior: an address that asks without end does not keep others waiting', async () => {
  const order: string[] = []
  const head = { ...block(1), seqno: 7 }
  const info = {
    last: head,
    lastUtime: 0,
    stateRootHash: head.rootHash,
    version: 1,
    capabilities: 1n,
    now: 1,
    init: { workchain: -1, rootHash: head.rootHash, fileHash: head.fileHash },
  }
  const server = { masterchainInfo: () => Promise.resolve(info) } as Partial<LiteServer> as LiteServer
  const access = { identify: () => ({ subject: '', keyId: null, tier: null }), spend: () => null, peek: () => null }
  const onQuery = createAnswering({
    source: { server },
    access,
    trusted: createAddressRanges([]),
    log: silent,
    touch: () => undefined,
  })
  const query = wrapQuery(encodeRequest('getTime', {}))
  const ask = async (address: string): Promise<void> => {
    const { signal } = new AbortController()
    const answer = await onQuery(query, { number: 1, address, keyId: null, signal })
    expect(answer).not.toBeNull()
    order.push(address)
  }
  const many = Array.from({ length: 500 }, () => ask('203.0.113.1'))
  await Promise.all([...many, ask('203.0.113.2')])
  expect(order.indexOf('203.0.113.2')).toBeLessThan(100)
})

describe('messages over a lite port with limits', () => {
  const codesOf = async (config: TestOptions['config']): Promise<(number | null)[]> => {
    await using service = await withLite({ config: { limits: 'on', ...config } })
    const lite = await connect((await configOf(service.url)).config)
    const send = () =>
      lite.send(new Uint8Array([1])).then(
        () => null,
        (error: unknown) => (error instanceof LiteError ? error.code : null),
      )
    return await Promise.all(Array.from({ length: 20 }, send))
  }

  test('default: one a second of an address', async () => {
    const codes = await codesOf({})
    expect(codes.filter((code) => code === 429).length).toBeGreaterThan(15)
  })

  test('behavior: a trusted service sends for all its callers', async () => {
    expect(new Set(await codesOf({ liteTrusted: ['10.0.0.0/8', '127.0.0.0/8'] }))).toEqual(new Set([0]))
    expect(await codesOf({ liteTrusted: ['10.0.0.0/8'] })).toContain(429)
  })
})

const block = (seqno: number): BlockIdExt => ({
  workchain: -1,
  shard: 1n << 63n,
  seqno,
  rootHash: new Uint8Array(32).fill(1),
  fileHash: new Uint8Array(32).fill(2),
})

test('behavior: the form of the configuration', async () => {
  const start = { zerostate: block(0), init: block(1), hardForks: [block(7)] }
  const key = new Uint8Array(32)
  const text = globalConfig({ address: '203.0.113.9', port: 5, key }, start)
  expect(text.match(/"shard": -9223372036854775808/g)).toHaveLength(3)
  const { liteservers } = JSON.parse(text) as ConfigFile
  expect(liteservers[0]?.ip).toBe((203 << 24) | (113 << 8) | 9)
  const named = JSON.parse(globalConfig({ address: 'node.example', port: 5, key }, start)) as ConfigFile
  expect(named.liteservers[0]).toMatchObject({ hostname: 'node.example', port: 5 })
})

test('behavior: the address it names, also where the system does not say those of the machine', async () => {
  const unknown: unknown[] = []
  const onUnknown = (error: unknown) => void unknown.push(error)
  expect(await listenerAddressOf('127.0.0.1', { onUnknown })).toBe('127.0.0.1')
  expect(await listenerAddressOf('0.0.0.0', { onUnknown })).toMatch(/^\d+\.\d+\.\d+\.\d+$/)
  expect(unknown).toEqual([])
  const refused = new Error('uv_interface_addresses returned EAFNOSUPPORT')
  const interfaces = () => {
    throw refused
  }
  expect(await listenerAddressOf('0.0.0.0', { onUnknown, interfaces })).toBe('127.0.0.1')
  expect(unknown).toEqual([refused])
})

test.each(['on', '70000', '-1', '1.5'])('error: %s is no lite port', (litePort) => {
  expect(() => Settings.parse({ litePort })).toThrow(/off or a port from 0 to 65535/)
})
