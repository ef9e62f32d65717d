import fc from 'fast-check'
import { expect, test } from 'vitest'
import { beginCell, type Cell, CellError, Dict, openCell, readBoc, type Slice } from '../../../server/cell/index.ts'
import {
  accountBlocksKind,
  addCurrency,
  configKind,
  extraCurrencyKind,
  gramsOnly,
  inMsgKind,
  isConfigNumber,
  librariesKind,
  loadAccount,
  loadBlock,
  loadBlockExtra,
  loadBlockInfo,
  loadConfigParam,
  loadDescription,
  loadEnvelope,
  loadMasterBlockExtra,
  loadMasterStateDetails,
  loadMasterStateExtra,
  loadMessage,
  loadOutQueueInfo,
  loadRelaxedMessage,
  loadShardDescription,
  loadShardStateDetails,
  loadSignature,
  loadStates,
  loadTransaction,
  oldBlocksKind,
  outMsgKind,
  shardAccountsKind,
  shardsOf,
  TlbError,
} from '../../../server/tlb/index.ts'
import { blockBytes } from '../cell/fixtures.ts'

const loaders: ((slice: Slice) => unknown)[] = [
  loadAccount,
  loadBlock,
  loadBlockExtra,
  loadBlockInfo,
  loadDescription,
  loadEnvelope,
  loadMasterBlockExtra,
  loadMasterStateDetails,
  loadMasterStateExtra,
  loadMessage,
  loadOutQueueInfo,
  loadRelaxedMessage,
  loadShardDescription,
  loadShardStateDetails,
  loadSignature,
  loadStates,
  loadTransaction,
  ...[accountBlocksKind, configKind, inMsgKind, librariesKind, oldBlocksKind, outMsgKind, shardAccountsKind].map(
    (kind) => (slice: Slice) => kind.value.load(slice),
  ),
]

/** Reads in every way there is; whatever goes wrong must be a CellError. */
function readAll(cell: Cell): void {
  const attempts: (() => unknown)[] = loaders.map((load) => () => load(openCell(cell)))
  attempts.push(() => shardsOf(cell).next())
  for (let number = 0; number < 90; number++)
    if (isConfigNumber(number)) attempts.push(() => isConfigNumber(number) && loadConfigParam(number, cell))
  for (const attempt of attempts) {
    try {
      attempt()
    } catch (error) {
      expect(error).toBeInstanceOf(CellError)
    }
  }
}

test('default: random cells are read as something or refused', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 127 }), fc.nat(7), fc.nat(4), (bytes, spare, refs) => {
      const builder = beginCell().storeRange(bytes, 0, Math.max(0, bytes.length * 8 - spare))
      for (let i = 0; i < refs; i++)
        builder.storeRef(
          beginCell()
            .storeRange(bytes, i, Math.max(0, bytes.length * 4 - i))
            .end(),
        )
      readAll(builder.end())
    }),
    { numRuns: 200 },
  )
})

test('behavior: cells of a real block with a bit flipped, bits cut off or references missing', () => {
  const cells = new Set<Cell>()
  const collect = (cell: Cell): void => {
    if (cells.has(cell) || cells.size > 150) return
    if (!cell.isExotic) cells.add(cell)
    cell.refs.forEach(collect)
  }
  collect(readBoc(blockBytes('block-5')))
  const list = [...cells]
  fc.assert(
    fc.property(fc.nat(list.length - 1), fc.nat(1022), fc.nat(4), fc.boolean(), (index, at, refs, cut) => {
      const cell = list[index]
      if (cell === undefined || cell.bits === 0) return
      const data = cell.data()
      const bit = at % cell.bits
      if (!cut) data[bit >> 3] = (data[bit >> 3] ?? 0) ^ (128 >> (bit & 7))
      const builder = beginCell().storeRange(data, 0, cut ? bit : cell.bits)
      for (const ref of cell.refs.slice(0, refs)) builder.storeRef(ref)
      readAll(builder.end())
    }),
    { numRuns: 500 },
  )
})

test('error: an amount that claims millions of currencies in a few cells', () => {
  let root = beginCell().storeUint(0, 2).storeVarUint(5n, 32).end()
  for (let i = 0; i < 32; i++) root = beginCell().storeUint(0, 2).storeRef(root).storeRef(root).end()
  const many = { grams: 1n, other: new Dict(extraCurrencyKind, root) }
  expect(() => addCurrency(addCurrency(gramsOnly(1n), many), many)).toThrow(TlbError)
})
