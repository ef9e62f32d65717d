// Accounts that are set by a control of the embedded chain after a transaction deleted them: they begin without a logical time.

import { expect, test } from 'vitest'
import { beginCell, type Cell, openCell } from '../../../../server/cell/index.ts'
import { type Database, sql } from '../../../../server/store/index.ts'
import { madeAddress, madeCode } from '../../../setup/madeContracts.ts'
import { index, openStore, upToDate } from '../indexScene.ts'
import { AssetScene, keyOf } from './assetScene.ts'

const owner = madeAddress(1)
const jetton = madeAddress(0x21)
const target = madeAddress(0x31)
const missing = madeAddress(0x32)
const walletCode = beginCell().storeUint(0xc0de, 16).end()
const content = beginCell().storeUint(1, 8).storeBytes(Buffer.from('https://made.test/')).end()

/** Sends all it has and deletes itself at a message, in front of get-methods. */
function leaving(code: Cell): Cell {
  const message = beginCell().storeUint(0b010000, 6).storeUint(0b100, 3).storeInt(0, 8).storeBytes(owner.hash)
  const all = message.storeCoins(0n).storeUint(0, 107).end()
  // PUSHREF, PUSHINT 160, SENDRAWMSG; behind DUP, EQINT 0, PUSHREFCONT, IFJMP
  const leave = beginCell().storeUint(0x88, 8).storeRef(all).storeUint(0x8100a0fb00, 40).end()
  return beginCell().storeUint(0x20c000, 24).storeUint(0x8ae0, 16).storeRef(leave).storeSlice(openCell(code)).end()
}

const place = (scene: AssetScene, balance: bigint) =>
  scene.place(
    target,
    leaving(madeCode({ get_wallet_data: { results: [balance, owner, jetton, walletCode] } })),
    beginCell().storeUint(balance, 64).end(),
  )

const said = async ({ read }: Pick<Database, 'read'>) => ({
  accounts: await read.query(sql`select encode(account, 'hex') as account, status, last_tx_lt from accounts
    where encode(account, 'hex') = any(${[keyOf(target), keyOf(missing)]}::text[]) order by 1`),
  wallets: await read.query(sql`select balance from jetton_wallets`),
})

test('an account that is set again is what it was set to, in whatever batches', async () => {
  const scene = await AssetScene.open()
  await scene.place(
    jetton,
    madeCode({
      get_jetton_data: { results: [1n, 0n, owner, content, walletCode] },
      get_wallet_address: { args: [owner], results: [target] },
    }),
    beginCell().end(),
  )
  await place(scene, 5n)
  await scene.upToDate()
  await scene.send({ from: owner, to: target, body: beginCell().end() })
  await scene.send({ from: owner, to: missing })
  await scene.upToDate()
  const gone = { status: 'nonexist', last_tx_lt: expect.anything() }
  expect(await said(scene.database)).toEqual({
    accounts: [target, missing].map((one) => ({ account: keyOf(one), ...gone })),
    wallets: [],
  })
  await place(scene, 7n)
  await scene.place(missing, madeCode({}), beginCell().end())
  await scene.upToDate()
  const set = {
    accounts: [target, missing].map((one) => ({ account: keyOf(one), status: 'a', last_tx_lt: 0n })),
    wallets: [{ balance: 7n }],
  }
  expect(await said(scene.database)).toEqual(set)
  for (const batchTransactions of [1, 10_000]) {
    const database = await openStore()
    await upToDate(index({ node: scene.node, pool: scene.pool, database, batchTransactions }), scene.chain)
    expect(await said(database)).toEqual(set)
  }
})
