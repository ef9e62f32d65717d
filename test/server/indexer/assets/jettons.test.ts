// Jettons of the embedded chain in the index: what their contracts say, and what they did.

import { expect, test } from 'vitest'
import { beginCell, readBoc } from '../../../../server/cell/index.ts'
import {
  jettonBurnBody,
  jettonMasterInit,
  jettonMintBody,
  jettonTransferBody,
  jettonWalletInit,
  onChainContent,
} from '../../../../server/demo/contracts/index.ts'
import { commentBody } from '../../../../server/devchain/contracts/index.ts'
import { AssetScene, coin, hashHex, keyOf, person } from './assetScene.ts'

const admin = person(1)
const alice = person(2)
const bob = person(3)
const master = jettonMasterInit({ admin, content: onChainContent({ name: 'Test', symbol: 'TST', decimals: '3' }) })
const walletOf = (owner: typeof admin) => jettonWalletInit(master.address, owner)

const mint = (to: typeof admin, amount: bigint) =>
  jettonMintBody({ queryId: 1n, to, amount, responseTo: admin, value: coin / 5n })

async function withJetton(): Promise<AssetScene> {
  const scene = await AssetScene.open()
  await scene.send({ from: admin, to: master })
  await scene.send({ from: admin, to: master.address, body: mint(alice, 1000n) })
  return scene
}

test('a master, its wallets, a transfer and a burn', async () => {
  const scene = await withJetton()
  const inline = { form: 'inline', cell: commentBody('hi') } as const
  const custom = beginCell().storeUint(7, 8).end()
  const transfer = { queryId: 5n, amount: 300n, to: bob, responseTo: alice, forwardAmount: 1n, forwardPayload: inline }
  await scene.send({ from: alice, to: walletOf(alice).address, body: jettonTransferBody(transfer) })
  const burn = { queryId: 6n, amount: 100n, responseTo: null, customPayload: custom }
  await scene.send({ from: bob, to: walletOf(bob).address, body: jettonBurnBody(burn) })

  expect(await scene.rows('jetton_masters')).toMatchObject([
    {
      account: keyOf(master.address),
      total_supply: 900n,
      mintable: true,
      admin: keyOf(admin),
      content: '{"name":"Test","symbol":"TST","decimals":"3"}',
      wallet_code_hash: hashHex(walletOf(alice).code),
      code_hash: hashHex(master.code),
    },
  ])
  const wallet = (owner: typeof admin, balance: bigint) => ({
    account: keyOf(walletOf(owner).address),
    owner: keyOf(owner),
    jetton: keyOf(master.address),
    balance,
    claimed: null,
    code_hash: hashHex(walletOf(owner).code),
  })
  expect(await scene.rows('jetton_wallets')).toMatchObject([wallet(alice, 700n), wallet(bob, 200n)])
  const [sent] = await scene.events('jetton_transfers')
  expect(sent).toMatchObject({
    source: keyOf(alice),
    destination: keyOf(bob),
    amount: 300n,
    query_id: 5n,
    aborted: false,
    source_wallet: keyOf(walletOf(alice).address),
    jetton: keyOf(master.address),
    response_destination: keyOf(alice),
    custom_payload: null,
    forward_ton_amount: 1n,
  })
  expect(readBoc(Buffer.from(String(sent?.forward_payload), 'hex')).hash()).toBe(inline.cell.hash())
  const [burnt] = await scene.events('jetton_burns')
  expect(burnt).toMatchObject({ owner: keyOf(bob), amount: 100n, query_id: 6n, response_destination: null })
  expect(readBoc(Buffer.from(String(burnt?.custom_payload), 'hex')).hash()).toBe(custom.hash())
  const transactions = await scene.rows('transactions', 'lt')
  for (const event of [sent, burnt])
    expect(transactions).toContainEqual(expect.objectContaining({ hash: event?.tx_hash, trace_id: event?.trace_id }))
})
