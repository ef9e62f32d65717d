// The service on a network of lite servers: what it says of itself, what it refuses to start with, and its answers next to
// those of the chain itself.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { fewCallsText } from '../../../../server/app/network/openNetwork.ts'
import { StartRefused } from '../../../../server/app/startRefused.ts'
import { beginCell, writeBoc } from '../../../../server/cell/index.ts'
import { type Connect, type LiteConnection, LiteError } from '../../../../server/node/index.ts'
import { serve, type TestOptions } from '../../../setup/service.ts'
import { type LiteScene, openScene } from '../../devchain/lite/liteScene.ts'
import { account, external } from '../../devchain/wallets.ts'

let scene: LiteScene
let folder: string
let file: string
beforeAll(async () => {
  scene = await openScene({ messages: 8, seed: 3 })
  folder = await mkdtemp(join(tmpdir(), 'tonrpc-network-'))
  file = join(folder, 'net.json')
  await writeFile(file, await configOf(scene))
})
afterAll(async () => {
  await scene.close()
  await rm(folder, { recursive: true })
})

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

async function configOf({ lite }: LiteScene, trusted: object = {}): Promise<string> {
  const { init } = await lite.masterchainInfo()
  const hashes = { root_hash: base64(init.rootHash), file_hash: base64(init.fileHash) }
  const servers = [1, 2].map((port) => ({ ip: 2130706433, port, id: { key: base64(new Uint8Array(32).fill(port)) } }))
  return JSON.stringify({
    liteservers: servers,
    validator: { zero_state: { workchain: -1, shard: '-9223372036854775808', seqno: 0, ...hashes }, ...trusted },
  })
}

/** Connections to the scene's own lite server that end on demand. */
function connections() {
  const open = new Set<() => void>()
  let isUp = true
  const connect: Connect = async () => {
    if (!isUp) throw new Error('connection refused')
    const connection: LiteConnection = {
      ...scene.lite,
      kind: 'remote',
      close: () => undefined,
      onClose: (listener) => open.add(() => listener(new Error('connection reset'))),
    }
    return connection
  }
  return {
    connect,
    setUp(up: boolean) {
      isUp = up
      if (up) return
      for (const close of open) close()
      open.clear()
    },
  }
}

const remote = (options: TestOptions = {}) =>
  serve({
    connect: connections().connect,
    ...options,
    config: { network: 'custom', liteservers: file, limits: 'off', ...options.config },
  })

const readyz = async (url: string) => {
  const answer = await fetch(`${url}/readyz`)
  return { status: answer.status, ...((await answer.json()) as { checks: { chain: string } }) }
}

