// What contracts can read about earlier blocks (PREVMCBLOCKS, PREVKEYBLOCK), as the TVM takes it: a serialised tuple of the
// last 16 masterchain blocks, the last key block, and the last 16 whose seqno is divisible by 100.

import { type Builder, beginCell, type Cell, NO_CRC, numberOfBytes, writeBocText } from '../../cell/index.ts'
import { FULL_SHARD } from '../../tlb/index.ts'
import { type BlockIdExt, blockIdOf, isSameBlock, MASTERCHAIN, type MasterState } from '../state/index.ts'

const COUNT = 16
const SPARSE = 100

const TUPLE = 7
const TINY_INT = 1
// Tag of a 257-bit integer and its sign, in one: integers here are either small or unsigned.
const INT = 0x0100

const integer = (value: bigint): Cell =>
  (BigInt.asIntN(64, value) === value
    ? beginCell().storeUint(TINY_INT, 8).storeInt(value, 64)
    : beginCell().storeUint(INT, 15).storeInt(value, 257)
  ).end()

const tuple = (items: readonly Cell[]): Cell =>
  storeItems(beginCell().storeUint(TUPLE, 8).storeUint(items.length, 16), items).end()

/** The items but the last behind one reference, the last behind another. */
function storeItems(builder: Builder, items: readonly Cell[]): Builder {
  const last = items.at(-1)
  if (last === undefined) return builder
  const rest = items.slice(0, -1)
  const [only] = rest
  if (only !== undefined) builder.storeRef(rest.length === 1 ? only : storeItems(beginCell(), rest).end())
  return builder.storeRef(last)
}

const blockEntry = ({ workchain, seqno, rootHash, fileHash }: BlockIdExt): Cell =>
  tuple([BigInt(workchain), FULL_SHARD, BigInt(seqno), numberOfBytes(rootHash), numberOfBytes(fileHash)].map(integer))

/** Entries of blocks, newest first. */
interface Window {
  readonly id: BlockIdExt
  readonly last: readonly Cell[]
  readonly sparse: readonly Cell[]
}

function blockAt({ id, master }: MasterState, seqno: number): BlockIdExt | null {
  if (seqno === id.seqno) return id
  const old = master.previousBlocks.get(seqno)
  return old === undefined ? null : blockIdOf(MASTERCHAIN, old.block)
}

function going(state: MasterState, from: number, step: number): Cell[] {
  const entries: Cell[] = []
  for (let seqno = from; seqno >= 0 && entries.length < COUNT; seqno -= step) {
    const block = blockAt(state, seqno)
    if (block !== null) entries.push(blockEntry(block))
  }
  return entries
}

function collected(state: MasterState): Window {
  const { id } = state
  return { id, last: going(state, id.seqno, 1), sparse: going(state, id.seqno - (id.seqno % SPARSE), SPARSE) }
}

/** The same one block on. */
function movedOn({ last, sparse }: Window, { id }: MasterState): Window {
  const entry = blockEntry(id)
  const withIt = (entries: readonly Cell[]): Cell[] => [entry, ...entries.slice(0, COUNT - 1)]
  return { id, last: withIt(last), sparse: id.seqno % SPARSE === 0 ? withIt(sparse) : sparse }
}

/** Makes the stack entry for the transactions of blocks that refer to a masterchain state: fast from one to the next. */
export class PreviousBlocksTuple {
  #window: Window | null = null

  entry(state: MasterState): Cell {
    const window = this.#windowOf(state)
    this.#window = window
    const { afterKeyBlock, lastKeyBlock } = state.master
    const keyBlock = afterKeyBlock || lastKeyBlock === null ? state.id : blockIdOf(MASTERCHAIN, lastKeyBlock)
    return tuple([tuple(window.last), blockEntry(keyBlock), tuple(window.sparse)])
  }

  #windowOf(state: MasterState): Window {
    const before = this.#window
    if (before === null) return collected(state)
    if (isSameBlock(before.id, state.id)) return before
    const parent = before.id.seqno === state.id.seqno - 1 ? blockAt(state, before.id.seqno) : null
    return parent !== null && isSameBlock(parent, before.id) ? movedOn(before, state) : collected(state)
  }
}

/** The same as base64 of a bag of cells, written once for each state. */
export class PreviousBlocksText {
  readonly #tuple = new PreviousBlocksTuple()
  #last: { readonly id: BlockIdExt; readonly text: string } | null = null

  of(state: MasterState): string {
    if (this.#last?.id !== state.id) this.#last = { id: state.id, text: writeBocText(this.#tuple.entry(state), NO_CRC) }
    return this.#last.text
  }
}
