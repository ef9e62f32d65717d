// Servers that have told the truth for long, one of which then lies once.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type AccountId,
  type BlockIdExt,
  type Chain,
  createRemoteChain,
  createVerifiedLiteServer,
  type LiteServer,
  MASTERCHAIN,
  type ProofPolicy,
  Trust,
  WHOLE_SHARD,
} from '../../../../server/node/index.ts'
import type { ServerPool } from '../../../../server/node/pool/index.ts'
import { alterations } from '../../../setup/alterations.ts'
import { type Lie, liesIn, type Verb } from '../../../setup/lyingServer.ts'
import { fingerprint } from '../../devchain/lite/fingerprint.ts'
import { type LiteScene, openScene } from '../../devchain/lite/liteScene.ts'
import { poolScene, stateOf } from './poolScene.ts'
import { type Fault, WrappedServer } from './wrappedServers.ts'

let scene: LiteScene
let other: LiteScene
let newest: BlockIdExt
/** Of the basechain, with transactions. */
let full: BlockIdExt
/** The newest of them. */
let last: { readonly account: AccountId; readonly lt: bigint; readonly hash: Uint8Array }
beforeAll(async () => {
  ;[scene, other] = await Promise.all([openScene({ messages: 16, seed: 7 }), openScene({ messages: 16, seed: 8 })])
  newest = (await scene.lite.masterchainInfo()).last
  for (const id of scene.blocks(0)) if ((await scene.touched(id)).length > 1) full = id
  const { ids } = await scene.lite.listTransactions(full, { count: 1, reverse: true })
  const [found] = ids
  if (found === undefined) throw new Error('a transaction was expected')
  last = { account: { workchain: 0, hash: found.account }, lt: found.lt, hash: found.hash }
})
afterAll(() => Promise.all([scene.close(), other.close()]))

const { clock, opened } = poolScene(() => scene)

/** The chain as the service reads it, and as its own lite port passes it on. */
interface Reader {
  readonly chain: Chain
  readonly lite: LiteServer
}

const master = { workchain: MASTERCHAIN, shard: WHOLE_SHARD }
const base = { workchain: 0, shard: WHOLE_SHARD }

const NOTHING = /^$/
/** Names of blocks beside proven transactions, which the service itself does not read. */
const unreadIn: Readonly<Record<string, RegExp>> = { 'a history': /^transactions\.ids\./ }

const READS: Readonly<Record<string, (reader: Reader) => Promise<unknown>>> = {
  head: async ({ chain }) => (await chain.head()).id,
  'a block by its number': async ({ chain }) => (await chain.find({ ...master, seqno: 3 })).id,
  'a block by lt': async ({ chain }) => (await chain.find({ ...base, lt: 7_000_000n })).id,
  'a header': async ({ chain }) => (await chain.header(full)).id,
  'a block': async ({ chain }) => (await chain.block(full)).root,
  'an account': async ({ chain }) => (await chain.account(newest, last.account)).shardAccount?.account,
  'a history': async ({ chain }) => (await chain.transactions({ ...last, count: 3 })).map(({ cell }) => cell.hashHex()),
  'a list': ({ chain }) => chain.listTransactions(full, { count: 2 }),
  parameters: async ({ chain }) => [...(await chain.config(newest, [0, 34])).params],
  libraries: ({ chain }) => chain.libraries([new Uint8Array(32).fill(9)]),
  shards: async ({ chain }) => (await chain.shards(newest)).map(({ id }) => id),
  'steps back': ({ chain }) => chain.proofs.stepsBack(newest, scene.blocks(MASTERCHAIN)[2] ?? newest),
  'the way to a shard block': ({ chain }) => chain.proofs.shardBlock(full),
  'the way to a shard block, passed on': ({ lite }) => lite.shardBlockProof(full),
  'a history with its blocks, passed on': ({ lite }) => lite.transactions({ ...last, count: 3 }),
}

function readerOver(server: LiteServer, policy: ProofPolicy): Reader {
  const { id: zerostate } = scene.chain.reader.zerostates.master
  const trust = new Trust(server, { policy, start: { zerostate, block: zerostate } })
  return { chain: createRemoteChain(server, { trust }), lite: createVerifiedLiteServer(server, trust) }
}

