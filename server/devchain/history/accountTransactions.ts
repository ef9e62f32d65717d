// Transactions of an account, newest first, found by following the link of each to its predecessor: in the archive where it
// has the step, else in whole blocks.

import { type Cell, openCell } from '../../cell/index.ts'
import { accountBlocksOf, blockExtraOf, loadBlock } from '../../tlb/index.ts'
import type { Archive, ArchivedStep, ArchivedTransaction } from '../archive/index.ts'
import type { JournalBlock } from '../journal/index.ts'
import { MASTERCHAIN } from '../state/index.ts'
import type { BlockIndex } from './blockIndex.ts'
import type { Steps } from './steps.ts'

export interface FoundTransaction {
  /** Of its block. */
  readonly facts: JournalBlock
  /** The same transaction as it is archived; null where it was read from its block. */
  readonly archived: ArchivedTransaction | null
  readonly transaction: Cell
  readonly lt: bigint
  readonly hash: Uint8Array
  readonly prevLt: bigint
  readonly prevHash: Uint8Array
}

export interface HistoryOfAccount {
  readonly workchain: number
  /** Account id, 32 bytes. */
  readonly account: Uint8Array
  /** Of the newest one wanted. */
  readonly lt: bigint
  readonly hash: Uint8Array
  readonly count: number
}

export interface HistoryParts {
  readonly index: BlockIndex
  readonly steps: Steps
  /** Null for a chain in memory. */
  readonly archive: Archive | null
}

/** Where a transaction is, before it is read. */
interface Place {
  readonly facts: JournalBlock
  readonly lt: bigint
  /** Null for one that was found in its block. */
  readonly archived: { readonly step: ArchivedStep; readonly at: number } | null
  readonly cell: Cell | null
}

/** The transaction of an account with a logical time in a block; null when it does not exist. */
export function transactionIn(block: Cell, account: Uint8Array, lt: bigint): Cell | null {
  const blocks = accountBlocksOf(blockExtraOf(loadBlock(openCell(block))))
  return blocks.get(account)?.transactions.get(lt) ?? null
}

/** The one before it, as a transaction names it. */
function previousOf(transaction: Cell): { prevHash: Uint8Array; prevLt: bigint } {
  const slice = openCell(transaction).skip(4 + 256 + 64)
  return { prevHash: slice.loadBytes(32), prevLt: slice.loadUintBig(64) }
}

/** The step of a block as it is archived; null when it is not. */
export async function archivedStepOf(
  { index, archive }: HistoryParts,
  facts: JournalBlock,
): Promise<ArchivedStep | null> {
  const seqno = archive === null ? undefined : index.stepOf(facts)
  return seqno === undefined ? null : ((await archive?.step(seqno)) ?? null)
}

/** The part of a step's table that is of a block. */
export const partOf = ({ table }: ArchivedStep, { id }: JournalBlock) =>
  id.workchain === MASTERCHAIN ? table.master : table.shard

async function placeAt(
  parts: HistoryParts,
  facts: JournalBlock,
  account: Uint8Array,
  lt: bigint,
): Promise<Place | null> {
  const step = await archivedStepOf(parts, facts)
  if (step === null) {
    const cell = transactionIn((await parts.steps.block(facts)).root, account, lt)
    return cell === null ? null : { facts, lt, archived: null, cell }
  }
  const at = step.table.find(partOf(step, facts), account, lt)
  return at < 0 ? null : { facts, lt, archived: { step, at }, cell: null }
}

/** Whether a place holds the transaction with this hash. */
function hasHash({ archived, cell }: Place, hash: Uint8Array): boolean {
  if (archived !== null) return archived.step.table.hasHash(archived.at, hash)
  return cell !== null && Buffer.compare(cell.hashBytes(), hash) === 0
}

function previousLtOf({ archived, cell }: Place): bigint {
  if (archived !== null) return archived.step.table.previousLt(archived.at)
  return cell === null ? 0n : previousOf(cell).prevLt
}

/** Its cell is parsed only where it is needed. */
class FoundInArchive implements FoundTransaction {
  readonly facts: JournalBlock
  readonly archived: ArchivedTransaction

  constructor(facts: JournalBlock, archived: ArchivedTransaction) {
    this.facts = facts
    this.archived = archived
  }

  get transaction(): Cell {
    return this.archived.cell
  }

  get lt(): bigint {
    return this.archived.lt
  }

  get hash(): Uint8Array {
    return this.archived.hash
  }

  get prevLt(): bigint {
    return this.archived.previousLt
  }

  get prevHash(): Uint8Array {
    return this.archived.previousHash
  }
}

async function read(parts: HistoryParts, place: Place, account: Uint8Array): Promise<FoundTransaction | null> {
  const { facts, lt } = place
  const archived =
    place.archived === null ? null : await parts.archive?.transaction(place.archived.step, place.archived.at)
  if (archived) return new FoundInArchive(facts, archived)
  const transaction = place.cell ?? transactionIn((await parts.steps.block(facts)).root, account, lt)
  if (transaction === null) return null
  return { facts, archived: null, transaction, lt, hash: transaction.hashBytes(), ...previousOf(transaction) }
}

/**
 * Up to `count` transactions from (lt, hash) backwards; fewer when the account has no more. Empty when the first one does
 * not exist.
 */
export async function findTransactions(parts: HistoryParts, query: HistoryOfAccount): Promise<FoundTransaction[]> {
  const { workchain, account } = query
  const places: Place[] = []
  for (let { lt } = query; places.length < query.count && lt > 0n; ) {
    const facts = parts.index.byLt(workchain, lt)
    if (facts === undefined || facts.startLt > lt) break
    const place = await placeAt(parts, facts, account, lt)
    if (place === null || (places.length === 0 && !hasHash(place, query.hash))) break
    places.push(place)
    lt = previousLtOf(place)
  }
  const all = await Promise.all(places.map((place) => read(parts, place, account)))
  const found: FoundTransaction[] = []
  let { hash } = query
  for (const one of all) {
    if (one === null || Buffer.compare(one.hash, hash) !== 0) break
    found.push(one)
    hash = one.prevHash
  }
  return found
}
