// Structures of blocks and states compared with @ton/core's, in one process and one run: `npx tsx test/bench/tlb.ts`.

import { readFileSync } from 'node:fs'
import {
  beginCell as beginCore,
  loadTransaction as loadCoreTransaction,
  storeTransaction as storeCoreTransaction,
} from '@ton/core'
import { buildDict, type Cell, emptyDict, openCell, readBoc, stdAddress } from '../../server/cell/index.ts'
import {
  accountBlocksOf,
  blockExtraOf,
  fromCell,
  gramsOnly,
  inMsgsOf,
  loadAccount,
  loadBlock,
  loadMessage,
  loadTransaction,
  type ShardAccount,
  shardAccountsKind,
  storeAccount,
  toCell,
} from '../../server/tlb/index.ts'
import { outMsgsOf } from '../setup/blockParts.ts'
import { toCore } from '../setup/tonCore.ts'
import { storeTransaction } from '../setup/writtenTransaction.ts'
import { measure } from './measure.ts'

const block = loadBlock(openCell(readBoc(readFileSync(new URL('../fixtures/blocks/block-1.boc', import.meta.url)))))
const extra = blockExtraOf(block)
const transactions: Cell[] = []
for (const account of accountBlocksOf(extra).values()) transactions.push(...account.transactions.values())
const messages = transactions.flatMap((cell) => fromCell(cell, loadTransaction).inMessage ?? [])
const cores = transactions.map(toCore)
const pick = <T>(list: readonly T[], i: number): T => list[i % list.length] as T

const accounts = 10_000
const id = (i: number): Uint8Array => {
  const bytes = new Uint8Array(32)
  new DataView(bytes.buffer).setBigUint64(0, BigInt.asUintN(64, BigInt(i + 1) * 0x9e3779b97f4a7c15n))
  return bytes
}
const account = (i: number, balance: number): Cell =>
  toCell(
    {
      address: stdAddress(0, id(i)),
      storageStat: { used: { cells: 3, bits: 900 }, dictHash: null, lastPaid: 1, duePayment: null },
      storage: {
        lastTransLt: BigInt(i),
        balance: gramsOnly(BigInt(balance)),
        state: {
          kind: 'active',
          init: { fixedPrefixLength: null, special: null, code: null, data: null, library: null },
        },
      },
    },
    storeAccount,
  )
const entry = (i: number, balance: number): ShardAccount => ({
  account: account(i, balance),
  lastTransHash: id(i),
  lastTransLt: 5n,
})
const list = Array.from({ length: accounts }, (_, i) => [id(i), entry(i, i)] as const)
const state = buildDict(shardAccountsKind, list)
state.root?.hash()
const changes = (size: number, i: number): (readonly [Uint8Array, ShardAccount])[] =>
  Array.from({ length: size }, (_, k) => {
    const at = ((i * size + k) * 7919) % accounts
    return [id(at), entry(at, i)] as const
  })

const rows: (readonly [string, number, number | null])[] = [
  [
    'read a transaction',
    measure((i) => fromCell(pick(transactions, i), loadTransaction), 30, 300),
    measure((i) => loadCoreTransaction(pick(cores, i).beginParse()), 20, 100),
  ],
  [
    'read and store a transaction',
    measure((i) => toCell(fromCell(pick(transactions, i), loadTransaction), storeTransaction).hash(), 30, 300),
    measure(
      (i) =>
        beginCore()
          .store(storeCoreTransaction(loadCoreTransaction(pick(cores, i).beginParse())))
          .endCell()
          .hash(),
      20,
      50,
    ),
  ],
  ['read a message', measure((i) => fromCell(pick(messages, i), loadMessage), 30, 500), null],
  ['read an account', measure((i) => fromCell(pick(list, i)[1].account, loadAccount), 30, 500), null],
  [
    'walk all messages in and out of a block',
    measure(() => inMsgsOf(extra).count() + [...outMsgsOf(extra)].length, 20),
    null,
  ],
  [
    'rebuild its in-messages, sums and hash',
    measure(() => buildDict(inMsgsOf(extra).kind, inMsgsOf(extra)).root?.hash(), 20),
    null,
  ],
  [
    `build ${accounts} shard accounts, each`,
    measure(() => emptyDict(shardAccountsKind).update(list).root?.hash(), 8) / accounts,
    null,
  ],
  ...[1, 10, 100, 1000].map((size): readonly [string, number, null] => [
    `update ${size} of ${accounts} accounts, each`,
    measure((i) => state.update(changes(size, i)).root?.hash(), 20, size < 100 ? 50 : 3) / size,
    null,
  ]),
  ['find an account', measure((i) => state.get(pick(list, i * 7919)[0]), 30, 500), null],
]
console.log(`${'what'.padEnd(44)}${'ours'.padStart(12)}${'@ton/core'.padStart(12)}${'times'.padStart(8)}`)
for (const [what, ours, theirs] of rows)
  console.log(
    `${what.padEnd(44)}${`${ours.toFixed(2)} us`.padStart(12)}${(theirs === null ? '-' : `${theirs.toFixed(2)} us`).padStart(12)}${(theirs === null ? '' : `${(theirs / ours).toFixed(1)}x`).padStart(8)}`,
  )