/** From another chain, rubbish, and true but for the name of a block. */
const liesOf = (verb: Verb, answer: unknown): readonly Lie[] => [
  ...liesIn(verb, other),
  ...[...alterations(answer, 0)]
    .filter(({ where }) => /\.(seqno|rootHash\[0\])$/.test(where))
    .map(({ where, altered }): Lie => ({ name: `${verb}${where}`, verb, answer: async () => altered })),
]

/** Its next answer to that verb is the lie. */
function once({ verb, answer }: Lie): { readonly fault: Fault; readonly wasTold: () => boolean } {
  let isTold = false
  return {
    wasTold: () => isTold,
    async fault(called, args, truth) {
      const honest = await truth()
      if (called !== verb || isTold) return honest
      isTold = true
      return await answer(honest, args)
    },
  }
}

/** As if the process had been started again: nothing is held against any server. */
async function forget(pool: ServerPool, servers: readonly WrappedServer[]): Promise<void> {
  pool.replace([])
  pool.replace(servers.map(({ address }) => address))
  await clock().sleep(1_000)
}

const OWN_REPORT: Verb = 'masterchainInfo'

describe.each<ProofPolicy>(['full', 'sampled'])('proofs: %s', (policy) => {
  test.each(Object.entries(READS))('behavior: %s', async (name, read) => {
    const unread = unreadIn[name] ?? NOTHING
    const liar = new WrappedServer('liar', scene, clock())
    const servers = [liar, ...[1, 2].map((number) => new WrappedServer(`server${number}`, scene, clock()))]
    const isLiarRetried = policy === 'full'
    const { pool, lines } = await opened(clock(), servers, { isLiarRetried })
    const outcome = async () => fingerprint(await read(readerOver(pool, policy)))
    const honest = fingerprint(await read(readerOver(scene.lite, 'full')))
    const answers = new Map<Verb, unknown>()
    liar.fault = async (verb, _args, truth) => {
      const answer = await truth()
      answers.set(verb as Verb, answer)
      return answer
    }
    for (let i = 0; i < 30; i++) expect(await outcome()).toBe(honest)
    const kept: string[] = []
    for (const [verb, answer] of answers)
      for (const lie of liesOf(verb, answer)) {
        const { fault, wasTold } = once(lie)
        liar.fault = fault
        const before = lines.length
        for (let i = 0; i < 40 && !wasTold(); i++) expect(await outcome(), lie.name).toBe(honest)
        expect(stateOf(pool), lie.name).toMatchObject({ server1: 'ready', server2: 'ready' })
        liar.fault = null
        if (stateOf(pool).liar !== 'dropped') kept.push(lie.name)
        else if (verb !== OWN_REPORT) {
          const named = lines.slice(before).filter(({ level }) => level === 'error')
          expect(
            named.map(({ facts }) => facts.server),
            lie.name,
          ).toEqual(['liar'])
        }
        await forget(pool, servers)
      }
    const isUnread = (lie: string) => lie.startsWith(OWN_REPORT) || unread.test(lie)
    expect(kept.filter((lie) => !isUnread(lie))).toEqual([])
  })
})

test('behavior: it is used again after ten minutes where each answer is proven', async () => {
  const liar = new WrappedServer('liar', scene, clock())
  const servers = [liar, new WrappedServer('one', scene, clock())]
  const { pool } = await opened(clock(), servers, { isLiarRetried: true })
  const { chain } = readerOver(pool, 'full')
  const [lie] = liesIn('header', other)
  if (lie === undefined) throw new Error('a lie was expected')
  liar.fault = once(lie).fault
  for (let i = 0; i < 40; i++) await chain.header(full)
  expect(stateOf(pool)).toEqual({ liar: 'dropped', one: 'ready' })
  await clock().sleep(601_000)
  expect(stateOf(pool)).toEqual({ liar: 'ready', one: 'ready' })
  const before = liar.total
  for (let i = 0; i < 40; i++) await chain.header(full)
  expect(liar.total).toBeGreaterThan(before)
})
