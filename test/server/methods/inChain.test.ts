// Work at a block that is reverted meanwhile: it runs again from another start, or ends in words.

import { expect, test } from 'vitest'
import { isInChain, type RevertedChain, untilKept } from '../../../server/methods/pending/inChain.ts'
import { type BlockIdExt, LiteError, MASTERCHAIN, WHOLE_SHARD } from '../../../server/node/index.ts'

const blockOf = (seqno: number, branch: number): BlockIdExt => ({
  workchain: MASTERCHAIN,
  shard: WHOLE_SHARD,
  seqno,
  rootHash: new Uint8Array(32).fill(branch),
  fileHash: new Uint8Array(32).fill(branch),
})

/** Up to block 5, of one branch at a time. */
function setUp(canRewind = true) {
  const now = { branch: 1, height: 5 }
  const idOf = async (query: object) => {
    const seqno = 'seqno' in query ? Number(query.seqno) : 0
    if (seqno > now.height) throw new LiteError('notReady', 'block is not applied')
    return blockOf(seqno, now.branch)
  }
  const chain = { traits: { canRewind }, idOf } as unknown as RevertedChain
  const revert = () => void now.branch++
  const startOf = async () => ({ block: blockOf(now.height, now.branch) })
  return { now, chain, revert, startOf }
}

test('a block of the chain, one of another branch, one above its end', async () => {
  const { chain } = setUp()
  expect(await isInChain(chain, blockOf(5, 1))).toBe(true)
  expect(await isInChain(chain, blockOf(5, 2))).toBe(false)
  expect(await isInChain(chain, blockOf(6, 1))).toBe(false)
})

test('behavior: what fails because its block was reverted runs again at another one', async () => {
  const { chain, revert, startOf } = setUp()
  const starts: number[] = []
  const answer = await untilKept(chain, startOf, async ({ block }) => {
    starts.push(block.rootHash[0] ?? 0)
    if (starts.length < 3) {
      revert()
      throw new Error('no such block')
    }
    return 'well'
  })
  expect([answer, starts]).toEqual(['well', [1, 2, 3]])
})

test('behavior: what succeeds although its block was reverted meanwhile runs again too: it may be of two branches', async () => {
  const { chain, revert, startOf } = setUp()
  const starts: number[] = []
  const answer = await untilKept(chain, startOf, async ({ block }) => {
    starts.push(block.rootHash[0] ?? 0)
    if (starts.length < 3) revert()
    return `of ${starts.at(-1)}`
  })
  expect([answer, starts]).toEqual(['of 3', [1, 2, 3]])
  const always = async () => revert()
  await expect(untilKept(chain, startOf, always)).rejects.toMatchObject({ kind: 'busy', data: { retryAfter: 1 } })
  expect(await untilKept(setUp(false).chain, startOf, async () => 'once')).toBe('once')
})

test('error: any other failure is that of the work, and without end is none', async () => {
  const { chain, revert, startOf } = setUp()
  const fail = async () => {
    throw new Error('its own')
  }
  await expect(untilKept(chain, startOf, fail)).rejects.toThrow('its own')
  const always = async () => {
    revert()
    throw new Error('no such block')
  }
  await expect(untilKept(chain, startOf, always)).rejects.toMatchObject({ kind: 'busy', data: { retryAfter: 1 } })
  await expect(untilKept(setUp(false).chain, startOf, always)).rejects.toThrow('no such block')
})
