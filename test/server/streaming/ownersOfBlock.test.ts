// An item that went from owner to owner in one block: those who follow it hear of the owner before the block and the one after.

import { expect, test } from 'vitest'
import { inOnePiece } from '../../../server/cell/index.ts'
import type { BlockRows, NftOwnersRow } from '../../../server/store/index.ts'
import { findingAccounts } from '../../../server/streaming/subjects.ts'

const bytes = (length: number, value: number): Uint8Array => new Uint8Array(length).fill(value)
const [alice, bob, carol] = [bytes(33, 0xa), bytes(33, 0xb), bytes(33, 0xc)]
const item = bytes(33, 1)

/** Of so many transactions of the item: whose it was before and after each. */
function changeIn(moves: readonly (readonly [before: Uint8Array, after: Uint8Array])[]) {
  const transactions = moves.map((_, i) => ({ row: { hash: bytes(32, i), account: item } }))
  // The cast: nothing else of the transactions is read.
  const rows = { transactions, jettonWallets: [] } as unknown as Pick<BlockRows, 'transactions' | 'jettonWallets'>
  const owners = moves.map(([oldOwner, newOwner], i): NftOwnersRow => {
    return { txHash: bytes(32, i), account: item, oldOwner, newOwner, isAlone: true, mcSeqno: 1, collection: null }
  })
  // Read from a table they have no order.
  return [...inOnePiece(findingAccounts(rows, owners.reverse())).nfts.values()]
}

test('once, from the first owner to the last', () => {
  expect(
    changeIn([
      [alice, alice],
      [alice, bob],
      [bob, carol],
      [carol, carol],
    ]),
  ).toMatchObject([{ oldOwner: alice, newOwner: carol }])
})

test('not at all where it came back', () => {
  expect(
    changeIn([
      [alice, bob],
      [bob, alice],
    ]),
  ).toEqual([])
})
