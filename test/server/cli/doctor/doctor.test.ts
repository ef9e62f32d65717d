// `tonrpc doctor` over real connections: a good server, and one of each kind that is of no use.

import { once } from 'node:events'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { makeProof, openCell, readBoc, writeBoc } from '../../../../server/cell/index.ts'
import { doctorCommand } from '../../../../server/cli/doctor/command.ts'
import { adviceOn, adviceOnOldest, doctorTable } from '../../../../server/cli/doctor/table.ts'
import { examineServer, LiteError, type LiteServer, verifyHeader, WHOLE_SHARD } from '../../../../server/node/index.ts'
import { blockInfoOf, loadBlock, storeBlock, storeBlockInfo, toCell } from '../../../../server/tlb/index.ts'
import { liesIn, lyingServer } from '../../../setup/lyingServer.ts'
import { type LiteScene, openScene } from '../../devchain/lite/liteScene.ts'
import { type Listed, openDoctorScene } from './doctorScene.ts'

const { scene, folder, listen, examine, examineFrom, close } = await openDoctorScene()
let other: LiteScene
beforeAll(async () => {
  other = await openScene({ messages: 8, seed: 4 })
})
afterAll(async () => {
  await Promise.all([close(), other.close()])
})

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

/** Where something listens that is no lite server. */
async function rawPort(onHello: (socket: Socket) => void): Promise<number> {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => undefined)
    socket.once('data', () => onHello(socket))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  // The cast: it listens on a port.
  return (server.address() as AddressInfo).port
}

/** The newest block with another number, which no validator has signed. */
async function madeUpBlock(seqno: number) {
  const { last } = await scene.lite.masterchainInfo()
  const block = loadBlock(openCell(readBoc(await scene.lite.block(last))))
  const info = toCell({ ...blockInfoOf(block), seqno }, storeBlockInfo)
  const root = toCell({ ...block, info }, storeBlock)
  return { id: { ...last, seqno, rootHash: root.hashBytes() }, headerProof: writeBoc(makeProof(root, () => true)) }
}

const lineOf = (text: string, { port }: Listed): string =>
  text.split('\n').find((line) => line.startsWith(`127.0.0.1:${port} `)) ?? ''

