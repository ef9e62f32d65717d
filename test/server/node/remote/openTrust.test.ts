// Trust in a chain behind a lite server: where it starts, how it is led to the head, and what is kept of it.

import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  type BlockIdExt,
  createRemoteChain,
  createTrustFile,
  LiteError,
  type LiteServer,
  MASTERCHAIN,
  openTrust,
  ProofError,
  type SyncReport,
  Trust,
  WHOLE_SHARD,
} from '../../../../server/node/index.ts'
import { type Lie, lyingServer } from '../../../setup/lyingServer.ts'
import { recordedServer, SESSIONS, zerostateOf as zerostateOfSession } from '../../../setup/recordedSession.ts'
import { temporaryFolder } from '../../access/temporaryFolder.ts'
import { type LiteScene, makeKeyBlock, openScene } from '../../devchain/lite/liteScene.ts'

let scene: LiteScene
let other: LiteScene
beforeAll(async () => {
  ;[scene, other] = await Promise.all([openScene({ messages: 4, seed: 5 }), openScene({ messages: 4, seed: 6 })])
  // More than one answer holds.
  for (let i = 2; i < 24; i++) await makeKeyBlock(scene.chain, i)
})
afterAll(() => Promise.all([scene.close(), other.close()]))

const zerostateOf = ({ chain }: LiteScene): BlockIdExt => chain.reader.zerostates.master.id
const startOf = (one: LiteScene) => ({ zerostate: zerostateOf(one), block: zerostateOf(one) })

async function trustFile(): Promise<string> {
  return join(await temporaryFolder(), 'network', 'trust.json')
}

const open = (path: string, server: LiteServer = scene.lite, options: Partial<Parameters<typeof openTrust>[1]> = {}) =>
  openTrust(server, { start: startOf(scene), store: createTrustFile(path), ...options })

/** The same server, with another answer to one verb. */
const answering = (verb: keyof LiteServer, answer: (...args: never[]) => unknown): LiteServer =>
  new Proxy(scene.lite, { get: (target, name) => (name === verb ? answer : Reflect.get(target, name)) })

const headOf = async (): Promise<BlockIdExt> => (await scene.lite.masterchainInfo()).last

describe('on disk', () => {
  test('behavior: the next start goes on from the newest key block', async () => {
    const path = await trustFile()
    const first = await open(path)
    const { id } = await first.read()
    await first.close()
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    const from: BlockIdExt[] = []
    const server = answering('blockProof', (known: BlockIdExt, ...rest: [BlockIdExt]) => {
      from.push(known)
      return scene.lite.blockProof(known, ...rest)
    })
    const second = await open(path, server)
    expect((await second.read()).id).toEqual(id)
    const kept = await createTrustFile(path).read()
    expect(kept?.key.id.seqno).toBeGreaterThan(16)
    expect(from).toEqual(kept !== null && kept.key.id.seqno < id.seqno ? [kept.key.id] : [])
    await second.close()
  })

  test('behavior: what was proven is kept although the way was not finished', async () => {
    const path = await trustFile()
    let answers = 0
    const server = answering('blockProof', (...args: Parameters<LiteServer['blockProof']>) => {
      if (++answers > 1) throw new Error('the connection broke')
      return scene.lite.blockProof(...args)
    })
    const trust = await open(path, server)
    await expect(trust.read()).rejects.toThrow('the connection broke')
    await trust.close()
    expect((await createTrustFile(path).read())?.key.id.seqno).toBeGreaterThan(1)
  })

  test.each([
    ['that is no JSON', () => '{', 'unreadable'],
    ['of another version', (text: string) => text.replace('"version": 1', '"version": 9'), 'unreadable'],
    ['that was altered', (text: string) => text.replace(/"utime": (\d)/, '"utime": 9$1'), 'altered'],
    ['with another block', (text: string) => text.replace(/("key":[^}]*"seqno": )\d+/, '$17'), 'altered'],
    ['that is too large', (text: string) => text.padEnd(100_000), 'unreadable'],
  ] as const)('error: a file %s', async (_name, alter, code) => {
    const path = await trustFile()
    const trust = await open(path)
    await trust.read()
    await trust.close()
    await writeFile(path, alter(await readFile(path, 'utf8')))
    await expect(open(path)).rejects.toMatchObject({ code, message: expect.stringContaining(`delete ${path}`) })
  })

  test('error: a file of another network', async () => {
    const path = await trustFile()
    const trust = await open(path)
    await trust.read()
    await trust.close()
    const refused = open(path, other.lite, { start: startOf(other) })
    await expect(refused).rejects.toMatchObject({ code: 'network', message: expect.stringContaining(path) })
  })

  test('behavior: a start newer than the stored one discards the record', async () => {
    const path = await trustFile()
    const trust = await open(path)
    await trust.read()
    await trust.close()
    const block = scene.blocks(MASTERCHAIN)[0]
    if (block === undefined) throw new Error('a block was expected')
    const fresh = await open(path, scene.lite, { start: { zerostate: zerostateOf(scene), block } })
    await fresh.read()
    await fresh.close()
    expect((await createTrustFile(path).read())?.start).toEqual(block)
  })

  test('behavior: a file that cannot be written costs nothing but the next start', async () => {
    const words: string[] = []
    // Below a file.
    const path = join(fileURLToPath(import.meta.url), 'trust.json')
    const trust = await open(path, scene.lite, {
      onTrouble: (text) => words.push(text),
      store: { ...createTrustFile(path), read: async () => null },
    })
    await trust.read()
    await trust.close()
    expect(words[0]).toContain(`${path} cannot be written`)
  })
})

