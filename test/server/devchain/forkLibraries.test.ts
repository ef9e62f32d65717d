// Libraries of a network in a chain that was forked off it: they are in the chain before code that refers to them runs.

import { EventEmitter, once } from 'node:events'
import { expect, test } from 'vitest'
import { beginCell, type Cell, storeAddress, writeBoc } from '../../../server/cell/index.ts'
import { createEmbeddedChain, type Devchain } from '../../../server/devchain/index.ts'
import type { Chain } from '../../../server/node/index.ts'
import { arrived, balance, fork, idOf, libraryCode, network, publish, reached, referenceTo } from './forks.ts'
import { checkChain } from './lightCheck.ts'
import { account, address, bornWallet, coins, external, transfer } from './wallets.ts'

const NO_DATA = beginCell().end()

/** Begins a fork of a network where this library is published. */
async function forkWith(...libraries: readonly Cell[]) {
  const { chain: source, scene } = await network()
  for (const library of libraries) await publish(source, scene, library)
  return { source, ...(await fork(reached(source))) }
}

/** A message to it comes back where its code cannot run. */
async function expectRun(chain: Devchain, name: ReturnType<typeof account>, before: bigint): Promise<void> {
  await chain.send(transfer(bornWallet(0), { to: name, value: coins(1), bounce: true }))
  await arrived(chain, idOf(name), before + coins(0.9))
}

test('behavior: an account that dev.setAccount makes of a library of the network runs', async () => {
  const { chain } = await forkWith(libraryCode)
  const name = account(0x5b)
  await chain.control.setAccount({ ...name, balance: coins(3), code: referenceTo(libraryCode), data: NO_DATA })
  await expectRun(chain, name, coins(3))
  await checkChain(chain)
})

test('behavior: a library that refers to another one brings it along', async () => {
  // Its code goes on with what it refers to.
  const outer = beginCell().storeRef(referenceTo(libraryCode)).end()
  const { chain } = await forkWith(libraryCode, outer)
  const name = account(0x5b)
  await chain.control.setAccount({ ...name, balance: coins(3), code: referenceTo(outer), data: NO_DATA })
  await expectRun(chain, name, coins(3))
})

test('behavior: a message between accounts brings the libraries that nothing before it has named', async () => {
  const { chain } = await forkWith(libraryCode)
  const init = beginCell().storeUint(0b00110, 5).storeRef(referenceTo(libraryCode)).storeRef(NO_DATA).end()
  const deployed = { workchain: 0, id: init.hashBytes() }
  const header = storeAddress(beginCell().storeUint(0b011000, 6), address(deployed))
  const data = header.storeCoins(coins(1)).storeBit(0).storeCoins(0n).storeCoins(0n).storeUint(0, 96).storeUint(0b11, 2)
  await chain.control.setAccount({ ...account(0x5c), balance: coins(5), code: deployer, data: data.end() })
  const name = beginCell().storeUint(2, 8).storeHash(libraryCode.hash()).end()
  await chain.send(writeBoc(external(account(0x5c), name)))
  await arrived(chain, idOf(deployed), coins(0.9))
  await checkChain(chain)
})

test('behavior: a library that the network does not have holds nothing up', async () => {
  const { chain } = await forkWith()
  const body = beginCell().storeRef(referenceTo(libraryCode)).end()
  await chain.send(transfer(bornWallet(0), { to: account(0x5d), value: coins(1), body }))
  await arrived(chain, idOf(account(0x5d)), coins(1))
})

/** Accepts, makes a reference of the bits it is sent, and deploys an account with that code: its data is the header of the message. */
const deployer: Cell = beginCell()
  .storeBytes(
    Buffer.from('f80030c8ce7fcf23' + 'c87601cb04cc' + 'c8c901ccc9' + 'ed44d0c8ce' + 'cc7001cb00c9' + '73fb00', 'hex'),
  )
  .end()

test('behavior: a part of an account is changed, which a revert took away while the network was read', async () => {
  const { chain: source, scene } = await network()
  await publish(source, scene, libraryCode)
  const events = new EventEmitter()
  const asked = once(events, 'asked')
  const reverted = once(events, 'reverted')
  const there = createEmbeddedChain(source)
  const current: Chain = {
    ...there,
    libraries: async (...wanted) => {
      events.emit('asked')
      await reverted
      return await there.libraries(...wanted)
    },
  }
  const { chain } = await fork({ current })
  const [wallet] = scene.wallets
  if (wallet === undefined) throw new Error('No wallet')
  const at = idOf(wallet.address)
  const name = await chain.control.snapshot()
  await chain.control.setAccount({ ...wallet.address, balance: 5n })
  const changed = chain.control.setAccount({ ...wallet.address, data: referenceTo(libraryCode) })
  await asked
  await chain.control.revert(name)
  events.emit('reverted')
  await changed
  expect(balance(chain, at)).toBe(balance(source, at))
})