describe('doctor', () => {
  test('behavior: a good server passes every step', async () => {
    const good = await listen(scene.lite)
    const { code, out } = await examine([good])
    expect(code).toBe(0)
    expect(lineOf(out, good)).toMatch(
      /yes +\d+ ms +yes +[+-]?\d s +\d+, \d+ s old, \d+ ms +all blocks +good, \d+ ms +0$/,
    )
    expect(out).toContain('1 of 1 can be used')
  })

  test('behavior: a server that cannot look up blocks with proof is of no use', async () => {
    const lookupWithProof = async () => Promise.reject(new LiteError(-400, 'unknown request type'))
    const proxy = await listen({ ...scene.lite, lookupWithProof })
    const { code, out } = await examine([proxy])
    expect(code).toBe(1)
    const words = 'lookupBlockWithProof: it refuses with code -400: unknown request type'
    expect(out).toContain(`127.0.0.1:${proxy.port}: proof: ${words}`)
  })

  test('behavior: what is wrong with each of the others, and what to do', async () => {
    const good = await listen(scene.lite)
    const dead = { port: 1, key: good.key }
    const wrongKey = { port: good.port, key: Uint8Array.from(good.key, (byte, i) => (i === 0 ? byte ^ 1 : byte)) }
    const stranger = await listen(other.lite)
    const [lie] = liesIn('blockProof', other)
    const liar = await listen(lyingServer(scene.lite, lie ?? null).node)
    const late: LiteServer = {
      ...scene.lite,
      masterchainInfo: async () => {
        const info = await scene.lite.masterchainInfo()
        return { ...info, now: info.now - 600 }
      },
    }
    const slow = await listen(late)
    const tired = await listen({
      ...scene.lite,
      masterchainInfo: async () => Promise.reject(new LiteError(228, 'too many requests')),
    })
    const broken = await listen({
      ...scene.lite,
      masterchainInfo: async () => Promise.reject(new LiteError(-503, 'internal error')),
    })
    const { code, out } = await examine([good, dead, stranger, liar, slow, tired, broken])
    expect(code).toBe(0)
    expect(lineOf(out, dead)).toMatch(/FAILS/)
    expect(out).toContain('127.0.0.1:1: connection: nothing listens at 127.0.0.1:1; check that it runs')
    expect(out).toContain(
      `127.0.0.1:${stranger.port}: head: it is a server of another network; use the list of this network`,
    )
    expect(out).toMatch(new RegExp(`127\\.0\\.0\\.1:${liar.port}: proof: .*do not use it`))
    expect(out).toMatch(new RegExp(`127\\.0\\.0\\.1:${slow.port}: clock: -\\d+ s; set the clock`))
    expect(out).toContain(
      `127.0.0.1:${tired.port}: head: it refuses with code 228: too many requests; it limits its callers`,
    )
    expect(out).toContain(
      `127.0.0.1:${broken.port}: head: it fails with code -503: internal error; it is overloaded, or its own log`,
    )
    expect(out).toContain('2 of 7 can be used')
    const refused = await examine([wrongKey])
    expect(refused.code).toBe(1)
    expect(refused.out).toMatch(/handshake: .*it has another key.*; fetch the list again/)
    expect(refused.err).toContain('no lite server can be used')
    const noPoint = await examine([{ port: good.port, key: new Uint8Array(32) }])
    expect(noPoint.out).toContain('handshake: this is no key of a lite server; fetch the list again')
  })

  test('behavior: what a server says moves no cursor, and is one line', async () => {
    const rude = await listen({
      ...scene.lite,
      masterchainInfo: async () => Promise.reject(new LiteError(-400, 'no\u001b[2J\n127.0.0.1:1: good')),
    })
    const { out } = await examine([rude])
    expect(out).toContain(`127.0.0.1:${rude.port}: head: it refuses with code -400: no?[2J?127.0.0.1:1: good; it may`)
  })

  test('behavior: of a server that does not shake hands in time it says what came', async () => {
    const { key } = await listen(scene.lite)
    const mute = await rawPort(() => undefined)
    const dripping = await rawPort((socket) => void socket.write(Uint8Array.of(1)))
    const { code, out } = await examine([
      { port: mute, key },
      { port: dripping, key },
    ])
    expect(code).toBe(1)
    expect(out).toContain(
      `127.0.0.1:${mute}: handshake: the server takes connections and says nothing: no hello within`,
    )
    expect(out).toMatch(
      new RegExp(
        `127\\.0\\.0\\.1:${dripping}: handshake: the server answered the hello with 1 byte in \\d+ ms, not a whole`,
      ),
    )
  })

  test('behavior: servers on different forks, of which each proves its own', async () => {
    const good = await listen(scene.lite)
    const same = await listen(scene.lite)
    const fork = await listen({
      ...scene.lite,
      lookup: async (...asked) => {
        const found = await scene.lite.lookup(...asked)
        return { ...found, id: { ...found.id, rootHash: new Uint8Array(32).fill(7) } }
      },
    })
    const { out } = await examine([good, fork, same])
    const height = scene.blocks(-1).length
    expect(out).toContain(`127.0.0.1:${fork.port}: on another fork: block ${height} is BwcHBwcH`)
    expect(out).toContain('use only servers that have it')
    expect((await examine([good, same])).out).not.toContain('fork')
    const { forks } = JSON.parse((await examine([good, fork, same], '--json')).out)
    const servers = [[good, same], [fork]].map((branch) => branch.map(({ port }) => `127.0.0.1:${port}`))
    expect(forks).toMatchObject(servers.map((names) => ({ block: { seqno: height }, servers: names })))
  })

  test('behavior: a newest block that is only said to be on the chain takes no other server out', async () => {
    const good = await listen(scene.lite)
    const [first] = scene.blocks(-1)
    const { id: last, headerProof } = await madeUpBlock(1_000_000)
    const boaster = await listen({
      ...scene.lite,
      masterchainInfo: async () => ({ ...(await scene.lite.masterchainInfo()), last }),
      header: async (id, mode = 0) =>
        id.seqno === last.seqno ? { id, mode, headerProof } : scene.lite.header(id, mode),
      // Cut before it arrives.
      blockProof: async (known, target, ...rest) =>
        target?.seqno === last.seqno
          ? { ...(await scene.lite.blockProof(known, first ?? null, ...rest)), complete: false }
          : scene.lite.blockProof(known, target, ...rest),
    })
    const { servers, advice } = JSON.parse((await examine([good, boaster], '--json')).out)
    expect(servers).toMatchObject([{ lag: 0 }, { isUsable: true }])
    expect(advice.join()).not.toContain('blocks behind')
  })

  test('args: --json', async () => {
    const good = [await listen(scene.lite), await listen(scene.lite)]
    const { code, out } = await examine(good, '--json')
    expect(code).toBe(0)
    const found = { isUsable: true, lag: 0, head: { seqno: scene.blocks(-1).length } }
    expect(JSON.parse(out)).toMatchObject({
      network: 'custom',
      usable: 2,
      servers: good.map(({ port }) => ({ server: `127.0.0.1:${port}`, ...found })),
      forks: [],
      trust: { start: { seqno: 0 }, key: { seqno: expect.any(Number) }, kept: null, trouble: null },
      advice: [],
    })
  })

  test('behavior: shows the newest key block, to begin trust there', async () => {
    const good = await listen(scene.lite)
    const { out } = await examine([good])
    const text = /put it into the list: "init_block": (\{.*\})/.exec(out)?.[1] ?? '{}'
    expect(text).toContain('"shard":-9223372036854775808')
    const shown = JSON.parse(text) as { seqno: number; root_hash: string }
    const id = scene.blocks(-1)[shown.seqno - 1]
    if (id === undefined) throw new Error('there is no such block')
    expect(shown.root_hash).toBe(base64(id.rootHash))
    const header = await scene.lite.header(id)
    expect(verifyHeader(header.id, header).info.keyBlock).toBe(true)
    expect(out).toMatch(new RegExp(`key block ${shown.seqno} of .* is proven by .*: the newest one`))
  })

  test('behavior: a trusted block that is not on the chain', async () => {
    const good = await listen(scene.lite)
    const hash = base64(new Uint8Array(32).fill(9))
    for (const [seqno, words] of [
      [1, 'is not on the chain of the lite server'],
      [9_999, `is newer than the newest block of the lite server, ${scene.blocks(-1).length}`],
    ] as const) {
      const init = { workchain: -1, seqno, root_hash: hash, file_hash: hash }
      const { code, out } = await examineFrom({ init_block: init }, [good])
      expect(code).toBe(1)
      expect(out).toContain(`proof: block ${seqno}, where trust starts, ${words}; correct "init_block" in the list`)
    }
  })

  test('behavior: a file of trust that a start refuses is named', async () => {
    const good = await listen(scene.lite)
    await mkdir(join(folder, 'network'), { recursive: true })
    const file = join(folder, 'network', 'trust.json')
    await writeFile(file, 'garbage')
    const { code, out } = await examine([good])
    await rm(file)
    expect(code).toBe(0)
    expect(out).toMatch(/what was proven before cannot be used: .*trust\.json is not JSON: delete/)
  })

  test('behavior: a server that does not answer about the past is slow, not without it', async () => {
    const slow: LiteServer = { ...scene.lite, lookup: () => new Promise(() => undefined) }
    const { port, key } = await listen(slow)
    const { init } = await scene.lite.masterchainInfo()
    const zerostate = { ...init, shard: WHOLE_SHARD, seqno: 0 }
    const address = { name: 'slow', host: '127.0.0.1', port, key, slices: null }
    const start = { zerostate, block: zerostate }
    const found = await examineServer(address, { start, now: () => Date.now() / 1000 })
    const archive = found.steps.find(({ step }) => step === 'archive')
    expect(archive).toEqual({ step: 'archive', fault: 'slow', words: 'it times out with code -503: timeout' })
    expect(found.isUsable).toBe(true)
    const lag = () => 0
    expect(doctorTable([found], lag)).toContain('SLOW')
    expect(adviceOn([found], lag)).toEqual([
      'slow: archive: it times out with code -503: timeout; use it for the newest blocks only',
    ])
  })

  test('behavior: where no server keeps the first blocks, it says where an index can begin', async () => {
    const late = (from: number): LiteServer => ({
      ...scene.lite,
      lookup: (query, ...more) =>
        'seqno' in query && query.seqno < from
          ? Promise.reject(new LiteError(651, 'seqno not in db'))
          : scene.lite.lookup(query, ...more),
    })
    const some = await listen(late(5))
    const fewer = await listen(late(9))
    expect((await examine([some, fewer])).out).toMatch(
      /^none of these servers keeps blocks before about 5: .*--index-from/m,
    )
    expect((await examine([some, await listen(scene.lite)])).out).not.toContain('none of these servers keeps')
  })

  test('error: --json says in JSON why there is nothing to examine', async () => {
    const out: string[] = []
    const io = { env: {}, out: (text: string) => void out.push(text), err: () => undefined }
    const flags = ['--network', 'custom', '--liteservers', join(folder, 'missing.json'), '--json']
    expect(await doctorCommand.run(flags, io)).toBe(1)
    expect(JSON.parse(out.join(''))).toMatchObject({ usable: 0, error: expect.stringContaining('no such file') })
  })

  test('error: without a network, or without a list', async () => {
    const err: string[] = []
    const io = { env: {}, out: () => undefined, err: (text: string) => void err.push(text) }
    expect(await doctorCommand.run([], io)).toBe(2)
    expect(await doctorCommand.run(['--network', 'testnet'], io)).toBe(1)
    expect(err[0]).toContain('are examined: --network testnet, mainnet or custom')
    expect(err[1]).toContain('https://ton.org/testnet-global.config.json')
  })
})

test('of a server whose past could not be found out it is not said that it keeps none', () => {
  const saidOf = (...oldest: (number | null)[]) => adviceOnOldest(oldest.map((one) => ({ oldest: one }))).join()
  expect(saidOf(70, 5)).toMatch(/^none of these servers keeps blocks before about 5:/)
  expect(saidOf(70, null)).toMatch(/^none of these servers is known to keep blocks before about 70:/)
  expect([saidOf(70, 1), saidOf(null), saidOf()]).toEqual(['', '', ''])
})
