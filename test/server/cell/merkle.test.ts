import { Cell as CoreCell, convertToMerkleProof, exoticMerkleProof } from '@ton/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  applyUpdate,
  beginCell,
  buildDict,
  type Cell,
  CellError,
  CellUsage,
  coinsValue,
  completeTree,
  Dict,
  dictKind,
  loadProof,
  makeProof,
  makeUpdate,
  openCell,
  prune,
  pruneTree,
  readBoc,
  uintKey,
  updateHashes,
  virtualize,
  wrapProof,
  wrapUpdate,
  writeBoc,
} from '../../../server/cell/index.ts'
import { cellsOf } from '../../setup/cellTree.ts'
import { blockBytes, blockNames } from './fixtures.ts'
import { plainHashes } from './nodeHashes.ts'
import { cellTwins } from './randomCells.ts'

const leaf = (value: number): Cell => beginCell().storeUint(value, 32).end()
const fork = (...refs: Cell[]): Cell =>
  refs.reduce((builder, ref) => builder.storeRef(ref), beginCell().storeUint(7, 5)).end()
const merkle = (code: string) => expect.objectContaining({ name: 'MerkleError', code })
const kind = dictKind(uintKey(32), coinsValue)

describe('proofs', () => {
  test('default: what was opened while answering is in the proof, the rest is cut off', () => {
    const dict = buildDict(
      kind,
      Array.from({ length: 200 }, (_, i) => [i * 7919, BigInt(i)] as const),
    )
    const root = dict.root ?? leaf(0)
    const usage = new CellUsage()
    expect(usage.run(() => dict.get(50 * 7919))).toBe(50n)
    const proof = makeProof(root, usage)
    const bytes = writeBoc(proof, 0)
    expect(bytes.length).toBeLessThan(writeBoc(root, 0).length / 3)

    const shown = loadProof(readBoc(bytes), root.hash())
    expect([shown.hash(), shown.depth(), shown.level, shown.isVirtual]).toEqual([root.hash(), root.depth(), 0, true])
    const proven = new Dict(kind, shown)
    expect(proven.get(50 * 7919)).toBe(50n)
    expect(() => [...proven.entries()]).toThrow(expect.objectContaining({ code: 'pruned' }))
    // A key that was cut off is refused, or counts as absent where that is asked for.
    expect(() => proven.get(150 * 7919)).toThrow(expect.objectContaining({ code: 'pruned' }))
    expect([50, 150].map((i) => proven.getShown(i * 7919))).toEqual([50n, undefined])
  })

  test('behavior: absence and ranges are proven the same way', () => {
    const dict = buildDict(
      kind,
      Array.from({ length: 100 }, (_, i) => [i * 10, BigInt(i)] as const),
    )
    const root = dict.root ?? leaf(0)
    const usage = new CellUsage()
    const range = usage.run(() => {
      expect(dict.get(55)).toBeUndefined()
      const found: number[] = []
      for (const [key] of dict.entries({ from: 300 })) {
        if (key > 400) break
        found.push(key)
      }
      return found
    })
    const shown = loadProof(makeProof(root, usage))
    const again = new Dict(kind, shown)
    expect(again.get(55)).toBeUndefined()
    expect(range).toEqual([300, 310, 320, 330, 340, 350, 360, 370, 380, 390, 400])
    expect(again.next(340)).toEqual([350, 35n])
  })

  test('behavior: every choice of cells gives a proof with the hash of the whole, as @ton/core reads it', () => {
    fc.assert(
      fc.property(cellTwins(20), fc.infiniteStream(fc.boolean()), ({ ours, core }, choices) => {
        const kept = new Set(cellsOf(ours).filter(() => choices.next().value === true))
        const proof = makeProof(ours, (cell) => kept.has(cell))
        expect(proof.hashHex()).toBe(plainHashes(proof).hashes[3]?.toString('hex'))
        const shown = loadProof(proof, ours.hash())
        expect([shown.hash(), shown.depth()]).toEqual([ours.hash(), ours.depth()])
        const foreign = CoreCell.fromBoc(Buffer.from(writeBoc(proof)))[0] ?? core
        expect(foreign.hash().toString('hex')).toBe(proof.hashHex())
        expect(exoticMerkleProof(foreign.bits, foreign.refs).proofHash.equals(core.hash())).toBe(true)
      }),
      { numRuns: 200 },
    )
  })

  test('behavior: hashes of all levels are the same in whatever order they are computed', () => {
    fc.assert(
      fc.property(cellTwins(20), fc.infiniteStream(fc.boolean()), ({ ours }, choices) => {
        const kept = new Set(cellsOf(ours).filter(() => choices.next().value === true))
        const boc = writeBoc(makeProof(ours, (cell) => kept.has(cell)))
        // Never asked before, from the lowest level on, and from the highest.
        const upward = cellsOf(readBoc(boc))
        const downward = cellsOf(readBoc(boc))
        upward.forEach((cell, i) => {
          const other = downward[i]
          const expected = plainHashes(cell).hashes.map((hash) => hash.toString('hex'))
          expect([0, 1, 2, 3].map((level) => cell.hashHex(level))).toEqual(expected)
          expect([3, 2, 1, 0].map((level) => other?.hashHex(level)).reverse()).toEqual(expected)
        })
      }),
      { numRuns: 100 },
    )
  })

  test('behavior: keeping everything cuts nothing', () => {
    fc.assert(
      fc.property(cellTwins(), ({ ours, core }) => {
        expect(makeProof(ours, () => true).hashHex()).toBe(convertToMerkleProof(core).hash().toString('hex'))
        expect(pruneTree(ours, () => true)).toBe(ours)
      }),
    )
  })

  test.each(blockNames)('behavior: the header of %s is proven through its pruned state update', (name) => {
    const block = readBoc(blockBytes(name))
    const usage = new CellUsage()
    usage.run(() => openCell(openCell(block).loadRef()).loadRef())
    const proof = makeProof(block, usage)
    expect(proof.mask).toBe(0)
    const shown = loadProof(readBoc(writeBoc(proof, 0)), block.hash())
    expect(openCell(shown).loadRef().hash()).toBe(block.refs[0]?.hash())
    // Half of the update is cut off inside an update: two levels deep.
    const whole = makeProof(block, (cell) => cell === block || cell === block.refs[2])
    expect(whole.refs[0]?.refs[2]?.refs.every((ref) => ref.mask === 3)).toBe(true)
    expect(loadProof(whole, block.hash()).refs[2]?.hash()).toBe(block.refs[2]?.hash())
    expect(whole.hashHex()).toBe(plainHashes(whole).hashes[3]?.toString('hex'))
  })

  test('error: a changed bit anywhere in a proof is noticed', () => {
    const tree = fork(leaf(1), fork(leaf(2), fork(leaf(3))), fork(leaf(4)))
    const bytes = writeBoc(
      makeProof(tree, (cell) => cell === tree || cell === tree.refs[1]),
      0,
    )
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const tampered = Uint8Array.from(bytes)
      tampered[bit >> 3] = (tampered[bit >> 3] ?? 0) ^ (128 >> (bit & 7))
      expect(() => loadProof(readBoc(tampered), tree.hash())).toThrow(CellError)
    }
  })

  test('error: a proof of something else, no proof at all, an incomplete tree', () => {
    const tree = fork(leaf(1), fork(leaf(2)))
    const proof = makeProof(tree, (cell) => cell === tree)
    expect(() => loadProof(proof, leaf(9).hash())).toThrow(merkle('rootHash'))
    expect(() => loadProof(tree)).toThrow(merkle('notProof'))
    expect(() => makeProof(fork(prune(tree, 0)), () => true)).toThrow(merkle('level'))
    expect(() => makeProof(loadProof(proof), () => true)).toThrow(merkle('level'))
    expect(() => prune(tree, 3)).toThrow(merkle('level'))
  })

  test('behavior: virtual trees keep what was never cut, and go through nested Merkle cells', () => {
    const tree = fork(leaf(1), fork(leaf(2)))
    expect(virtualize(tree)).toBe(tree)
    const nested = fork(wrapUpdate(fork(prune(tree, 1)), fork(leaf(5), prune(tree, 0))), leaf(6))
    const shown = virtualize(nested)
    expect(shown.hash()).toBe(nested.hash(0))
    expect(shown.refs[1]).toBe(nested.refs[1])
    expect(shown.refs[0]?.refs[1]).toBe(nested.refs[0]?.refs[1])
    expect(shown.refs[0]?.refs[0]?.hash()).toBe(nested.refs[0]?.refs[0]?.hash(1))
  })

  test('behavior: a cell that is reached along many paths is seen once, at each level', () => {
    const cut = prune(fork(leaf(1)), 1)
    let tower = cut
    // More paths than any computer walks.
    for (let floor = 0; floor < 200; floor++) tower = fork(tower, tower)
    const both = fork(wrapUpdate(tower, tower), tower)
    const shown = virtualize(both)
    expect(shown.hash()).toBe(both.hash(0))
    for (const [at, level] of [
      [shown.refs[0]?.refs[0], 1],
      [shown.refs[1], 0],
    ] as const) {
      expect(at?.hash()).toBe(tower.hash(level))
      expect(at?.refs[0]).toBe(at?.refs[1])
      const floors = new Set<Cell>()
      const paths = at === undefined ? [] : [at]
      for (const cell of paths) if (floors.size < floors.add(cell).size) paths.push(...cell.refs)
      // Those of the cut cell, which has no references, are as many as refer to it.
      expect([...floors].filter(({ refs }) => refs.length > 0)).toHaveLength(200)
    }
  })
})

