// A network that something has happened on, and chains that are forked off it.

import { expect } from 'vitest'
import { beginCell, type Cell } from '../../../server/cell/index.ts'
import { createEmbeddedChain, type Devchain, type DevchainOptions } from '../../../server/devchain/index.ts'
import { type AccountId, type Chain, LiteError } from '../../../server/node/index.ts'
import { depthBalanceOf } from '../../../server/tlb/index.ts'
import { openChain } from './devchains.ts'
import { play, prepare, type Scene } from './traffic.ts'
import { account, coins, transfer } from './wallets.ts'

interface Network {
  readonly chain: Devchain
  readonly scene: Scene
}

/** A network that something has happened on. */
export async function network(): Promise<Network> {
  const { chain } = await openChain()
  const scene = await prepare(chain, 6)
  await play(chain, scene, { count: 30, seed: 5 })
  // What is on its way meanwhile.
  await chain.control.mine(5)
  return { chain, scene }
}

/** Null while it cannot be reached. */
export type Reached = { current: Chain | null }

export const reached = (chain: Devchain): Reached => ({ current: createEmbeddedChain(chain) })

export async function fork(to: Reached, options: DevchainOptions = {}) {
  const chain = async (): Promise<Chain> => {
    if (to.current === null) throw new LiteError('timeout', 'no lite server answers')
    return to.current
  }
  return await openChain({ ...options, fork: { chain, ...options.fork } })
}

export const balance = ({ reader }: Devchain, { hash, workchain }: AccountId): bigint | null => {
  const { master, shard } = reader.moment()
  const found = (workchain === -1 ? master : shard).accounts.get(hash)
  return found === undefined ? null : depthBalanceOf(found.account).balance.grams
}

/** A message to an account that was never read waits until it was. */
export const arrived = (chain: Devchain, to: AccountId, least: bigint): Promise<void> =>
  expect.poll(() => balance(chain, to) ?? 0n).toBeGreaterThanOrEqual(least)

export const idOf = ({ workchain, id }: ReturnType<typeof account>): AccountId => ({ workchain, hash: id })

export const referenceTo = (library: Cell): Cell => beginCell().storeUint(2, 8).storeHash(library.hash()).end(true)

/** The keeper of the scene publishes a library. */
export async function publish(chain: Devchain, { wallets: [wallet] }: Scene, library: Cell): Promise<void> {
  if (wallet === undefined) throw new Error('No wallet')
  const body = beginCell().storeUint(2, 8).storeRef(library).end()
  await chain.send(transfer(wallet, { to: account(0xa3, -1), value: coins(1), body }))
}

/** Accepts. */
export const libraryCode: Cell = beginCell().storeUint(0xf800, 16).storeRef(beginCell().end()).end()

/** An account with 3 TON whose code is a library that the keeper of the scene publishes. */
export async function ofLibraryCode(chain: Devchain, scene: Scene) {
  await publish(chain, scene, libraryCode)
  const name = account(0x5a)
  const code = referenceTo(libraryCode)
  await chain.control.setAccount({ ...name, balance: coins(3), code, data: beginCell().end() })
  return name
}
