// Blocks of the real network, whole and in proofs, as a lite server would answer about them.

import { describe, expect, test } from 'vitest'
import { hashToBytes, openCell, readBoc, sha256 } from '../../../../server/cell/index.ts'
import { headerProof } from '../../../../server/devchain/lite/blocks.ts'
import { ChainSource, type LiteChain } from '../../../../server/devchain/lite/chainSource.ts'
import { listTransactions, listTransactionsExt, oneTransaction } from '../../../../server/devchain/lite/transactions.ts'
import {
  type BlockIdExt,
  ProofError,
  previousBlocksOf,
  shardsMeet,
  verifyHeader,
} from '../../../../server/node/index.ts'
import type { ListQuery } from '../../../../server/node/liteServer.ts'
import {
  verifyBlockTransactions,
  verifyBlockTransactionsExt,
  verifyOneTransaction,
} from '../../../../server/node/verify/index.ts'
import { blockInfoOf, loadBlock, shardOf } from '../../../../server/tlb/index.ts'
import { verifyBlock } from '../../../setup/verifyAtOnce.ts'
import { blockBytes, blockNames } from '../../cell/fixtures.ts'

function realBlock(name: string) {
  const boc = blockBytes(name)
  const root = readBoc(boc)
  const info = blockInfoOf(loadBlock(openCell(root)))
  const id: BlockIdExt = {
    workchain: info.shard.workchain,
    shard: shardOf(info.shard),
    seqno: info.seqno,
    rootHash: root.hashBytes(),
    fileHash: hashToBytes(sha256(boc)),
  }
  return { id, boc, root, info }
}

/** A chain that has nothing but one block. */
function sourceOf({ id, boc, root }: ReturnType<typeof realBlock>): ChainSource {
  const facts = { id, startLt: 0n, endLt: 0n, utime: 0, isKey: false, transactions: 0 }
  const nothing = () => Promise.resolve(null)
  const block = () => Promise.resolve({ facts, boc, root: () => Promise.resolve(root), signatures: [] })
  const reader = { byId: () => facts, block, listArchived: nothing, readArchived: nothing }
  return new ChainSource({ reader } as unknown as LiteChain)
}

describe.each(blockNames)('%s', (name) => {
  const real = realBlock(name)
  const { id, boc, root, info } = real

  test('default: the whole block and its header', () => {
    expect(verifyBlock(id, boc).info.endLt).toBe(info.endLt)
    for (const mode of [0, 1, 2, 16, 127]) {
      const answer = { id, mode, headerProof: headerProof(root, mode) }
      expect(verifyHeader(id, answer).info.genUtime).toBe(info.genUtime)
    }
  })

  test('error: under any other name', () => {
    const others: BlockIdExt[] = [
      { ...id, seqno: id.seqno + 1 },
      { ...id, workchain: id.workchain === 0 ? -1 : 0 },
      { ...id, shard: id.shard >> 1n },
      { ...id, rootHash: new Uint8Array(32) },
    ]
    for (const other of others) {
      expect(() => verifyBlock(other, boc)).toThrow(ProofError)
      const answer = { id: other, mode: 0, headerProof: headerProof(root, 0) }
      expect(() => verifyHeader(other, answer)).toThrow(ProofError)
    }
    expect(() => verifyBlock({ ...id, fileHash: new Uint8Array(32) }, boc)).toThrow(ProofError)
    expect(() => verifyBlock(id, boc.subarray(1))).toThrow(ProofError)
  })

  test('behavior: the block before it is of the same chain', () => {
    const before = previousBlocksOf(verifyHeader(id, { id, mode: 0, headerProof: headerProof(root, 0) }))
    expect(before.every(({ workchain }) => workchain === id.workchain)).toBe(true)
    expect(Math.max(...before.map(({ seqno }) => seqno))).toBe(id.seqno - 1)
    // One of the three joins two halves of a shard.
    expect(before.map((one) => shardsMeet(one, id))).toEqual(name === 'block-4' ? [true, true] : [true])
    expect(before.some(({ shard }) => shard === id.shard)).toBe(name !== 'block-4')
  })

  test('behavior: its transactions, page by page, forward and back', async () => {
    const source = sourceOf(real)
    for (const reverse of [false, true]) {
      const seen: bigint[] = []
      let query: ListQuery = { count: 100, reverse, wantProof: true }
      for (;;) {
        const list = verifyBlockTransactions(id, query, await listTransactions(source, id, query))
        const full = verifyBlockTransactionsExt(id, query, await listTransactionsExt(source, id, query))
        expect(full.transactions.map(({ cell }) => cell.hashHex())).toEqual(
          list.transactions.map(({ hash }) => Buffer.from(hash).toString('hex')),
        )
        seen.push(...list.transactions.map(({ lt }) => lt))
        const last = list.transactions.at(-1)
        if (!list.incomplete || last === undefined) break
        query = { ...query, after: { account: last.account, lt: last.lt } }
      }
      const whole = await listTransactions(source, id, { count: 256, reverse })
      expect(seen.slice(0, whole.ids.length)).toEqual(whole.ids.map(({ lt }) => lt))
    }
  })

  test('behavior: one transaction, and none', async () => {
    const source = sourceOf(real)
    const { ids } = await listTransactions(source, id, { count: 3 })
    for (const { account: hash, lt } of ids) {
      const account = { workchain: id.workchain, hash }
      const found = verifyOneTransaction(id, account, lt, await oneTransaction(source, id, account, lt))
      expect(found?.transaction.lt).toBe(lt)
      const absent = verifyOneTransaction(id, account, lt + 500n, await oneTransaction(source, id, account, lt + 500n))
      expect(absent).toBeNull()
    }
  })
})
