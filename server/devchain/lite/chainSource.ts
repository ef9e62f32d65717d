// Access to the chain for the lite server: finds blocks by the ids that clients send. Missing and undone blocks are refused
// with the code that makes a client retry.

import type { Cell } from '../../cell/index.ts'
import { fewAtOnce, ownerOfSignal, type Slicing } from '../../fairness/index.ts'
import {
  type BlockIdExt,
  blockText,
  fullBlockText,
  LiteError,
  type LiteOptions,
  MASTERCHAIN,
} from '../../node/index.ts'
import type { ChainReader, HeadEvent } from '../chain/index.ts'
import type { ForkedAccounts } from '../fork/index.ts'
import type { StoredBlock } from '../history/index.ts'
import type { JournalBlock } from '../journal/index.ts'
import type { Mempool } from '../mempool/index.ts'
import { type ChainState, isSameBlock, type MasterState } from '../state/index.ts'
import { checkBlockId } from './checkQuery.ts'

/** The embedded chain as its lite server sees it. */
export interface LiteChain {
  readonly reader: ChainReader
  head(): Omit<HeadEvent, 'reorg'>
  onHead(listener: (event: HeadEvent) => void): () => void
  send(boc: Uint8Array, share?: string): Promise<unknown>
  /** What it has of another network; null for a chain of its own. */
  readonly fork: ForkedAccounts | null
  /** As in `Chain`. Absent where no more blocks are made. */
  movedTo?(): number
  /** Messages that wait for a block. */
  readonly pending: Pick<Mempool, 'waiting'>
}

/** A block that is there; without facts it is a zerostate. */
export interface Located {
  readonly id: BlockIdExt
  readonly facts: JournalBlock | null
}

type Caller = Pick<LiteOptions, 'signal' | 'share'>

export class ChainSource {
  readonly chain: LiteChain
  /** Aborted when no caller waits for what is read. */
  readonly #signal: AbortSignal | undefined
  /** Whose work long reads are. */
  readonly slicing: Slicing

  constructor(chain: LiteChain, { signal, share }: Caller = {}) {
    this.chain = chain
    this.#signal = signal
    this.slicing = { subject: share ?? ownerOfSignal(signal) }
  }

  /** The same for one caller: old states are made for as long as someone waits for them. */
  until(caller: Caller): ChainSource {
    return caller.signal === undefined && caller.share === undefined ? this : new ChainSource(this.chain, caller)
  }

  get reader(): ChainReader {
    return this.chain.reader
  }

  /** How far the chain is, as it ends the refusal of something beyond that. */
  newest(workchain: number): string {
    const { seqno } = this.chain.head().master.id
    return workchain === MASTERCHAIN
      ? ` (last known masterchain block: ${seqno})`
      : ` (possibly out of sync: shard_client_seqno=${seqno} ls_seqno=${seqno})`
  }

  /** Clients look for "not in db" in the text and then try another server. */
  private unknownHandle({ workchain, seqno }: Pick<BlockIdExt, 'workchain' | 'seqno'>): string {
    const { master, shard } = this.chain.head()
    const newest = workchain === MASTERCHAIN ? master.id.seqno : (shard?.id.seqno ?? 0)
    return `block handle not in db${seqno > newest ? this.newest(workchain) : ''}`
  }

  private unknown(id: BlockIdExt, cause?: unknown): LiteError {
    return new LiteError('notReady', `cannot load block ${fullBlockText(id)} : ${this.unknownHandle(id)}`, { cause })
  }

  /** Null when it is not there, for callers with a refusal of their own. */
  find(id: BlockIdExt): Located | null {
    if (id.seqno === 0) {
      const { zerostates } = this.reader
      for (const zerostate of [zerostates.master, zerostates.base])
        if (isSameBlock(zerostate.id, id)) return { id: zerostate.id, facts: null }
    }
    const facts = this.reader.byId(id)
    return facts === undefined ? null : { id: facts.id, facts }
  }

