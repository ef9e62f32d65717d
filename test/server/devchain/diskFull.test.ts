// A disk without room: every call that changes the chain says so, changes nothing, and works again once there is room.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createGifts } from '../../../server/demo/index.ts'
import { type DevchainOptions, LogFull } from '../../../server/devchain/index.ts'
import { asChainError } from '../../../server/methods/errors/chainErrors.ts'
import { openChain, stillClock, temporaryFolder } from './devchains.ts'
import { faultyFiles } from './log/logSetup.ts'
import { account, bornWallet, coins, transfer } from './wallets.ts'

const ALICE = account(0x11)

async function fillable(options: DevchainOptions = {}) {
  const disk = { isFull: false }
  const files = faultyFiles((step) => (step === 'write' && disk.isFull ? 'ENOSPC' : null))
  const { chain } = await openChain({ folder: await temporaryFolder(), files, ...options })
  return { chain, disk }
}

const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'done',
    (error: unknown) => (error instanceof LogFull ? 'LogFull' : String(error)),
  )

test('error: senders are refused when there is no room for the block, and their messages are not executed later', async () => {
  const { chain, disk } = await fillable()
  const sendings = ([0, 1, 2] as const).map((number) =>
    transfer(bornWallet(number), { to: account(0x20 + number), value: coins(1) }),
  )
  disk.isFull = true
  const calls = [...sendings.map((boc) => chain.send(boc)), chain.control.faucet(ALICE, coins(1))]
  expect(await Promise.all(calls.map(codeOf))).toEqual(calls.map(() => 'LogFull'))
  expect(chain.control.state().pending).toBe(0)
  disk.isFull = false
  await chain.control.mine()
  const { accounts } = chain.reader.moment().shard
  for (const id of [0x20, 0x21, 0x22, 0x11]) expect(accounts.get(account(id).id)).toBeUndefined()
  for (const boc of sendings) expect(await codeOf(chain.send(boc))).toBe('done')
  expect(await codeOf(chain.control.faucet(ALICE, coins(1)))).toBe('done')
})

test.each(['auto', 'manual'] as const)(
  'error: a disk that has failed is said, not to send again; mining %s',
  async (mining) => {
    const disk = { isBroken: false }
    const files = faultyFiles((step) => (step === 'write' && disk.isBroken ? 'EROFS' : null))
    const { chain } = await openChain({ folder: await temporaryFolder(), files, mining })
    disk.isBroken = true
    await expect(chain.control.mine()).rejects.toThrow(/takes nothing more: .*start the service again/)
    const send = () => chain.send(transfer(bornWallet(0), { to: account(0x20), value: coins(1) }))
    for (const call of [send, () => chain.control.faucet(ALICE, coins(1))])
      expect(asChainError(await call().catch((error: unknown) => error))).toMatchObject({
        kind: 'busy',
        message: 'The chain cannot write to its disk until it is started again',
      })
  },
)

test('behavior: what was acknowledged before the disk was full is executed once there is room', async () => {
  const { chain, disk } = await fillable({ mining: 'manual' })
  const boc = transfer(bornWallet(0), { to: account(0x20), value: coins(1) })
  await chain.send(boc)
  disk.isFull = true
  expect(await codeOf(chain.control.mine())).toBe('LogFull')
  expect(await codeOf(chain.send(transfer(bornWallet(1), { to: account(0x21), value: coins(1) })))).toBe('LogFull')
  expect(chain.control.state().pending).toBe(1)
  disk.isFull = false
  await chain.control.mine()
  expect(chain.control.state().pending).toBe(0)
  expect(chain.reader.moment().shard.accounts.get(account(0x20).id)).toBeDefined()
  expect(chain.reader.moment().shard.accounts.get(account(0x21).id)).toBeUndefined()
})

test('behavior: some seconds after a block by hand found no room, messages are taken again', async () => {
  const { chain, disk } = await fillable({ mining: 'manual' })
  const send = () => codeOf(chain.send(transfer(bornWallet(0), { to: account(0x20), value: coins(1) })))
  disk.isFull = true
  expect(await codeOf(chain.control.mine())).toBe('LogFull')
  disk.isFull = false
  expect(await send()).toBe('LogFull')
  const now = performance.now()
  const clock = vi.spyOn(performance, 'now').mockReturnValue(now + 10_000)
  onTestFinished(() => clock.mockRestore())
  expect(await send()).toBe('done')
})

