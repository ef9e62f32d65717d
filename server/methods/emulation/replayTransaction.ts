// A transaction of the chain executed again on the state it began with: the same configuration, time, seed and message, so
// that transaction and state come out equal, and with the log of the TVM.

import { ApiError } from '../../../shared/errors.ts'
import { type Cell, MAX_DEPTH, openCell, readingBoc, sameBytes, writingBoc } from '../../cell/index.ts'
import { inPieces, type Slicing } from '../../fairness/index.ts'
import {
  type AccountId,
  accountAt,
  type BlockIdExt,
  MASTERCHAIN,
  type ProvenBlock,
  prefixOf,
  previousBlocksOf,
  shardHolds,
  type VerifiedTransaction,
  WHOLE_SHARD,
} from '../../node/index.ts'
import type { TransactionRow } from '../../store/index.ts'
import {
  blockExtraOf,
  loadShardAccount,
  loadTransaction,
  storeAccount,
  type Transaction,
  toCell,
} from '../../tlb/index.ts'
import type { TransactionResult, TvmConfig, TvmRuns } from '../../tvm/index.ts'
import { asRunError } from '../errors/tvmErrors.ts'
import { pagesFrom } from '../historyPages.ts'
import { addressOfKey } from '../keyOfAccount.ts'
import type { ContractTools } from '../tvm/contractTools.ts'
import { shardAccountBoc, trialInitOf } from '../tvm/trialAccount.ts'
import { librariesFor } from '../tvm/trialLibraries.ts'
import { FULL_LOG } from './emulationRequest.ts'

/** Transactions of the account before it in the same block, all of which are run again. */
const MOST_BEFORE = 64

export interface ReplayTools extends Pick<ContractTools, 'chain' | 'settings'> {
  readonly pool: Pick<TvmRuns, 'emulate'>
}

export interface Replayed {
  readonly transaction: Transaction
  /** Null when the repetition led to no transaction. */
  readonly again: { readonly cell: Cell; readonly transaction: Transaction; readonly stateHash: Uint8Array } | null
  readonly reason: string | null
  readonly vmLog: string
}

const notEmulated = (text: string): ApiError => new ApiError('notEmulated', text)

interface Place {
  readonly account: AccountId
  readonly config: TvmConfig
  readonly context: Omit<Parameters<TvmRuns['emulate']>[1], 'now'>
  readonly before: Uint8Array
  /** Of the account in this block, in order, the wanted one last. */
  readonly transactions: readonly VerifiedTransaction[]
}

/** The block a block refers to for its configuration. */
function masterOf({ info }: ProvenBlock, [before]: readonly BlockIdExt[]): BlockIdExt {
  const { masterRef } = info
  if (masterRef !== null) {
    const { seqno, rootHash, fileHash } = masterRef
    return { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno, rootHash, fileHash }
  }
  if (before === undefined) throw notEmulated('the first block of a chain cannot be replayed')
  return before
}

/** Newest last: those with a logical time above that of the state before the block. */
async function transactionsOf(
  { chain }: Pick<ContractTools, 'chain'>,
  account: AccountId,
  row: Pick<TransactionRow, 'lt' | 'hash'>,
  sinceLt: bigint,
  signal: AbortSignal,
): Promise<readonly VerifiedTransaction[]> {
  const found: VerifiedTransaction[] = []
  const { lt, hash } = row
  for await (const page of pagesFrom(chain, account, { lt, hash }, MOST_BEFORE, { signal }))
    for (const one of page) {
      if (one.transaction.lt <= sinceLt) return found.reverse()
      found.push(one)
    }
  if ((found.at(-1)?.transaction.prevLt ?? 0n) <= sinceLt) return found.reverse()
  throw notEmulated(`the account has over ${MOST_BEFORE} transactions before it in the block`)
}

/** What the wanted transaction ran with. Rejects with LiteError, ProofError or ApiError. */
async function placeOf(tools: ReplayTools, row: TransactionRow, signal: AbortSignal): Promise<Place> {
  const { chain, settings } = tools
  const account = addressOfKey(row.account)
  const { id } = await chain.find(row.block, { signal })
  const block = await chain.block(id, { signal })
  const previous = previousBlocksOf(block)
  const { config, prevBlocks } = await settings.at(masterOf(block, previous), signal)
  const parent = previous.find(({ shard }) => shardHolds(shard, prefixOf(account.hash)))
  if (parent === undefined) throw notEmulated('the block before has no shard of this account')
  const { account: state, shardAccount } = await accountAt(chain, account, parent, signal)
  const transactions = await transactionsOf(tools, account, row, shardAccount?.lastTransLt ?? 0n, signal)
  const held = shardAccount?.account ?? toCell(null, storeAccount)
  const [first] = transactions
  if (first !== undefined && !sameBytes(first.transaction.stateUpdate.before, held.hashBytes()))
    throw notEmulated('its block changed the account by hand before it, as dev.setAccount does: that state is not kept')
  const { code, data } = trialInitOf(state) ?? {}
  const messages = transactions.map(({ transaction }) => transaction.inMessage)
  const libs = await librariesFor(chain, [code, data, ...messages], signal)
  const context = { randSeed: blockExtraOf(block.block).randSeed, libs, prevBlocks }
  const before = await shardAccountBoc(shardAccount, { signal })
  return { account, config, context, before, transactions }
}

/** Runs the transactions of the account in its block up to the wanted one. Rejects with ApiError, LiteError or ProofError. */
export async function replay(tools: ReplayTools, row: TransactionRow, signal: AbortSignal): Promise<Replayed> {
  const slicing = { signal }
  const { config, context, before, transactions } = await placeOf(tools, row, signal)
  let state: Uint8Array | string = before
  for (const [i, { transaction }] of transactions.entries()) {
    const isWanted = i === transactions.length - 1
    const { inMessage, now, lt } = transaction
    if (inMessage === null)
      throw notEmulated('only transactions of messages are replayed: this one, or one before it in its block, has none')
    const run: Parameters<TvmRuns['emulate']>[2] = {
      shardAccount: state,
      message: await inPieces(writingBoc(inMessage), slicing),
      lt,
      ...(isWanted ? { verbosity: FULL_LOG } : {}),
    }
    const result: TransactionResult = await tools.pool
      .emulate(config, { ...context, now }, run, { signal })
      .catch((error: unknown) => {
        throw asRunError(error)
      })
    if (isWanted) return { transaction, ...(await outcomeOf(result, slicing)) }
    if (!result.accepted) throw notEmulated('a transaction before it in the block could not be repeated')
    state = result.shardAccount
  }
  throw notEmulated('the transaction is not in the history of its account')
}

async function outcomeOf(
  result: TransactionResult,
  slicing: Slicing,
): Promise<Pick<Replayed, 'again' | 'reason' | 'vmLog'>> {
  const { vmLog } = result
  if (!result.accepted) return { again: null, reason: result.reason, vmLog }
  const read = (text: string) => inPieces(readingBoc(Buffer.from(text, 'base64'), { maxDepth: MAX_DEPTH }), slicing)
  const cell = await read(result.transaction)
  const after = await read(result.shardAccount)
  const { account } = loadShardAccount(openCell(after))
  const again = { cell, transaction: loadTransaction(openCell(cell)), stateHash: account.hashBytes() }
  return { again, reason: null, vmLog }
}
