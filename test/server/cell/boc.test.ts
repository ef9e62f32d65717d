import { Cell as CoreCell } from '@ton/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  BocError,
  beginCell,
  type Cell,
  CellError,
  crc32c,
  hashing,
  inOnePiece,
  loadProof,
  makeProof,
  prune,
  readBoc,
  readBocRoots,
  wrapProof,
  writeBoc,
  writeBocText,
  writingBoc,
} from '../../../server/cell/index.ts'
import { blockBytes, blockNames } from './fixtures.ts'
import { cellTwins } from './randomCells.ts'

const leaf = (value: number): Cell => beginCell().storeUint(value, 32).end()
const fork = (...refs: Cell[]): Cell =>
  refs.reduce((builder, ref) => builder.storeRef(ref), beginCell().storeUint(7, 5)).end()
const wide = (cells: Cell[]): Cell =>
  cells.length === 1 && cells[0] !== undefined
    ? cells[0]
    : wide(Array.from({ length: Math.ceil(cells.length / 4) }, (_, i) => fork(...cells.slice(4 * i, 4 * i + 4))))
const NOTHING = new Uint8Array(0)
/** The form in which a node stores blocks. */
const STORED = 31
const MODES = [0, 2, STORED, 32]
const hex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text.replaceAll(' ', ''), 'hex'))
const code = (expected: string) => expect.objectContaining({ name: 'BocError', code: expected })

/** The same bytes with a checksum that is right again. */
function sealed(bytes: Uint8Array): Uint8Array {
  const copy = Buffer.from(bytes)
  copy.writeUInt32LE(crc32c(copy, 0, copy.length - 4), copy.length - 4)
  return new Uint8Array(copy)
}

describe('writing in pieces', () => {
  const piecesOf = (root: Cell) => [...writingBoc(root)].length

  test.each(blockNames)('default: %s has the same bytes', (name) => {
    const root = readBoc(blockBytes(name))
    expect(Buffer.compare(inOnePiece(writingBoc(root)), writeBoc(root))).toBe(0)
  })

  test('default: any cells have the same bytes', () => {
    fc.assert(
      fc.property(cellTwins(60), ({ ours }) => {
        for (const mode of MODES)
          expect(Buffer.compare(inOnePiece(writingBoc(ours, mode)), writeBoc(ours, mode))).toBe(0)
      }),
    )
  })

  test('default: several roots, with cells in common, one of them twice', () => {
    const shared = fork(leaf(1), fork(leaf(2), leaf(3)))
    const roots = [fork(shared, leaf(4)), shared, fork(shared, leaf(4)), leaf(3), fork(fork(shared), leaf(5))]
    for (const mode of [...MODES, STORED])
      expect(Buffer.compare(inOnePiece(writingBoc(roots, mode)), writeBoc(roots, mode))).toBe(0)
  })

  test('default: a block as it is stored, with what says which cells are met more than once', () => {
    const shared = fork(leaf(1), fork(leaf(2), leaf(3)))
    const alone = fork(leaf(4), fork(leaf(5)))
    for (const root of [
      fork(shared, fork(shared, leaf(1)), alone),
      ...blockNames.map((name) => readBoc(blockBytes(name))),
    ])
      expect(Buffer.compare(inOnePiece(writingBoc(root, STORED)), writeBoc(root, STORED))).toBe(0)
  })

  test('hashes of a new tree are computed in pieces too', () => {
    const fresh = () => wide(Array.from({ length: 20_000 }, (_, i) => leaf(i)))
    expect([...hashing(fresh())].length).toBeGreaterThan(40)
    const hashed = fresh()
    const other = fresh()
    inOnePiece(hashing(hashed))
    expect(hashed.isHashed).toBe(true)
    expect(other.isHashed).toBe(false)
    expect(hashed.hashHex()).toBe(other.hashHex())
    expect([...hashing(hashed)]).toEqual([])
  })

  test('two at once, and others between their pieces', () => {
    const roots = blockNames.slice(0, 2).map((name) => readBoc(blockBytes(name)))
    const expected = roots.map((root) => writeBoc(root))
    const running = roots.map((root) => writingBoc(root))
    const written = new Map<number, Uint8Array>()
    while (written.size < roots.length)
      for (const [i, one] of running.entries()) {
        const { done, value } = one.next()
        expect(writeBoc(fork(leaf(1), leaf(2)))).toEqual(writeBoc(fork(leaf(1), leaf(2))))
        if (done === true && value !== undefined) written.set(i, value)
      }
    expect(expected.map((bytes, i) => Buffer.compare(bytes, written.get(i) ?? NOTHING))).toEqual([0, 0])
  })

  test('a thousand cells in each, in a chain as in a tree', () => {
    const chain = Array.from({ length: 1000 }).reduce<Cell>((cell, _, i) => fork(cell, leaf(i)), leaf(7))
    const tree = wide(Array.from({ length: 20_000 }, (_, i) => leaf(i)))
    expect(piecesOf(chain)).toBeGreaterThan(4)
    expect(piecesOf(tree)).toBeGreaterThan(70)
    for (const root of [chain, tree]) expect(Buffer.compare(inOnePiece(writingBoc(root)), writeBoc(root))).toBe(0)
  })

  test('error: a tree seen through a proof', () => {
    const tree = fork(leaf(1), fork(leaf(2)))
    const shown = loadProof(makeProof(tree, (cell) => cell === tree))
    expect(() => inOnePiece(writingBoc(shown))).toThrow(expect.objectContaining({ code: 'virtual' }))
  })
})

