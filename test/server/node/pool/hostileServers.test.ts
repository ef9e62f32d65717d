// A chain followed over servers one of which is hostile: what it says is true of something else, or of another time.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type BlockIdExt,
  type Chain,
  createRemoteChain,
  MASTERCHAIN,
  ProofError,
  Trust,
} from '../../../../server/node/index.ts'
import type { ServerPool } from '../../../../server/node/pool/index.ts'
import { type LiteScene, openScene } from '../../devchain/lite/liteScene.ts'
import { madeWallet } from '../../devchain/wallets.ts'
import { VirtualClock } from './virtualClock.ts'
import { type Fault, poolOf, WrappedServer } from './wrappedServers.ts'

let scene: LiteScene
beforeAll(async () => {
  scene = await openScene({ messages: 24, seed: 3 })
})
afterAll(() => scene.close())

let clock: VirtualClock
let open: ServerPool[]
beforeEach(() => {
  clock = new VirtualClock()
  open = []
})
afterEach(async () => {
  const closing = open.map((pool) => pool.close())
  clock.close()
  await Promise.all(closing)
})

const FIRST = 3
const masters = (): readonly BlockIdExt[] => scene.blocks(MASTERCHAIN)
const masterAt = (seqno: number): BlockIdExt => {
  const id = masters()[seqno - 1]
  if (id === undefined) throw new Error('there is no such block')
  return id
}
const walletOf = (number: number) => ({ workchain: 0, hash: madeWallet(number).address.id })

/** What a follower reads of each block, in a form that can be compared. */
async function readsOf(chain: Chain, id: BlockIdExt): Promise<unknown> {
  const { root } = await chain.block(id)
  const shards = await chain.shards(id)
  const blocks = await Promise.all(
    shards.filter(({ id: { seqno } }) => seqno > 0).map(({ id: one }) => chain.block(one)),
  )
  const accounts = await Promise.all([0, 1, 2].map((number) => chain.account(id, walletOf(number))))
  const { shardAccount } = accounts[0] ?? {}
  const history =
    shardAccount == null
      ? []
      : await chain.transactions({
          account: walletOf(0),
          lt: shardAccount.lastTransLt,
          hash: shardAccount.lastTransHash,
          count: 4,
        })
  return {
    header: (await chain.header(id)).info,
    root: root.hashHex(),
    shards: shards.map(({ id: one }) => one),
    blocks: blocks.map((block) => block.root.hashHex()),
    accounts: accounts.map((one) => [one.block, one.shardAccount?.account.hashHex(), one.shardAccount?.lastTransLt]),
    history: history.map(({ cell }) => cell.hashHex()),
    found: (await chain.find({ workchain: MASTERCHAIN, shard: id.shard, seqno: id.seqno - 1 })).id,
    config: (await chain.config(id, [0, 34])).params.size,
  }
}

/** Follows from the third block to the last, each of which all honest servers get at the same time. */
async function follow(chain: Chain, growing: readonly WrappedServer[]): Promise<unknown[]> {
  const found: unknown[] = []
  for (let seqno = FIRST; seqno <= masters().length; seqno++) {
    for (const server of growing) server.head = seqno
    for (let tries = 0; (await chain.head()).id.seqno < seqno; tries++) {
      if (tries > 100) throw new Error(`the head stays before ${seqno}`)
      await clock.sleep(500)
    }
    found.push(await readsOf(chain, (await chain.head()).id))
  }
  return found
}

const named = (name: string): WrappedServer => new WrappedServer(name, scene, clock)

async function chainOver(servers: readonly WrappedServer[]) {
  for (const server of servers) server.head = FIRST
  const made = await poolOf(clock, servers)
  open.push(made.pool)
  const chain = createRemoteChain(made.pool, { trust: new Trust(made.pool) })
  return { ...made, chain, stop: chain.onHead(() => undefined) }
}

let honest: unknown[]
beforeEach(async () => {
  const server = named('honest')
  const { chain, stop } = await chainOver([server])
  honest = await follow(chain, [server])
  stop()
})

/** What it answered to the call before of the same verb, whatever that was about: good proofs of something else. */
function swapping(): Fault {
  const before = new Map<string, unknown>()
  return async (verb, _args, truth) => {
    const answer = await truth()
    if (verb === 'masterchainInfo') return answer
    const other = before.get(verb) ?? answer
    before.set(verb, answer)
    return other
  }
}

/** Answers calls about a masterchain block as if they were about an older one, under the name of that one or of the older. */
const stale =
  (isRenamed: boolean): Fault =>
  async (verb, args, truth) => {
    const [id] = args as [BlockIdExt]
    const read = (scene.lite as unknown as Record<string, (...of: readonly unknown[]) => Promise<unknown>>)[verb]
    const isAbout = verb === 'accountState' || verb === 'shards' || verb === 'header' || verb === 'config'
    if (!isAbout || id.workchain !== MASTERCHAIN || id.seqno < FIRST || read === undefined) return await truth()
    const old = (await clock.during(read(masterAt(id.seqno - 1), ...args.slice(1, -1)))) as object
    return isRenamed ? { ...old, id } : old
  }

