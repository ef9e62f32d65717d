// The contracts of the public standards in blocks: what a wallet of the chain deploys and asks goes on over several of them.

import { expect, test } from 'vitest'
import { openCell } from '../../../server/cell/index.ts'
import {
  jettonMasterInit,
  jettonMintBody,
  jettonTransferBody,
  jettonWalletInit,
  linkPart,
  nftCollectionInit,
  nftItemInit,
  nftMintBatchBody,
  offChainContent,
} from '../../../server/demo/contracts/index.ts'
import type { Deployment } from '../../../server/devchain/contracts/index.ts'
import type { Devchain } from '../../../server/devchain/index.ts'
import type { AccountId } from '../../../server/node/index.ts'
import { loadAccount } from '../../../server/tlb/index.ts'
import { openChain } from '../devchain/devchains.ts'
import { checkChain } from '../devchain/lightCheck.ts'
import { account, bornWallet, coins, type Transfer, transfer } from '../devchain/wallets.ts'

const wallet = bornWallet(0)
const owner: AccountId = { workchain: 0, hash: wallet.address.id }
const friend: AccountId = { workchain: 0, hash: account(7).id }
const nameOf = ({ workchain, hash }: AccountId) => ({ workchain, id: hash })

function dataOf(chain: Devchain, { hash }: AccountId) {
  const found = chain.reader.moment().shard.accounts.get(hash)
  const state = found && loadAccount(openCell(found.account))?.storage.state
  return state?.kind === 'active' ? (state.init.data ?? null) : null
}

test('a jetton is issued and given away, a hundred items are made at once', async () => {
  const { chain } = await openChain()
  const send = async (one: Transfer) => {
    await chain.send(transfer(wallet, { bounce: true, ...one }))
    await chain.control.mine(3)
  }
  const deploy = ({ address, code, data }: Deployment) =>
    send({ to: nameOf(address), value: coins(1), init: { code, data }, bounce: false })

  const master = jettonMasterInit({ admin: owner, content: offChainContent('https://jetton.test/') })
  await deploy(master)
  const common = { queryId: 1n, responseTo: owner }
  const mint = jettonMintBody({ ...common, to: owner, amount: 500n, value: coins(0.2) })
  await send({ to: nameOf(master.address), value: coins(0.5), body: mint })
  const give = jettonTransferBody({ ...common, to: friend, amount: 200n, forwardAmount: 1n })
  await send({ to: nameOf(jettonWalletInit(master.address, owner).address), value: coins(0.5), body: give })
  const held = [owner, friend].map((who) => {
    const data = dataOf(chain, jettonWalletInit(master.address, who).address)
    return data && openCell(data).loadCoins()
  })
  expect(held).toEqual([300n, 200n])

  const royalty = { numerator: 1, denominator: 20, destination: owner }
  const content = offChainContent('https://nft.test/')
  const collection = nftCollectionInit({ owner, content, commonLink: 'https://nft.test/', royalty })
  await deploy(collection)
  const items = Array.from({ length: 100 }, (_, index) => ({
    owner,
    content: linkPart(`${index}`),
    value: coins(0.05),
  }))
  await send({ to: nameOf(collection.address), value: coins(7), body: nftMintBatchBody(2n, 0n, items) })
  const made = items.filter((_, index) => {
    const data = dataOf(chain, nftItemInit(collection.address, BigInt(index)).address)
    return data?.refs.length === 1
  })
  expect(made).toHaveLength(100)
  await checkChain(chain)
})