test('behavior: while the disk is full the chain says so once, tries no block of its own accord, and is well after the next', async () => {
  const disk = { isFull: false }
  let writes = 0
  const files = faultyFiles((step) => {
    if (step === 'write' && disk.isFull) writes++
    return step === 'write' && disk.isFull ? 'ENOSPC' : null
  })
  const lines: string[] = []
  const log = (line: string) => void lines.push(line)
  const { chain } = await openChain({ folder: await temporaryFolder(), files, log, mining: 'manual' })
  const { control } = chain
  await chain.send(transfer(bornWallet(0), { to: account(0x20), value: coins(1) }))
  disk.isFull = true
  control.setMining('auto')
  for (let turn = 0; turn < 3; turn++) {
    await nextTurn()
    await expect(control.snapshot()).rejects.toThrow(LogFull)
  }
  for (const number of [1, 2] as const)
    expect(await codeOf(chain.send(transfer(bornWallet(number), { to: account(0x21), value: coins(1) })))).toBe(
      'LogFull',
    )
  // One for what waited, and one for each call.
  expect([writes, lines]).toEqual([6, ['A block could not be made']])
  expect(chain.trouble()).toMatch(/^No room on the disk/)
  disk.isFull = false
  await control.mine()
  expect([chain.trouble(), control.state().pending]).toEqual([null, 0])
})

test('behavior: the time set for the next block is that of the first block there is room for', async () => {
  const clock = stillClock()
  const { chain, disk } = await fillable({ mining: 'manual', now: clock.now })
  const { control } = chain
  const utime = control.state().utime + 1_000
  await control.setNextBlockTime(utime)
  disk.isFull = true
  expect(await codeOf(control.mine())).toBe('LogFull')
  expect(await codeOf(control.setNextBlockTime(utime + 5_000))).toBe('LogFull')
  clock.move(30)
  disk.isFull = false
  await control.mine()
  expect(chain.head().master.utime).toBe(utime)
  clock.move(30)
  await control.mine()
  expect(chain.head().master.utime).toBe(utime + 60)
})

test('error: no room on the disk is said, and nothing is changed', async () => {
  const { chain, disk } = await fillable()
  const { control } = chain
  const gifts = createGifts(chain)
  // Without what follows this computer's clock.
  const state = () => ({ ...chain.control.state(), lateMs: 0, upcomingUtime: 0 })
  const before = state()
  const boc = transfer(bornWallet(0), { to: account(1), value: coins(1) })
  const calls: (() => Promise<unknown>)[] = [
    () => control.faucet(ALICE, 5n),
    () => gifts.jetton(ALICE, 5n),
    () => gifts.nft(ALICE),
    () => control.mine(),
    () => control.increaseTime(100),
    () => control.setNextBlockTime(before.utime + 1000),
    () => control.snapshot(),
    () => control.setAccount({ ...ALICE, balance: 5n }),
    () => control.sendInternal({ from: ALICE, to: ALICE, value: 5n, bounce: false }),
    () => chain.send(boc),
  ]
  disk.isFull = true
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
  disk.isFull = false
  for (const call of calls) await call()
  expect(chain.control.snapshots()).toHaveLength(1)
})

test('behavior: a disk that became read-only is logged once, with what to do', async () => {
  const disk = { isReadOnly: false }
  const files = faultyFiles((step) => (step === 'sync' && disk.isReadOnly ? 'EROFS' : null))
  const lines: string[] = []
  const log = (line: string, { error }: Readonly<Record<string, unknown>>) => void lines.push(`${line}: ${error}`)
  const { chain } = await openChain({ folder: await temporaryFolder(), files, log })
  disk.isReadOnly = true
  for (const number of [0, 1, 2] as const)
    await expect(chain.send(transfer(bornWallet(number), { to: account(0x20), value: coins(1) }))).rejects.toThrow()
  expect(lines).toEqual([
    expect.stringMatching(/^A block could not be made: .*EROFS.* Mend the disk and start the service again$/),
  ])
})
