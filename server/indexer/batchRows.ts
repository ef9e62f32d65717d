// Steps that follow each other become the rows of one SQL transaction.

import { type BinaryHash, hashFromBytes } from '../cell/index.ts'
import {
  type AssembledTraces,
  assemblingTraces,
  type TraceStep,
  type TransactionFacts,
  type WorkingSet,
} from '../facts/index.ts'
import type {
  AccountRow,
  AccountStateRow,
  BatchCursor,
  CodeRow,
  MasterBlockRows,
  ShardTopRow,
  WrittenMessage,
  WrittenTransaction,
} from '../store/index.ts'
import type { AccountRows } from './accounts/accountBook.ts'
import { isOlder } from './accounts/isOlder.ts'
import type { PreparedStep } from './accounts/preparedStep.ts'
import type { StepAccounts } from './actions/factsBook.ts'
import type { LookedStep } from './assets/assetBook.ts'
import type { ChainStep } from './chain/chainStep.ts'

export const transactionsOf = ({ master, shards }: ChainStep): TransactionFacts[] =>
  [master, ...shards].flatMap(({ facts }) => facts.transactions)

/** The later of two rows with one key. */
function latest<T>(rows: Iterable<T>, keyOf: (row: T) => Uint8Array): T[] {
  const byKey = new Map<BinaryHash, T>()
  for (const row of rows) byKey.set(hashFromBytes(keyOf(row)), row)
  return [...byKey.values()]
}

/** The newest row of each account: one that was completed late comes behind newer ones. */
function newestAccounts(rows: readonly AccountRow[]): AccountRow[] {
  const byKey = new Map<BinaryHash, AccountRow>()
  for (const row of rows) {
    const key = hashFromBytes(row.account)
    const before = byKey.get(key)
    if (before === undefined || !isOlder(row, before)) byKey.set(key, row)
  }
  return [...byKey.values()]
}

/** Each message once: as its producer wrote it, where the producer is here. */
function messagesOf(steps: readonly PreparedStep[]): WrittenMessage[] {
  const messages = new Map<BinaryHash, WrittenMessage>()
  for (const { step } of steps)
    for (const { facts } of [step.master, ...step.shards])
      for (const message of facts.messages) {
        const key = hashFromBytes(message.hash)
        const before = messages.get(key)
        if (before === undefined || (before.outTxHash === null && message.outTxHash !== null))
          messages.set(key, message)
      }
  return [...messages.values()]
}

function traceStep({ master, shards }: ChainStep): TraceStep<TransactionFacts> {
  const blocks = [master, ...shards]
  return {
    transactions: blocks.flatMap(({ facts }) => facts.transactions),
    isMadeByChain({ inMsgHash }) {
      if (inMsgHash === null) return false
      const message = hashFromBytes(inMsgHash)
      return blocks.some(({ fromNobody }) => fromNobody.has(message))
    },
  }
}

function transactionRow(facts: TransactionFacts, { traceOf }: AssembledTraces<TransactionFacts>): WrittenTransaction {
  const trace = traceOf.get(facts)
  if (trace === undefined) throw new Error('A transaction without a trace')
  // With its messages, which no column takes: to leave them out costs more than to carry them.
  return { traceId: trace.traceId, traceExternalHash: trace.rootExternal, ...facts }
}

/** What traces that a step completes are classified with. */
export async function stepAccounts({ accounts, born, looked }: LookedStep): Promise<StepAccounts> {
  const contracts = await looked
  return {
    accounts: [...(born?.accounts ?? []), ...accounts.accounts],
    found: contracts && ((account) => contracts.looked.get(account)),
    codes: contracts?.codes ?? [],
  }
}

const signed = (shard: bigint): bigint => BigInt.asIntN(64, shard)

/** Itself and the newest blocks of all shards. */
const topsOf = ({ master: { id, facts } }: ChainStep): ShardTopRow[] =>
  [id, ...(facts.master?.shardTops ?? [])].map(({ workchain, shard, seqno }) => ({
    mcSeqno: id.seqno,
    workchain,
    shard: signed(shard),
    seqno,
  }))

interface BatchParts {
  readonly steps: readonly PreparedStep[]
  readonly set: WorkingSet
  readonly cursor: Pick<BatchCursor, 'network' | 'firstMcSeqno'>
  /** The last masterchain block before these; null when there is none. */
  readonly previous: number | null
}

/** In pieces, between which others are served. Carries the working set over the steps, which must be written or the set be dropped. */
export function* makingBatchRows({ steps, set, cursor, previous }: BatchParts): Generator<void, MasterBlockRows> {
  const traces = yield* assemblingTraces(
    set,
    steps.map(({ step }) => traceStep(step)),
  )
  yield
  const all = steps.flatMap(({ born, accounts }): AccountRows[] => (born === null ? [accounts] : [born, accounts]))
  const last = steps.at(-1)?.step.master.id.seqno
  if (last === undefined) throw new Error('A batch without a step')
  const { traceOf, ...traceRows } = traces
  const transactions = [...traceOf.keys()].map((facts) => transactionRow(facts, traces))
  yield
  const messages = messagesOf(steps)
  yield
  const accountStates = latest<AccountStateRow>(
    all.flatMap((rows) => rows.accountStates),
    (row) => row.hash,
  )
  yield
  const accounts = newestAccounts(all.flatMap((rows) => rows.accounts))
  yield
  return {
    blocks: steps.flatMap(({ step }) => [step.master, ...step.shards].map(({ facts }) => facts.block)),
    shardTops: steps.flatMap(({ step }) => topsOf(step)),
    transactions,
    messages,
    accountStates,
    accounts,
    codes: latest<CodeRow>(
      all.flatMap((rows) => rows.codes),
      (row) => row.hash,
    ),
    cursor: { ...cursor, lastMcSeqno: last },
    previous,
    ...traceRows,
  }
}