describe('real blocks', () => {
  test.each(blockNames)('default: %s has the root hash @ton/core finds', (name) => {
    const bytes = blockBytes(name)
    const core = CoreCell.fromBoc(Buffer.from(bytes))[0]
    expect(readBoc(bytes).hashHex()).toBe(core?.hash().toString('hex'))
  })

  test.each(blockNames)("behavior: %s is written in the node's flavour to the same bytes", (name) => {
    const bytes = blockBytes(name)
    expect(Buffer.compare(Buffer.from(writeBoc(readBoc(bytes), 31)), Buffer.from(bytes))).toBe(0)
  })

  test.each(blockNames)('behavior: %s read from bytes of its own is the same, whatever its checksum says', (name) => {
    const bytes = Buffer.from(writeBoc(readBoc(blockBytes(name)), 2))
    bytes.writeUInt32LE(~bytes.readUInt32LE(bytes.length - 4) >>> 0, bytes.length - 4)
    const block = readBoc(bytes, { isOwn: true })
    expect(Buffer.compare(Buffer.from(writeBoc(block, 31)), blockBytes(name))).toBe(0)
    expect(writeBocText(block, 31)).toBe(Buffer.from(blockBytes(name)).toString('base64'))
    expect(() => readBoc(bytes)).toThrow(code('crc'))
    expect(() => readBoc(bytes.subarray(1), { isOwn: true })).toThrow(BocError)
  })

  test('behavior: hashes stored in bytes of its own are adopted, and only there', () => {
    const block = readBoc(blockBytes('block-1'))
    const bytes = Buffer.from(writeBoc(block, 8))
    const stored = storedHashIn(bytes)
    bytes.fill(7, stored, stored + 32)
    expect(readBoc(bytes, { isOwn: true }).hashHex()).not.toBe(block.hashHex())
    expect(() => readBoc(bytes)).toThrow(code('hashes'))
  })

  test.each(blockNames)('behavior: %s survives every mode', (name) => {
    const block = readBoc(blockBytes(name))
    for (const mode of [0, 1, 2, 3, 8, 10, 17, 19, 25, 31]) {
      const bytes = writeBoc(block, mode)
      expect(readBoc(bytes).hash()).toBe(block.hash())
      // Any order of cells would do for others; the writer's own must not depend on where the cells came from.
      expect(Buffer.compare(writeBoc(readBoc(bytes), 31), blockBytes(name))).toBe(0)
    }
  })
})

