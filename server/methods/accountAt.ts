// An account as of a masterchain block: which block that is, and what the account holds there.

import type { Address } from '../../shared/address.ts'
import { openCell, readBoc } from '../cell/index.ts'
import type { BlockIdExt, LiteServer } from '../node/index.ts'
import { type Account, loadAccount } from '../tlb/index.ts'
import { upstream } from './errors.ts'
import { masterBlock } from './masterBlock.ts'

export type AccountReader = Pick<LiteServer, 'masterchainInfo' | 'lookup' | 'accountState'>

export interface AccountAt {
  /** The masterchain block it was read at. */
  readonly block: BlockIdExt
  /** Null for an account that does not exist. */
  readonly account: Account | null
}

/** Reads an account at a masterchain block, the newest when `seqno` is undefined. Throws ApiError `upstream`. */
export async function readAccountAt(
  node: AccountReader,
  address: Pick<Address, 'workchain' | 'hash'>,
  seqno: number | undefined,
  signal: AbortSignal,
): Promise<AccountAt> {
  const block = await upstream(masterBlock(node, seqno, signal))
  const { state } = await upstream(node.accountState(block, address, { signal }))
  return { block, account: state.length === 0 ? null : loadAccount(openCell(readBoc(state))) }
}
