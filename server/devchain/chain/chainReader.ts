// The read-only side of the chain: blocks by seqno, lt, time or hash, states after any block, transactions of an account.

import type { ListedName, ListQuery } from '../../node/index.ts'
import { type ArchivedTransaction, plainHeaderProof } from '../archive/index.ts'
import type { Zerostate } from '../genesis/index.ts'
import {
  archivedHeader,
  type BlockTransactionsPage,
  type FoundTransaction,
  findTransactions,
  type HistoryOfAccount,
  type HistoryParts,
  listArchived,
  readArchived,
  type StoredBlock,
} from '../history/index.ts'
import type { JournalBlock } from '../journal/index.ts'
import {
  BASECHAIN,
  type BlockIdExt,
  type ChainState,
  MASTERCHAIN,
  type MasterState,
  type Moment,
} from '../state/index.ts'
import type { GrowingChain } from './growingChain.ts'

export interface ChainReader {
  readonly zerostates: { readonly master: Zerostate; readonly base: Zerostate }
  /** Both chains as they are now. */
  moment(): Moment
  /** By seqno; undefined for zerostates and missing blocks. */
  bySeqno(workchain: number, seqno: number): JournalBlock | undefined
  /** Seqno of the first key block after a masterchain seqno. */
  keyAfter(seqno: number): number | undefined
  /** The first block that ends at or after a logical time. */
  byLt(workchain: number, lt: bigint): JournalBlock | undefined
  /** The first block made at or after a time. */
  byUtime(workchain: number, utime: number): JournalBlock | undefined
  /** By the full name; undefined when any part of it is another. */
  byId(id: BlockIdExt): JournalBlock | undefined
  /** The block with its bytes. Rejects when it was undone meanwhile. */
  block(facts: JournalBlock): Promise<StoredBlock>
  /** State of the masterchain after its block `seqno`; 0 is its zerostate. Rejects when there is none. */
  masterState(seqno: number, signal?: AbortSignal): Promise<MasterState>
  /** The same of the basechain. */
  shardState(seqno: number, signal?: AbortSignal): Promise<ChainState>
  /** Both chains after a step: the masterchain block and the newest shard block it registers. */
  momentAt(masterSeqno: number, signal?: AbortSignal): Promise<Moment>
  /** The same of one of the newest steps, without waiting; undefined for others. */
  inMemory(masterSeqno: number): Moment | undefined
  /** The masterchain block that registers a shard block. */
  registeredBy(shardSeqno: number): JournalBlock | undefined
  /** Up to `count` transactions of an account, newest first, from (lt, hash) on. */
  transactions(query: HistoryOfAccount): Promise<FoundTransaction[]>
  /** The proof of a block that shows its header alone. Rejects when the block was undone meanwhile. */
  headerProof(facts: JournalBlock): Promise<Uint8Array>
  /** Names of a block's transactions without reading the block; null when that cannot be. */
  listArchived(facts: JournalBlock, query: ListQuery): Promise<BlockTransactionsPage<ListedName> | null>
  /** The same with the transactions. */
  readArchived(facts: JournalBlock, query: ListQuery): Promise<BlockTransactionsPage<ArchivedTransaction> | null>
}

/** What is read of blocks that have been. */
export type HistoryReader = Omit<
  ChainReader,
  'zerostates' | 'moment' | 'momentAt' | 'inMemory' | 'masterState' | 'shardState'
>

export function createHistoryReader(history: HistoryParts): HistoryReader {
  const { index, steps } = history
  return {
    bySeqno: (workchain, seqno) => index.bySeqno(workchain, seqno),
    keyAfter: (seqno) => index.keyAfter(seqno),
    byLt: (workchain, lt) => index.byLt(workchain, lt),
    byUtime: (workchain, utime) => index.byUtime(workchain, utime),
    byId: (id) => index.byId(id),
    block: (facts) => steps.block(facts),
    registeredBy: (shardSeqno) => {
      const facts = index.bySeqno(BASECHAIN, shardSeqno)
      const step = facts === undefined ? undefined : index.stepOf(facts)
      return step === undefined ? undefined : index.bySeqno(MASTERCHAIN, step)
    },
    transactions: (query) => findTransactions(history, query),
    headerProof: async (facts) =>
      (await archivedHeader(history, facts)) ?? plainHeaderProof(await (await steps.block(facts)).root()),
    listArchived: (facts, query) => listArchived(history, facts, query),
    readArchived: (facts, query) => readArchived(history, facts, query),
  }
}

/** Reads a chain. */
export function createReader(chain: GrowingChain): ChainReader {
  const { zerostates, index, steps, moments, archive } = chain.parts
  const stepOfShard = (seqno: number): number => {
    const facts = index.bySeqno(BASECHAIN, seqno)
    const step = facts === undefined ? undefined : index.stepOf(facts)
    if (step === undefined) throw new RangeError(`There is no block ${seqno} in the basechain`)
    return step
  }
  const stepAt = (seqno: number): number => {
    if (seqno < 0 || seqno > index.length) throw new RangeError(`There is no block ${seqno} in the masterchain`)
    return seqno
  }
  return {
    ...createHistoryReader({ index, steps, archive: archive?.reader ?? null }),
    zerostates,
    moment: () => chain.moment,
    momentAt: async (seqno, signal) => await moments.at(stepAt(seqno), signal),
    inMemory: (seqno) => moments.inMemory(seqno),
    masterState: async (seqno, signal) => await moments.masterAt(stepAt(seqno), signal),
    shardState: async (seqno, signal) => (await moments.at(seqno === 0 ? 0 : stepOfShard(seqno), signal)).shard,
  }
}