describe('round trips', () => {
  test('default: random trees go through both libraries unchanged', () => {
    fc.assert(
      fc.property(cellTwins(30), fc.constantFrom(0, 1, 2, 3, 31), ({ ours, core }, mode) => {
        const bytes = writeBoc(ours, mode)
        expect(writeBocText(ours, mode)).toBe(Buffer.from(bytes).toString('base64'))
        expect(readBoc(bytes).hash()).toBe(ours.hash())
        if (mode < 4) expect(CoreCell.fromBoc(Buffer.from(bytes))[0]?.equals(core)).toBe(true)
        const foreign = core.toBoc({ idx: (mode & 1) !== 0, crc32: (mode & 2) !== 0 })
        expect(readBoc(foreign).hash()).toBe(ours.hash())
      }),
      { numRuns: 300 },
    )
  })

  test('behavior: several roots, one of them twice and one inside another, keep their order', () => {
    const inner = fork(leaf(1), leaf(2))
    const roots = [inner, fork(inner, leaf(3)), inner, leaf(1)]
    for (const mode of [0, 2, 31]) {
      const back = readBocRoots(writeBoc(roots, mode))
      expect(back.map((root) => root.hashHex())).toEqual(roots.map((root) => root.hashHex()))
      expect(back[1]?.refs[0]).toBe(back[0])
    }
    expect(() => readBoc(writeBoc(roots))).toThrow(code('roots'))
  })

  test('behavior: equal subtrees are stored once', () => {
    let tree = leaf(5)
    for (let i = 0; i < 60; i++) tree = fork(tree, tree, fork(tree))
    expect(writeBoc(tree).length).toBeLessThan(1500)
    expect(readBoc(writeBoc(tree), { maxCells: 121 }).hash()).toBe(tree.hash())
  })

  test('behavior: pruned cells of every level are stored with their level and read back', () => {
    const branch = prune(fork(leaf(1), fork(leaf(2))), 0)
    const deep = prune(fork(branch, leaf(7)), 1)
    for (const mode of [0, 2, 31]) {
      const [root] = readBocRoots(writeBoc(fork(deep), mode))
      expect([root?.mask, root?.hashHex(0), root?.hashHex(1), root?.hashHex()]).toEqual([
        3,
        fork(deep).hashHex(0),
        fork(deep).hashHex(1),
        fork(deep).hashHex(),
      ])
    }
    expect(() => readBoc(writeBoc(branch))).toThrow(code('level'))
  })

  test('behavior: what was read does not depend on the bytes it was read from', () => {
    const bytes = writeBoc(fork(leaf(1), leaf(2)))
    const root = readBoc(bytes)
    bytes.fill(0)
    expect(root.hash()).toBe(fork(leaf(1), leaf(2)).hash())
  })

  test('args: the two older forms, with and without a checksum', () => {
    const plain = hex('68ff65f3 01 01 02 01 00 08  04 08  01 02 aa 01  00 04 1122')
    const root = readBoc(plain)
    expect(Buffer.from(root.data()).toString('hex')).toBe('aa')
    expect(Buffer.from(root.refs[0]?.data() ?? []).toString('hex')).toBe('1122')
    const withSum = new Uint8Array([...hex('acc3a728'), ...plain.subarray(4), 0, 0, 0, 0])
    expect(readBoc(sealed(withSum)).hash()).toBe(root.hash())
    expect(() => readBoc(withSum)).toThrow(code('crc'))
  })

  test('error: a tree seen through a proof cannot be written', () => {
    const tree = fork(leaf(1), fork(leaf(2)))
    const shown = loadProof(makeProof(tree, (cell) => cell === tree))
    expect(() => writeBoc(shown)).toThrow(expect.objectContaining({ code: 'virtual' }))
    expect(() => writeBoc(beginCell().storeRef(shown).end())).toThrow(CellError)
    expect(() => writeBoc([])).toThrow(CellError)
    expect(() => writeBoc(tree, 16)).toThrow(CellError)
  })
})

