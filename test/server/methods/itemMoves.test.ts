// Changes of an item's owner, from its state before and after each block and from transfer messages.

import { expect, test } from 'vitest'
import { inOnePiece, writeBoc } from '../../../server/cell/index.ts'
import { nftTransferBody } from '../../../server/demo/contracts/index.ts'
import * as moves from '../../../server/methods/balance/moves.ts'
import { keyOfAccount } from '../../../server/methods/keyOfAccount.ts'
import type { NftOwnersRow, TransactionFound } from '../../../server/store/index.ts'

type Receiver = Parameters<typeof moves.itemMoves>[0][number]

const itemMoves = (all: readonly Receiver[], item: moves.KnownItem) => inOnePiece(moves.itemMoves(all, item))

const hashOf = (n: number): Uint8Array => new Uint8Array(32).fill(n)
const account = (byte: number): Uint8Array => keyOfAccount({ workchain: 0, hash: hashOf(byte) })
const alice = account(0xa1)
const bob = account(0xb0)
const carol = account(0xca)

/** A transaction in a block, asked by `from` to hand the item to `to` where that is given. */
function asked(n: number, mcSeqno: number, transfer?: { from: Uint8Array; to: Uint8Array }): Receiver {
  const row = { hash: hashOf(n), lt: BigInt(n), mcSeqno, description: '{"aborted":false}' }
  if (transfer === undefined) return { row, inMessage: null } as unknown as Receiver
  const to = { workchain: 0, hash: transfer.to.subarray(-32) }
  const body = writeBoc(nftTransferBody({ queryId: 1n, to, responseTo: to, forwardAmount: 0n }), 0)
  return { row, inMessage: { source: transfer.from, body } } as unknown as TransactionFound
}

function known(
  ...rows: readonly [n: number, oldOwner: Uint8Array | null, newOwner: Uint8Array | null, isAlone: boolean][]
) {
  const owners = rows.map(
    ([n, oldOwner, newOwner, isAlone]): NftOwnersRow => ({
      txHash: hashOf(n),
      account: account(1),
      oldOwner,
      newOwner,
      isAlone,
      mcSeqno: 1,
      collection: null,
    }),
  )
  const ownersOf = (hash: Uint8Array) => owners.find((one) => Buffer.compare(one.txHash, hash) === 0)
  return { isItem: true, ownersOf } satisfies moves.KnownItem
}

test('a mint has no owner before, and an item that is gone none after', () => {
  expect(itemMoves([asked(1, 1)], known([1, null, alice, true]))).toEqual([{ from: null, to: alice }])
  expect(itemMoves([asked(1, 1)], { ...known([1, alice, null, true]), isItem: false })).toEqual([
    { from: alice, to: null },
  ])
})

test('what a contract says it did counts more than what it was asked', () => {
  const transfer = { from: bob, to: carol }
  expect(itemMoves([asked(1, 1, transfer)], known([1, alice, alice, true]))).toEqual([])
  expect(itemMoves([asked(1, 1, transfer)], known([1, alice, bob, true]))).toEqual([{ from: alice, to: bob }])
  // Sent by one who may do so without owning it.
  expect(itemMoves([asked(1, 1, transfer)], known([1, alice, carol, true]))).toEqual([{ from: alice, to: carol }])
})

test('an index without word of the block believes the message', () => {
  expect(itemMoves([asked(1, 1, { from: alice, to: bob })], known())).toEqual([{ from: alice, to: bob }])
  expect(itemMoves([asked(1, 1)], known())).toEqual([])
})

test('several transactions in one block add up to what the block did', () => {
  const there = { from: alice, to: bob }
  const on = { from: bob, to: carol }
  const back = { from: bob, to: alice }
  const first = asked(1, 1, there)
  const second = asked(2, 1, on)
  const both = [
    { from: alice, to: bob },
    { from: bob, to: carol },
  ]
  expect(itemMoves([first, second], known([2, alice, carol, false]))).toEqual(both)
  // Of two traces each has its own.
  expect(itemMoves([second], known([2, alice, carol, false]))).toEqual(both.slice(1))
  expect(itemMoves([first, asked(2, 1, back)], known([2, alice, alice, false]))).toEqual([
    { from: alice, to: bob },
    { from: bob, to: alice },
  ])
  // Minted and handed on.
  expect(itemMoves([asked(1, 1), asked(2, 1, there)], known([2, null, bob, false]))).toEqual([
    { from: null, to: alice },
    { from: alice, to: bob },
  ])
  // The second was not carried out.
  expect(itemMoves([first, second], known([2, alice, bob, false]))).toEqual([{ from: alice, to: bob }])
})
