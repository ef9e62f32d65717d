// Answers of masters are kept: each for one contract, its data and the arguments of the call.

import { expect, test } from 'vitest'
import { beginCell, type StdAddress } from '../../../../server/cell/index.ts'
import { offchain } from '../../../setup/madeContents.ts'
import { addressCell, type MadeMethod, madeAddress, madeCode } from '../../../setup/madeContracts.ts'
import { AssetScene, keyOf } from './assetScene.ts'

const owner = madeAddress(1)
const walletCode = beginCell().storeUint(0xc0de, 16).end()
const jettonData: MadeMethod = { results: [1n, 0n, owner, offchain('https://made.test/'), walletCode] }

const walletsOf = async (scene: AssetScene) =>
  (await scene.rows('jetton_wallets', 'account')).map(({ account }) => account)

test('a wallet of an owner whom its master refuses does not hide that of another owner', async () => {
  const jetton = madeAddress(0x21)
  const at = madeAddress(0x31)
  const scene = await AssetScene.open()
  const answer = { args: [owner], results: [at] }
  await scene.place(jetton, madeCode({ get_jetton_data: jettonData, get_wallet_address: answer }), beginCell().end())
  const wallet = (of: StdAddress) => madeCode({ get_wallet_data: { results: [5n, of, jetton, walletCode] } })
  await scene.place(madeAddress(0x32), wallet(madeAddress(2)), beginCell().end())
  expect(await walletsOf(scene)).toEqual([])
  await scene.place(at, wallet(owner), beginCell().end())
  expect(await walletsOf(scene)).toEqual([keyOf(at)])
})

test('masters of the same code and data at two addresses each confirm their own', async () => {
  // Each is the wallet of itself: MYADDR, and a cell for the code.
  const code = madeCode({
    get_jetton_data: jettonData,
    get_wallet_address: { code: 'f828' },
    get_wallet_data: { results: [5n, owner], code: 'f828c8c9' },
  })
  const scene = await AssetScene.open()
  const twins = [madeAddress(0x21), madeAddress(0x22)]
  for (const twin of twins) await scene.place(twin, code, beginCell().end())
  expect(await walletsOf(scene)).toEqual(twins.map(keyOf))
})

test('a master that names another wallet once its data is another', async () => {
  const jetton = madeAddress(0x21)
  const scene = await AssetScene.open()
  // The address in its own data: PUSH c4, CTOS.
  const code = madeCode({ get_jetton_data: jettonData, get_wallet_address: { code: 'ed44d0' } })
  const wallet = madeCode({ get_wallet_data: { results: [5n, owner, jetton, walletCode] } })
  for (const at of [madeAddress(0x31), madeAddress(0x32)]) {
    await scene.place(jetton, code, addressCell(at))
    await scene.place(at, wallet, beginCell().end())
    expect(await walletsOf(scene)).toContain(keyOf(at))
  }
})
