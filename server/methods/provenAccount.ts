// An account with everything its shard says of it: the time it was read at and its last transaction, which the account
// itself does not know.

import type { Address } from '../../shared/address.ts'
import {
  type BlockIdExt,
  type BlockSource,
  type LiteServer,
  provenMaster,
  type VerifiedAccount,
  verifyAccount,
  verifyHeader,
} from '../node/index.ts'
import { upstream } from './errors.ts'

export type ProvenReader = BlockSource & Pick<LiteServer, 'accountState'>

export interface ProvenAccount extends Pick<VerifiedAccount, 'account' | 'shardAccount' | 'utime' | 'lt'> {
  /** The masterchain block it was read at. */
  readonly block: BlockIdExt
}

/** Reads an account at a masterchain block, the newest when `seqno` is undefined. Throws ApiError `upstream`. */
export async function readProvenAccount(
  node: ProvenReader,
  id: Pick<Address, 'workchain' | 'hash'>,
  seqno: number | undefined,
  signal: AbortSignal,
): Promise<ProvenAccount> {
  return provenAccountAt(node, id, await upstream(provenMaster(node, seqno, { signal })), signal)
}

/** The same at a block that is known. */
export async function provenAccountAt(
  node: Pick<ProvenReader, 'header' | 'accountState'>,
  { workchain, hash }: Pick<Address, 'workchain' | 'hash'>,
  block: BlockIdExt,
  signal: AbortSignal,
): Promise<ProvenAccount> {
  const read = async (): Promise<ProvenAccount> => {
    const id = { workchain, hash }
    const found = verifyAccount(block, id, await node.accountState(block, id, { signal }))
    const { account, shardAccount } = found
    if (found.block !== null) return { block, account, shardAccount, utime: found.utime, lt: found.lt }
    // No shard speaks for this workchain; that there is none is true as of the masterchain block.
    const { info } = verifyHeader(block, await node.header(block, 0, { signal }))
    return { block, account, shardAccount, utime: info.genUtime, lt: info.endLt }
  }
  return upstream(read())
}
