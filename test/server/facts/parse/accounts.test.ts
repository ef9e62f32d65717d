// Accounts before and after, put together by hand: what an update shows of them and what it leaves out.

import { describe, expect, test } from 'vitest'
import {
  beginCell,
  buildDict,
  type Cell,
  hashFromBytes,
  inOnePiece,
  makeUpdate,
  stdAddress,
  writeBoc,
} from '../../../../server/cell/index.ts'
import { accountsOfState, completeData, ParseError, type TransactionFacts } from '../../../../server/facts/index.ts'
import { changedAccounts, type UpdateContext } from '../../../../server/facts/parse/accounts.ts'
import { ParseBudget } from '../../../../server/facts/parse/parseBudget.ts'
import {
  type AccountState,
  type CurrencyCollection,
  dictCell,
  gramsOnly,
  shardAccountsKind,
  storeAccount,
  storeShardState,
  toCell,
} from '../../../../server/tlb/index.ts'
import { identOf } from '../../../setup/blockParts.ts'
import { treeOf } from '../../../setup/cellTree.ts'
import { bytes, leaf, mixed } from '../../tlb/samples.ts'
import { hex } from './namedBlocks.ts'

interface Holding {
  readonly id: number
  readonly balance: CurrencyCollection
  readonly state: AccountState
  readonly lt: bigint
}

const active = (code: Cell, data: Cell): AccountState => ({
  kind: 'active',
  init: { fixedPrefixLength: null, special: null, code, data, library: null },
})

function stateOf(holdings: readonly Holding[]): Cell {
  const entries = holdings.map(({ id, balance, state, lt }) => {
    const storageStat = { used: { cells: 1, bits: 1 }, dictHash: null, lastPaid: 1, duePayment: null }
    const account = toCell(
      { address: stdAddress(0, bytes(id)), storageStat, storage: { lastTransLt: lt, balance, state } },
      storeAccount,
    )
    return [bytes(id), { account, lastTransHash: bytes(0xee), lastTransLt: lt }] as const
  })
  return toCell(
    {
      globalId: -3,
      shard: identOf(0, 1n << 63n),
      seqno: 1,
      vertSeqno: 0,
      genUtime: 1,
      genLt: 1n,
      minRefMcSeqno: 1,
      outQueueInfo: leaf(1),
      beforeSplit: false,
      accounts: dictCell(buildDict(shardAccountsKind, entries)),
      details: leaf(2),
      custom: null,
    },
    storeShardState,
  )
}

function cellsOf(root: Cell): Cell[] {
  const cells = [root]
  for (const cell of cells) cells.push(...cell.refs)
  return cells
}

const big = (value: number, ...refs: Cell[]): Cell =>
  refs.reduce((builder, ref) => builder.storeRef(ref), beginCell().storeUint(value, 64)).end()
const code = big(1, leaf(5))
const kept = big(2, leaf(6))
const rich: Holding = { id: 2, balance: mixed, state: active(code, big(3, kept)), lt: 10n }
const idle: Holding = { id: 1, balance: gramsOnly(1n), state: { kind: 'uninit' }, lt: 1n }
const frozen: Holding = { id: 3, balance: gramsOnly(3n), state: { kind: 'frozen', stateHash: bytes(9) }, lt: 5n }
const before = stateOf([idle, rich, frozen])

const pieces = (update: Cell, last: UpdateContext['last'] = new Map()) =>
  changedAccounts(update, { workchain: 0, budget: new ParseBudget(), last })

const changesIn = (...given: Parameters<typeof pieces>) => inOnePiece(pieces(...given))

const read = (after: Cell, last: readonly (readonly [number, Partial<TransactionFacts>])[] = []) =>
  changesIn(
    makeUpdate(before, after),
    new Map(
      last.map(([id, facts]) => [
        hashFromBytes(bytes(id)),
        { account: Uint8Array.of(128, ...bytes(id)), ...facts } as TransactionFacts,
      ]),
    ),
  )