describe('on the way', () => {
  test('behavior: the first sync reports how far it is', async () => {
    const reports: SyncReport[] = []
    let now = 1_000_000
    const clock = (): number => (now += 1000)
    const trust = new Trust(scene.lite, { start: startOf(scene), onProgress: (one) => reports.push(one), clock })
    const { id } = await trust.read()
    expect(reports.length).toBeGreaterThan(0)
    expect(reports.every(({ seqno, target }) => seqno < target && target === id.seqno)).toBe(true)
    expect(trust.status()).toMatchObject({ sync: null, trouble: null, head: { id } })
  })

  test('behavior: a caller that waits no longer leaves the work to the others', async () => {
    let release: (value: unknown) => void = () => undefined
    const gate = new Promise((resolve) => {
      release = resolve
    })
    let requested = 0
    const server = answering('blockProof', async (...args: Parameters<LiteServer['blockProof']>) => {
      requested++
      await gate
      return scene.lite.blockProof(...args)
    })
    const trust = new Trust(server, { start: startOf(scene) })
    const impatient = trust.read({ timeoutMs: 1 })
    const patient = trust.read()
    await expect(impatient).rejects.toMatchObject({ kind: 'timeout' })
    // A busy machine may need longer than that for the first request.
    await expect.poll(() => requested).toBe(1)
    await setImmediate()
    expect(requested).toBe(1)
    release(undefined)
    expect((await patient).id).toEqual(await headOf())
  })

  test('behavior: a caller that goes as the head is named leaves no failure behind that ends the process', async () => {
    const gone = new AbortController()
    const info = await scene.lite.masterchainInfo()
    const server: LiteServer = {
      ...scene.lite,
      async masterchainInfo() {
        gone.abort()
        return info
      },
      header: () => Promise.reject(new LiteError('cancelled', 'the connection broke')),
    }
    const unhandled: unknown[] = []
    const note = (error: unknown) => unhandled.push(error)
    process.on('unhandledRejection', note)
    onTestFinished(() => void process.off('unhandledRejection', note))
    const trust = new Trust(server, { start: startOf(scene) })
    await expect(trust.read({ signal: gone.signal })).rejects.toMatchObject({ kind: 'cancelled' })
    await trust.close()
    await setImmediate()
    expect(unhandled).toEqual([])
  })

  test('behavior: a server that lags takes nothing back', async () => {
    const chain = createRemoteChain(scene.lite)
    const { id } = await chain.head()
    const info = await scene.lite.masterchainInfo()
    const old = scene.blocks(MASTERCHAIN)[2]
    const lagging = answering('masterchainInfo', async () => ({ ...info, last: old }))
    const path = await trustFile()
    const before = await open(path)
    await before.read()
    await before.close()
    const trust = await open(path, lagging)
    await expect(trust.read()).rejects.toMatchObject({ kind: 'notReady', message: expect.stringContaining('behind') })
    const known = new Trust(scene.lite, { start: startOf(scene) })
    await known.read()
    expect((await known.reach(scene.blocks(MASTERCHAIN)[2] ?? id)).id).toEqual(id)
  })

  test('error: a head from the future', async () => {
    const clock = (): number => 1000 * 1000
    const trust = new Trust(scene.lite, { start: startOf(scene), aheadS: 60, clock })
    await expect(trust.read()).rejects.toMatchObject({ kind: 'notReady', message: expect.stringContaining('future') })
    expect(trust.status().trouble).toContain('future')
  })

  test('error: a chain whose validators are long over, unless that is accepted', async () => {
    const clock = (): number => 2 ** 33 * 1000
    const options = { start: startOf(scene), clock }
    const refused = new Trust(scene.lite, options).read()
    await expect(refused).rejects.toMatchObject({ code: 'trust', message: expect.stringContaining('--trust-stale') })
    const trust = new Trust(scene.lite, { ...options, isStaleAccepted: true })
    expect((await trust.read()).id).toEqual(await headOf())
  })

  test('error: a server of another network', async () => {
    const trust = new Trust(other.lite, { start: startOf(scene) })
    await expect(trust.read()).rejects.toBeInstanceOf(ProofError)
  })

  test('behavior: by sample, one head in sixteen is proven', async () => {
    const { node, requested } = lyingServer(scene.lite, null)
    const trust = new Trust(node, { start: startOf(scene), policy: 'sampled' })
    await trust.read()
    expect(requested.has('blockProof')).toBe(true)
    requested.clear()
    await scene.chain.control.mine(15)
    await trust.read()
    expect(requested.has('blockProof')).toBe(false)
    await scene.chain.control.mine(1)
    await trust.read()
    expect(requested.has('blockProof')).toBe(true)
  })

  test('behavior: without proofs heads and look-ups are the word of the server', async () => {
    const { node, requested } = lyingServer(scene.lite, null)
    const chain = createRemoteChain(node, { trust: new Trust(node, { start: startOf(scene), policy: 'off' }) })
    const { id } = await chain.head()
    const found = await chain.find({ workchain: id.workchain, shard: id.shard, seqno: 3 })
    expect(found.id).toEqual(scene.blocks(MASTERCHAIN)[2])
    expect([...requested].sort()).toEqual(['header', 'lookup', 'masterchainInfo'])
  })

  test('error: without proofs, a block that comes before what is looked for', async () => {
    const ofMaster = { workchain: MASTERCHAIN, shard: WHOLE_SHARD }
    const lie: Lie = { name: 'early', verb: 'lookup', answer: () => scene.lite.lookup({ ...ofMaster, seqno: 3 }) }
    const { node } = lyingServer(scene.lite, lie)
    const chain = createRemoteChain(node, { trust: new Trust(node, { start: startOf(scene), policy: 'off' }) })
    const { info } = await chain.find({ ...ofMaster, seqno: 3 })
    // All blocks before may be of one second.
    await scene.chain.control.increaseTime(2)
    await scene.chain.control.mine(1)
    for (const mark of [{ utime: info.genUtime + 1 }, { lt: info.endLt + 1n }])
      await expect(chain.find({ ...ofMaster, ...mark })).rejects.toThrow('comes before what was looked for')
  })

  test('behavior: a chain that was reverted is followed on from its newest key block', async () => {
    const path = await trustFile()
    const { control } = scene.chain
    const before = await control.snapshot()
    await control.mine(3)
    const trust = await open(path)
    await trust.read()
    await trust.close()
    await control.revert(before)
    await control.mine(4)
    const again = await open(path)
    expect((await again.read()).id).toEqual(await headOf())
    await again.close()
  })

  test('error: a chain that was reverted to before that', async () => {
    const path = await trustFile()
    const { control } = scene.chain
    const before = await control.snapshot()
    await makeKeyBlock(scene.chain, 24)
    const trust = await open(path)
    const { id } = await trust.read()
    await trust.close()
    await control.revert(before)
    while ((await headOf()).seqno < id.seqno + 2) await control.mine(1)
    const refused = (await open(path)).read()
    await expect(refused).rejects.toThrow(`reverted: use a newer configuration of it, or then delete ${path}`)
  })
})

describe.each(SESSIONS)('recorded from the public C++ node: %s', (session) => {
  test('behavior: trust is led from the zerostate to the head, over key blocks and kinds of signatures', async () => {
    // The steps were recorded with another mode; the answer is the same.
    const isBlockProof = (request: Uint8Array): boolean => request[0] === 0x44 && request[1] === 0x9c
    const server = recordedServer(session, (request) =>
      Buffer.from(isBlockProof(request) ? request.subarray(8) : request).toString('base64'),
    )
    const zerostate = { ...zerostateOfSession(session), shard: WHOLE_SHARD, seqno: 0 }
    const path = await trustFile()
    const options = { start: { zerostate, block: zerostate }, store: createTrustFile(path), isStaleAccepted: true }
    const trust = await openTrust(server, options)
    const { id } = await trust.read()
    expect(id).toEqual((await server.masterchainInfo()).last)
    await trust.close()
    const kept = await createTrustFile(path).read()
    expect(kept?.last.id).toEqual(id)
    expect(kept?.key.id.seqno).toBeGreaterThan(1)
  })
})
