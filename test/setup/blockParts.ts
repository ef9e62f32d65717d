// Parts of blocks and states that only tests read or write.

import { type Builder, type Cell, loadDict, openCell, type Slice } from '../../server/cell/index.ts'
import { loadIn, unknownTag } from '../../server/tlb/fields.ts'
import {
  type Block,
  type BlockExtra,
  fromCell,
  type InMsg,
  loadCurrency,
  loadEnvelope,
  outMsgKind,
  type ShardIdent,
  type SplitState,
  TlbError,
  type ValueFlow,
} from '../../server/tlb/index.ts'

const PLAIN = 0xb8e48dfb
const BURNING = 0x3ebf98b7

const loadFour = (slice: Slice) =>
  [loadCurrency(slice), loadCurrency(slice), loadCurrency(slice), loadCurrency(slice)] as const

export function loadValueFlow(slice: Slice): ValueFlow {
  const tag = slice.loadUint(32)
  if (tag !== PLAIN && tag !== BURNING) unknownTag(tag, 'ValueFlow')
  const [fromPrevious, toNext, imported, exported] = loadIn(slice, loadFour)
  const feesCollected = loadCurrency(slice)
  const burned = tag === BURNING ? loadCurrency(slice) : null
  const [feesImported, recovered, created, minted] = loadIn(slice, loadFour)
  const before = { fromPrevious, toNext, imported, exported, feesCollected, burned }
  return { ...before, feesImported, recovered, created, minted }
}

export const blockValueFlowOf = (block: Block): ValueFlow => fromCell(block.valueFlow, loadValueFlow)

export const outMsgsOf = (extra: BlockExtra) => loadDict(openCell(extra.outMsgs), outMsgKind)

/** The message itself, out of its envelope where it has one. */
export const messageOfInMsg = (value: InMsg): Cell =>
  'message' in value ? value.message : fromCell(value.envelope, loadEnvelope).message

/** A shard in the form blocks use. Throws TlbError `value` for 0, which is no shard. */
export function identOf(workchain: number, shard: bigint): ShardIdent {
  const unsigned = BigInt.asUintN(64, shard)
  if (unsigned === 0n) throw new TlbError('value', 'a shard has a marker bit')
  const marker = unsigned & -unsigned
  return { prefixBits: 64 - marker.toString(2).length, workchain, prefix: unsigned ^ marker }
}

export const storeSplitState = (builder: Builder, value: SplitState): Builder =>
  builder.storeUint(0x5f327da5, 32).storeRef(value.left).storeRef(value.right)
