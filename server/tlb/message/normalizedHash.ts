// The name of an external message by which it can be found however it was sent (TEP-467): without what can be changed on
// the way (source, import fee, init) and with the body in a cell of its own.

import { type BinaryHash, beginCell, storeAddress } from '../../cell/index.ts'
import type { Message } from './message.ts'

/** The normalised hash. Throws for messages that do not come from outside. */
export function normalizedHash({ info, body }: Message): BinaryHash {
  if (info.kind !== 'externalIn') throw new Error('Only external messages have a normalised hash')
  return storeAddress(beginCell().storeUint(0b10, 2).storeUint(0, 2), info.dest)
    .storeCoins(0n)
    .storeBit(0)
    .storeBit(1)
    .storeRef(body)
    .end()
    .hash()
}
