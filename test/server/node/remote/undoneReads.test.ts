// Reads of blocks that were undone: what callers of a chain behind lite servers learn of a revert, and when they are answered again.

import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { asChainError } from '../../../../server/methods/errors/chainErrors.ts'
import {
  type BlockIdExt,
  ChainReverted,
  createRemoteChain,
  LiteError,
  type LiteServer,
  ProofError,
} from '../../../../server/node/index.ts'
import { UndoneReads } from '../../../../server/node/remote/undoneReads.ts'
import { openScene } from '../../devchain/lite/liteScene.ts'
import { ManualClock } from '../adnl/adnlScene.ts'

const blockOf = (seqno: number, branch: number): BlockIdExt => ({
  workchain: -1,
  shard: 1n << 63n,
  seqno,
  rootHash: new Uint8Array(32).fill(branch),
  fileHash: new Uint8Array(32).fill(branch),
})

const missing = () => new LiteError('notReady', 'block handle not in db')

let branch = 0
let served = true
let asked = 0
const clock = new ManualClock()
let undone: UndoneReads
/** Of a chain that has no owner. */
let fixed: UndoneReads

beforeEach(() => {
  branch = 0
  served = true
  asked = 0
  const header = async () => {
    asked++
    if (!served) throw missing()
  }
  const trust = {
    get head() {
      const id = blockOf(7, branch)
      const zerostate = blockOf(0, 0)
      return { id, zerostate, utime: 1, stateHash: new Uint8Array(32), branch, keyBlock: null }
    },
  }
  // The cast: nothing else of a server is called.
  const server = { header } as unknown as LiteServer
  undone = new UndoneReads({ server, trust, timer: clock, canRewind: true })
  fixed = new UndoneReads({ server, trust, timer: clock, canRewind: false })
})

const failing = (error: Error) => undone.guard(() => Promise.reject(error))
const codeOf = (read: () => Promise<unknown>) =>
  read().then(
    () => 'answered',
    (error: Error) => error.name,
  )

describe('a read that fails', () => {
  test('stays as it is while servers have the head', async () => {
    await expect(failing(missing())()).rejects.toThrow(/^block handle not in db$/)
    expect(asked).toBe(1)
  })

  test('asks nothing where nobody can revert the chain', async () => {
    served = false
    expect(await codeOf(fixed.guard(() => Promise.reject(missing())))).toBe('LiteError')
    expect(asked).toBe(0)
    branch++
    expect(await codeOf(fixed.guard(() => Promise.reject(missing())))).toBe('ChainReverted')
  })

  test('is one of a chain that was reverted when no server has the head any more', async () => {
    served = false
    for (const error of [
      missing(),
      new LiteError('failed', 'unknown block'),
      new ProofError('link', 'not on the chain'),
    ])
      expect(await codeOf(failing(error))).toBe('ChainReverted')
  })

  test('by a limit, or late, is no sign of it, and asks nothing', async () => {
    served = false
    for (const kind of ['timeout', 'cancelled'] as const)
      expect(await codeOf(failing(new LiteError(kind, 'slow')))).toBe('LiteError')
    expect(await codeOf(failing(new LiteError(429, 'enough')))).toBe('LiteError')
    expect(await codeOf(failing(new TypeError('a fault of ours')))).toBe('TypeError')
    expect(asked).toBe(0)
  })

  test('at a block of the branch before is one for ten seconds', async () => {
    expect(await codeOf(failing(missing()))).toBe('LiteError')
    branch++
    expect(await codeOf(failing(missing()))).toBe('ChainReverted')
    clock.advance(9_000)
    expect(await codeOf(failing(missing()))).toBe('ChainReverted')
    clock.advance(1_001)
    expect(await codeOf(failing(missing()))).toBe('LiteError')
  })

  test('whose branch is replaced while it runs is one', async () => {
    await undone.guard(async () => 'the first look')()
    const read = undone.guard(async () => {
      branch++
      throw missing()
    })
    expect(await codeOf(read)).toBe('ChainReverted')
    expect(asked).toBe(0)
  })

  test('late after the branch was replaced is one too: pools wait for a server that has the block', async () => {
    const late = failing(new LiteError('timeout', 'slow'))
    expect(await codeOf(late)).toBe('LiteError')
    branch++
    expect(await codeOf(late)).toBe('ChainReverted')
    expect(asked).toBe(0)
  })

  test('with many others asks the servers twice at most', async () => {
    served = false
    const all = await Promise.all(Array.from({ length: 50 }, () => codeOf(failing(missing()))))
    expect(new Set(all)).toEqual(new Set(['ChainReverted']))
    expect(asked).toBe(2)
  })
})

test('callers see 503 and when to call again', () => {
  expect(asChainError(new ChainReverted(missing()))).toMatchObject({
    kind: 'busy',
    data: { retryAfter: 1 },
    message: expect.stringContaining('the chain was reverted'),
  })
})

test('every read at the head of a chain that was reverted says so, until the new branch is followed', async () => {
  const scene = await openScene({ messages: 2, seed: 7 })
  onTestFinished(() => scene.close())
  const chain = createRemoteChain(scene.lite, { canRewind: true })
  const snapshot = await scene.chain.control.snapshot()
  await scene.chain.control.mine(3)
  const { id } = await chain.head()
  const place = { workchain: id.workchain, shard: id.shard, seqno: id.seqno - 1 }
  await scene.chain.control.revert(snapshot)
  const account = { workchain: -1, hash: new Uint8Array(32).fill(0x55) }
  const reads = {
    account: () => chain.account(id, account),
    blockTransactions: () => chain.blockTransactions(id, { count: 1 }),
    find: () => chain.find(place),
    header: () => chain.header(id),
    listTransactions: () => chain.listTransactions(id, { count: 1 }),
    previousBlocks: () => chain.previousBlocks(id),
    queueSizes: () => chain.queueSizes(id),
    shards: () => chain.shards(id),
    signatures: () => chain.proofs.signatures(id),
    stepsBack: () => chain.proofs.stepsBack(id, { ...id, seqno: 1 }),
  }
  for (const [name, read] of Object.entries(reads)) expect([name, await codeOf(read)]).toEqual([name, 'ChainReverted'])
  // A higher block of another branch is followed.
  await scene.chain.control.increaseTime(5)
  await scene.chain.control.mine(4)
  const next = (await chain.head()).id
  expect(next).toEqual(scene.chain.head().master.id)
  expect((await chain.shards(next)).length).toBeGreaterThan(0)
  expect(await codeOf(reads.shards)).toBe('ChainReverted')
})
