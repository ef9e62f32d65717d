// A disk without room: every call that changes the chain says so, changes nothing, and works again once there is room.

import { expect, test } from 'vitest'
import { asChainError } from '../../../../server/methods/errors.ts'
import { LogFull } from '../../../../server/node/index.ts'
import { openChain, temporaryFolder } from './devchains.ts'
import { faultyFiles } from './log/logSetup.ts'
import { account, bornWallet, coins, transfer } from './wallets.ts'

const ALICE = account(0x11)

test('error: no room on the disk is said, and nothing is changed', async () => {
  let isFull = false
  const files = faultyFiles((step) => (step === 'write' && isFull ? 'ENOSPC' : null))
  const { chain } = await openChain({ folder: await temporaryFolder(), files })
  const { control } = chain
  const state = () => ({ ...chain.control.state(), lateMs: 0 })
  const before = state()
  const boc = transfer(bornWallet(0), { to: account(1), value: coins(1) })
  const calls: (() => Promise<unknown>)[] = [
    () => control.faucet(ALICE, 5n),
    () => control.jetton(ALICE, 5n),
    () => control.nft(ALICE),
    () => control.mine(),
    () => control.increaseTime(100),
    () => control.setNextBlockTime(before.utime + 1000),
    () => control.snapshot(),
    () => control.setAccount({ ...ALICE, balance: 5n }),
    () => control.sendInternal({ from: ALICE, to: ALICE, value: 5n, bounce: false }),
    () => chain.send(boc),
  ]
  isFull = true
  for (const call of calls) {
    const outcome: unknown = await call().catch((error: unknown) => error)
    expect(outcome instanceof LogFull ? 'LogFull' : String(outcome)).toBe('LogFull')
    expect(asChainError(outcome)).toMatchObject({
      kind: 'diskFull',
      message: expect.stringContaining('make room and try again'),
    })
  }
  expect(state()).toEqual(before)
  expect(chain.control.snapshots()).toEqual([])
  isFull = false
  for (const call of calls) await call()
  expect(chain.control.snapshots()).toHaveLength(1)
})
