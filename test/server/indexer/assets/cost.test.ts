// What telling contracts apart costs: runs of the TVM.

import { expect, onTestFinished, test, vi } from 'vitest'
import { beginCell } from '../../../../server/cell/index.ts'
import {
  jettonMasterInit,
  jettonMintBody,
  jettonTransferBody,
  jettonWalletInit,
  multisigWallet,
  offChainContent,
} from '../../../../server/demo/contracts/index.ts'
import { createTvmPool, type TvmPool } from '../../../../server/tvm/index.ts'
import { madeAddress, madeCode } from '../../../setup/madeContracts.ts'
import { bornWallet, transfer } from '../../devchain/wallets.ts'
import { upToDate } from '../indexScene.ts'
import { AssetScene, coin, person } from './assetScene.ts'

/** Counts what is run. */
function counting(pool: TvmPool) {
  const counted = { runs: 0 }
  const tools: Pick<TvmPool, 'runGetMethod'> = {
    runGetMethod: (config, run, options) => {
      counted.runs++
      return pool.runGetMethod(config, run, options)
    },
  }
  return { counted, tools }
}

/** A clock so slow that the ten seconds, after which a contract may be run again, do not pass on a busy machine. */
function slowTime(): void {
  const real = performance.now.bind(performance)
  const began = performance.now()
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => began + (real() - began) / 1000)
  onTestFinished(() => clock.mockRestore())
}

test('a contract that met a bound is not run again in every block, also when its data changes', async () => {
  slowTime()
  const pool = await createTvmPool({ workers: 1 })
  const { counted, tools } = counting(pool)
  const scene = await AssetScene.open({ pool: tools })
  const endless = madeAddress(1)
  const sound = madeAddress(2)
  // PUSHCONT of nothing, AGAIN.
  const code = madeCode({ get_jetton_data: { code: '90ea' }, get_nft_data: { code: '90ea' } })
  const item = madeCode({ get_nft_data: { results: [-1n, 7n, sound, sound, beginCell().end()] } })
  try {
    await upToDate(scene.indexer, scene.chain)
    for (let i = 0; i < 6; i++) {
      await scene.place(endless, code, beginCell().storeUint(i, 8).end())
      await upToDate(scene.indexer, scene.chain)
    }
    expect(counted.runs).toBe(1)
    // Others are looked at as before.
    await scene.place(sound, item, beginCell().end())
    await upToDate(scene.indexer, scene.chain)
    expect(counted.runs).toBeGreaterThan(1)
    expect(scene.indexer.status().trouble).toBeNull()
  } finally {
    await scene.indexer.close()
    await pool.close()
  }
})

test('wallets and tokens of known code cost no run, other contracts do', async () => {
  const pool = await createTvmPool({ workers: 1 })
  const { counted, tools } = counting(pool)
  const scene = await AssetScene.open({ pool: tools })
  const costOf = async (work: () => Promise<unknown>): Promise<number> => {
    await upToDate(scene.indexer, scene.chain)
    const before = counted.runs
    await work()
    await upToDate(scene.indexer, scene.chain)
    return counted.runs - before
  }
  try {
    // Accounts the chain was born with, a transfer from wallet to wallet, coins out of the faucet.
    expect(counted.runs).toBe(0)
    await scene.chain.send(transfer(bornWallet(0), { to: bornWallet(1).address, value: coin }))
    await scene.chain.control.faucet({ workchain: 0, id: person(7).hash }, coin)
    expect(await costOf(async () => undefined)).toBe(0)
    expect(counted.runs).toBe(0)

    const alice = person(2)
    const bob = person(3)
    const master = jettonMasterInit({ admin: alice, content: offChainContent('https://jetton.test/') })
    expect(await costOf(() => scene.send({ from: alice, to: master }))).toBe(0)
    const mint = { queryId: 1n, to: alice, amount: 1000n, responseTo: alice, value: coin / 5n }
    expect(await costOf(() => scene.send({ from: alice, to: master.address, body: jettonMintBody(mint) }))).toBe(0)
    const body = jettonTransferBody({ queryId: 1n, amount: 1n, to: bob, responseTo: alice })
    const wallet = jettonWalletInit(master.address, alice).address
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
