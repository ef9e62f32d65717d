// Answers of an attacker: noise, bombs, proofs of other things. Each is refused quickly with a ProofError.

import fc from 'fast-check'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { beginCell, Cell, makeProof, makeUpdate, writeBoc } from '../../../../server/cell/index.ts'
import {
  type BlockIdExt,
  ProofError,
  verifyHeader,
  verifyShardBlockProof,
  WHOLE_SHARD,
} from '../../../../server/node/index.ts'
import {
  verifyAccount,
  verifyBlockTransactions,
  verifyBlockTransactionsExt,
  verifyConfig,
  verifyLibrariesWithProof,
  verifyLookup,
  verifyOneTransaction,
  verifyPrunedAccount,
  verifyQueueSize,
  verifyShardInfo,
  verifyShards,
  verifyTransactions,
  verifyValidatorStats,
} from '../../../../server/node/verify/index.ts'
import { verifyBlock, verifyBlockProof, verifyLibraries, verifyRunMethod } from '../../../setup/verifyAtOnce.ts'
import { cellTwins } from '../../cell/randomCells.ts'

const hash = new Uint8Array(32).fill(7)
const idOf = (rootHash: Uint8Array, workchain = -1, seqno = 5): BlockIdExt => ({
  workchain,
  shard: WHOLE_SHARD,
  seqno,
  rootHash,
  fileHash: hash,
})

/** Every check, with the same bytes wherever its answer has any. */
function checks(id: BlockIdExt, boc: Uint8Array): Readonly<Record<string, () => unknown>> {
  const account = { workchain: 0, hash }
  const base = idOf(id.rootHash, 0)
  const found = { id, shardBlock: base, shardProof: boc, proof: boc }
  const list = { id, requestedCount: 5, incomplete: false, proof: boc }
  const query = { workchain: -1, shard: WHOLE_SHARD, lt: 5n }
  const links = [{ id: base, proof: boc }]
  const state = { id, stateProof: boc, dataProof: boc, mode: 0 }
  const signatures = { kind: 'ordinary', validatorSetHash: 1, catchainSeqno: 1, signatures: [] } as const
  const step = { toKeyBlock: true, from: id, destProof: boc, proof: boc, stateProof: boc, configProof: boc, signatures }
  const older = idOf(hash, -1, 4)
  const newer = idOf(hash, -1, 6)
  const chain = (kind: 'back' | 'forward', to: BlockIdExt) => () =>
    verifyBlockProof(id, to, { complete: true, from: id, to, steps: [{ ...step, kind, to }] })
  return {
    header: () => verifyHeader(id, { id, mode: 0, headerProof: boc }),
    block: () => verifyBlock(id, boc),
    account: () => verifyAccount(id, account, { ...found, state: boc }),
    ownAccount: () => verifyAccount(base, account, { ...found, id: base, shardProof: new Uint8Array(), state: boc }),
    pruned: () => verifyPrunedAccount(id, account, { ...found, state: boc }),
    runMethod: () =>
      verifyRunMethod(id, account, {
        ...found,
        mode: 7,
        stateProof: boc,
        initC7: boc,
        libExtras: boc,
        exitCode: 0,
        result: boc,
      }),
    transactions: () => verifyTransactions(account, { lt: 9n, hash, count: 3 }, { ids: [base], transactions: boc }),
    oneTransaction: () => verifyOneTransaction(base, account, 9n, { id: base, proof: boc, transaction: boc }),
    list: () => verifyBlockTransactions(id, { count: 5, wantProof: true }, { ...list, ids: [] }),
    listExt: () => verifyBlockTransactionsExt(id, { count: 5, wantProof: true }, { ...list, transactions: boc }),
    config: () => verifyConfig(id, 'all', { id, mode: 0, stateProof: boc, configProof: boc }),
    keyConfig: () => verifyConfig(id, [8], { id, mode: 0x8000, stateProof: boc, configProof: boc }),
    shards: () => verifyShards(id, { id, proof: boc, data: boc }),
    shardInfo: () => verifyShardInfo(id, base, false, { id, shardBlock: base, shardProof: boc, shardDescription: boc }),
    shardProof: () => verifyShardBlockProof(id, base, { masterchainId: id, links }),
    lookup: () =>
      verifyLookup(query, id, {
        id: older,
        mode: 2,
        masterchainId: older,
        shardLinks: links,
        clientMasterStateProof: boc,
        masterBlockProof: boc,
        header: boc,
        previousHeader: boc,
      }),
    back: chain('back', older),
    forward: chain('forward', newer),
    libraries: () => verifyLibraries([hash], [{ hash, data: boc }]),
    librariesWithProof: () => verifyLibrariesWithProof(id, [hash], { ...state, result: [{ hash, data: boc }] }),
    queueSize: () => verifyQueueSize(id, { id, mode: 1, size: 1, proof: boc }),
    validatorStats: () => verifyValidatorStats(id, { limit: 5 }, { ...state, count: 1, complete: false }),
  }
}

