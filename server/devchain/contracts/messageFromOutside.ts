// A message from outside the chain, with its body in a cell of its own.

import { beginCell, type Cell, stdAddress, storeAddress } from '../../cell/index.ts'
import type { AccountId } from '../../node/index.ts'

/** `init`: the state init of a message that deploys its account. */
export function messageFromOutside({ workchain, hash }: AccountId, body: Cell, init: Cell | null = null): Cell {
  const head = storeAddress(beginCell().storeUint(0b1000, 4), stdAddress(workchain, hash)).storeCoins(0n)
  const withInit = init === null ? head.storeBit(0) : head.storeUint(0b11, 2).storeRef(init)
  return withInit.storeBit(1).storeRef(body).end()
}
