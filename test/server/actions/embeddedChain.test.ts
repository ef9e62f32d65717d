// What happens on the embedded chain, in the words of people: from the block to the row.

import { expect, test } from 'vitest'
import {
  approveBody,
  jettonBurnBody,
  jettonMasterInit,
  jettonMintBody,
  jettonTransferBody,
  jettonWalletInit,
  linkPart,
  multisigOrderOf,
  multisigWallet,
  newOrderBody,
  nftCollectionInit,
  nftItemInit,
  nftMintBody,
  nftTransferBody,
  offChainContent,
  onChainContent,
  orderCell,
  vestingWallet,
  vestingWhitelistBody,
} from '../../../server/demo/contracts/index.ts'
import { commentBody } from '../../../server/devchain/contracts/index.ts'
import { VESTING_TERMS } from '../../setup/vestingTerms.ts'
import { AssetScene, coin, person } from '../indexer/assets/assetScene.ts'
import { actionsOf, typesOf } from './actionsOnChain.ts'

const alice = person(1)
const bob = person(2)
const carol = person(3)
const admin = person(4)
const rawOf = ({ hash }: { readonly hash: Uint8Array }): string =>
  `0:${Buffer.from(hash).toString('hex').toUpperCase()}`

test('jettons are minted, sent and burnt', async () => {
  const scene = await AssetScene.open()
  const master = jettonMasterInit({ admin, content: onChainContent({ name: 'Test', decimals: '3' }) })
  const walletOf = (owner: typeof alice) => jettonWalletInit(master.address, owner)
  expect(typesOf(await actionsOf(scene, () => scene.send({ from: admin, to: master })))).toEqual([
    'contract_deploy',
    'ton_transfer',
  ])
  const body = jettonMintBody({ queryId: 1n, to: alice, amount: 1000n, responseTo: admin, value: coin / 5n })
  const minted = await actionsOf(scene, () => scene.send({ from: admin, to: master.address, body }))
  expect(typesOf(minted)).toEqual(['jetton_mint', 'contract_deploy'])
  expect(minted[0]?.details).toMatchObject({
    asset: rawOf(master.address),
    receiver: rawOf(alice),
    amount: '1000',
    receiver_jetton_wallet: rawOf(walletOf(alice).address),
  })

  const forward = { forwardAmount: 1n, forwardPayload: { form: 'inline', cell: commentBody('hi') } } as const
  const order = { queryId: 5n, amount: 300n, to: bob, responseTo: alice, ...forward }
  const send = () => scene.send({ from: alice, to: walletOf(alice).address, body: jettonTransferBody(order) })
  const sent = await actionsOf(scene, send)
  expect(typesOf(sent)).toEqual(['jetton_transfer', 'contract_deploy'])
  expect(sent[0]?.details).toMatchObject({
    sender: rawOf(alice),
    receiver: rawOf(bob),
    asset: rawOf(master.address),
    amount: '300',
    comment: 'hi',
    query_id: '5',
    forward_amount: '1',
    response_destination: rawOf(alice),
    sender_jetton_wallet: rawOf(walletOf(alice).address),
    receiver_jetton_wallet: rawOf(walletOf(bob).address),
  })
  const burn = jettonBurnBody({ queryId: 6n, amount: 100n, responseTo: null })
  const burnt = await actionsOf(scene, () => scene.send({ from: bob, to: walletOf(bob).address, body: burn }))
  expect(typesOf(burnt)).toEqual(['jetton_burn'])
  expect(burnt[0]?.details).toMatchObject({ owner: rawOf(bob), amount: '100', asset: rawOf(master.address) })
  // More than there is: nothing is sent on, so it stays the call it was.
  const tooMuch = jettonTransferBody({ ...order, amount: 9999n })
  const failed = await actionsOf(scene, () => scene.send({ from: alice, to: walletOf(alice).address, body: tooMuch }))
  expect(typesOf(failed)[0]).toBe('call_contract failed')
})