/** Names of the checks that did not refuse, or refused in another way. */
const letThrough = (id: BlockIdExt, boc: Uint8Array): string[] =>
  Object.entries(checks(id, boc)).flatMap(([name, check]) => {
    try {
      check()
      return [name]
    } catch (error) {
      return error instanceof ProofError ? [] : [`${name}: ${String(error)}`]
    }
  })

/** A tree of 2^(2*depth) leaves that takes `depth` cells. */
function bomb(depth: number): Cell {
  let cell = beginCell().storeUint(0x11ef55aa, 32).end()
  for (let i = 0; i < depth; i++) {
    const over = beginCell().storeUint(0x9023afe2, 32)
    for (let k = 0; k < 4; k++) over.storeRef(cell)
    cell = over.end()
  }
  return cell
}

const whole = (root: Cell): Cell => makeProof(root, () => true)

describe('hostile answers', () => {
  test('error: noise', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(letThrough(idOf(hash), bytes)).toEqual([])
      }),
      { numRuns: 100 },
    )
  })

  test('error: proofs of trees that are no blocks and no states, under their own hash', () => {
    fc.assert(
      fc.property(cellTwins(), ({ ours }) => {
        const id = idOf(ours.hashBytes())
        const proof = whole(ours)
        for (const boc of [writeBoc(ours), writeBoc(proof, 0), writeBoc([proof, proof], 0)])
          expect(letThrough(id, boc)).toEqual([])
      }),
      { numRuns: 60 },
    )
  })

  test('error: trees that are small on paper and endless to walk', () => {
    for (const depth of [20, 400]) {
      const tree = bomb(depth)
      const proof = whole(tree)
      for (const boc of [writeBoc(tree), writeBoc(proof, 0), writeBoc([proof, proof], 0)])
        expect(letThrough(idOf(tree.hashBytes()), boc)).toEqual([])
    }
  })

  test('error: chains that lead nowhere, in circles or on and on', () => {
    const id = idOf(hash)
    const target = idOf(hash, -1, 9)
    const step = {
      ...({ kind: 'back', toKeyBlock: false, from: id, to: id } as const),
      destProof: hash,
      proof: hash,
      stateProof: hash,
    }
    const answers = [
      { complete: false, from: id, to: id, steps: [] },
      { complete: true, from: id, to: target, steps: [] },
      { complete: true, from: target, to: target, steps: [] },
      { complete: true, from: id, to: id, steps: [step] },
      { complete: false, from: id, to: id, steps: Array(100_000).fill(step) },
    ]
    for (const answer of answers) expect(() => verifyBlockProof(id, target, answer)).toThrow(ProofError)
    const nothing = { complete: true, from: id, to: id, steps: [] }
    expect(verifyBlockProof(id, id, nothing).block).toEqual(id)
  })
})

test('error: the tree of a proof of something else is not gone through', () => {
  const leaf = beginCell().storeUint(1, 8).storeRef(beginCell().end()).end()
  // With a Merkle cell inside, the tree is made after the proof was read.
  const update = makeUpdate(leaf, leaf)
  const tree = beginCell().storeUint(2, 8).storeRef(leaf).storeRef(update).end()
  const headerProof = writeBoc(makeProof(tree, (cell) => cell === tree || cell === update))
  const lowered = vi.spyOn(Cell.prototype, 'lowered')
  onTestFinished(() => lowered.mockRestore())
  const header = (id: BlockIdExt) => () => verifyHeader(id, { id, mode: 0, headerProof })
  expect(header(idOf(hash))).toThrow(/^the proof of block -1:5 is about [0-9a-f]{64}, not 0707/)
  expect(lowered).not.toHaveBeenCalled()
  expect(header(idOf(tree.hashBytes()))).toThrow(ProofError)
  expect(lowered).toHaveBeenCalled()
})