describe('refusals', () => {
  // Two cells: a root with one byte, and its reference with four.
  const good = hex('b5ee9c72 01 01 02 01 00 0a 00  01 02 aa 01  00 08 00000001')

  test('default: the bytes the cases below are made from are fine', () => {
    expect(readBoc(good).refs[0]?.hash()).toBe(leaf(1).hash())
  })

  test.each([
    ['nothing', '', 'truncated'],
    ['another format', '504b0304 0000 0000', 'magic'],
    ['an unknown flag', 'b5ee9c72 09 01 02 01 00 0a 00 01 02 aa 01 00 08 00000001', 'header'],
    ['cache bits without an index', 'b5ee9c72 21 01 02 01 00 0a 00 01 02 aa 01 00 08 00000001', 'header'],
    ['flags on an older form', '68ff65f3 81 01 02 01 00 09 05 09 01 02 aa 01 00 04 1122', 'header'],
    ['cell numbers of no bytes', 'b5ee9c72 00 01 02 01 00 0a 00 01 02 aa 01 00 08 00000001', 'header'],
    ['cell numbers of five bytes', 'b5ee9c72 05 01 02 01 00 0a 00 01 02 aa 01 00 08 00000001', 'header'],
    ['offsets of no bytes', 'b5ee9c72 01 00 02 01 00 0a 00 01 02 aa 01 00 08 00000001', 'header'],
    ['offsets of nine bytes', 'b5ee9c72 01 09 02 01 00 0a 00 01 02 aa 01 00 08 00000001', 'header'],
    ['no cells', 'b5ee9c72 01 01 00 01 00 00 00', 'header'],
    ['no roots', 'b5ee9c72 01 01 01 00 00 02 00 00', 'roots'],
    ['a root that is no cell', 'b5ee9c72 01 01 02 01 00 0a 02 01 02 aa 01 00 08 00000001', 'roots'],
    ['two roots in an older form', '68ff65f3 01 01 02 02 00 09 05 09 01 02 aa 01 00 04 1122', 'roots'],
    ['absent cells in the header', 'b5ee9c72 01 01 02 01 01 0a 00 01 02 aa 01 00 08 00000001', 'absent'],
    ['an absent cell', `b5ee9c72 01 01 01 01 00 22 00 17 00 ${'00'.repeat(32)}`, 'absent'],
    ['more cells than bytes', 'b5ee9c72 01 01 09 01 00 0a 00 01 02 aa 01 00 08 00000001', 'header'],
    ['five references', 'b5ee9c72 01 01 02 01 00 0a 00 05 02 aa 01 00 08 00000001', 'descriptor'],
    ['a reference to itself', 'b5ee9c72 01 01 02 01 00 0a 00 01 02 aa 00 00 08 00000001', 'reference'],
    ['a reference to nowhere', 'b5ee9c72 01 01 02 01 00 0a 00 01 02 aa 02 00 08 00000001', 'reference'],
    ['a reference backward', 'b5ee9c72 01 01 02 01 00 07 00 01 00 01 01 02 aa 00', 'reference'],
    ['a cell longer than the rest', 'b5ee9c72 01 01 02 01 00 0a 00 01 02 aa 01 00 0a 00000001', 'truncated'],
    ['a cell shorter than the rest', 'b5ee9c72 01 01 02 01 00 0a 00 01 02 aa 01 00 06 00000001', 'trailing'],
    ['bytes behind the end', 'b5ee9c72 01 01 02 01 00 0a 00 01 02 aa 01 00 08 00000001 00', 'trailing'],
    ['a missing last byte', 'b5ee9c72 01 01 02 01 00 0a 00 01 02 aa 01 00 08 000000', 'truncated'],
    ['data without a completion tag', 'b5ee9c72 01 01 02 01 00 0a 00 01 02 aa 01 00 07 00000000', 'bits'],
    ['a completion tag one byte too far', 'b5ee9c72 01 01 02 01 00 0a 00 01 02 aa 01 00 07 00000080', 'bits'],
    ['a level that is not there', 'b5ee9c72 01 01 02 01 00 0a 00 21 02 aa 01 00 08 00000001', 'level'],
    ['an exotic cell of no kind', 'b5ee9c72 01 01 02 01 00 0a 00 01 02 aa 01 08 08 00000001', 'exotic'],
    ['a wrong index', 'b5ee9c72 81 01 02 01 00 0a 00 05 0a 01 02 aa 01 00 08 00000001', 'index'],
    ['a wrong cache bit', 'b5ee9c72 a1 01 02 01 00 0a 00 09 14 01 02 aa 01 00 08 00000001', 'index'],
    ['a wrong stored hash', `b5ee9c72 01 01 01 01 00 28 00 10 08 ${'11'.repeat(32)} 0000 00000001`, 'hashes'],
  ])('error: %s', (_, bytes, expected) => {
    expect(() => readBoc(hex(bytes))).toThrow(code(expected))
  })

  test('error: a header of ten bytes that claims four billion cells is refused at once', () => {
    const claim = hex('b5ee9c72 04 08 ffffffff 00000001 00000000 ffffffffffffffff')
    expect(() => readBoc(claim)).toThrow(code('tooManyCells'))
    expect(() => readBoc(claim, { maxCells: 2 ** 33 })).toThrow(code('truncated'))
    expect(() => readBocRoots(hex('b5ee9c72 04 01 00000001 ffffffff 00000000 02'))).toThrow(code('roots'))
  })

  test('error: a wrong checksum', () => {
    const bytes = writeBoc(fork(leaf(1)), 2)
    bytes[bytes.length - 1] = (bytes[bytes.length - 1] ?? 0) ^ 1
    expect(() => readBoc(bytes)).toThrow(code('crc'))
    // A caller who knows the bytes by their hash has no use for it.
    expect(readBoc(bytes, { isHashed: true }).hash()).toBe(fork(leaf(1)).hash())
  })

  test('args: limits on bytes, cells and depth', () => {
    let tree = leaf(0)
    for (let i = 1; i <= 600; i++) tree = beginCell().storeUint(i, 32).storeRef(tree).end()
    const bytes = writeBoc(tree)
    expect(() => readBoc(bytes)).toThrow(code('tooDeep'))
    expect(readBoc(bytes, { maxDepth: 600 }).hash()).toBe(tree.hash())
    expect(() => readBoc(bytes, { maxDepth: 599 })).toThrow(code('tooDeep'))
    expect(() => readBoc(bytes, { maxDepth: 600, maxCells: 600 })).toThrow(code('tooManyCells'))
    expect(() => readBoc(bytes, { maxBytes: bytes.length - 1 })).toThrow(code('tooLarge'))
  })

  test('error: pruned branches that claim impossible depths', () => {
    const claim = beginCell().storeUint(1, 8).storeUint(1, 8).storeHash(leaf(1).hash()).storeUint(1024, 16).end(true)
    const bytes = Buffer.from(writeBoc(wrapProof(claim)))
    expect(readBoc(bytes, { maxDepth: 1024 }).depth()).toBe(1)
    const at = bytes.lastIndexOf(Buffer.from([4, 0]))
    bytes[at] = 0xff
    expect(() => readBoc(sealed(bytes), { maxDepth: 1024 })).toThrow(BocError)
  })

  test('error: whatever is done to a bag of cells, it is read or refused with a code, in bounded memory', () => {
    const sources = [blockBytes('block-4'), blockBytes('block-5').subarray(0, 13_000), good].concat(
      [0, 1, 2, 3, 31].map((mode) =>
        writeBoc(
          makeProof(fork(leaf(1), fork(leaf(2), fork(leaf(3)))), (cell) => cell.depth() > 1),
          mode,
        ),
      ),
    )
    let seed = 12345
    const random = (below: number): number => {
      seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff
      return seed % below
    }
    const pick = (): Uint8Array => sources[random(sources.length)] ?? good
    const counts = new Map<string, number>()
    // What this process holds besides is that of other tests; nothing is awaited here, so the growth is that of the bags.
    const before = process.memoryUsage().arrayBuffers
    let most = 0
    for (let run = 0; run < 20_000; run++) {
      const bytes = mutate(pick(), pick(), random)
      const input = random(2) === 0 && bytes.length > 4 ? sealed(bytes) : bytes
      const outcome = attempt(input)
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
      if (run % 100 === 0) most = Math.max(most, process.memoryUsage().arrayBuffers - before)
    }
    expect([...counts.keys()].filter((key) => key.startsWith('unexpected'))).toEqual([])
    // The mutations reach deep: most kinds of refusal are met.
    expect(counts.size).toBeGreaterThan(10)
    expect(most).toBeLessThan(128 * 2 ** 20)
  })
})