describe('updates', () => {
  const build = (values: readonly number[]): Cell =>
    buildDict(
      kind,
      values.map((value, i) => [i * 65_537, BigInt(value)] as const),
    ).root ?? leaf(0)

  test('default: an update leads from the old tree to the new one', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(1000), { minLength: 2, maxLength: 60 }),
        fc.array(fc.tuple(fc.nat(), fc.nat(1000)), { maxLength: 5 }),
        (values, changes) => {
          const changed = [...values]
          for (const [at, value] of changes) changed[at % changed.length] = value
          const before = build(values)
          const after = build(changed)
          const update = readBoc(writeBoc(makeUpdate(before, after)))
          expect(updateHashes(update)).toEqual({ before: before.hash(), after: after.hash() })
          const applied = applyUpdate(before, update)
          expect(writeBoc(applied, 31)).toEqual(writeBoc(after, 31))
        },
      ),
      { numRuns: 200 },
    )
  })

  test('behavior: with a record of opened cells only those are searched, so shared parts cost nothing', () => {
    const code = fork(leaf(1), fork(leaf(2)))
    const value = {
      load: () => 0,
      store: (b: ReturnType<typeof beginCell>, v: number) => void b.storeUint(v, 32).storeRef(code),
    }
    const accounts = dictKind(uintKey(32), value)
    const before = buildDict(
      accounts,
      Array.from({ length: 500 }, (_, i) => [i * 8_000_009, i] as const),
    )
    const usage = new CellUsage()
    const after = usage.run(() => before.set(8_000_009, 77).set(5, 1))
    const from = before.root ?? code
    const to = after.root ?? code
    const narrow = makeUpdate(from, to, usage)
    const wide = makeUpdate(from, to)
    expect(applyUpdate(from, narrow).hash()).toBe(to.hash())
    expect(applyUpdate(from, wide).hash()).toBe(to.hash())
    expect(writeBoc(narrow).length).toBeLessThanOrEqual(writeBoc(wide).length + 200)
    expect(writeBoc(narrow).length).toBeLessThan(4000)
  })

  test('behavior: the new half alone shows the entries that changed, and is made whole with the old tree', () => {
    const before = buildDict(
      kind,
      Array.from({ length: 300 }, (_, i) => [i * 3, BigInt(i)] as const),
    )
    const after = before.update([
      [3, 77n],
      [4, 78n],
      [600, null],
    ])
    if (before.root === null || after.root === null) throw new Error('empty')
    const [, to] = makeUpdate(before.root, after.root).refs
    if (to === undefined) throw new Error('no new half')
    const shown = [...new Dict(kind, to).entries({ shownOnly: true })]
    expect(shown.length).toBeLessThan(20)
    expect(shown).toEqual(
      expect.arrayContaining([
        [3, 77n],
        [4, 78n],
      ]),
    )
    expect(shown).toEqual([...after].filter(([key]) => shown.some(([same]) => same === key)))
    expect(() => [...new Dict(kind, to)]).toThrow(expect.objectContaining({ code: 'pruned' }))
    expect(completeTree(to, [before.root]).hash()).toBe(after.root.hash())
    expect(() => completeTree(to, [leaf(1)])).toThrow(merkle('unknownCell'))
    let twice = beginCell().storeUint(0, 2).storeCoins(1n).end()
    for (let level = 0; level < 32; level++) twice = beginCell().storeUint(0, 2).storeRef(twice).storeRef(twice).end()
    const entries = new Dict(kind, twice).entries({ shownOnly: true })
    expect(() => [...entries]).toThrow(expect.objectContaining({ name: 'DictError', code: 'node' }))
  })

  test('behavior: new cells do not hold on to the bytes of the block they came in', () => {
    const before = build([1, 2, 3])
    const after = build([1, 5, 3])
    const update = readBoc(writeBoc(makeUpdate(before, after)), { isConstant: true })
    const applied = applyUpdate(before, update)
    expect(cellsOf(applied).every((cell) => cell.bytes !== update.bytes)).toBe(true)
  })

  test('behavior: trees with pruned cells of their own inside are updated too', () => {
    const inner = makeProof(fork(leaf(1), fork(leaf(2))), (cell) => cell.depth() === 2)
    const before = fork(inner, fork(leaf(3), fork(leaf(4), fork(leaf(5)))))
    const after = fork(inner, fork(leaf(9), fork(leaf(4), fork(leaf(5)))), fork(inner))
    const update = makeUpdate(before, after)
    expect(update.mask).toBe(0)
    expect(applyUpdate(before, readBoc(writeBoc(update))).hash()).toBe(after.hash())
  })

  test('behavior: a tree that did not change', () => {
    const tree = fork(leaf(1), fork(leaf(2)))
    expect(applyUpdate(tree, makeUpdate(tree, tree)).hash()).toBe(tree.hash())
  })

  test.each(blockNames)('behavior: the state update of %s is a valid update cell', (name) => {
    const update = readBoc(blockBytes(name)).refs[2] ?? leaf(0)
    const hashes = updateHashes(update)
    expect(update.refs.map((ref) => ref.hash(0))).toEqual([hashes.before, hashes.after])
  })

  test('error: another starting point, no update, or parts the old half does not show', () => {
    const before = build([1, 2, 3, 4])
    const after = build([1, 2, 3, 5])
    const other = build([6, 7, 8, 9])
    const update = makeUpdate(before, after)
    expect(() => applyUpdate(other, update)).toThrow(merkle('rootHash'))
    expect(() => applyUpdate(before, wrapProof(before))).toThrow(merkle('notUpdate'))
    const foreign = wrapUpdate(
      pruneTree(before, (cell) => cell === before),
      fork(prune(other, 0)),
    )
    expect(() => applyUpdate(before, foreign)).toThrow(merkle('unknownCell'))
    expect(() => makeUpdate(fork(prune(before, 0)), after)).toThrow(merkle('level'))
  })
})
