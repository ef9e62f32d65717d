// Follows the trace of one message, block by block, until it has ended or a limit is reached: contracts may call each other
// as long as they have TON, and no caller waits for that.

import { type BinaryHash, type Cell, hashToBytes, openCell, sameBytes } from '../../cell/index.ts'
import { blockExtraOf, inMsgsOf, loadBlock, loadMessageInfo, loadTransaction } from '../../tlb/index.ts'
import type { GrowingChain } from '../chain/index.ts'
import type { AccountName } from '../collate/index.ts'

/** What a call has led to. */
export interface CausedTrace {
  /** Hash of the transaction on the account the call was about, and of the first one of its trace; null before there is one. */
  readonly txHash: Uint8Array | null
  readonly traceId: Uint8Array | null
  /** Messages of the trace that no block has delivered yet. */
  readonly pending: number
}

/** Nothing is known of it yet. */
export const NOT_YET: CausedTrace = { txHash: null, traceId: null, pending: 1 }

/** Limits of following a trace: transactions, blocks, milliseconds; the last is below the timeout of a call. */
const MAX_TRANSACTIONS = 256
const MAX_BLOCKS = 20
const MAX_MS = 8000

interface Progress {
  readonly waiting: Set<BinaryHash>
  readonly target: AccountName
  txHash: Uint8Array | null
  traceId: Uint8Array | null
  transactions: number
}

/** Delivers waiting messages as far as one block did. */
function readBlock(progress: Progress, root: Cell, workchain: number): void {
  const { waiting, target } = progress
  const inMsgs = inMsgsOf(blockExtraOf(loadBlock(openCell(root))))
  // The set grows while it is walked: what a transaction sends may be delivered in the same block.
  for (const hash of waiting) {
    if (progress.transactions >= MAX_TRANSACTIONS) return
    const inMsg = inMsgs.get(hashToBytes(hash))
    if (inMsg === undefined || !('transaction' in inMsg)) continue
    waiting.delete(hash)
    const transaction = loadTransaction(openCell(inMsg.transaction))
    const own = inMsg.transaction.hashBytes()
    progress.transactions++
    progress.traceId ??= own
    if (workchain === target.workchain && sameBytes(transaction.account, target.id)) progress.txHash ??= own
    for (const message of transaction.outMessages.values())
      if (loadMessageInfo(openCell(message)).kind === 'internal') waiting.add(message.hash())
  }
}

/** Resolves with the next head, after the time, or when the chain is closed: a stop would wait for the timer. */
function nextHead(chain: GrowingChain, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      forget()
      chain.closing.removeEventListener('abort', end)
      resolve()
    }
    const forget = chain.onHead(end)
    const timer = setTimeout(end, ms)
    chain.closing.addEventListener('abort', end)
  })
}

export interface TraceStart {
  /** Of the message it begins with. */
  readonly root: BinaryHash
  /** Newest masterchain block before the message was sent. */
  readonly since: number
  readonly target: AccountName
}

/** What the message has led to when its trace has ended or a bound is met. */
export async function followTrace(chain: GrowingChain, { root, since, target }: TraceStart): Promise<CausedTrace> {
  const progress: Progress = { waiting: new Set([root]), target, txHash: null, traceId: null, transactions: 0 }
  const deadline = performance.now() + MAX_MS
  const { epoch, closing } = chain
  for (let seqno = since + 1; seqno <= since + MAX_BLOCKS && progress.waiting.size > 0; seqno++) {
    const isMissing = () => chain.moment.master.id.seqno < seqno && chain.epoch === epoch && !closing.aborted
    while (isMissing() && performance.now() < deadline) await nextHead(chain, deadline - performance.now())
    // Reverted or closed meanwhile, or too slow.
    if (chain.moment.master.id.seqno < seqno || chain.epoch !== epoch) break
    const { masterRoot, shardRoot } = await chain.parts.steps.load(seqno)
    if (shardRoot !== null) readBlock(progress, shardRoot, 0)
    readBlock(progress, masterRoot, -1)
    if (progress.transactions >= MAX_TRANSACTIONS) break
  }
  const { txHash, traceId, waiting } = progress
  return { txHash, traceId, pending: waiting.size }
}
