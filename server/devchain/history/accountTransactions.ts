// Transactions of an account, newest first, found by following the link of each to its predecessor: in the archive where it
// has the step, else in whole blocks.

import { type Cell, openCell, sameBytes } from '../../cell/index.ts'
import { accountBlocksOf, blockExtraOf, loadBlock } from '../../tlb/index.ts'
import {
  type ArchivedStep,
  type ArchivedTransaction,
  type ArchiveReader,
  type AtOnce,
  allOf,
  andThen,
} from '../archive/index.ts'
import type { JournalBlock } from '../journal/index.ts'
import { MASTERCHAIN } from '../state/index.ts'
import type { BlockEntry, BlockIndex } from './blockIndex.ts'
import type { Steps } from './storedSteps.ts'

export interface FoundTransaction {
  /** Of its block. */
  readonly facts: JournalBlock
  /** The same transaction as it is archived; null where it was read from its block. */
  readonly archived: ArchivedTransaction | null
  readonly transaction: Cell
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
  readonly steps: Pick<Steps, 'block'>
  /** Null for a chain in memory. */
  readonly archive: ArchiveReader | null
}

/** Where a transaction is, before it is read. */
type Place = InArchive | InBlock

interface InArchive {
  readonly entry: BlockEntry
  readonly step: ArchivedStep
  readonly at: number
}

/** Found in its block. */
interface InBlock {
  readonly entry: BlockEntry
  readonly step: null
  readonly cell: Cell
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
export function archivedStepOf({ index, archive }: HistoryParts, facts: JournalBlock): AtOnce<ArchivedStep | null> {
  const seqno = archive === null ? undefined : index.stepOf(facts)
  return seqno === undefined ? null : (archive?.step(seqno) ?? null)
}

/** The part of a step's table that is of a block. */
export const tableOfBlock = ({ table }: ArchivedStep, workchain: number) =>
  workchain === MASTERCHAIN ? table.master : table.shard

type Walk = Pick<HistoryOfAccount, 'workchain' | 'account'>

async function inBlock(
  { steps }: HistoryParts,
  { account }: Walk,
  entry: BlockEntry,
  lt: bigint,
): Promise<InBlock | null> {
  const cell = transactionIn(await (await steps.block(entry.facts)).root(), account, lt)
  return cell === null ? null : { entry, step: null, cell }
}

function placeAt(parts: HistoryParts, walk: Walk, lt: bigint): AtOnce<Place | null> {
  const { workchain, account } = walk
  const entry = parts.index.entryByLt(workchain, lt)
  if (entry === undefined || entry.startLt > lt) return null
  return andThen(parts.archive?.step(entry.step) ?? null, (step): AtOnce<Place | null> => {
    if (step === null) return inBlock(parts, walk, entry, lt)
    const at = step.table.find(tableOfBlock(step, workchain), account, lt)
    return at < 0 ? null : { entry, step, at }
  })
}

/** Whether a place holds the transaction with this hash. */
const hasHash = (place: Place, hash: Uint8Array): boolean =>
  place.step === null ? sameBytes(place.cell.hashBytes(), hash) : place.step.table.hasHash(place.at, hash)

function previousTo(place: Place): { prevHash: Uint8Array; prevLt: bigint } {
  if (place.step === null) return previousOf(place.cell)
  const { table } = place.step
  return { prevHash: table.previousHash(place.at), prevLt: table.previousLt(place.at) }
}

/** Its cell is parsed only where it is needed. */
class FoundInArchive implements FoundTransaction {
  readonly archived: ArchivedTransaction
  readonly #entry: BlockEntry

  constructor(entry: BlockEntry, archived: ArchivedTransaction) {
    this.#entry = entry
    this.archived = archived
  }

  get facts(): JournalBlock {
    return this.#entry.facts
  }

  get transaction(): Cell {
    return this.archived.cell
  }
}

const foundInBlock = ({ entry, cell }: InBlock): FoundTransaction => ({
  facts: entry.facts,
  archived: null,
  transaction: cell,
})

function read(parts: HistoryParts, walk: Walk, place: Place): AtOnce<FoundTransaction | null> {
  if (place.step === null) return foundInBlock(place)
  const { entry, step, at } = place
  return andThen(parts.archive?.transaction(step, at) ?? null, (archived) =>
    archived === null
      ? inBlock(parts, walk, entry, step.table.lt(at)).then((one) => one && foundInBlock(one))
      : new FoundInArchive(entry, archived),
  )
}

/**
 * Up to `count` transactions from (lt, hash) backwards; fewer when the account has no more. Empty when the first one does
 * not exist.
 */
export async function findTransactions(parts: HistoryParts, query: HistoryOfAccount): Promise<FoundTransaction[]> {
  const places: Place[] = []
  for (let { lt, hash } = query; places.length < query.count && lt > 0n; ) {
    const placing = placeAt(parts, query, lt)
    const place = placing instanceof Promise ? await placing : placing
    if (place === null || !hasHash(place, hash)) break
    places.push(place)
    ;({ prevLt: lt, prevHash: hash } = previousTo(place))
  }
  const reading = allOf(places.map((place) => read(parts, query, place)))
  const found: FoundTransaction[] = []
  for (const one of reading instanceof Promise ? await reading : reading) {
    if (one === null) break
    found.push(one)
  }
  return found
}
