// Accounts whose state after a block no server has any more: what is found of them later, and that it never takes the place
// of something newer.

import { expect, test } from 'vitest'
import { beginCell, type Cell } from '../../../../server/cell/index.ts'
import { openedAccount } from '../../../../server/facts/index.ts'
import { LackingAccounts } from '../../../../server/indexer/accounts/lackingAccounts.ts'
import { Slots } from '../../../../server/indexer/chain/slots.ts'
import { type Chain, LiteError } from '../../../../server/node/index.ts'
import type { AccountKey, AccountRow } from '../../../../server/store/index.ts'
import { type Account, storeAccount, toCell } from '../../../../server/tlb/index.ts'
import { activeAccount } from '../../../setup/activeAccount.ts'

const FIRST = 5
const leaf = (value: number): Cell => beginCell().storeUint(value, 32).end()
const hashOf = (fill: number): Uint8Array => new Uint8Array(32).fill(fill)
const keyOf = (fill: number): AccountKey => Uint8Array.of(128, ...hashOf(fill))

const accountOf = (fill: number, data: Cell): Account => activeAccount({ hash: hashOf(fill), code: leaf(1), data })

/** As a step left it, without its data. */
function rowOf(fill: number, data: Cell, mcSeqno: number): AccountRow {
  const { state } = openedAccount(toCell(accountOf(fill, data), storeAccount))
  return { account: keyOf(fill), lastTxHash: hashOf(1), lastTxLt: BigInt(mcSeqno), mcSeqno, ...state, data: null }
}

