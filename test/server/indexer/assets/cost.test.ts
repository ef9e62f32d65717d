// What telling contracts apart costs: runs of the TVM.

import { expect, test } from 'vitest'
import {
  jettonMaster,
  jettonMintBody,
  jettonTransferBody,
  jettonWallet,
  multisigWallet,
  offChainContent,
} from '../../../../server/node/devchain/contracts/index.ts'
import { createTvmPool, type TvmPool } from '../../../../server/tvm/index.ts'
import { bornWallet, transfer } from '../../node/devchain/wallets.ts'
import { upToDate } from '../indexScene.ts'
import { AssetScene, coin, person } from './assetScene.ts'

test('wallets and tokens of known code cost no run, other contracts do', async () => {
  const pool = await createTvmPool({ workers: 1 })
  let runs = 0
  const counting: Pick<TvmPool, 'runGetMethod'> = {
    runGetMethod: (config, run, options) => {
      runs++
      return pool.runGetMethod(config, run, options)
    },
  }
  const scene = await AssetScene.open({ pool: counting })
  const costOf = async (work: () => Promise<unknown>): Promise<number> => {
    await upToDate(scene.indexer, scene.chain)
    const before = runs
    await work()
    await upToDate(scene.indexer, scene.chain)
    return runs - before
  }
  try {
    // Accounts the chain was born with, a transfer from wallet to wallet, coins out of the faucet.
    expect(runs).toBe(0)
    await scene.chain.send(transfer(bornWallet(0), { to: bornWallet(1).address, value: coin }))
    await scene.chain.control.faucet({ workchain: 0, id: person(7).hash }, coin)
    expect(await costOf(async () => undefined)).toBe(0)
    expect(runs).toBe(0)

    const [alice, bob] = [person(2), person(3)]
    const master = jettonMaster({ admin: alice, content: offChainContent('https://jetton.test/') })
    expect(await costOf(() => scene.send({ from: alice, to: master }))).toBe(0)
    const mint = { queryId: 1n, to: alice, amount: 1000n, responseTo: alice, value: coin / 5n }
    expect(await costOf(() => scene.send({ from: alice, to: master.address, body: jettonMintBody(mint) }))).toBe(0)
    const body = jettonTransferBody({ queryId: 1n, amount: 1n, to: bob, responseTo: alice })
    const wallet = jettonWallet(master.address, alice).address
    expect(await costOf(() => scene.send({ from: alice, to: wallet, body }))).toBe(0)
    const wallets = await scene.rows('jetton_wallets', 'balance')
    expect(wallets.map(({ balance }) => String(balance))).toEqual(['1', '999'])

    const shared = multisigWallet({ threshold: 1, signers: [alice, bob], proposers: [] })
    expect(await costOf(() => scene.send({ from: alice, to: shared }))).toBeGreaterThan(0)
  } finally {
    await scene.indexer.close()
    await pool.close()
  }
})