  /** What a question is about, by the full id. Throws LiteError `notReady`. */
  locate(id: BlockIdExt): Located {
    checkBlockId(id)
    const known = this.find(id)
    if (known === null) throw this.unknown(id)
    return known
  }

  /** The block with this id. Throws LiteError `notReady`. */
  locateBlock(id: BlockIdExt): Located {
    checkBlockId(id)
    const known = this.find(id)
    if (known === null) throw new LiteError('notReady', this.unknownHandle(id))
    return known
  }

  /** A block of the masterchain. Throws LiteError `badQuery` for others. */
  locateMaster(id: BlockIdExt, refusal = 'reference block must belong to the masterchain'): Located {
    if (id.workchain !== MASTERCHAIN) throw new LiteError('badQuery', refusal)
    return this.locate(id)
  }

  /** By number, the zerostate included. */
  at(workchain: number, seqno: number): Located {
    const { zerostates } = this.reader
    if (seqno === 0) return { id: (workchain === MASTERCHAIN ? zerostates.master : zerostates.base).id, facts: null }
    const facts = this.reader.bySeqno(workchain, seqno)
    if (facts === undefined) throw new LiteError('notReady', this.unknownHandle({ workchain, seqno }))
    return { id: facts.id, facts }
  }

  /** The block with its bytes. Rejects with LiteError `badQuery` for a zerostate, which is not a block. */
  block(located: Located): Promise<StoredBlock> {
    return this.read(located, (facts) => this.reader.block(facts))
  }

  /** Large work for this caller. Rejects with LiteError `cancelled` when no caller waits for it any more. */
  async large<T>(pieces: Generator<void, T>): Promise<T> {
    try {
      return await fewAtOnce(pieces, { ...this.slicing, signal: this.#signal })
    } catch (cause) {
      throw this.#signal?.aborted === true ? new LiteError('cancelled', 'the query was cancelled', { cause }) : cause
    }
  }

  /** Its root. Rejects in the same way. */
  blockRoot(located: Located): Promise<Cell> {
    return this.read(located, async (facts) => (await this.reader.block(facts)).root(this.slicing))
  }

  /** The proof of a block that shows its header alone. Rejects in the same way. */
  headerProof(located: Located): Promise<Uint8Array> {
    return this.read(located, (facts) => this.reader.headerProof(facts))
  }

  private async read<T>({ id, facts }: Located, load: (facts: JournalBlock) => Promise<T>): Promise<T> {
    if (facts === null) throw new LiteError('badQuery', `${blockText(id)} is a zerostate, not a block`)
    try {
      return await load(facts)
    } catch (cause) {
      throw this.undone(id, cause)
    }
  }

  /** The state after a block of either chain. */
  state(located: Located): Promise<ChainState> {
    const { workchain, seqno } = located.id
    const { reader } = this
    const signal = this.#signal
    return this.same(located, () =>
      workchain === MASTERCHAIN ? reader.masterState(seqno, signal) : reader.shardState(seqno, signal),
    )
  }

  masterState(located: Located): Promise<MasterState> {
    return this.same(located, () => this.reader.masterState(located.id.seqno, this.#signal))
  }

  /** The root of a block, or of a zerostate. */
  async root(located: Located): Promise<Cell> {
    if (located.facts !== null) return await this.blockRoot(located)
    const { master, base } = this.reader.zerostates
    return located.id.workchain === MASTERCHAIN ? master.root : base.root
  }

  // States are found by seqno, which may belong to another block after a revert.
  private async same<T extends ChainState>({ id }: Located, load: () => Promise<T>): Promise<T> {
    try {
      const state = await load()
      if (isSameBlock(state.id, id)) return state
    } catch (cause) {
      if (this.#signal?.aborted === true) throw new LiteError('cancelled', 'the query was cancelled', { cause })
      throw this.undone(id, cause)
    }
    throw this.unknown(id)
  }

  // The chain may be reverted while a block is read: a missing block, not a fault.
  private undone(id: BlockIdExt, cause: unknown): unknown {
    return id.seqno > 0 && this.reader.byId(id) === undefined ? this.unknown(id, cause) : cause
  }
}