/** Where the first cell without pruned branches below that carries its hash has it, in a bag written in mode 8. */
function storedHashIn(bytes: Buffer): number {
  const refSize = bytes.readUInt8(4) & 7
  const wideSize = bytes.readUInt8(5)
  for (let at = 6 + 4 * refSize + wideSize; at < bytes.length; ) {
    const first = bytes.readUInt8(at)
    const second = bytes.readUInt8(at + 1)
    const hasHash = (first & 16) !== 0
    const mask = first >> 5
    if (hasHash && mask === 0) return at + 2
    const hashes = hasHash ? 34 * (mask === 1 || mask === 2 ? 2 : 3) : 0
    at += 2 + hashes + ((second + 1) >> 1) + (first & 7) * refSize
  }
  throw new Error('no cell carries its hash')
}

function attempt(bytes: Uint8Array): string {
  try {
    const roots = readBocRoots(bytes)
    for (const root of roots) root.hash()
    // What is accepted is a bag of cells in every sense.
    const again = readBocRoots(writeBoc(roots, 31))
    return again.every((root, i) => root.hash() === roots[i]?.hash()) ? 'read' : 'unexpected change'
  } catch (error) {
    return error instanceof BocError ? error.code : `unexpected ${String(error)}`
  }
}

function mutate(source: Uint8Array, other: Uint8Array, random: (below: number) => number): Uint8Array {
  let bytes = Buffer.from(source)
  for (let i = random(3); i >= 0; i--) {
    const at = random(bytes.length || 1)
    switch (random(6)) {
      case 0:
        bytes = bytes.subarray(0, at)
        break
      case 1:
        bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from(other).subarray(random(other.length))])
        break
      case 2:
        bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + random(9))])
        break
      case 3:
        bytes[random(Math.min(40, bytes.length) || 1)] = random(256)
        break
      default:
        bytes[at] = (bytes[at] ?? 0) ^ (1 << random(8))
    }
  }
  return new Uint8Array(bytes)
}