const LIES: readonly (readonly [name: string, faultOf: () => Fault])[] = [
  ['the answers to other calls', swapping],
  ['the state of the block before', () => stale(false)],
  ['the state of the block before under the name of the newest', () => stale(true)],
]

/** The same newest block for ever, with everything that proves it. */
const frozen: Fault = async (verb, _args, truth) => {
  const answer = (await truth()) as object
  return verb === 'masterchainInfo' ? { ...answer, last: masterAt(FIRST) } : answer
}

describe('next to an honest server', () => {
  test.each(LIES)('behavior: one that gives %s changes nothing, and is dropped', async (_name, faultOf) => {
    const good = named('good')
    const liar = named('liar')
    const { pool, chain } = await chainOver([good, liar])
    liar.fault = faultOf()
    expect(await follow(chain, [good, liar])).toEqual(honest)
    expect(pool.servers.map(({ name, state }) => [name, state])).toEqual([
      ['good', 'ready'],
      ['liar', 'dropped'],
    ])
  })

  test('behavior: one that stays at an older proven block holds nothing up', async () => {
    const good = named('good')
    const old = named('old')
    const { pool, chain } = await chainOver([good, old])
    old.fault = frozen
    expect(await follow(chain, [good])).toEqual(honest)
    const [first, second] = pool.servers
    expect(first).toMatchObject({ state: 'ready', lag: 0 })
    expect(second).toMatchObject({ state: 'behind', lag: masters().length - FIRST })
  })

  test('behavior: one that is slow for old blocks alone does not hold up a walk back', async () => {
    const good = named('good')
    const slow = named('slow')
    const { chain } = await chainOver([good, slow])
    for (const server of [good, slow]) server.head = masters().length
    const newest = masters().length
    slow.fault = async (_verb, args, truth) => {
      const [id] = args as [Partial<BlockIdExt>]
      if (id?.workchain === MASTERCHAIN && (id.seqno ?? newest) < newest - 1) await clock.sleep(4_000)
      return await truth()
    }
    const begun = clock.now()
    for (let i = 0; i < 200; i++) await chain.header(masterAt(1 + (i % (newest - 2))))
    // 50 ms each of the good one; a few find out that the other one is slow, and now and then it is tried again.
    expect(clock.now() - begun).toBeLessThan(200 * 50 * 2.5)
  })

  test('behavior: one that changes its network with each connection is left out ever longer', async () => {
    const good = named('good')
    const other = named('other')
    for (const server of [good, other]) server.head = FIRST
    const { zerostate } = await createRemoteChain(scene.lite).head()
    const made = await poolOf(clock, [good, other], { zerostate })
    open.push(made.pool)
    const chain = createRemoteChain(made.pool, { trust: new Trust(made.pool) })
    chain.onHead(() => undefined)
    other.fault = async (verb, _args, truth) => {
      const answer = (await truth()) as { readonly init: object }
      const isOther = other.connections % 2 === 0 && verb === 'masterchainInfo'
      return isOther ? { ...answer, init: { ...answer.init, rootHash: new Uint8Array(32) } } : answer
    }
    const following = follow(chain, [good, other])
    for (let i = 0; i < 4; i++) {
      other.goDown()
      await clock.sleep(100)
      other.isUp = true
      await clock.sleep(5_000)
    }
    expect(await following).toEqual(honest)
    for (let i = 0; i < 720; i++) {
      other.goDown()
      await clock.sleep(100)
      other.isUp = true
      await clock.sleep(4_900)
    }
    expect(made.pool.servers[0]?.state).toBe('ready')
    // An hour: 1 + 2 + 4 ... + 512 s, and ten minutes each.
    const spells = made.lines.filter(({ level, facts }) => level === 'error' && facts.server === 'other')
    expect(spells.length).toBeGreaterThan(5)
    expect(spells.length).toBeLessThan(16)
  })
})

describe('alone', () => {
  test.each(LIES)('error: one that gives %s is refused, and never believed', async (_name, faultOf) => {
    const server = named('liar')
    const { chain } = await chainOver([server])
    server.fault = faultOf()
    let refused = 0
    for (let i = 0; i < 6; i++) {
      const found = await readsOf(chain, masterAt(FIRST)).catch((error: unknown) => error)
      if (found instanceof Error) {
        expect(found).toBeInstanceOf(ProofError)
        refused++
      } else expect(found).toEqual(honest[0])
    }
    expect(refused).toBeGreaterThan(0)
  })

  test('behavior: one that goes back to an older proven block is not followed back', async () => {
    const server = named('old')
    const { chain } = await chainOver([server])
    server.head = FIRST + 2
    await clock.sleep(20_000)
    expect((await chain.head()).id.seqno).toBe(FIRST + 2)
    const heads: number[] = []
    chain.onHead((report) => {
      if (report.kind === 'head') heads.push(report.id.seqno)
    })
    server.fault = frozen
    await clock.sleep(60_000)
    expect((await chain.head()).id.seqno).toBe(FIRST + 2)
    expect(heads.filter((seqno) => seqno < FIRST + 2)).toEqual([])
  })
})
