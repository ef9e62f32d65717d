// Blocks that were damaged or made up: one error that says where, in little time, or rows.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  Builder,
  beginCell,
  type Cell,
  CellKind,
  loadDict,
  openCell,
  wrapUpdate,
} from '../../../../server/cell/index.ts'
import {
  accountsOfState,
  type BlockFacts,
  completeData,
  ParseError,
  parseBlock,
} from '../../../../server/facts/index.ts'
import { ParseBudget } from '../../../../server/facts/parse/parseBudget.ts'
import type { BlockIdExt } from '../../../../server/node/index.ts'
import {
  accountBlocksOf,
  blockExtraOf,
  extraCurrencyKind,
  loadBlock,
  masterExtraOf,
  shardsOf,
  storeAccountBlock,
  storeBlock,
  storeBlockExtra,
  storeShardDescription,
  toCell,
} from '../../../../server/tlb/index.ts'
import { openFixture } from './namedBlocks.ts'

/** Rows, or the one error there may be; anything else fails the test. */
function attempt<T>(work: () => T): T | ParseError {
  try {
    return work()
  } catch (error) {
    if (error instanceof ParseError) return error
    throw error
  }
}

const read = (id: BlockIdExt, root: Cell): BlockFacts | ParseError =>
  attempt(() => parseBlock({ ...id, rootHash: root.hashBytes() }, root, { mcSeqno: 5 }))

interface Step {
  readonly cell: Cell
  readonly ref: number
}

/** The way to a random cell, and the cell. */
function wayTo(root: Cell, choices: readonly number[]): { steps: Step[]; cell: Cell } {
  const steps: Step[] = []
  let cell = root
  for (const choice of choices) {
    if (cell.refs.length === 0) break
    const ref = choice % cell.refs.length
    steps.push({ cell, ref })
    cell = cell.refs[ref] ?? cell
  }
  return { steps, cell }
}

function over(cell: Cell, refs: readonly Cell[]): Cell {
  const [from, to] = refs
  if (cell.kind === CellKind.merkleUpdate && from !== undefined && to !== undefined) return wrapUpdate(from, to)
  const builder = new Builder().storeRange(cell.data(), 0, cell.bits)
  for (const ref of refs) builder.storeRef(ref)
  return builder.end(cell.isExotic)
}

/** The tree with another cell at the end of a way. */
const replaced = (steps: readonly Step[], by: Cell): Cell =>
  [...steps].reverse().reduce((below, { cell, ref }) => over(cell, cell.refs.with(ref, below)), by)

type Harm = 'flip' | 'cut' | 'lose' | 'swap'

function harmed(cell: Cell, how: Harm, at: number, other: Cell): Cell {
  if (how === 'swap') return other
  const refs = how === 'lose' ? cell.refs.slice(1) : cell.refs
  const bits = how === 'cut' && cell.bits > 0 ? at % cell.bits : cell.bits
  const data = cell.data()
  if (how === 'flip' && bits > 0) data[(at % bits) >> 3] = (data[(at % bits) >> 3] ?? 0) ^ (128 >> ((at % bits) & 7))
  const builder = new Builder().storeRange(data, 0, bits)
  for (const ref of refs) builder.storeRef(ref)
  return builder.end(cell.isExotic)
}

/** Null for harm no bag of cells can carry: exotic cells of another form, trees with holes outside of a proof. */
function harmedBlock(
  root: Cell,
  way: readonly number[],
  how: Harm,
  rest: { at: number; other: readonly number[] },
): Cell | null {
  const { steps, cell } = wayTo(root, way)
  try {
    const made = replaced(steps, harmed(cell, how, rest.at, wayTo(root, rest.other).cell))
    return made.mask === 0 ? made : null
  } catch {
    return null
  }
}

const way = fc.array(fc.nat(11), { maxLength: 24 })

describe('damaged blocks', () => {
  const list = ['block-5', 'block-4'].map(openFixture)

  test('with one cell changed', () => {
    let refused = 0
    let accepted = 0
    fc.assert(
      fc.property(
        fc.nat(4),
        way,
        fc.constantFrom<Harm>('flip', 'cut', 'lose', 'swap'),
        fc.record({ at: fc.nat(1022), other: way }),
        (index, path, how, rest) => {
          const fixture = list[index === 0 ? 1 : 0]
          if (fixture === undefined) return
          const block = harmedBlock(fixture.root, path, how, rest)
          if (block === null) return
          const found = read(fixture.id, block)
          if (found instanceof ParseError) {
            refused++
            expect(found.where).not.toBe('')
          } else accepted++
        },
      ),
      { numRuns: 1500, seed: 7 },
    )
    expect(refused).toBeGreaterThan(100)
    expect(accepted).toBeGreaterThan(10)
  })

  test('with a byte changed, cut short, or replaced', () => {
    const [fixture] = list
    if (fixture === undefined) throw new Error('no fixture')
    const { id, bytes } = fixture
    const refusal = (boc: Uint8Array) => attempt(() => parseBlock(id, boc, { mcSeqno: 5 }))
    for (let at = 0; at < bytes.length; at += 37) {
      const copy = Uint8Array.from(bytes)
      copy[at] = (copy[at] ?? 0) ^ 4
      expect(refusal(copy)).toBeInstanceOf(ParseError)
      expect(refusal(bytes.subarray(0, at))).toBeInstanceOf(ParseError)
    }
    expect(refusal(new Uint8Array())).toBeInstanceOf(ParseError)
  })

  test('under the name of another', () => {
    for (const { id, root } of list)
      for (const other of [
        { ...id, seqno: id.seqno + 1 },
        { ...id, shard: id.shard >> 1n },
        { ...id, workchain: 7 },
        { ...id, rootHash: new Uint8Array(32) },
      ])
        expect(attempt(() => parseBlock(other, root, { mcSeqno: 5 }))).toBeInstanceOf(ParseError)
  })
})

