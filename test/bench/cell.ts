// Our cells compared with @ton/core's, in one process and one run: `npx tsx test/bench/cell.ts`. Figures are the median of many
// rounds after a warm-up; on a busy machine look at the ratio.

import { readFileSync } from 'node:fs'
import { beginCell as beginCore, Cell as CoreCell, Dictionary } from '@ton/core'
import {
  type Augmentation,
  applyUpdate,
  augDictKind,
  beginCell,
  bigKey,
  buildDict,
  type Cell,
  CellUsage,
  coinsValue,
  crc32c,
  dictKind,
  makeProof,
  makeUpdate,
  openCell,
  readBoc,
  writeBoc,
} from '../../server/cell/index.ts'
import { median } from './compare.ts'
import { measure, microseconds } from './measure.ts'

type Row = readonly [what: string, ours: number, theirs: number | null]

/** Both in turn, so that a neighbour's load falls on either. */
function compare(ours: () => unknown, theirs: () => unknown): readonly [number, number] {
  const mine: number[] = []
  const other: number[] = []
  for (let i = 0; i < 20; i++) ours()
  for (let round = 0; round < 12; round++) {
    for (let i = 0; i < 4; i++) mine.push(microseconds(ours))
    other.push(microseconds(theirs))
  }
  return [median(mine), median(other.slice(2))]
}

const file = (name: string): Buffer => readFileSync(new URL(`../fixtures/blocks/${name}.boc`, import.meta.url))

function blockRows(name: string): Row[] {
  const bytes = file(name)
  const ours = readBoc(bytes)
  const core = CoreCell.fromBoc(bytes)[0] ?? CoreCell.EMPTY
  const plain = writeBoc(ours, 2)
  const label = `${name}, ${Math.round(bytes.length / 1024)} kB`
  const parsed = compare(
    () => readBoc(bytes).hash(),
    () => CoreCell.fromBoc(bytes)[0]?.hash(),
  )
  const bare = compare(
    () => readBoc(plain).hash(),
    () => CoreCell.fromBoc(Buffer.from(plain))[0]?.hash(),
  )
  const written = compare(
    () => writeBoc(ours, 2),
    () => core.toBoc({ idx: false }),
  )
  return [
    [`parse and hash ${label}`, ...parsed],
    ['the same without stored hashes', ...bare],
    [`parse alone`, measure(() => readBoc(plain), 40), null],
    ['serialise with checksum', ...written],
    [`serialise as a node stores it`, measure(() => writeBoc(ours, 31), 30), null],
    [`checksum of the file`, measure(() => crc32c(bytes), 30), null],
  ]
}

function accountLike(i: number): Cell {
  const data = beginCell().storeUint(i, 32).storeUint(698983191, 32).storeUint(0n, 256).end()
  return beginCell()
    .storeUint(i, 64)
    .storeCoins(BigInt(i) * 1000n)
    .storeMaybeRef(data)
    .end()
}

function buildRows(): Row[] {
  const core = (i: number): CoreCell => {
    const data = beginCore().storeUint(i, 32).storeUint(698983191, 32).storeUint(0n, 256).endCell()
    return beginCore()
      .storeUint(i, 64)
      .storeCoins(BigInt(i) * 1000n)
      .storeMaybeRef(data)
      .endCell()
  }
  const ours = accountLike(7)
  const theirs = core(7)
  return [
    [
      'build two cells and hash',
      measure((i) => accountLike(i).hash(), 30, 1000),
      measure((i) => core(i).hash(), 20, 200),
    ],
    ['build two cells, the hash is not read', measure((i) => accountLike(i), 30, 1000), null],
    [
      'read two integers and coins',
      measure(() => openCell(ours).skip(64).loadCoins(), 30, 1000),
      measure(() => theirs.beginParse().skip(64).loadCoins(), 20, 200),
    ],
  ]
}

const entries = 10_000
const keyOf = (i: number): bigint =>
  (BigInt(i) * 0x9e3779b97f4a7c15n * 0x1b873593cc9e2d51n * 0xf1ea5eed12345671n) & (2n ** 256n - 1n)

const sums: Augmentation<bigint, bigint> = {
  load: (slice) => slice.loadCoins(),
  store: (builder, value) => void builder.storeCoins(value),
  leaf: (value) => value,
  combine: (left, right) => left + right,
  empty: 0n,
}

