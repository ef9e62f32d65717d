// Transactions of one block in the order they are listed in, from the archive.

import type { ListedName, ListQuery } from '../../node/index.ts'
import type { ArchivedStep, ArchivedTransaction } from '../archive/index.ts'
import type { JournalBlock } from '../journal/index.ts'
import { archivedStepOf, type HistoryParts, tableOfBlock } from './accountTransactions.ts'

const LAST_LT = (1n << 64n) - 1n

interface Span {
  readonly step: ArchivedStep
  readonly from: number
  readonly to: number
}

export interface BlockTransactionsPage<T> {
  readonly transactions: readonly T[]
  /** Whether more follow. */
  readonly incomplete: boolean
}

/** The entries that a query selects; in reverse order the last one comes first. */
async function spanOf(
  parts: HistoryParts,
  facts: JournalBlock,
  query: ListQuery,
): Promise<(Span & { all: number }) | null> {
  const step = await archivedStepOf(parts, facts)
  if (step === null) return null
  const part = tableOfBlock(step, facts.id.workchain)
  const { after, reverse = false, count } = query
  if (reverse) {
    // Without the entry of that time itself.
    const end = after === undefined ? part.count : step.table.search(part, after.account, BigInt.asUintN(64, after.lt))
    return { step, from: Math.max(0, end - count), to: end, all: end }
  }
  const start = after === undefined ? 0 : behind(step, part, after)
  return { step, from: start, to: Math.min(part.count, start + count), all: part.count - start }
}

function behind(
  { table }: ArchivedStep,
  part: ArchivedStep['table']['master'],
  after: NonNullable<ListQuery['after']>,
): number {
  const lt = BigInt.asUintN(64, after.lt)
  if (lt < LAST_LT) return table.search(part, after.account, lt + 1n)
  const last = table.search(part, after.account, lt)
  return table.find(part, after.account, lt) < 0 ? last : last + 1
}

const inOrder = <T>(items: readonly T[], { reverse = false }: ListQuery): readonly T[] =>
  reverse ? items.toReversed() : items

/** Up to `count` names of a block's transactions; null when the block is not archived. */
export async function listArchived(
  parts: HistoryParts,
  facts: JournalBlock,
  query: ListQuery,
): Promise<BlockTransactionsPage<ListedName> | null> {
  const span = await spanOf(parts, facts, query)
  if (span === null) return null
  const { table } = span.step
  const part = tableOfBlock(span.step, facts.id.workchain)
  const names: ListedName[] = []
  for (let number = span.from; number < span.to; number++) {
    const at = table.entryAt(part, number)
    names.push({ account: table.account(at), lt: table.lt(at), hash: table.hash(at) })
  }
  return { transactions: inOrder(names, query), incomplete: names.length < span.all }
}

/** The same with the transactions. */
export async function readArchived(
  parts: HistoryParts,
  facts: JournalBlock,
  query: ListQuery,
): Promise<BlockTransactionsPage<ArchivedTransaction> | null> {
  const span = await spanOf(parts, facts, query)
  if (span === null) return null
  const found = await parts.archive?.transactions(span.step, tableOfBlock(span.step, facts.id.workchain), span)
  return found == null ? null : { transactions: inOrder(found, query), incomplete: found.length < span.all }
}

/** The proof of a block's header; null as above. */
export async function archivedHeader(parts: HistoryParts, facts: JournalBlock): Promise<Uint8Array | null> {
  const step = await archivedStepOf(parts, facts)
  return step === null ? null : tableOfBlock(step, facts.id.workchain).header
}
