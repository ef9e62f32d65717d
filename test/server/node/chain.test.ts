// Every verb of a chain on both adapters: straight from the embedded chain's cells, and from its lite server with every
// answer verified. And once more over a lite server that lies in one verb after the other.

import { createPublicKey, verify } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEmbeddedChain } from '../../../server/devchain/lite/index.ts'
import {
  type BlockIdExt,
  type Chain,
  chainParts,
  configParts,
  createRemoteChain,
  type HeadReport,
  LiteError,
  type LiteServer,
  MASTERCHAIN,
  openTrust,
  ProofError,
  Trust,
  WHOLE_SHARD,
} from '../../../server/node/index.ts'
import type { TrustRecord, TrustStore } from '../../../server/node/remote/trustFile.ts'
import { signedBytesOf } from '../../../server/node/verify/signatures.ts'
import { liesIn, lyingServer, type Verb } from '../../setup/lyingServer.ts'
import { validatorKeysOf } from '../devchain/devchains.ts'
import { fingerprint } from '../devchain/lite/fingerprint.ts'
import { type LiteScene, makeKeyBlock, openScene } from '../devchain/lite/liteScene.ts'
import { madeWallet } from '../devchain/wallets.ts'

let scene: LiteScene
let other: LiteScene
beforeAll(async () => {
  ;[scene, other] = await Promise.all([openScene({ messages: 24, seed: 3 }), openScene({ messages: 24, seed: 4 })])
})
afterAll(() => Promise.all([scene.close(), other.close()]))

const wallet = { workchain: 0, hash: madeWallet(0).address.id }
const nowhere = { workchain: 5, hash: new Uint8Array(32).fill(9) }
const absent = { workchain: 0, hash: new Uint8Array(32).fill(9) }
const master = { workchain: MASTERCHAIN, shard: WHOLE_SHARD }
const base = { workchain: 0, shard: WHOLE_SHARD }

const headOf = async (chain: Chain) => {
  // Its clock is that of the machine.
  const { now: _, ...head } = await chain.head()
  return head
}

async function historyOf(chain: Chain, count: number) {
  const { id } = await chain.head()
  const { shardAccount } = await chain.account(id, wallet)
  if (shardAccount === null) throw new Error('the wallet is not there')
  const { lastTransLt: lt, lastTransHash: hash } = shardAccount
  return (await chain.transactions({ account: wallet, lt, hash, count })).map(({ cell }) => cell)
}

