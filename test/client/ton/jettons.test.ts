// The jetton wrappers of @ton/ton, unchanged, over the client.

import { Address, Cell, SendMode, toNano } from '@ton/core'
import { JettonMaster, JettonWallet } from '@ton/ton'
import { expect, test } from 'vitest'
import { createClient } from '../../../client/index.ts'
import { createTon } from '../../../client/ton/index.ts'
import { type Cell as OurCell, writeBoc } from '../../../server/cell/index.ts'
import { jettonMasterInit, jettonMintBody, onChainContent } from '../../../server/demo/contracts/index.ts'
import type { AccountId } from '../../../server/node/index.ts'
import { fundedWallet } from '../../setup/fundedWallet.ts'
import { forAllTests, serve } from '../../setup/service.ts'

const service = forAllTests(() => serve())

const theirs = (cell: OurCell): Cell => Cell.fromBoc(Buffer.from(writeBoc(cell)))[0] ?? Cell.EMPTY
const ours = ({ workChain, hash }: Address): AccountId => ({ workchain: workChain, hash })

test('a jetton is deployed and minted, and what its wrappers read is one request each step', async () => {
  let posts = 0
  const counted: typeof fetch = (...args) => {
    posts++
    return fetch(...args)
  }
  const client = createClient({ url: service().url, fetch: counted, retry: false, timeoutMs: 300_000 })
  const { wallet, secretKey } = await fundedWallet(client)
  const ton = createTon(client)
  const via = ton.sender(wallet, secretKey)

  const admin = ours(wallet.address)
  const parts = jettonMasterInit({ admin, content: onChainContent({ name: 'Wrapped' }) })
  const address = new Address(0, Buffer.from(parts.address.hash))
  const init = { code: theirs(parts.code), data: theirs(parts.data) }
  const mint = { queryId: 1n, amount: 1000n, to: admin, responseTo: admin, value: toNano('0.5') }
  const sendMode = SendMode.PAY_GAS_SEPARATELY
  await ton.provider(address, init).internal(via, { value: '1', sendMode, body: theirs(jettonMintBody(mint)) })

  const master = ton.open(JettonMaster.create(address))
  const owners = [wallet.address, Address.parse(`0:${'77'.repeat(32)}`)]
  posts = 0
  const [data, ...wallets] = await Promise.all([
    master.getJettonData(),
    ...owners.map((owner) => master.getWalletAddress(owner)),
  ])
  expect(posts).toBe(1)
  expect(data).toMatchObject({ totalSupply: 1000n, mintable: true })
  expect([
    data.adminAddress.equals(wallet.address),
    data.content.equals(theirs(onChainContent({ name: 'Wrapped' }))),
  ]).toEqual([true, true])
  const balances = await Promise.all(wallets.map((one) => ton.open(JettonWallet.create(one)).getBalance()))
  expect(balances).toEqual([1000n, 0n])
  // The state of both, then the data of the one that is there.
  expect(posts).toBe(3)
})
