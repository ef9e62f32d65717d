// Accounts that end with the trace they are known for, such as an item that is gone once it is redeemed.

import { expect, test } from 'vitest'
import { beginCell, type Cell, stdAddress, storeAddress } from '../../../../server/cell/index.ts'
import { nftTransferBody, offChainContent } from '../../../../server/demo/contracts/index.ts'
import { madeCode } from '../../../setup/madeContracts.ts'
import { AssetScene, coin, person } from '../assets/assetScene.ts'

const alice = person(1)
const bob = person(2)
const ticket = stdAddress(0, new Uint8Array(32).fill(3))
const none = { slice: beginCell().storeUint(0, 2).end() }

/** Notifies Bob of his item with all the balance, and is gone. */
function endingCode(methods: Cell): Cell {
  const message = storeAddress(beginCell().storeUint(0x10, 6), stdAddress(0, bob.hash))
    .storeCoins(0n)
    .storeUint(0, 107)
    .storeUint(0x05138d91, 32)
    .storeUint(9, 64)
    .end()
  // PUSHREF, PUSHINT 160, SENDRAWMSG; for messages alone: DUP, PUSHREFCONT, IFNOTJMP.
  const ending = beginCell().storeUint(0x888100a0fb00n, 48).storeRef(message).end()
  return beginCell().storeUint(0x208ae1, 24).storeRef(ending).storeRef(methods).end()
}

test('an item that ends with its transfer was transferred; what it is sent afterwards is no transfer', async () => {
  const scene = await AssetScene.open()
  const data = { results: [-1n, 7n, none, stdAddress(0, alice.hash), offChainContent('https://tickets.test/7.json')] }
  await scene.place(ticket, endingCode(madeCode({ get_nft_data: data })), beginCell().end())
  expect(await scene.rows('nft_items')).toHaveLength(1)
  const body = nftTransferBody({ queryId: 9n, to: bob, responseTo: alice, forwardAmount: coin / 5n })
  await scene.send({ from: alice, to: ticket, body })
  expect(await scene.rows('nft_items')).toEqual([])
  const transfers = async () => (await scene.rows('actions', 'action_id')).filter(({ type }) => type === 'nft_transfer')
  expect(await transfers()).toMatchObject([{ success: true }])
  await scene.send({ from: alice, to: ticket, body, bounce: false })
  expect(await transfers()).toHaveLength(1)
})
