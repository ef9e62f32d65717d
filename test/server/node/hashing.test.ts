// Blocks that a thread checks and hashes are read as those that are hashed here.

import { expect, test } from 'vitest'
import { type Cell, sha256, writeBoc } from '../../../server/cell/index.ts'
import { parseBlock } from '../../../server/facts/index.ts'
import { BlockHasher } from '../../../server/node/hashing/index.ts'
import { ProofError, type WholeBlock } from '../../../server/node/index.ts'
import { verifyingBlock } from '../../../server/node/verify/index.ts'
import { verifyBlock } from '../../setup/verifyAtOnce.ts'
import { openFixture } from '../facts/parse/namedBlocks.ts'

const { id, bytes } = openFixture('block-1')

function readAll<T>(pieces: Generator<void, T>): T {
  for (;;) {
    const { done, value } = pieces.next()
    if (done === true) return value
  }
}

/** As a chain does it: by the thread where that answers. */
const checked = async (hasher: BlockHasher, boc: Uint8Array, of = id): Promise<WholeBlock> =>
  readAll(verifyingBlock(of, boc, await hasher.hashed(boc, of.fileHash)))

/** Looks often: a thread that soon ends, as one here does, may be gone before the next look. */
async function ready(hasher: BlockHasher): Promise<void> {
  await expect.poll(() => hasher.hashed(bytes, id.fileHash), { interval: 1 }).not.toBeNull()
}

/** Hashes and depths at all levels of all cells, each once. */
function hashesOf(root: Cell): Map<string, readonly string[]> {
  const all = new Map<string, readonly string[]>()
  const visit = (cell: Cell): void => {
    if (all.has(cell.hashHex())) return
    const levels = [0, 1, 2, 3].map((level) => `${cell.hashHex(level)} ${cell.depth(level)}`)
    all.set(cell.hashHex(), levels)
    cell.refs.forEach(visit)
  }
  visit(root)
  return all
}

test('all cells, facts and bytes are the same', async () => {
  const hasher = new BlockHasher()
  await ready(hasher)
  const here = verifyBlock(id, bytes)
  const there = await checked(hasher, bytes)
  expect(hashesOf(there.root)).toEqual(hashesOf(here.root))
  expect(sha256(writeBoc(there.root, 31))).toBe(sha256(writeBoc(here.root, 31)))
  const rows = ({ root }: WholeBlock) => {
    const { transactions, messages } = parseBlock(id, root, { mcSeqno: 1 })
    return [transactions.map(({ hash, description }) => [hash, description]), messages]
  }
  expect(rows(there)).toEqual(rows(here))
})

test('what is no such block is refused as it is here', async () => {
  const hasher = new BlockHasher()
  await ready(hasher)
  const broken = Uint8Array.from(bytes)
  broken[bytes.length >> 1] = (broken[bytes.length >> 1] ?? 0) ^ 1
  await expect(checked(hasher, broken)).rejects.toThrow('the bytes of the block have another hash')
  await expect(checked(hasher, bytes, { ...id, rootHash: id.fileHash })).rejects.toThrow(ProofError)
  await expect(checked(hasher, bytes.subarray(0, -1))).rejects.toThrow(ProofError)
  expect(await hasher.hashed(new Uint8Array(1 << 20), id.fileHash)).toBeNull()
  // The thread goes on after it.
  expect(await hasher.hashed(bytes, id.fileHash)).not.toBeNull()
})

test('cells of bytes that are not the block take no time of the thread', async () => {
  const hasher = new BlockHasher()
  await ready(hasher)
  expect(await hasher.hashed(bytes, id.rootHash)).toBeNull()
  await expect(checked(hasher, bytes, { ...id, fileHash: id.rootHash })).rejects.toThrow('another hash')
})

test('bytes that change or lie in the midst of others are hashed as they were given', async () => {
  const hasher = new BlockHasher()
  await ready(hasher)
  const wide = new Uint8Array(3 * bytes.length)
  wide.set(bytes, bytes.length)
  const given = hasher.hashed(wide.subarray(bytes.length, 2 * bytes.length), id.fileHash)
  wide.fill(0)
  const { root } = await given.then((hashed) => readAll(verifyingBlock(id, bytes, hashed)))
  expect(root.hashHex()).toBe(verifyBlock(id, bytes).root.hashHex())
})

test('more blocks at once than the thread takes are left to those who ask', async () => {
  const hasher = new BlockHasher()
  await ready(hasher)
  const answers = await Promise.all(Array.from({ length: 40 }, () => hasher.hashed(bytes, id.fileHash)))
  expect(answers.filter((one) => one !== null)).toHaveLength(32)
})

test('the thread ends when it has nothing to do, and starts again', async () => {
  const hasher = new BlockHasher({ idleMs: 20 })
  expect(await hasher.hashed(bytes.subarray(0, 1_000), id.fileHash)).toBeNull()
  expect(hasher.isRunning).toBe(false)
  await ready(hasher)
  await expect.poll(() => hasher.isRunning, { timeout: 300_000 }).toBe(false)
  await ready(hasher)
})