/** The newest states, by account; an account that is not there cannot be read now, and null is no account. */
function open(newest: ReadonlyMap<number, Cell | null>) {
  let requested = 0
  const logged: object[] = []
  const chain = {
    head: async () => ({ id: {} }),
    account: async (_id: unknown, { hash }: { readonly hash: Uint8Array }) => {
      requested++
      const fill = hash[0] ?? 0
      const data = newest.get(fill)
      if (data === undefined) throw new LiteError('timeout', 'timeout')
      if (data === null) return { account: {}, shardAccount: { account: leaf(0xffff_ffff) } }
      const account = accountOf(fill, data)
      return { account, shardAccount: { account: toCell(account, storeAccount) } }
    },
  } as unknown as Pick<Chain, 'account' | 'head'>
  const signal = new AbortController().signal
  const log = { warn: (facts: object) => void logged.push(facts) }
  const from = (firstSeqno: number, before: LackingAccounts | null): LackingAccounts =>
    new LackingAccounts({ chain, lanes: new Slots(4), timeoutMs: 300_000, signal, log }, { firstSeqno, before })
  const lacking = from(FIRST, null)
  const look = async (of = lacking): Promise<void> => {
    const before = requested
    of.look()
    await expect.poll(() => requested, { timeout: 300_000 }).toBeGreaterThan(before)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { lacking, look, from, logged }
}

test('behavior: what did not change since is found, and given to a later step once', async () => {
  const { lacking, look } = open(new Map([[1, leaf(7)]]))
  expect(lacking.begin(5, [keyOf(1)])).toEqual([])
  lacking.add({ row: rowOf(1, leaf(7), 5), lacksCode: true })
  expect(lacking.count).toBe(1)
  await look()
  const [found, ...more] = lacking.begin(6, [])
  expect(more).toEqual([])
  expect(found).toMatchObject({ row: { mcSeqno: 5, lastTxLt: 5n, data: expect.any(Uint8Array) } })
  expect(found?.code?.hash()).toBe(leaf(1).hash())
  expect([lacking.count, lacking.begin(7, [])]).toEqual([0, []])
})

test('behavior: not to a step before which another may still touch the account', async () => {
  const { lacking, look } = open(new Map([[1, leaf(7)]]))
  lacking.begin(5, [keyOf(1)])
  lacking.add({ row: rowOf(1, leaf(7), 5), lacksCode: false })
  await look()
  expect(lacking.begin(7, [])).toEqual([])
  expect(lacking.begin(6, [keyOf(1)])).toEqual([])
  expect([lacking.count, lacking.begin(8, [])]).toEqual([0, []])
})

test('behavior: not to a step before the one that left it', async () => {
  const { lacking, look } = open(new Map([[1, leaf(7)]]))
  lacking.begin(6, [keyOf(1)])
  lacking.add({ row: rowOf(1, leaf(7), 6), lacksCode: false })
  await look()
  expect(lacking.begin(5, [])).toEqual([])
  expect(lacking.begin(7, [])).toMatchObject([{ row: { mcSeqno: 6 } }])
})

test('behavior: a step that ends late adds nothing that a later one has overtaken', () => {
  const { lacking } = open(new Map())
  lacking.begin(5, [keyOf(1)])
  lacking.begin(6, [keyOf(1)])
  lacking.add({ row: rowOf(1, leaf(7), 5), lacksCode: false })
  expect(lacking.count).toBe(0)
})

test('behavior: data that has changed is dropped after some tries, a server that is away is not', async () => {
  const { lacking, look } = open(new Map([[1, leaf(8)]]))
  lacking.begin(5, [keyOf(1), keyOf(2)])
  lacking.add({ row: rowOf(1, leaf(7), 5), lacksCode: false })
  lacking.add({ row: rowOf(2, leaf(7), 5), lacksCode: false })
  for (let i = 0; i < 8; i++) await look()
  expect(lacking.count).toBe(1)
  expect(lacking.begin(6, [])).toEqual([])
})

test('behavior: after an interruption it goes on with what was lacking in the written steps, and only there', async () => {
  const { lacking, from } = open(new Map())
  for (const seqno of [5, 6, 7]) {
    lacking.begin(seqno, [keyOf(seqno)])
    lacking.add({ row: rowOf(seqno, leaf(7), seqno), lacksCode: false })
    lacking.leaveOut(keyOf(10 + seqno), seqno)
  }
  lacking.written(5)
  expect(lacking.count).toBe(6)
  // Step 6 was written too, but the interruption came before `written` was called for it.
  const next = from(7, lacking)
  expect(next.count).toBe(4)
  // What the interrupted one still does is done again.
  lacking.leaveOut(keyOf(17), 7)
  next.begin(7, [keyOf(5)])
  next.leaveOut(keyOf(17), 7)
  expect(next.count).toBe(4)
  next.written(7)
  expect(from(8, next).count).toBe(4)
})

test('behavior: an account whose newest state is left out counts once, until a later step shows it', () => {
  const { lacking } = open(new Map())
  lacking.begin(5, [keyOf(1), keyOf(2)])
  lacking.add({ row: rowOf(1, leaf(7), 5), lacksCode: true })
  lacking.leaveOut(keyOf(1), 6)
  lacking.add({ row: rowOf(1, leaf(7), 5), lacksCode: true })
  lacking.leaveOut(keyOf(2), 5)
  expect(lacking.count).toBe(2)
  lacking.begin(7, [keyOf(1)])
  expect(lacking.count).toBe(1)
  // One that ends late.
  lacking.leaveOut(keyOf(1), 6)
  expect(lacking.count).toBe(1)
})

test('behavior: what was given to a step that was not written is given to the next', async () => {
  const { lacking, look, from } = open(new Map([[1, leaf(7)]]))
  lacking.begin(5, [keyOf(1)])
  lacking.add({ row: rowOf(1, leaf(7), 5), lacksCode: false })
  await look()
  expect(lacking.begin(6, [])).toHaveLength(1)
  const next = from(6, lacking)
  expect(next.count).toBe(1)
  expect(next.begin(6, [])).toHaveLength(1)
  next.written(6)
  expect(from(7, next).begin(7, [])).toEqual([])
})

test('error: a state that is none is named in the log, and not read again for ever', async () => {
  const { lacking, look, logged } = open(new Map([[1, null]]))
  lacking.begin(5, [keyOf(1)])
  lacking.add({ row: rowOf(1, leaf(7), 5), lacksCode: false })
  await look()
  expect([lacking.count, logged]).toEqual([0, [{ account: `0:${'01'.repeat(32)}`, err: expect.any(Error) }]])
})
