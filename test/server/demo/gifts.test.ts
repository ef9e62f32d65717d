// Gifts of tokens on a chain that others change meanwhile.

import { expect, test } from 'vitest'
import { createGifts, type ItemGift } from '../../../server/demo/gifts.ts'
import { type AccountControl, accountControl } from '../../../server/devchain/control/accountControl.ts'
import type { ControlParts } from '../../../server/devchain/control/controlParts.ts'
import { type Devchain, MessageRefused } from '../../../server/devchain/index.ts'
import type { Call } from '../../../server/methods/call.ts'
import { devHandlers } from '../../../server/methods/dev/dev.ts'
import { ChangeDropped } from '../../../server/node/index.ts'
import { parseAddress } from '../../../shared/address.ts'
import { openChain } from '../devchain/devchains.ts'
import { account } from '../devchain/wallets.ts'

const isThere = (chain: Devchain, { item }: ItemGift): Promise<void> =>
  expect.poll(() => chain.reader.moment().shard.accounts.get(item.hash) !== undefined).toBe(true)

const DROPPED = new MessageRefused('the chain was reverted', { reason: 'dropped', exitCode: null, vmLog: '' })

const isRefused = (call: unknown) =>
  expect(call).rejects.toMatchObject({
    kind: 'conflict',
    message: 'Not done: the chain was reverted',
    data: { advice: 'Nothing was changed: send the same call again.' },
  })

test('callers of dev.* whose message or change a revert has dropped read that, and that it can be sent again', async () => {
  const { chain } = await openChain({ mining: 'auto' })
  const send = () => Promise.reject(DROPPED)
  const { globalId, control, reader, player } = chain
  // The cast: the faucet uses no other parts.
  const parts = { chain: { moment: reader.moment(), upcomingUtime: 2_000_000_000 }, miner: { mode: 'auto' }, send }
  const { faucet }: AccountControl = accountControl(parts as unknown as ControlParts)
  const gifts = createGifts({ globalId, control, reader, player, send })
  const dev = devHandlers({
    control: { ...control, faucet },
    gifts,
    send,
    accounts: [],
    followed: async () => undefined,
    indexed: async () => undefined,
  })
  const address = parseAddress(`0:${'03'.repeat(32)}`)
  if (address === null) throw new Error('not an address')
  const to = { address }
  // The cast: these methods use nothing of a call.
  const call = {} as Call
  await isRefused(dev['dev.faucet']({ ...to, amount: 5n }, call))
  await isRefused(dev['dev.jetton']({ ...to, amount: 5n }, call))
  await isRefused(dev['dev.nft'](to, call))
})

test('changes by hand that a revert has dropped are refused as such', async () => {
  const { chain } = await openChain({ mining: 'auto' })
  const before = await chain.control.snapshot()
  const reverted = chain.control.revert(before)
  const dropped = chain.control.setAccount({ ...account(3), balance: 5n })
  await Promise.all([expect(dropped).rejects.toBeInstanceOf(ChangeDropped), reverted])
})

test('a gift whose message a revert has dropped is refused in words, and the next one is given', async () => {
  const { chain } = await openChain()
  let isReverted = true
  const gifts = createGifts({
    globalId: chain.globalId,
    control: chain.control,
    reader: chain.reader,
    player: chain.player,
    send: (boc) => (isReverted ? Promise.reject(DROPPED) : chain.send(boc)),
  })
  for (const gift of [() => gifts.nft(account(3)), () => gifts.jetton(account(3), 5n)])
    await expect(gift()).rejects.toThrow(new ChangeDropped('Not done: the chain was reverted'))
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