describe('a service over lite servers', () => {
  test('behavior: follows the chain, and says how far it is', async () => {
    await using service = await remote()
    const { status, checks } = await readyz(service.url)
    expect([status, checks.chain]).toEqual([
      200,
      expect.stringMatching(/^block \d+, \d+\.\d s ago, 2 of 2 lite servers$/),
    ])
    await scene.chain.control.mine(1)
    const newest = scene.blocks(-1).length
    await vi.waitFor(
      async () => expect((await readyz(service.url)).checks.chain).toContain(`block ${newest},`),
      300_000,
    )
    const answer = await fetch(`${service.url}/api/v2/getMasterchainInfo`)
    expect(await answer.json()).toMatchObject({ ok: true, result: { last: { seqno: newest } } })
    const metrics = await (await fetch(`${service.url}/metrics`)).text()
    expect(metrics).toMatch(/^tonrpc_lite_server_up\{server="127\.0\.0\.1:1"\} 1$/m)
    expect(metrics).toMatch(/^tonrpc_lite_server_head_seqno\{server="127\.0\.0\.1:1"\} [1-9]\d*$/m)
    expect(metrics).toMatch(/^tonrpc_lite_server_lag_blocks\{server="127\.0\.0\.1:2"\} 0$/m)
    expect(await fetch(`${service.url}/api/v2/getMasterchainInfo`).then((one) => one.status)).toBe(200)
  })

  test('behavior: without its servers it says so, and goes on when they are back', async () => {
    const { connect, setUp } = connections()
    await using service = await remote({ connect })
    // The answer is cached until the next block, or until no lite server can be reached.
    for (let i = 0; i < 2; i++) expect((await fetch(`${service.url}/api/v2/getMasterchainInfo`)).status).toBe(200)
    setUp(false)
    await vi.waitFor(async () => expect((await readyz(service.url)).status).toBe(503), 300_000)
    // The connection was reset; the next attempt is refused.
    const why = async () => (await readyz(service.url)).checks.chain
    await expect.poll(why).toBe('no lite server answers; 127.0.0.1:1: connection refused')
    const refused = await fetch(`${service.url}/api/v2/getMasterchainInfo`)
    expect([refused.status, await refused.json()]).toEqual([
      542,
      expect.objectContaining({ error: 'LITE_SERVER_NETWORK: no lite server is connected' }),
    ])
    setUp(true)
    await vi.waitFor(async () => expect((await readyz(service.url)).status).toBe(200), 300_000)
  })

  test('behavior: in place of a newest block that was undone the lower one is ready', async () => {
    const before = scene.chain.head().master.id.seqno
    const name = await scene.chain.control.snapshot()
    await scene.chain.control.mine(2)
    await using service = await remote()
    const isAt = async (seqno: number) => {
      const checks = expect.objectContaining({ chain: expect.stringMatching(`^block ${seqno}, `) })
      await vi.waitFor(async () => expect(await readyz(service.url)).toMatchObject({ status: 200, checks }), 300_000)
    }
    await isAt(before + 2)
    await scene.chain.control.revert(name)
    await isAt(before)
    await scene.chain.control.mine(3)
    await isAt(before + 3)
  })

  test('behavior: what was proven is kept in the data folder', async () => {
    await using service = await remote()
    await service.close()
    const kept = JSON.parse(await readFile(join(service.data, 'network', 'trust.json'), 'utf8'))
    expect(kept.proven.last.id.seqno).toBe(scene.blocks(-1).length)
  })

  test('error: servers that take no more messages for now', async () => {
    const { connect } = connections()
    const send = () => Promise.reject(new LiteError(429, 'too many requests: send again in 1 s'))
    await using service = await remote({ connect: async (...args) => ({ ...(await connect(...args)), send }) })
    const boc = Buffer.from(writeBoc(external(account(0x60), beginCell().end()))).toString('base64')
    const body = JSON.stringify({ boc })
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${service.url}/api/v2/sendBoc`, { method: 'POST', headers, body })
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await answer.json()).toMatchObject({ error: expect.stringContaining('too many requests') })
  })

  test('error: a folder whose index another service writes', async () => {
    await using service = await remote({ withIndex: true })
    const isReady = async () => expect((await readyz(service.url)).status).toBe(200)
    await vi.waitFor(isReady, 300_000)
    await expect(remote({ withIndex: true, config: { data: service.data } })).rejects.toThrow(
      /index is in use by this very process.*choose another data folder/,
    )
    await isReady()
  })

  test('error: keys of another network are refused', async () => {
    await using service = await remote()
    const { key } = await service.newKey({ network: 'testnet' })
    const answer = await fetch(`${service.url}/api/v2/getMasterchainInfo`, { headers: { 'x-api-key': key } })
    expect(answer.status).toBe(403)
  })
})

describe('starts that are refused', () => {
  test.each([
    ['testnet', 'this configuration is one of another network'],
    ['mainnet', 'this configuration is one of another network'],
  ] as const)('error: the file of another network on %s', async (network, words) => {
    const start = remote({ config: { network } })
    await expect(start).rejects.toBeInstanceOf(StartRefused)
    await expect(start).rejects.toThrow(words)
  })

  test('error: lite servers, and no network', async () => {
    await expect(remote({ config: { network: 'devnet' } })).rejects.toThrow('add --network testnet, mainnet or custom')
  })

  test('error: a custom network without its facts', async () => {
    const liteservers = `127.0.0.1:1:${base64(new Uint8Array(32).fill(1))}`
    await expect(remote({ config: { liteservers } })).rejects.toThrow('needs a whole global.config.json')
  })

  const wrongHash = base64(new Uint8Array(32).fill(9))
  const block = (seqno: number) => ({ workchain: -1, shard: '-9223372036854775808', seqno, ...wrongHashes })
  const wrongHashes = { root_hash: wrongHash, file_hash: wrongHash }
  test.each([
    ['another block 1', { init_block: block(1) }, /^block 1, where .* is not on the chain .*: take "init_block" from/],
    ['another block 3', { init_block: block(3) }, /^block 3, where .* is not on the chain .*: take "init_block" from/],
    ['a block to come', { init_block: block(9_999) }, /^block 9999, where .* is newer .*: take "init_block" from/],
    ['another fork', { hardforks: [block(2)] }, /^block 2, where .* is not on the chain .*: take "hardforks" from/],
    [
      'another network',
      { zero_state: block(0) },
      /^every lite server .* another network than the one its "zero_state"/,
    ],
  ])('error: trust that starts at %s', async (_name, trusted, words) => {
    const liteservers = join(folder, 'wrong.json')
    await writeFile(liteservers, await configOf(scene, trusted))
    const error = await remote({ config: { liteservers } }).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(StartRefused)
    expect(String(error).replace(/^.*--liteservers: /, '')).toMatch(words)
  })

  test.each([[86_400], [-86_400], [2 ** 31]])('behavior: servers whose clock alone is %s s off', async (seconds) => {
    const own = connections().connect
    const connect: Connect = async (...args) => {
      const connection = await own(...args)
      const masterchainInfo: LiteConnection['masterchainInfo'] = async (options) => {
        const info = await connection.masterchainInfo(options)
        return { ...info, now: info.now + seconds }
      }
      return { ...connection, masterchainInfo }
    }
    await using service = await remote({ connect })
    expect(await readyz(service.url)).toMatchObject({ status: 200 })
    const newest = await fetch(`${service.url}/api/v2/getMasterchainInfo`)
    expect(await newest.json()).toMatchObject({ ok: true, result: { last: { seqno: scene.blocks(-1).length } } })
  })

  test('behavior: one server that does not have the trusted block, among others', async () => {
    const own = connections().connect
    const connect: Connect = async (address, ...rest) => {
      const connection = await own(address, ...rest)
      if (address.port !== 1) return connection
      const refuse = async () => Promise.reject(new LiteError('badQuery', 'the block is not known'))
      return { ...connection, blockProof: refuse }
    }
    for (let i = 0; i < 4; i++) {
      await using service = await remote({ connect })
      expect((await readyz(service.url)).checks.chain).toMatch(/^block \d+, .* 2 of 2 lite servers$/)
    }
  })

  test('error: proofs of another network in the data folder', async () => {
    await using service = await remote()
    await service.close()
    const other = JSON.parse(await configOf(scene))
    other.validator.zero_state.root_hash = base64(new Uint8Array(32).fill(9))
    const liteservers = join(folder, 'other.json')
    await writeFile(liteservers, JSON.stringify(other))
    await expect(remote({ config: { data: service.data, liteservers } })).rejects.toThrow(/another network/)
  })
})

test('behavior: a limit that keeps the service behind is said at the start; error: one that stops it', () => {
  expect(fewCallsText(5, 1)).toMatch(/^--liteserver-rps 5 for 1 lite server follows at best one .* block every 1.6 s/)
  expect(fewCallsText(5, 3)).toMatch(/^--liteserver-rps 5 for 3 lite servers follows .* every 0.5 s/)
  expect([fewCallsText(1, 20), fewCallsText(20, 1), fewCallsText(0, 1)]).toEqual([null, null, null])
  expect(() => fewCallsText(1, 1)).toThrow(StartRefused)
  expect(() => fewCallsText(2, 2)).toThrow(
    /^--liteserver-rps 2 for 2 lite servers is too few .* least is 5 calls per second/,
  )
})
