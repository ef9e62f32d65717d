// A chain of lite servers that worker processes read by themselves: with the owner's heads, and without servers that lie to
// any of them.

import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type ChainOfWorker, openChainOfWorker, SharedSources } from '../../../../server/app/network/chainForWorkers.ts'
import { createResultCache } from '../../../../server/methods/index.ts'
import {
  type Connect,
  createServerPool,
  type LiteServer,
  MASTERCHAIN,
  type ServerAddress,
  Trust,
} from '../../../../server/node/index.ts'
import { liesIn, lyingServer } from '../../../setup/lyingServer.ts'
import { type LiteScene, openScene } from '../../devchain/lite/liteScene.ts'

let scene: LiteScene
let other: LiteScene
beforeAll(async () => {
  ;[scene, other] = await Promise.all([openScene({ messages: 4, seed: 3 }), openScene({ messages: 4, seed: 4 })])
})
afterAll(() => Promise.all([scene.close(), other.close()]))

const addressOf = (name: string): ServerAddress => ({
  name,
  host: name,
  port: 1,
  key: new Uint8Array(32),
  slices: null,
})
const SERVERS = [addressOf('honest'), addressOf('liar')]
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }

async function serviceOf(servers: readonly ServerAddress[]) {
  const [lie = null] = liesIn('header', other)
  const { node: liar } = lyingServer(scene.lite, lie)
  let isHonestLast = false
  let goOn: () => void = () => undefined
  const lied = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const lying: Pick<LiteServer, 'header'> = {
    async header(...query) {
      const answer = await liar.header(...query)
      if (isHonestLast) setImmediate(goOn)
      return answer
    },
  }
  const honest: Pick<LiteServer, 'header'> = {
    async header(...query) {
      if (isHonestLast) await lied
      return await scene.lite.header(...query)
    },
  }
  const connect: Connect = async ({ name }) => ({
    ...(name === 'liar' ? { ...liar, ...lying } : { ...scene.lite, ...honest }),
    kind: 'remote',
    close: () => undefined,
    onClose: () => undefined,
  })
  /** Connections that end by hand. */
  const ends: ((error: Error) => void)[] = []
  let isUp = true
  const connectOfWorker: Connect = async (...args) => {
    if (!isUp) throw new Error('connection refused')
    return { ...(await connect(...args)), onClose: (listener) => void ends.push(listener) }
  }
  const { init } = await scene.lite.masterchainInfo()
  const shared = new SharedSources({ servers, zerostate: init, policy: 'full' })
  const pool = createServerPool({ servers, connect, log: quiet, zerostate: init })
  const trust = new Trust(pool)
  shared.begin(pool, () => trust.head)
  const workers: ChainOfWorker[] = []
  const open = (onAway: () => void = () => undefined): ChainOfWorker => {
    // The cast: the whole log is not written to.
    const log = quiet as unknown as Parameters<typeof openChainOfWorker>[1]['log']
    const worker = openChainOfWorker(shared.sources(), {
      canRewind: false,
      log,
      connect: connectOfWorker,
      onAway,
      onLiar: (...liar) => shared.drop(...liar),
    })
    shared.onSources(() => worker.giveSources(shared.sources()))
    workers.push(worker)
    return worker
  }
  onTestFinished(async () => {
    await Promise.all([pool.close(), ...workers.map((worker) => worker.close())])
  })
  /** From now on the liar has answered before the honest one does, whichever is asked first. */
  const holdHonest = (): void => {
    isHonestLast = true
  }
  const endWorkers = (): void => {
    isUp = false
    for (const end of ends.splice(0)) end(new Error('connection reset'))
  }
  return { pool, trust, open, shared, holdHonest, endWorkers }
}

