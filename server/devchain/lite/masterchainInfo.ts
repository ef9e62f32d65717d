// Head and zerostate of the chain.

import type { MasterchainInfo } from '../../node/index.ts'
import type { ChainSource } from './chainSource.ts'

const VERSION = 0x101
/** Proof chains, the newer form of this answer, get-methods, and the newest block whose shards are known too. */
const CAPABILITIES = 15n

export function masterchainInfo({ reader }: ChainSource, now: () => number): MasterchainInfo {
  const { master } = reader.moment()
  const { workchain, rootHash, fileHash } = reader.zerostates.master.id
  return {
    last: master.id,
    lastUtime: master.utime,
    stateRootHash: master.root.hashBytes(),
    init: { workchain, rootHash, fileHash },
    version: VERSION,
    capabilities: CAPABILITIES,
    now: Math.floor(now() / 1000),
  }
}
