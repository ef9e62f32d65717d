// Data of tens of thousands of cells, of which each block shows the part that it changed: it is made whole in pieces, and
// from what the step before left.

import { expect, test } from 'vitest'
import { type Cell, makeUpdate, writeBoc } from '../../../../server/cell/index.ts'
import type { ParsedAccount } from '../../../../server/facts/index.ts'
import { AccountBook, type AccountBookParts } from '../../../../server/indexer/accounts/accountBook.ts'
import { CarriedLacks } from '../../../../server/indexer/accounts/lackSearch.ts'
import type { ReadStep } from '../../../../server/indexer/chain/chainStep.ts'
import { Slots } from '../../../../server/indexer/chain/slots.ts'
import { treeOf } from '../../../setup/cellTree.ts'
import { turnsOf } from '../../../setup/othersTurns.ts'

const ACCOUNT = Uint8Array.of(128, ...new Uint8Array(32).fill(7))
const hashOf = (mcSeqno: number): Uint8Array => new Uint8Array(32).fill(mcSeqno)

/** Of an empty store; reads of the node are counted. */
function openBook() {
  let reads = 0
  const read = () => {
    reads++
    return Promise.reject(new Error('nothing is read here'))
  }
  // The casts: nothing else of them is used.
  const parts = {
    chain: { account: read, head: read, traits: { canRewind: true } },
    database: { read },
    lanes: new Slots(4),
    timeoutMs: 300_000,
    signal: new AbortController().signal,
    carried: new CarriedLacks(),
    progress: { lacking: 0 },
  } as unknown as AccountBookParts
  return { book: new AccountBook(parts, { codes: [], isEmpty: true, firstSeqno: 1 }), reads: () => reads }
}

function stepOf(mcSeqno: number, now: Cell, before: Cell | null): ReadStep {
  const shown = before === null ? null : (makeUpdate(before, now).refs[1] ?? null)
  const facts: ParsedAccount = {
    account: ACCOUNT,
    lastTxHash: hashOf(mcSeqno),
    lastTxLt: BigInt(mcSeqno),
    hash: hashOf(mcSeqno),
    state: {
      hash: hashOf(mcSeqno),
      status: 'active',
      balance: 1n,
      extra: {},
      codeHash: null,
      dataHash: now.hashBytes(),
      frozenHash: null,
    },
    data: shown === null ? writeBoc(now, 0) : 'incomplete',
    shownData: shown,
    code: null,
    before: null,
  }
  return {
    master: { id: { seqno: mcSeqno }, facts: { accounts: [facts], transactions: [] } },
    shards: [],
  } as unknown as ReadStep
}

const [FIRST, SECOND, THIRD] = [treeOf(16_000), treeOf(16_001), treeOf(16_002)] as const

test('behavior: others have their turns while it is made whole', async () => {
  const { book } = openBook()
  await book.rowsOf(stepOf(1, FIRST, null))
  const step = stepOf(2, SECOND, FIRST)
  const { found, turns } = await turnsOf(() => book.rowsOf(step))
  expect(found.accounts[0]?.data).toEqual(writeBoc(SECOND, 0))
  expect(turns).toBeGreaterThan(60)
})

test('behavior: a step that begins before the one before it has ended continues what that leaves', async () => {
  const { book, reads } = openBook()
  const all = [stepOf(1, FIRST, null), stepOf(2, SECOND, FIRST), stepOf(3, THIRD, SECOND)]
  const { found } = await turnsOf(() => Promise.all(all.map((step) => book.rowsOf(step))))
  expect(found.map(({ accounts }) => accounts[0]?.data)).toEqual(
    [FIRST, SECOND, THIRD].map((data) => writeBoc(data, 0)),
  )
  expect(reads()).toBe(0)
})
