// An account with all that is known of it as of a masterchain block: its last transaction, and when its shard was there.

import type { AccountId } from '../node/index.ts'
import {
  type BlockIdExt,
  type LiteServer,
  MASTERCHAIN,
  type VerifiedAccount,
  verifyAccount,
  WHOLE_SHARD,
} from '../node/index.ts'
import { upstream } from './errors.ts'
import { believed } from './tvmErrors.ts'

export type ProvenReader = Pick<LiteServer, 'masterchainInfo' | 'lookup' | 'accountState'>

export interface ProvenAccount extends VerifiedAccount {
  /** The masterchain block it was read at. */
  readonly master: BlockIdExt
}

/** The masterchain block with this seqno, the newest when undefined. Throws ApiError `upstream`. */
export async function masterBlockAt(
  node: Pick<LiteServer, 'masterchainInfo' | 'lookup'>,
  seqno: number | undefined,
  signal: AbortSignal,
): Promise<BlockIdExt> {
  if (seqno === undefined) return (await upstream(node.masterchainInfo({ signal }))).last
  return (await upstream(node.lookup({ workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno }, 0, { signal }))).id
}

/** Reads and checks an account. Throws ApiError `upstream`. */
export async function provenAccountAt(
  node: ProvenReader,
  account: AccountId,
  seqno: number | undefined,
  signal: AbortSignal,
): Promise<ProvenAccount> {
  const master = await masterBlockAt(node, seqno, signal)
  const answer = await upstream(node.accountState(master, account, { signal }))
  return { master, ...believed(() => verifyAccount(master, account, answer)) }
}
