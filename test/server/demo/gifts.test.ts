// Gifts of tokens on a chain that others change meanwhile.

import { expect, test } from 'vitest'
import { createGifts, type ItemGift } from '../../../server/demo/gifts.ts'
import { type Devchain, MessageRefused } from '../../../server/devchain/index.ts'
import { openChain } from '../devchain/devchains.ts'
import { account } from '../devchain/wallets.ts'

const isThere = (chain: Devchain, { item }: ItemGift): Promise<void> =>
  expect.poll(() => chain.reader.moment().shard.accounts.get(item.hash) !== undefined).toBe(true)

test('a gift whose message a revert has dropped is refused in words, and the next one is given', async () => {
  const { chain } = await openChain()
  const dropped = new MessageRefused('the chain was reverted', { reason: 'dropped', exitCode: null, vmLog: '' })
  let isReverted = true
  const gifts = createGifts({
    ...{ globalId: chain.globalId, control: chain.control, reader: chain.reader, player: chain.player },
    send: (boc) => (isReverted ? Promise.reject(dropped) : chain.send(boc)),
  })
  // What the chain refuses is shown to the caller: see `dev.*`.
  for (const gift of [() => gifts.nft(account(3)), () => gifts.jetton(account(3), 5n)])
    await expect(gift()).rejects.toThrow(new RangeError('the chain was reverted: nothing was given, call again'))
  isReverted = false
  await isThere(chain, await gifts.nft(account(3)))
})

test('items are given by their next index after a revert, also where the collection has to be deployed again', async () => {
  const { chain } = await openChain()
  const gifts = createGifts(chain)
  const before = await chain.control.snapshot()
  for (let round = 0; round < 2; round++) {
    for (const index of [0n, 1n]) {
      const gift = await gifts.nft(account(3))
      expect(gift.index).toBe(index)
      await isThere(chain, gift)
    }
    if (round === 0) await chain.control.revert(before)
  }
})