describe('an update', () => {
  test('shows an account that changed, but not the extra currencies and the code that did not', () => {
    const data = big(4, kept)
    const now = { ...rich, balance: { ...mixed, grams: 5n }, state: active(code, data), lt: 20n }
    const [one, ...more] = read(stateOf([idle, now, frozen]))
    expect(more).toEqual([])
    expect(one).toMatchObject({ state: 'incomplete', code: 'incomplete', data: 'incomplete', lastTxLt: 20n })
    expect(one?.shownData && completeData(one.shownData, [writeBoc(big(3, kept))])).toEqual(writeBoc(data, 0))
    expect(one?.shownData && completeData(one.shownData, [writeBoc(leaf(1))])).toBeNull()
  })

  test('shows what is new as a whole', () => {
    const fresh: Holding = { id: 7, balance: gramsOnly(8n), state: active(big(8, leaf(9)), leaf(4)), lt: 30n }
    const found = read(stateOf([idle, rich, frozen, fresh]))
    const one = found.find(({ account }) => account[1] === 7)
    expect(one).toMatchObject({ state: { balance: 8n, status: 'active', extra: {}, frozenHash: null }, lastTxLt: 30n })
    expect(one?.data).toEqual(writeBoc(leaf(4), 0))
    expect(one?.code).toMatchObject({ bits: 64 })
    expect(found.filter(({ state }) => state !== 'incomplete' && state.status === 'frozen')).toEqual([])
  })

  test('shows an account that thawed or froze', () => {
    const found = read(
      stateOf([idle, { ...rich, state: { kind: 'frozen', stateHash: bytes(8) }, balance: gramsOnly(0n) }, frozen]),
    )
    expect(found.map(({ state }) => state)).toMatchObject([{ status: 'frozen', frozenHash: bytes(8), codeHash: null }])
  })

  test('does not show one that is gone: its last transaction says so', () => {
    const gone = { hash: bytes(0xaa), lt: 40n, endStatus: 'nonexist', stateAfter: bytes(0xbb) } as const
    const [one] = read(stateOf([idle, rich]), [[3, gone]])
    expect(one).toMatchObject({ lastTxHash: bytes(0xaa), lastTxLt: 40n, data: null, code: null, hash: bytes(0xbb) })
    expect(one?.state).toMatchObject({ status: 'nonexist', balance: 0n })
    expect(() => read(stateOf([idle, rich]), [[3, { ...gone, endStatus: 'active' }]])).toThrow(ParseError)
  })

  test('shows what an account was, where it leaves that whole', () => {
    const now = { ...idle, lt: 20n }
    const thawed = { ...frozen, state: active(code, big(7, kept)) }
    const changes = makeUpdate(before, stateOf([now, rich, thawed]), undefined, cellsOf(before))
    const found = changesIn(changes)
    expect(found.map((one) => one.before)).toMatchObject([
      { status: 'uninit', balance: 1n },
      { status: 'frozen', balance: 3n, frozenHash: bytes(9) },
    ])
    const [spent] = read(stateOf([idle, { ...rich, balance: { ...mixed, grams: 5n }, lt: 20n }, frozen]))
    expect([spent?.account[1], spent?.before]).toEqual([2, null])
  })

  test('is read account by account, and one of tens of thousands of cells in pieces', () => {
    const fresh = (id: number, data: Cell): Holding => ({ ...idle, id, state: active(code, data) })
    const count = (...more: Holding[]) => {
      let steps = 0
      const reading = pieces(makeUpdate(before, stateOf([idle, rich, frozen, ...more])))
      for (; ; steps++) {
        const { done, value } = reading.next()
        if (done === true) return { steps, data: value.flatMap((one) => one.data ?? []) }
      }
    }
    expect(count(fresh(7, leaf(1)), fresh(8, leaf(2))).steps).toBe(2)
    const large = treeOf(20_000)
    const { steps, data } = count(fresh(7, large))
    expect(steps).toBeGreaterThan(5)
    expect(data).toEqual([writeBoc(large, 0)].map((bag) => Buffer.from(bag)))
  })

  test('of nothing shows nothing', () => {
    expect(read(before)).toEqual([])
    expect(() => changesIn(leaf(1))).toThrow(ParseError)
  })
})

test('a whole state shows every account whole', () => {
  const all = [...accountsOfState(before)]
  expect(all.map(({ account }) => account[1])).toEqual([1, 2, 3])
  expect(all.map(({ state }) => state)).toMatchObject([
    { status: 'uninit', balance: 1n, codeHash: null },
    { status: 'active', extra: { 100: '5', 239: String(2n ** 200n) }, codeHash: code.hashBytes() },
    { status: 'frozen', frozenHash: bytes(9) },
  ])
  expect(all[1]?.data).toEqual(writeBoc(big(3, kept), 0))
  expect(hex(all[1]?.lastTxHash ?? null)).toBe('ee'.repeat(32))
  expect([...accountsOfState(writeBoc(before))].length).toBe(3)
})
