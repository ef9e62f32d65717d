// Accounts as of an earlier masterchain block: the index has the newest states only, so these are read from the node.

import { ApiError } from '../../../shared/errors.ts'
import { NO_CRC, writingBoc } from '../../cell/index.ts'
import { codeRow } from '../../facts/index.ts'
import { inPieces, SlicedWork } from '../../fairness/index.ts'
import {
  type AccountAt,
  type AccountReader,
  accountAt,
  type BlockIdExt,
  ChainReverted,
  LiteError,
  masterBlock,
} from '../../node/index.ts'
import type { AccountFound, AccountKey } from '../../store/index.ts'
import { addressOfKey } from '../keyOfAccount.ts'

/** Most accounts of one call: each is a question to the node. */
const MOST_ACCOUNTS = 100
const AT_ONCE = 8
/** Whether another attempt may find what this one did not. */
const isPassing = (error: LiteError): boolean =>
  (error.isTransient && !error.isMissing) || error instanceof ChainReverted

/** The masterchain block a call names. Throws ApiError `notFound` for one that is not there. */
export async function masterBlockAt(chain: AccountReader, seqno: number, signal: AbortSignal): Promise<BlockIdExt> {
  try {
    return await masterBlock(chain, seqno, { signal })
  } catch (error) {
    if (!(error instanceof LiteError) || isPassing(error)) throw error
    const newest = await masterBlock(chain, undefined, { signal }).catch(() => null)
    const why = newest === null || seqno <= newest.seqno ? error.message : `the newest is ${newest.seqno}`
    throw new ApiError('notFound', `masterchain block ${seqno} not found: ${why}`, { param: 'seqno' }, { cause: error })
  }
}

/** One account at that block. Throws ApiError `notFound` where the node keeps the block and not the state after it. */
export async function accountAtBlock(
  chain: AccountReader,
  key: AccountKey,
  block: BlockIdExt,
  signal: AbortSignal,
): Promise<AccountAt> {
  try {
    return await accountAt(chain, addressOfKey(key), block, signal)
  } catch (error) {
    if (!(error instanceof LiteError) || isPassing(error)) throw error
    const words = `the state after masterchain block ${block.seqno} cannot be read: ${error.message}`
    throw new ApiError('notFound', words, { param: 'seqno' }, { cause: error })
  }
}

/** As the index would have it; undefined for an account that was not there. */
async function accountFound(
  key: AccountKey,
  { block, account, shardAccount }: AccountAt,
  slices: SlicedWork,
): Promise<AccountFound | undefined> {
  if (account === null || shardAccount === null) return undefined
  const { balance, state } = account.storage
  const { code, data } = state.kind === 'active' ? state.init : { code: null, data: null }
  const kept = code === null ? null : codeRow(code)
  return {
    account: key,
    hash: shardAccount.account.hashBytes(),
    balance: balance.grams,
    extra: Object.fromEntries([...balance.other].map(([id, amount]) => [id, String(amount)])),
    status: state.kind,
    frozenHash: state.kind === 'frozen' ? state.stateHash : null,
    dataHash: data?.hashBytes() ?? null,
    codeHash: kept?.hash ?? null,
    lastTxHash: shardAccount.lastTransHash,
    lastTxLt: shardAccount.lastTransLt,
    data: data === null ? null : await inPieces(writingBoc(data, NO_CRC), slices),
    mcSeqno: block.seqno,
    code: kept?.boc ?? null,
    methods: kept?.methods ?? null,
    interfaces: kept?.interfaces ?? [],
  }
}

/** Those of the accounts that were there, in their order. Throws ApiError. */
export async function accountsAt(
  chain: AccountReader,
  keys: readonly AccountKey[],
  seqno: number,
  signal: AbortSignal,
): Promise<readonly AccountFound[]> {
  if (keys.length > MOST_ACCOUNTS)
    throw new ApiError('invalidParams', `maximum ${MOST_ACCOUNTS} addresses allowed together with seqno`, {
      param: 'address',
      limit: MOST_ACCOUNTS,
    })
  const block = await masterBlockAt(chain, seqno, signal)
  const slices = new SlicedWork({ signal })
  const found: AccountFound[] = []
  for (let from = 0; from < keys.length; from += AT_ONCE) {
    const some = keys.slice(from, from + AT_ONCE)
    const read = await Promise.all(some.map((key) => accountAtBlock(chain, key, block, signal)))
    for (const [i, key] of some.entries()) {
      if (slices.isDue) await slices.rest()
      const one = read[i] && (await accountFound(key, read[i], slices))
      if (one !== undefined) found.push(one)
    }
  }
  return found
}
