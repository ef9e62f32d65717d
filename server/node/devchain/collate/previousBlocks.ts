// What contracts may ask about earlier blocks (PREVMCBLOCKS, PREVKEYBLOCK), as the TVM takes it: a serialised tuple of the
// last 16 masterchain blocks, the last key block, and the last 16 whose seqno is divisible by 100.

import { type Builder, beginCell, type Cell } from '../../../cell/index.ts'
import { FULL_SHARD } from '../../../tlb/index.ts'
import { type BlockIdExt, blockIdOf, MASTERCHAIN, type MasterState } from '../state/index.ts'

const COUNT = 16
const SPARSE = 100

type Entry = bigint | readonly Entry[]

const TUPLE = 7
const TINY_INT = 1
// Tag of a 257-bit integer and its sign, in one: integers here are either small or unsigned.
const INT = 0x0100

function storeEntry(builder: Builder, entry: Entry): Builder {
  if (typeof entry !== 'bigint') return storeTuple(builder.storeUint(TUPLE, 8).storeUint(entry.length, 16), entry)
  return BigInt.asIntN(64, entry) === entry
    ? builder.storeUint(TINY_INT, 8).storeInt(entry, 64)
    : builder.storeUint(INT, 15).storeInt(entry, 257)
}

const entryCell = (entry: Entry): Cell => storeEntry(beginCell(), entry).end()

/** The items but the last behind one reference, the last behind another. */
function storeTuple(builder: Builder, items: readonly Entry[]): Builder {
  const last = items.at(-1)
  if (last === undefined) return builder
  const rest = items.slice(0, -1)
  const [only] = rest
  if (only !== undefined) builder.storeRef(rest.length === 1 ? entryCell(only) : storeTuple(beginCell(), rest).end())
  return builder.storeRef(entryCell(last))
}

const asNumber = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex')}`)

const blockEntry = ({ workchain, seqno, rootHash, fileHash }: BlockIdExt): Entry => [
  BigInt(workchain),
  FULL_SHARD,
  BigInt(seqno),
  asNumber(rootHash),
  asNumber(fileHash),
]

/** A stack entry for the transactions of a block that refers to this masterchain state. */
export function previousBlocksEntry({ id, master }: MasterState): Cell {
  const blockAt = (seqno: number): BlockIdExt | null => {
    if (seqno === id.seqno) return id
    const old = master.previousBlocks.get(seqno)
    return old === undefined ? null : blockIdOf(MASTERCHAIN, old.block)
  }
  const going = (from: number, step: number): Entry[] => {
    const blocks: Entry[] = []
    for (let seqno = from; seqno >= 0 && blocks.length < COUNT; seqno -= step) {
      const block = blockAt(seqno)
      if (block !== null) blocks.push(blockEntry(block))
    }
    return blocks
  }
  const { afterKeyBlock, lastKeyBlock } = master
  const keyBlock = afterKeyBlock || lastKeyBlock === null ? id : blockIdOf(MASTERCHAIN, lastKeyBlock)
  const sparse = going(id.seqno - (id.seqno % SPARSE), SPARSE)
  return entryCell([going(id.seqno, 1), blockEntry(keyBlock), sparse])
}
