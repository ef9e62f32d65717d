// What an account sends of extra currencies, and more than it has: by the rules of the network that is a failed action, with code 38.

import { type Address, beginCell, Cell, Dictionary, loadShardAccount, loadTransaction } from '@ton/core'
import { expect, test } from 'vitest'
import { writeBoc } from '../../../server/cell/index.ts'
import { createConfig, createExecutor, type Emulator } from '../../../server/tvm/index.ts'
import { genesisRoot } from '../devchain/actor.ts'
import { alice, assemble, bob, boc } from './contracts.ts'

type Amounts = readonly (readonly [id: number, amount: bigint])[]

/** SETCP0 DROP ACCEPT LDREF DROP c5 POPCTR: does what the message says. */
const OBEDIENT = assemble('FF00 30 F800 D4 30 ED55')
const NOT_ENOUGH = 38

function currencies(amounts: Amounts) {
  const all = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.BigVarUint(5))
  for (const [id, amount] of amounts) all.set(id, amount)
  return all
}

function accountWith(amounts: Amounts): Cell {
  const storage = beginCell()
    .storeUint(6, 64)
    .storeCoins(10n ** 10n)
    .storeDict(currencies(amounts))
    .storeUint(0b100110, 6)
    .storeRef(OBEDIENT)
    .storeRef(Cell.EMPTY)
  const used = beginCell().storeUint(1, 3).storeUint(1, 8).storeUint(0, 3).storeUint(0, 3).storeUint(0, 32).storeBit(0)
  const account = beginCell().storeBit(1).storeAddress(alice).storeBuilder(used).storeBuilder(storage).endCell()
  return beginCell().storeRef(account).storeUint(0, 256).storeUint(5, 64).endCell()
}

function sending(to: Address, amounts: Amounts, mode: number): Cell {
  const out = beginCell()
    .storeUint(0b011000, 6)
    .storeAddress(to)
    .storeCoins(10n ** 8n)
    .storeDict(currencies(amounts))
    .storeUint(0, 4 + 4 + 64 + 32 + 2)
    .endCell()
  return beginCell().storeRef(Cell.EMPTY).storeUint(0x0ec3c86d, 32).storeUint(mode, 8).storeRef(out).endCell()
}

function send(executor: Emulator, has: Amounts, sends: Amounts, mode = 0) {
  const body = beginCell()
    .storeRef(sending(bob, sends, mode))
    .endCell()
  const message = beginCell().storeUint(0b1000, 4).storeAddress(alice).storeCoins(0).storeUint(1, 2).storeRef(body)
  const run = { shardAccount: boc(accountWith(has)), message: boc(message.endCell()), lt: 1_000_000n }
  const result = executor.transaction(run)
  if (!result.accepted) throw new Error(result.reason)
  const { description, outMessagesCount } = loadTransaction(Cell.fromBase64(result.transaction).beginParse())
  if (description.type !== 'generic' || description.actionPhase == null) throw new Error('no action phase')
  const { success, resultCode, noFunds, skippedActions } = description.actionPhase
  const { account } = loadShardAccount(Cell.fromBase64(result.shardAccount).beginParse())
  const left = account?.storage.balance.other
  return { success, resultCode, noFunds, skippedActions, outMessagesCount, left: left && [...left] }
}

const failed = { success: false, resultCode: NOT_ENOUGH, noFunds: true, skippedActions: 0, outMessagesCount: 0 }
const skipped = { success: true, resultCode: 0, noFunds: false, skippedActions: 1, outMessagesCount: 0 }
const sent = { success: true, resultCode: 0, noFunds: false, skippedActions: 0, outMessagesCount: 1 }

test('an account that sends more than it has: the action fails or is skipped, and the TVM goes on', async () => {
  const executor = await createExecutor()
  executor.setConfig(createConfig(writeBoc(genesisRoot())))
  executor.beginBlock({ now: 1_760_000_000, randSeed: new Uint8Array(32) })
  const lacking: readonly (readonly [has: Amounts, sends: Amounts])[] = [
    [[], [[100, 5n]]],
    [[[100, 3n]], [[100, 5n]]],
    [[[200, 9n]], [[100, 5n]]],
    [
      [
        [100, 9n],
        [200, 1n],
      ],
      [
        [100, 1n],
        [200, 2n],
      ],
    ],
  ]
  for (const [has, sends] of lacking) {
    const left = has.length === 0 ? undefined : [...has]
    expect(send(executor, has, sends)).toEqual({ ...failed, left })
    expect(send(executor, has, sends, 2)).toEqual({ ...skipped, left })
    expect(executor.broken).toBe(false)
    expect(send(executor, [[100, 9n]], [[100, 5n]])).toEqual({ ...sent, left: [[100, 4n]] })
  }
  expect(executor.memoryBytes).toBeGreaterThan(0)
})

test('hundreds of such transactions leave nothing behind', async () => {
  const executor = await createExecutor()
  executor.setConfig(createConfig(writeBoc(genesisRoot())))
  executor.beginBlock({ now: 1_760_000_000, randSeed: new Uint8Array(32) })
  const many = () => {
    for (let i = 0; i < 200; i++) send(executor, [[100, 3n]], [[100, 5n]])
  }
  many()
  const before = executor.memoryBytes
  many()
  expect(executor.memoryBytes).toBe(before)
})
