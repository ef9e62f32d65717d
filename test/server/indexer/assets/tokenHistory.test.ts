// Which requests to a contract are events of a token: the same ones however blocks were divided into batches, and whenever
// the process was restarted.

import { expect, test } from 'vitest'
import { beginCell, openCell, stdAddress } from '../../../../server/cell/index.ts'
import { addressCell, type MadeMethod, madeAddress, madeCode } from '../../../setup/madeContracts.ts'
import { AssetScene, hashHex, keyOf, transferTo } from './assetScene.ts'

const owner = madeAddress(1)
const stranger = madeAddress(2)
const target = madeAddress(0x31)
const authority = madeAddress(0x32)
const empty = beginCell().end()
const wallet: Readonly<Record<string, MadeMethod>> = {
  get_wallet_data: { results: [5n, owner, authority, beginCell().storeUint(0xc0de, 16).end()] },
}

async function transfers(scene: AssetScene): Promise<readonly unknown[]> {
  return (await scene.events('jetton_transfers')).map(({ query_id }) => query_id)
}

/** As followed, and as found by an index of the same chain that reads all of it at once. */
async function bothWays(scene: AssetScene): Promise<readonly (readonly unknown[])[]> {
  return [await transfers(scene), await transfers(await scene.again())]
}

test('behavior: requests to a contract that is no token any more wait until it is one again', async () => {
  const scene = await AssetScene.open()
  const send = async (queryId: bigint): Promise<void> => {
    await scene.send({ from: owner, to: target, body: transferTo(stranger, queryId), bounce: false })
    await scene.upToDate()
  }
  await scene.place(authority, madeCode({ get_wallet_address: { args: [owner], results: [target] } }), empty)
  await scene.place(target, madeCode(wallet), empty)
  await send(1n)
  await scene.place(target, madeCode({}), empty)
  await send(2n)
  await send(3n)
  expect(await bothWays(scene)).toEqual([[1n], [1n]])
  await scene.place(target, madeCode(wallet), empty)
  await send(4n)
  expect(await bothWays(scene)).toEqual([
    [1n, 2n, 3n, 4n],
    [1n, 2n, 3n, 4n],
  ])
})

test('behavior: requests in an earlier life of an account are not those of what it is later', async () => {
  const scene = await AssetScene.open()
  // DUP, EQINT 0, IFRET: takes any message.
  const code = beginCell()
    .storeUint(0x20c000dc, 32)
    .storeSlice(openCell(madeCode(wallet)))
    .end()
  const init = beginCell().storeUint(0b00110, 5).storeRef(code).storeRef(empty).end()
  const address = stdAddress(0, Buffer.from(hashHex(init), 'hex'))
  const last = beginCell()
    .storeUint(0b010000, 6)
    .storeSlice(openCell(addressCell(stranger)))
    .storeCoins(0n)
    .storeUint(0, 107)
    .end()
  // PUSHREF, 160 PUSHINT, SENDRAWMSG: sends away all it has, and is gone.
  const dying = beginCell().storeUint(0x888100a0fb00, 48).storeRef(last).end()
  await scene.place(address, dying, empty)
  await scene.send({ from: owner, to: address, body: transferTo(stranger, 1n), bounce: false })
  await scene.upToDate()
  await scene.send({ from: owner, to: { address, code, data: empty }, bounce: false })
  await scene.upToDate()
  await scene.send({ from: owner, to: address, body: transferTo(stranger, 2n), bounce: false })
  await scene.upToDate()
  await scene.place(authority, madeCode({ get_wallet_address: { args: [owner], results: [address] } }), empty)
  await scene.send({ from: owner, to: address, bounce: false })
  expect(await scene.rows('jetton_wallets')).toMatchObject([{ account: keyOf(address) }])
  expect(await bothWays(scene)).toEqual([[2n], [2n]])
})

test('behavior: requests that count since a block that is undone wait again', async () => {
  const scene = await AssetScene.open()
  const send = async (queryId: bigint): Promise<void> => {
    await scene.send({ from: owner, to: target, body: transferTo(stranger, queryId), bounce: false })
    await scene.upToDate()
  }
  await scene.place(target, madeCode(wallet), empty)
  await send(1n)
  const name = await scene.chain.control.snapshot()
  await scene.place(authority, madeCode({ get_wallet_address: { args: [owner], results: [target] } }), empty)
  await send(2n)
  expect(await bothWays(scene)).toEqual([
    [1n, 2n],
    [1n, 2n],
  ])
  await scene.chain.control.revert(name)
  expect(await bothWays(scene)).toEqual([[], []])
  await scene.place(authority, madeCode({ get_wallet_address: { args: [owner], results: [target] } }), empty)
  await send(3n)
  expect(await bothWays(scene)).toEqual([
    [1n, 3n],
    [1n, 3n],
  ])
})