function dictRows(): Row[] {
  const keys = Array.from({ length: entries }, (_, i) => keyOf(i))
  const plain = buildDict(
    dictKind(bigKey(256), coinsValue),
    keys.map((key, i) => [key, BigInt(i)] as const),
  )
  const kind = augDictKind(bigKey(256), coinsValue, sums)
  const summed = buildDict(
    kind,
    keys.map((key, i) => [key, BigInt(i)] as const),
  )
  plain.root?.hash()
  summed.root?.hash()
  const core = Dictionary.empty(Dictionary.Keys.BigUint(256), Dictionary.Values.BigVarUint(4))
  keys.forEach((key, i) => {
    core.set(key, BigInt(i))
  })
  const coreCell = beginCore().storeDictDirect(core).endCell()
  const key = (i: number): bigint => keys[(i * 7919) % entries] ?? 0n
  const batch = (size: number) => (i: number) =>
    summed.update(Array.from({ length: size }, (_, k) => [key(i * size + k), BigInt(i)] as const)).root?.hash()
  const theirs = measure((i) => {
    core.set(key(i), BigInt(i))
    return beginCore().storeDictDirect(core).endCell().hash()
  }, 3)
  return [
    [`set one of ${entries}, with hash`, measure((i) => plain.set(key(i), BigInt(i)).root?.hash(), 30, 200), theirs],
    ['set one, sums at every node', measure((i) => summed.set(key(i), BigInt(i)).root?.hash(), 30, 200), null],
    ['set 10 at once, sums, each', measure(batch(10), 30, 20) / 10, null],
    ['set 100 at once, sums, each', measure(batch(100), 20, 4) / 100, null],
    ['set 1000 at once, sums, each', measure(batch(1000), 20) / 1000, theirs / 1000],
    [
      `build ${entries}, each`,
      measure(
        () =>
          buildDict(
            plain.kind,
            keys.map((k) => [k, 1n] as const),
          ).root?.hash(),
        5,
      ) / entries,
      theirs / entries,
    ],
    [
      'find one (theirs loads all)',
      measure((i) => plain.get(key(i)), 30, 1000),
      measure(() => Dictionary.loadDirect(Dictionary.Keys.BigUint(256), Dictionary.Values.BigVarUint(4), coreCell), 2),
    ],
    ['walk all, each', measure(() => plain.count() + [...plain.values()].length, 8) / entries, null],
    ...merkleRows(summed, key),
  ]
}

function merkleRows(dict: ReturnType<typeof buildDict<bigint, bigint, bigint>>, key: (i: number) => bigint): Row[] {
  const root = dict.root ?? beginCell().end()
  const usage = new CellUsage()
  const after = usage.run(() => dict.update(Array.from({ length: 1000 }, (_, i) => [key(i), 5n] as const))).root ?? root
  after.hash()
  const update = readBoc(writeBoc(makeUpdate(root, after, usage)))
  const prove = (i: number): Cell => {
    const record = new CellUsage()
    record.run(() => dict.get(key(i)))
    return makeProof(root, record)
  }
  return [
    ['proof of one entry, as bytes', measure((i) => writeBoc(prove(i), 0), 30, 50), null],
    ['update of 1000 entries, made', measure(() => makeUpdate(root, after, usage).hash(), 10), null],
    ['update of 1000 entries, applied', measure(() => applyUpdate(root, update).hash(), 10), null],
  ]
}

function memoryRow(): void {
  const bytes = writeBoc(readBoc(file('block-1')), 0)
  const kept: Cell[] = []
  global.gc?.()
  const before = process.memoryUsage()
  for (let i = 0; i < 10; i++) {
    const root = readBoc(bytes)
    root.hash()
    kept.push(root)
  }
  global.gc?.()
  const after = process.memoryUsage()
  const cells = 10 * (((bytes[6] ?? 0) << 8) | (bytes[7] ?? 0))
  const used = after.heapUsed - before.heapUsed + after.arrayBuffers - before.arrayBuffers
  if (global.gc)
    console.log(`memory of a hashed cell with its data: ${Math.round(used / cells)} bytes (${kept.length} blocks)`)
}

const show = (us: number | null): string =>
  us === null ? '-' : us >= 1000 ? `${(us / 1000).toFixed(2)} ms` : `${us.toFixed(2)} us`

const rows = [...blockRows('block-1'), ...blockRows('block-5').slice(0, 4), ...buildRows(), ...dictRows()]
console.log(`${'what'.padEnd(44)}${'ours'.padStart(12)}${'@ton/core'.padStart(12)}${'times'.padStart(8)}`)
for (const [what, ours, theirs] of rows)
  console.log(
    `${what.padEnd(44)}${show(ours).padStart(12)}${show(theirs).padStart(12)}${(theirs === null ? '' : `${(theirs / ours).toFixed(1)}x`).padStart(8)}`,
  )
memoryRow()
