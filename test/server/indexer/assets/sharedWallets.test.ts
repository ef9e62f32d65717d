// Shared and locked wallets of the embedded chain in the index.

import { expect, test } from 'vitest'
import { beginCell, readBoc } from '../../../../server/cell/index.ts'
import {
  approveBody,
  multisigOrderOf,
  multisigWallet,
  newOrderBody,
  orderCell,
  vestingWallet,
  vestingWhitelistBody,
} from '../../../../server/demo/contracts/index.ts'
import { VESTING_TERMS } from '../../../setup/vestingTerms.ts'
import { AssetScene, coin, keyOf, person } from './assetScene.ts'

const alice = person(1)
const bob = person(2)
const carol = person(3)
const dave = person(4)

test('a multisig and its order, a vesting wallet and who is on its list', async () => {
  const scene = await AssetScene.open()
  const multisig = multisigWallet({ threshold: 2, signers: [alice, bob], proposers: [carol] })
  const order = orderCell([{ kind: 'update', threshold: 1, signers: [alice], proposers: [] }])
  await scene.send({ from: alice, to: multisig })
  const requested = { queryId: 1n, seqno: null, by: { role: 'proposer', index: 0 }, expiresAt: 4_000_000_000 } as const
  await scene.send({ from: carol, to: multisig.address, body: newOrderBody({ ...requested, order }) })
  const of = multisigOrderOf(multisig.address, 0n).address
  await scene.send({ from: bob, to: of, body: approveBody(2n, 1) })
  const locked = vestingWallet({
    ...VESTING_TERMS,
    totalAmount: 50n * coin,
    sender: alice,
    owner: bob,
  })
  await scene.send({ from: alice, to: locked })
  await scene.send({ from: alice, to: locked.address, body: vestingWhitelistBody(3n, [carol, dave]) })

  expect(await scene.rows('multisigs')).toMatchObject([
    {
      account: keyOf(multisig.address),
      next_order_seqno: 1n,
      threshold: 2n,
      signers: [alice, bob].map(keyOf),
      proposers: [keyOf(carol)],
    },
  ])
  expect((await scene.rows('multisig_members', 'member')).map(({ member }) => member)).toEqual(
    [alice, bob, carol].map(keyOf),
  )
  const [row] = await scene.rows('multisig_orders')
  expect(row).toMatchObject({
    account: keyOf(of),
    multisig: keyOf(multisig.address),
    order_seqno: 0n,
    threshold: 2n,
    sent_for_execution: false,
    approvals_mask: 2n,
    approvals_num: 1n,
    expiration_date: 4_000_000_000n,
    signers: [alice, bob].map(keyOf),
  })
  expect(readBoc(Buffer.from(String(row?.order_boc), 'hex')).hash()).toBe(order.hash())
  const vesting = {
    account: keyOf(locked.address),
    start_time: 1_700_000_000n,
    total_duration: 1000n,
    unlock_period: 100n,
    cliff_duration: 200n,
    total_amount: 50n * coin,
    sender: keyOf(alice),
    owner: keyOf(bob),
  }
  expect(await scene.rows('vestings')).toMatchObject([{ ...vesting, whitelist: [carol, dave].map(keyOf) }])
  expect(await scene.rows('vesting_whitelists', 'member')).toHaveLength(2)

  // The signers agree on others: who is none of them any more is not found by it.
  await scene.send({ from: alice, to: of, body: approveBody(4n, 0) })
  expect(await scene.rows('multisigs')).toMatchObject([{ threshold: 1n, signers: [keyOf(alice)], proposers: [] }])
  expect(await scene.rows('multisig_members', 'member')).toHaveLength(1)
  expect(await scene.rows('multisig_orders')).toMatchObject([{ sent_for_execution: true, approvals_num: 2n }])
  // A contract that is gone is none.
  await scene.place(locked.address, beginCell().storeUint(0, 8).end(), beginCell().end())
  expect(await scene.rows('vestings')).toEqual([])
  expect(await scene.rows('vesting_whitelists', 'member')).toEqual([])
})