test('items are minted and given away', async () => {
  const scene = await AssetScene.open()
  const collection = nftCollectionInit({
    owner: admin,
    content: offChainContent('https://nft.test/collection.json'),
    commonLink: 'https://nft.test/',
    royalty: { numerator: 5, denominator: 100, destination: admin },
  })
  const item = nftItemInit(collection.address, 0n).address
  await scene.send({ from: admin, to: collection })
  const content = { owner: alice, content: linkPart('0.json'), value: coin / 10n }
  const mint = () => scene.send({ from: admin, to: collection.address, body: nftMintBody(1n, 0n, content) })
  const minted = await actionsOf(scene, mint)
  // The owner's address has no contract to take what is left.
  expect(typesOf(minted)).toEqual(['call_contract', 'contract_deploy', 'nft_mint', 'call_contract failed'])
  expect(minted[2]?.details).toEqual({
    owner: rawOf(collection.address),
    nft_item: rawOf(item),
    nft_collection: rawOf(collection.address),
    nft_item_index: '0',
  })
  const body = nftTransferBody({ queryId: 9n, to: bob, responseTo: alice, forwardAmount: coin / 5n })
  const given = await actionsOf(scene, () => scene.send({ from: alice, to: item, body }))
  expect(typesOf(given)).toEqual(['nft_transfer'])
  expect(given[0]?.details).toMatchObject({
    nft_item: rawOf(item),
    old_owner: rawOf(alice),
    new_owner: rawOf(bob),
    is_purchase: false,
    forward_payload: 'te6cckEBAQEAAgAAAEysuc0=',
  })
})

test('a shared wallet gets a proposal, agrees and acts; a locked one gets a list', async () => {
  const scene = await AssetScene.open()
  const multisig = multisigWallet({ threshold: 2, signers: [alice, bob], proposers: [carol] })
  const order = orderCell([{ kind: 'update', threshold: 1, signers: [alice], proposers: [] }])
  await scene.send({ from: alice, to: multisig })
  const requested = { queryId: 1n, seqno: null, by: { role: 'proposer', index: 0 }, expiresAt: 4_000_000_000 } as const
  const propose = newOrderBody({ ...requested, order })
  const created = await actionsOf(scene, () => scene.send({ from: carol, to: multisig.address, body: propose }))
  const of = multisigOrderOf(multisig.address, 0n).address
  expect(typesOf(created)).toEqual([
    'multisig_create_order',
    'multisig_create_order/call_contract',
    'contract_deploy',
    'multisig_create_order/call_contract',
  ])
  expect(created[0]?.details).toMatchObject({
    query_id: '1',
    is_created_by_signer: false,
    is_signed_by_creator: false,
    creator_index: 0,
    source: rawOf(carol),
    destination: rawOf(multisig.address),
    destination_order: rawOf(of),
    expiration_date: 4_000_000_000,
  })
  const approved = await actionsOf(scene, () => scene.send({ from: bob, to: of, body: approveBody(2n, 1) }))
  expect(typesOf(approved)).toEqual([
    'multisig_approve',
    'multisig_approve/call_contract',
    'multisig_approve/call_contract failed',
  ])
  expect(approved[0]?.details).toEqual({ signer_index: 1, exit_code: 0, source: rawOf(bob), destination: rawOf(of) })
  const twice = await actionsOf(scene, () => scene.send({ from: bob, to: of, body: approveBody(3n, 1) }))
  expect(typesOf(twice)[0]).toBe('multisig_approve failed')
  const executed = await actionsOf(scene, () => scene.send({ from: alice, to: of, body: approveBody(4n, 0) }))
  expect(typesOf(executed).filter((type) => !type.includes('/'))).toEqual(['multisig_approve', 'multisig_execute'])
  expect(executed.find(({ type }) => type === 'multisig_execute')?.details).toMatchObject({
    order_seqno: '0',
    approvals_num: 2,
    source: rawOf(of),
    destination: rawOf(multisig.address),
  })

  const locked = vestingWallet({
    ...VESTING_TERMS,
    totalAmount: 50n * coin,
    sender: alice,
    owner: bob,
  })
  await scene.send({ from: alice, to: locked })
  const body = vestingWhitelistBody(3n, [carol, bob])
  const listed = await actionsOf(scene, () => scene.send({ from: alice, to: locked.address, body }))
  expect(typesOf(listed)[0]).toBe('vesting_add_whitelist')
  expect(listed[0]?.details).toEqual({
    query_id: '3',
    accounts_added: [carol, bob].map(rawOf),
    source: rawOf(alice),
    vesting: rawOf(locked.address),
  })
  // Every complete trace has actions, and none of them failed.
  const traces = await scene.rows('traces', 'end_lt')
  const states = new Set(traces.filter(({ state }) => state === 'complete').map(({ classification }) => classification))
  expect([...states]).toEqual(['ok'])
})
