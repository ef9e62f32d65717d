// Which answers are cached, and which are fetched each time.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRemoteChain, LiteError, MASTERCHAIN, rememberAnswers } from '../../../../server/node/index.ts'
import type { AnswerBounds } from '../../../../server/node/remote/rememberedChain.ts'
import { type LiteScene, openScene } from '../../devchain/lite/liteScene.ts'

let scene: LiteScene
beforeAll(async () => {
  scene = await openScene({ messages: 8, seed: 3 })
})
afterAll(() => scene.close())

function counted(bounds?: AnswerBounds) {
  const calls = new Map<string, number>()
  const failing = new Set<string>()
  const chain = createRemoteChain(
    new Proxy(scene.lite, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name)
        if (typeof value !== 'function') return value
        return (...args: readonly unknown[]) => {
          calls.set(String(name), (calls.get(String(name)) ?? 0) + 1)
          if (failing.has(String(name))) return Promise.reject(new LiteError('timeout', 'late'))
          return (value as (...all: readonly unknown[]) => unknown).apply(target, [...args])
        }
      },
    }),
  )
  return { chain: rememberAnswers(chain, bounds), calls, failing }
}

const idOf = (seqno: number) => {
  const id = scene.blocks(MASTERCHAIN)[seqno - 1]
  if (id === undefined) throw new Error('there is no such block')
  return id
}

const shardBlock = () => {
  const id = scene.blocks(0).at(-1)
  if (id === undefined) throw new Error('there is no shard block')
  return id
}

test('behavior: what a block says of itself is fetched once', async () => {
  const { chain, calls } = counted()
  for (let i = 0; i < 3; i++) {
    expect((await chain.shards(idOf(2)))[0]?.id).toBeDefined()
    expect([...(await chain.config(idOf(2), [8])).params.keys()]).toEqual([8])
    await chain.previousBlocks(idOf(2))
    await chain.header(idOf(2))
  }
  expect(calls.get('shards')).toBe(1)
  expect(calls.get('header')).toBe(1)
  expect(calls.get('config')).toBe(2)
  await chain.shards(idOf(3))
  expect(calls.get('shards')).toBe(2)
})

test('behavior: the newest block is not cached, nor is a failure', async () => {
  const { chain, calls, failing } = counted()
  await chain.head()
  await chain.head()
  expect(calls.get('masterchainInfo')).toBe(2)
  failing.add('shards')
  await expect(chain.shards(idOf(2))).rejects.toBeInstanceOf(LiteError)
  failing.clear()
  expect((await chain.shards(idOf(2))).length).toBeGreaterThan(0)
})

test('behavior: of many only the last are kept, up to so many bytes', async () => {
  const { chain, calls } = counted({ maxBytes: 100_000 })
  for (let param = 0; param < 40; param++) await chain.config(idOf(2), [param])
  await chain.config(idOf(2), [0])
  expect(calls.get('config')).toBe(41)
  await chain.config(idOf(2), [39])
  expect(calls.get('config')).toBe(41)
})

test('behavior: equal reads at the same time are one', async () => {
  const { chain, calls } = counted()
  const [touched] = await scene.touched(shardBlock())
  const account = touched?.account ?? { workchain: 0, hash: new Uint8Array(32) }
  const found = await Promise.all(Array.from({ length: 5 }, () => chain.account(idOf(3), account)))
  expect(calls.get('accountState')).toBe(1)
  expect(new Set(found).size).toBe(1)
  await chain.account(idOf(3), account)
  expect(calls.get('accountState')).toBe(1)
})

test('behavior: a caller that leaves takes no other with it', async () => {
  const { chain, calls, failing } = counted()
  const first = new AbortController()
  const second = new AbortController()
  failing.add('shards')
  const reads = [
    chain.shards(idOf(2), { signal: first.signal }),
    chain.shards(idOf(2), { signal: second.signal }),
    chain.shards(idOf(2)),
  ]
  // The first read is refused as late, which is its own limit; the next one is read again.
  failing.clear()
  second.abort()
  const [own, left, joined] = await Promise.allSettled(reads)
  expect(own?.status).toBe('rejected')
  expect(left?.status === 'rejected' && left.reason).toMatchObject({ kind: 'cancelled' })
  expect(joined?.status).toBe('fulfilled')
  expect(calls.get('shards')).toBe(2)
})