/** Calls by verb, each of which finds something on the scene's chain, and some that find nothing. */
const CALLS: Readonly<Record<string, (chain: Chain) => Promise<unknown>>> = {
  head: headOf,
  'find by seqno': async (chain) => (await chain.find({ ...master, seqno: 3 })).id,
  'idOf by seqno': async (chain) => chain.idOf({ ...master, seqno: 3 }),
  'idOf: the block before one that was found': async (chain) => {
    await chain.find({ ...master, seqno: 3 })
    return [await chain.idOf({ ...master, seqno: 2 }), (await chain.find({ ...master, seqno: 2 })).id]
  },
  'idOf by lt': async (chain) => chain.idOf({ ...base, lt: 7_000_000n }),
  'find by lt': async (chain) => (await chain.find({ ...base, lt: 7_000_000n })).id,
  'find by time': async (chain) => (await chain.find({ ...master, utime: (await chain.head()).utime })).id,
  'find: none': (chain) => chain.find({ ...master, seqno: 1_000_000 }),
  header: async (chain) => (await chain.header((await chain.head()).id)).info,
  block: async (chain) => {
    const { id, root } = await chain.block((await chain.find({ ...base, seqno: 2 })).id)
    return [id, root]
  },
  'state: the zerostate': async (chain) => chain.state((await chain.head()).zerostate),
  'state: the newest': async (chain) => chain.state((await chain.head()).id),
  account: async (chain) => chain.account((await chain.head()).id, wallet),
  'account: of an older block': async (chain) => chain.account((await chain.find({ ...master, seqno: 2 })).id, wallet),
  'account: absent': async (chain) => chain.account((await chain.head()).id, absent),
  'account: of no shard': async (chain) => chain.account((await chain.head()).id, nowhere),
  transactions: (chain) => historyOf(chain, 3),
  'transactions: none such': (chain) =>
    chain.transactions({ account: wallet, lt: 1n, hash: new Uint8Array(32), count: 1 }),
  listTransactions: async (chain) => chain.listTransactions((await chain.find({ ...base, seqno: 2 })).id, { count: 2 }),
  'listTransactions: the rest': async (chain) => {
    const { id } = await chain.find({ ...base, seqno: 2 })
    const [first] = (await chain.listTransactions(id, { count: 1 })).transactions
    return chain.listTransactions(id, { count: 100, ...(first && { after: first }) })
  },
  'listTransactions: as many as there are': async (chain) => {
    const { id } = await chain.find({ ...base, seqno: 2 })
    const { transactions } = await chain.listTransactions(id, { count: 100 })
    return chain.listTransactions(id, { count: transactions.length })
  },
  'blockTransactions: as many as there are': async (chain) => {
    const { id } = await chain.find({ ...base, seqno: 2 })
    const { transactions: all } = await chain.blockTransactions(id, { count: 100, reverse: true })
    const { transactions, incomplete } = await chain.blockTransactions(id, { count: all.length, reverse: true })
    return [transactions.map(({ cell }) => cell), incomplete]
  },
  blockTransactions: async (chain) => {
    const { id } = await chain.find({ ...base, seqno: 2 })
    const { transactions, incomplete } = await chain.blockTransactions(id, { count: 100 })
    return [transactions.map(({ cell }) => cell), incomplete]
  },
  config: async (chain) => {
    const { params } = await chain.config((await chain.head()).id, [0, 8, 34, 12345])
    return [...params]
  },
  'config: all': async (chain) => [...(await chain.config((await chain.head()).id, 'all')).params],
  previousBlocks: async (chain) => chain.previousBlocks((await chain.head()).id),
  libraries: async (chain) => [...(await chain.libraries([new Uint8Array(32).fill(3)]))],
  shards: async (chain) => (await chain.shards((await chain.head()).id)).map(({ id }) => id),
  queueSizes: async (chain) => chain.queueSizes((await chain.head()).id),
  'proofs.stepsBack': async (chain) => {
    const { id } = await chain.find({ ...master, seqno: 2 })
    return (await chain.proofs.stepsBack((await chain.head()).id, id)).map(({ kind, to }) => [kind, to])
  },
  'proofs.signatures': async (chain) => chain.proofs.signatures((await chain.head()).id),
  'proofs.shardBlock': async (chain) => {
    const { masterchainId, links } = await chain.proofs.shardBlock((await chain.find({ ...base, seqno: 2 })).id)
    return [masterchainId, links.map(({ id }) => id)]
  },
}

/** The answer, or the kind of the refusal: the texts of the two may differ. */
async function outcomeOf(call: (chain: Chain) => Promise<unknown>, chain: Chain): Promise<string> {
  try {
    return fingerprint(await call(chain))
  } catch (error) {
    if (error instanceof LiteError) return `refused: ${error.kind}`
    if (error instanceof ProofError) return 'not proven'
    throw error
  }
}

describe.each(Object.entries(CALLS))('%s', (_name, call) => {
  test('behavior: both adapters return the same', async () => {
    const embedded = await outcomeOf(call, createEmbeddedChain(scene.chain))
    expect(await outcomeOf(call, createRemoteChain(scene.lite))).toBe(embedded)
  })

  test('error: a lie in any verb of the lite server changes nothing', async () => {
    const { node, requested } = lyingServer(scene.lite, null)
    const honest = await outcomeOf(call, createRemoteChain(node))
    for (const verb of [...requested].filter((one): one is Verb => one !== 'queueSizes'))
      for (const lie of liesIn(verb, other)) {
        const outcome = await outcomeOf(call, createRemoteChain(lyingServer(scene.lite, lie).node))
        const isRefused = outcome === 'not proven' || outcome.startsWith('refused: ')
        expect([lie.name, isRefused || outcome === honest]).toEqual([lie.name, true])
      }
  })
})

