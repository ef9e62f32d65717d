// How many calls of a lite server a read of v2 needs one after the other: where servers take seconds, that is what it takes.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { noIndex } from '../../../server/app/database/indexService.ts'
import { createHandlers, NO_MODIFIERS } from '../../../server/methods/index.ts'
import { createRemoteChain, type LiteServer, rememberAnswers, Trust } from '../../../server/node/index.ts'
import type { Sql } from '../../../server/store/index.ts'
import { toRaw } from '../../../shared/address.ts'
import { chainRegistry, type MethodSpec } from '../../../shared/registry.ts'
import { Rounds } from '../../setup/rounds.ts'
import { type LiteScene, openScene } from '../devchain/lite/liteScene.ts'
import { madeWallet } from '../devchain/wallets.ts'

let scene: LiteScene
beforeAll(async () => {
  scene = await openScene({ messages: 24, seed: 3 })
})
afterAll(() => scene.close())

const noStore = new Proxy({}, { get: () => () => Promise.reject(new Error('v2 does not read the index')) }) as Sql

/** A server whose calls are answered in rounds. */
const inRounds = (server: LiteServer, rounds: Rounds): LiteServer =>
  new Proxy(server, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function' || name === 'onHead' || name === 'masterchainInfo') return value
      return async (...args: readonly unknown[]) => {
        await rounds.wait(String(name))
        return await Reflect.apply(value, target, args)
      }
    },
  })

type Params = Readonly<Record<string, unknown>>

async function roundsOf(name: string, params: Params, rounds = new Rounds()): Promise<readonly string[][]> {
  const server = inRounds(scene.lite, rounds)
  const trust = new Trust(server)
  const chain = rememberAnswers(createRemoteChain(server, { trust }))
  await chain.head()
  rounds.all.length = 0
  const handlers = createHandlers({
    chain,
    pool: scene.pool,
    store: noStore,
    index: noIndex.view,
    testOnly: true,
    discover: () => Promise.resolve('{}'),
  }) as unknown as Readonly<Record<string, (params: unknown, call: object) => Promise<unknown>>>
  const spec = (chainRegistry as Readonly<Record<string, MethodSpec>>)[name]
  const signal = new AbortController().signal
  const call = { caller: { subject: 'test' }, requestId: 'test', signal, timeoutMs: 300_000, modifiers: NO_MODIFIERS }
  await handlers[name]?.(spec?.params.parse(params), call)
  await trust.close()
  return rounds.all
}

const address = toRaw({ workchain: 0, hash: madeWallet(0).address.id })
const master = { workchain: -1, shard: '-9223372036854775808', seqno: 5 }
const base = { ...master, workchain: 0 }

/** With nothing in any cache but the proven head. */
const READS: readonly (readonly [name: string, params: Params, most: number])[] = [
  ['getAddressInformation', { address }, 1],
  ['getAddressInformation', { address, seqno: 5 }, 2],
  ['getExtendedAddressInformation', { address }, 1],
  ['runGetMethod', { address, method: 'seqno', stack: [] }, 1],
  ['runGetMethod', { address, method: 'seqno', stack: [], seqno: 5 }, 3],
  ['estimateFee', { address, body: 'te6ccgEBAQEAAgAAAA==' }, 1],
  ['getTransactions', { address }, 2],
  ['getBlockHeader', base, 1],
  ['getBlockTransactions', base, 2],
  ['getBlockTransactionsExt', master, 2],
  ['getMasterchainBlockSignatures', { seqno: 5 }, 2],
  ['getOutMsgQueueSize', {}, 2],
  ['shards', { seqno: 5 }, 2],
  ['getConfigParam', { param: 34 }, 1],
  ['getConfigAll', {}, 1],
  ['getConfigAll', { seqno: 5 }, 3],
]

test.each(READS)('%s of %o', async (name, params, most) => {
  expect((await roundsOf(name, params)).length).toBe(most)
})

test('getTokenData of what is no token', async () => {
  const rounds = new Rounds()
  await expect(roundsOf('getTokenData', { address }, rounds)).rejects.toThrow('is not Jetton or NFT')
  expect(rounds.all.length).toBe(1)
})

test('getTokenData at an older block reads no configuration that no run needs', async () => {
  const rounds = new Rounds()
  const unused = toRaw({ workchain: 0, hash: new Uint8Array(32).fill(9) })
  await expect(roundsOf('getTokenData', { address: unused, seqno: 5 }, rounds)).rejects.toThrow('is not Jetton or NFT')
  expect(rounds.all).toEqual([['lookupWithProof'], ['accountState']])
})

test('the newest block: its header, the way to it, and whether it follows the one before are read at once', async () => {
  const rounds = new Rounds()
  const trust = new Trust(inRounds(scene.lite, rounds))
  await trust.read()
  for (const blocks of [1, 3]) {
    await scene.chain.control.mine(blocks)
    const before = rounds.all.length
    await trust.read()
    expect(rounds.all.slice(before).map((verbs) => verbs.toSorted())).toEqual([
      ['blockProof', 'header', ...(blocks > 1 ? ['lookupWithProof'] : [])],
    ])
  }
  await trust.close()
})