test('behavior: a worker reads once it has a head, and reads what the chain has', async () => {
  const { trust, open, shared } = await serviceOf(SERVERS.slice(0, 1))
  const worker = open()
  await expect(worker.chain.head()).rejects.toMatchObject({ kind: 'notReady' })
  expect(worker.isReadable).toBe(false)
  await trust.read()
  const head = shared.head()
  if (head === null) throw new Error('nothing is proven')
  const heads: number[] = []
  worker.chain.onHead((report) => report.kind === 'head' && heads.push(report.id.seqno))
  worker.giveHead(head)
  expect(worker.isReadable).toBe(true)
  expect(heads).toEqual([head.id.seqno])
  expect((await worker.chain.head()).id).toEqual(head.id)
  const found = await worker.chain.find({ workchain: MASTERCHAIN, shard: head.id.shard, seqno: 2 })
  expect(found.id).toEqual(scene.blocks(MASTERCHAIN)[1])
})

test('error: what a worker read after its owner had lost the servers is given up when it loses them, too', async () => {
  const { trust, open, shared, endWorkers } = await serviceOf(SERVERS.slice(0, 1))
  const cache = createResultCache(100_000)
  const worker = open(() => cache.newBlock())
  await trust.read()
  const head = shared.head()
  if (head === null) throw new Error('nothing is proven')
  worker.giveHead(head)
  await expect.poll(() => worker.isReadable).toBe(true)
  const keep = async (): Promise<void> => {
    const { moment } = cache
    const { id } = await worker.chain.head()
    cache.set('block', 'head', String(id.seqno), moment)
  }
  await keep()
  // The word of the owner, whose connections have ended: those of the worker have not yet.
  cache.newBlock()
  await keep()
  expect(cache.get('block', 'head')).toBe(String(head.id.seqno))
  endWorkers()
  await expect.poll(() => cache.get('block', 'head')).toBeUndefined()
  await expect(keep()).rejects.toMatchObject({ message: 'no lite server is connected' })
  expect(cache.get('block', 'head')).toBeUndefined()
})

test('error: a server that lies to one worker is dropped by all processes, and by workers started later', async () => {
  const { pool, trust, open, shared, holdHonest } = await serviceOf(SERVERS)
  const first = open()
  const second = open()
  const { id } = await trust.read()
  const head = shared.head()
  if (head === null) throw new Error('nothing is proven')
  first.giveHead(head)
  second.giveHead(head)
  const seqnoOf = async ({ chain }: ChainOfWorker, at: number): Promise<number> =>
    (await chain.header(scene.blocks(MASTERCHAIN)[at] ?? id)).id.seqno
  holdHonest()
  expect(await seqnoOf(first, 1)).toBe(2)
  expect(shared.sources().dropped).toEqual([['liar', expect.stringContaining('header is not proven')]])
  const states = pool.servers.map(({ name, state }) => [name, state])
  expect(states).toEqual([
    ['honest', 'ready'],
    ['liar', 'dropped'],
  ])
  const later = open()
  later.giveHead(head)
  for (const one of [first, second, later]) expect(await seqnoOf(one, 0)).toBe(1)
})

test('behavior: in a list that was fetched again, a server of the same name with another key is not the one that lied', async () => {
  const { pool, shared } = await serviceOf(SERVERS)
  shared.drop('honest', 'a lie')
  shared.drop('liar', 'a lie')
  const servers = SERVERS.map((server) =>
    server.name === 'liar' ? { ...server, key: new Uint8Array(32).fill(1) } : server,
  )
  pool.replace(servers)
  shared.replace(servers)
  expect(shared.sources()).toMatchObject({ servers, dropped: [['honest', 'a lie']] })
  const reasons = () => pool.servers.map(({ state, reason }) => (state === 'dropped' ? reason : null))
  expect(reasons()).toEqual(['a lie', null])
  shared.drop('liar', 'another lie')
  expect(reasons()).toEqual(['a lie', 'another lie'])
  expect(shared.sources().dropped).toEqual([
    ['honest', 'a lie'],
    ['liar', 'another lie'],
  ])
})

test('error: what a worker finds reaches a pool that uses the server again, and is no news to other workers', async () => {
  const { pool, shared } = await serviceOf(SERVERS)
  let news = 0
  shared.onSources(() => news++)
  shared.drop('liar', 'a lie')
  // As a pool that has begun anew.
  pool.replace(SERVERS.slice(0, 1))
  pool.replace(SERVERS)
  shared.drop('liar', 'another lie')
  expect(pool.servers[1]).toMatchObject({ state: 'dropped', reason: 'another lie' })
  expect(news).toBe(1)
})