/** Trust as a second process finds it: proven before, and read from where it was kept. */
async function reopened(server: LiteServer): Promise<Trust> {
  let kept: TrustRecord | null = null
  const store: TrustStore = {
    name: 'a file',
    read: async () => kept,
    write: async (record) => {
      kept = record
    },
  }
  const zerostate = scene.chain.reader.zerostates.master.id
  const options = { start: { zerostate, block: zerostate }, store }
  const first = await openTrust(scene.lite, options)
  await first.read()
  await first.close()
  return await openTrust(server, options)
}

/** The same server as it was some blocks ago. */
function lagging(behind: number): LiteServer {
  const newest = scene.chain.head().master.id.seqno - behind
  const last = scene.chain.reader.bySeqno(MASTERCHAIN, newest)?.id
  return new Proxy(scene.lite, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function' || name === 'onHead') return value
      return async (...args: readonly unknown[]) => {
        const tooNew = args.find((arg) => isMasterBlock(arg) && arg.seqno > newest)
        if (tooNew !== undefined) throw new LiteError('notReady', 'block is not in db')
        const answer: unknown = await Reflect.apply(value, target, [...args])
        return name === 'masterchainInfo' ? { ...(answer as object), last } : answer
      }
    },
  })
}

const isMasterBlock = (value: unknown): value is BlockIdExt =>
  typeof value === 'object' && value !== null && 'rootHash' in value && (value as BlockIdExt).workchain === MASTERCHAIN

describe.each(Object.entries(CALLS))('%s, after a restart', (_name, call) => {
  test('behavior: the same out of trust that was kept', async () => {
    const chain = createRemoteChain(scene.lite, { trust: await reopened(scene.lite) })
    expect(await outcomeOf(call, chain)).toBe(await outcomeOf(call, createEmbeddedChain(scene.chain)))
  })

  test('error: a server that is behind what was proven before', async () => {
    const server = lagging(2)
    // A walk through transactions names where it begins by its hash and needs no block.
    const outcome = await outcomeOf(call, createRemoteChain(server, { trust: await reopened(server) }))
    expect(outcome).toMatch(/^refused: /)
  })

  test('behavior: a server that falls behind answers the same, or refuses', async () => {
    const trust = await reopened(scene.lite)
    await trust.read()
    const chain = createRemoteChain(lagging(2), { trust })
    const outcome = await outcomeOf(call, chain)
    const expected = await outcomeOf(call, createEmbeddedChain(scene.chain))
    if (!outcome.startsWith('refused: ')) expect(outcome).toBe(expected)
  })
})

test('behavior: signatures and steps back are read in the mode that has the shortest proof', async () => {
  const modes: unknown[] = []
  const node = new Proxy(scene.lite, {
    get: (target, name) =>
      name !== 'blockProof'
        ? Reflect.get(target, name)
        : (...args: Parameters<LiteServer['blockProof']>) => {
            modes.push(args[2])
            return scene.lite.blockProof(...args)
          },
  })
  const chain = createRemoteChain(node)
  const { id } = await chain.head()
  const [, second] = scene.blocks(MASTERCHAIN)
  if (second === undefined) throw new Error('a block was expected')
  await chain.proofs.signatures(second)
  await chain.proofs.stepsBack(id, second)
  expect(modes.length).toBeGreaterThan(2)
  expect([...new Set(modes)]).toEqual([chainParts.nearReference])
})

describe('configuration', () => {
  test('behavior: a whole one is read once for each key block', async () => {
    const { node, requested } = lyingServer(scene.lite, null)
    const chain = createRemoteChain(node)
    const { id } = await chain.head()
    const first = await chain.config(id, 'all')
    requested.clear()
    expect(fingerprint([...(await chain.config(id, 'all')).params])).toBe(fingerprint([...first.params]))
    expect(requested.has('config')).toBe(false)
  })

  test('behavior: where the state is gone it is that of the key block before', async () => {
    const node = new Proxy(scene.lite, {
      get: (target, name) =>
        name !== 'config'
          ? Reflect.get(target, name)
          : async (...[id, wanted, mode = 0]: Parameters<LiteServer['config']>) => {
              if ((mode & configParts.fromKeyBlock) === 0) throw new LiteError(602, "state already gc'd")
              return scene.lite.config(id, wanted, mode)
            },
    })
    const zerostate = scene.chain.reader.zerostates.master.id
    const trust = new Trust(node, { start: { zerostate, block: zerostate }, isStaleAccepted: true })
    const chain = createRemoteChain(node, { trust })
    const call = async (of: Chain) => {
      const { params } = await of.config((await of.head()).id, [0, 34, 12345])
      return [...params]
    }
    expect(await outcomeOf(call, chain)).toBe(await outcomeOf(call, createEmbeddedChain(scene.chain)))
  })
})