describe('blocks that claim more than they hold', () => {
  const { id, root } = openFixture('block-5')
  const block = loadBlock(openCell(root))
  const extra = blockExtraOf(block)
  const withExtra = (changed: Partial<typeof extra>): Cell =>
    toCell({ ...block, extra: toCell({ ...extra, ...changed }, storeBlockExtra) }, storeBlock)
  const refusal = (found: BlockFacts | ParseError) => (found instanceof ParseError ? found.message : 'accepted')

  /** A dictionary of 256-bit keys with an entry for each of them. */
  function bomb(leaf: (labelled: Builder) => Builder, fork: (labelled: Builder) => Builder, bits: number): Cell {
    let node = leaf(beginCell().storeUint(0, 2)).end()
    for (let depth = 0; depth < bits; depth++)
      node = fork(beginCell().storeUint(0, 2).storeRef(node).storeRef(node)).end()
    return node
  }
  const nothing = (builder: Builder) => builder.storeCoins(0n).storeBit(0)
  const dictOf = (node: Cell, more: (builder: Builder) => Builder) => more(beginCell().storeBit(1).storeRef(node)).end()

  test('accounts: one account block under every id', () => {
    const [real] = accountBlocksOf(extra).values()
    if (real === undefined) throw new Error('no account block')
    const node = bomb((builder) => storeAccountBlock(nothing(builder), real), nothing, 256)
    const found = read(id, withExtra({ accountBlocks: dictOf(node, nothing) }))
    expect(refusal(found)).toBe('transactions: an account is listed as another one')
  })

  test.each([50, 70])('shards: a tree that splits %i times', (depth) => {
    const tree = masterExtraOf(extra)?.shardHashes.get(0)
    const [one] = tree === undefined ? [] : shardsOf(tree)
    if (one === undefined) throw new Error('no shard')
    let node = storeShardDescription(beginCell().storeBit(0), one[1]).end()
    for (let level = 0; level < depth; level++) node = beginCell().storeBit(1).storeRef(node).storeRef(node).end()
    const shards = beginCell().storeUint(2, 2).storeUint(32, 6).storeInt(0, 32).storeRef(node).end()
    const special = beginCell().storeUint(0, 3).end()
    const head = beginCell().storeUint(0xcca5, 16).storeBit(0).storeBit(1).storeRef(shards).storeBit(0)
    const custom = nothing(nothing(head)).storeRef(special).end()
    expect(refusal(read(id, withExtra({ custom })))).toMatch(
      /^shards: (there are more than|a tree of shards is too deep)/,
    )
  })

  test('currencies: an amount of each of four billion', () => {
    let node = beginCell().storeUint(0, 2).storeVarUint(5n, 32).end()
    for (let level = 0; level < 32; level++) node = beginCell().storeUint(0, 2).storeRef(node).storeRef(node).end()
    const other = loadDict(openCell(beginCell().storeBit(1).storeRef(node).end()), extraCurrencyKind)
    expect(() => new ParseBudget().extra({ grams: 0n, other })).toThrow(ParseError)
  })

  const statesOf = (half: Cell, accounts: Cell): Cell => over(half, half.refs.with(1, accounts))

  test('accounts of the state: forks that all end in one hole', () => {
    const [from, to] = block.stateUpdate.refs
    if (from === undefined || to === undefined) throw new Error('no update')
    const hole = beginCell().storeUint(1, 8).storeUint(1, 8).storeBytes(new Uint8Array(32)).storeUint(3, 16).end(true)
    const depthBalance = (builder: Builder) => nothing(builder.storeUint(0, 5))
    let node = hole
    for (let depth = 0; depth < 200; depth++)
      node = depthBalance(beginCell().storeUint(0, 2).storeRef(node).storeRef(node)).end()
    const accounts = dictOf(node, depthBalance)
    const stateUpdate = wrapUpdate(from, statesOf(to, accounts))
    expect(refusal(read(id, toCell({ ...block, stateUpdate }, storeBlock)))).toMatch(/^state update: .*occurs twice/)
    const state = statesOf(
      to,
      dictOf(
        bomb(
          (b) => depthBalance(b).storeRef(beginCell().storeBit(0).end()).storeBytes(new Uint8Array(40)),
          depthBalance,
          256,
        ),
        depthBalance,
      ),
    )
    expect(attempt(() => [...accountsOfState(state)])).toBeInstanceOf(ParseError)
  })

  test('states that are none', () => {
    expect(attempt(() => [...accountsOfState(root)])).toBeInstanceOf(ParseError)
    expect(attempt(() => [...accountsOfState(new Uint8Array(100))])).toBeInstanceOf(ParseError)
  })

  test('data that cannot be completed', () => {
    const [shown = root] = loadBlock(openCell(root)).stateUpdate.refs
    expect(completeData(shown, [new Uint8Array(4)])).toBeNull()
  })
})
