// Which transaction of a step gets the change of an item's owner, and what the item was before.

import { expect, test } from 'vitest'
import { nft } from '../../../../server/bodies/index.ts'
import { beginCell, hashFromBytes, stdAddress } from '../../../../server/cell/index.ts'
import { accountKey, type TransactionFacts } from '../../../../server/facts/index.ts'
import { makingItemLooks } from '../../../../server/indexer/assets/itemLooks.ts'
import { itemRow } from '../../../../server/indexer/assets/rows/tokens.ts'
import type { ItemLook } from '../../../../server/store/index.ts'
import { incoming, transactionOf } from '../../facts/staking/madeTransactions.ts'

const keyOf = (fill: number) => accountKey(0, new Uint8Array(32).fill(fill))
const ITEM = keyOf(0x11)
const OWNER = stdAddress(0, new Uint8Array(32).fill(0x22))
const SOMETHING_ELSE = 0x1234

interface Made extends Partial<Pick<TransactionFacts, 'account' | 'description' | 'origStatus'>> {
  readonly op: number
  readonly lt: number
}

/** Its hash begins with its logical time. */
const made = ({ op, lt, account = ITEM, ...facts }: Made): TransactionFacts => ({
  ...transactionOf(incoming({ op, queryId: 1n, destination: account, value: 1n })),
  account,
  lt: BigInt(lt),
  hash: new Uint8Array(32).fill(lt, 0, 1),
  ...facts,
})

const row = itemRow(
  { account: ITEM, codeHash: new Uint8Array(32), dataHash: new Uint8Array(32), lastTxLt: 9n },
  {
    item: { isInit: true, index: 0n, collection: null, owner: OWNER, individual: beginCell().end() },
    content: null,
    domain: null,
  },
)

function lookAt(master: readonly TransactionFacts[], shard: readonly TransactionFacts[] = []): ItemLook | undefined {
  const step = {
    master: { id: { seqno: 7 }, facts: { transactions: master } },
    shards: [{ facts: { transactions: shard } }],
  }
  const making = makingItemLooks(step, {
    looked: new Map([[hashFromBytes(ITEM), { nftItems: row }]]),
    checked: [],
    codes: [],
  })
  for (;;) {
    const { done, value } = making.next()
    if (done === true) return value[0]
  }
}

const hashOf = (lt: number) => new Uint8Array(32).fill(lt, 0, 1)
const ABORTED = '{"type":"ord","aborted":true}'

test.each([
  [
    'the last transfer',
    [
      { op: nft.transfer.opcode, lt: 1 },
      { op: nft.transfer.opcode, lt: 2 },
    ],
    2,
  ],
  [
    'the transfer, whatever came after',
    [
      { op: nft.transfer.opcode, lt: 1 },
      { op: SOMETHING_ELSE, lt: 2 },
    ],
    1,
  ],
  [
    'the last one where none is a transfer',
    [
      { op: SOMETHING_ELSE, lt: 1 },
      { op: SOMETHING_ELSE, lt: 2 },
    ],
    2,
  ],
  [
    'the transfer that was done, not one that failed',
    [
      { op: nft.transfer.opcode, lt: 1 },
      { op: nft.transfer.opcode, lt: 2, description: ABORTED },
    ],
    1,
  ],
  [
    'the last by logical time, in whichever block',
    [
      { op: SOMETHING_ELSE, lt: 5 },
      { op: SOMETHING_ELSE, lt: 3 },
    ],
    5,
  ],
] as const)('a change of owner belongs to %s', (_, transactions, lt) => {
  expect(lookAt(transactions.map(made))).toMatchObject({ txHash: hashOf(lt), isAlone: false, isItem: true, mcSeqno: 7 })
  const [first, ...rest] = transactions.map(made)
  expect(lookAt(rest, first === undefined ? [] : [first])?.txHash).toEqual(hashOf(lt))
})

test('an item is new where the first of its transactions found no contract there', () => {
  const one = { op: SOMETHING_ELSE, lt: 2 }
  expect(lookAt([made(one)])).toMatchObject({ isNew: false, isAlone: true })
  for (const origStatus of ['nonexist', 'uninit', 'frozen'] as const)
    expect(lookAt([made({ ...one, origStatus })])).toMatchObject({ isNew: true, isAlone: true })
  expect(lookAt([made({ ...one, origStatus: 'uninit' }), made({ ...one, lt: 3 })])).toMatchObject({ isNew: true })
  // Of another account.
  expect(lookAt([made({ ...one, account: keyOf(0x33), origStatus: 'uninit' }), made(one)])).toMatchObject({
    isNew: false,
    isAlone: true,
  })
})

test('one that a caller has set has no transaction', () => {
  expect(lookAt([])).toMatchObject({ account: ITEM, txHash: null, isNew: false, isAlone: false })
})