describe.each(['embedded', 'remote'] as const)('%s', (kind) => {
  const open = (): Chain => (kind === 'embedded' ? createEmbeddedChain(scene.chain) : createRemoteChain(scene.lite))

  test('behavior: every block has the signatures of its own validators', async () => {
    const head = Buffer.from('302a300506032b6570032100', 'hex')
    const keys = validatorKeysOf(scene.chain).map((publicKey) =>
      createPublicKey({ key: Buffer.concat([head, publicKey]), format: 'der', type: 'spki' }),
    )
    const chain = open()
    for (const block of scene.blocks(MASTERCHAIN)) {
      const { signatures } = await chain.proofs.signatures(block)
      expect(signatures).toHaveLength(3)
      for (const key of keys)
        expect(signatures.some(({ signature }) => verify(null, signedBytesOf(block), key, signature))).toBe(true)
    }
  })

  test('behavior: a message that is refused says why', async () => {
    await expect(open().send(new Uint8Array([1, 2, 3]))).rejects.toBeInstanceOf(LiteError)
  })

  test('behavior: new heads are reported, each once and in order, until the listener leaves', async () => {
    const reports: HeadReport[] = []
    const chain = open()
    await chain.head()
    const leave = chain.onHead((report) => reports.push(report))
    const before = scene.chain.head().master.id.seqno
    for (let i = 0; i < 3; i++) await scene.chain.control.mine()
    const last = before + 3
    await expect.poll(() => reports.at(-1)).toMatchObject({ kind: 'head', id: { seqno: last } })
    const seqnos = reports.map((report) => (report.kind === 'head' ? report.id.seqno : -1))
    expect(seqnos).toEqual([...new Set(seqnos)].sort((a, b) => a - b))
    leave()
    await scene.chain.control.mine()
    expect(reports.at(-1)).toMatchObject({ id: { seqno: last } })
  })

  test('error: a caller that has gone', async () => {
    const signal = AbortSignal.abort()
    await expect(open().head({ signal })).rejects.toMatchObject({ kind: 'cancelled' })
  })
})

describe('trust', () => {
  test('behavior: it is led over key blocks, once: a new head costs one proof', async () => {
    const { node, requested } = lyingServer(scene.lite, null)
    const chain = createRemoteChain(node)
    await makeKeyBlock(scene.chain, 2)
    await chain.head()
    requested.clear()
    await chain.head()
    expect([...requested]).toEqual(['masterchainInfo'])
  })

  test('error: a server of another chain is refused, and a chain that was trusted stays so', async () => {
    const trusted = scene.blocks(MASTERCHAIN)[1]
    if (trusted === undefined) throw new Error('a block was expected')
    const start = { zerostate: scene.chain.reader.zerostates.master.id, block: trusted }
    const startingAt = (server: LiteServer): Chain => createRemoteChain(server, { trust: new Trust(server, { start }) })
    await expect(startingAt(other.lite).head()).rejects.toBeInstanceOf(ProofError)
    const own = startingAt(scene.lite)
    expect((await own.head()).id.seqno).toBeGreaterThan(1)
  })

  test('error: a head that cannot be proven is reported as lost', async () => {
    const lie = liesIn('blockProof', other).at(-1)
    if (lie === undefined) throw new Error('a lie was expected')
    const reports: HeadReport[] = []
    const leave = createRemoteChain(lyingServer(scene.lite, lie).node).onHead((report) => reports.push(report))
    await scene.chain.control.mine()
    await expect.poll(() => reports[0]).toMatchObject({ kind: 'lost', reason: expect.stringMatching(/./) })
    leave()
  })
})
