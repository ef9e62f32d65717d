// Proofs by recording reads: cells read while a proof is made stay in it, the rest is pruned. Some cells are opened only
// because the node's own clients unpack whole records and fail on pruned cells.

import {
  type BagRoot,
  type Cell,
  CellUsage,
  isLargeTree,
  makeProof,
  openAny,
  openCell,
  type PlannedProof,
  writeBoc,
  writingBoc,
} from '../../cell/index.ts'
import { LiteError } from '../../node/index.ts'
import {
  type Block,
  blockExtraOf,
  blockInfoOf,
  loadBlock,
  loadShardState,
  type MasterBlockExtra,
  type MasterStateDetails,
  masterDetailsOf,
  masterExtraOf,
  masterStateOf,
  type ShardState,
  stateDetailsOf,
} from '../../tlb/index.ts'
import type { ChainSource, Located } from './chainSource.ts'

/** What proofs travel in. */
const PLAIN = 0

export const toBoc = (roots: BagRoot | readonly BagRoot[]): Uint8Array => writeBoc(roots, PLAIN)

/** The same of trees that may be large: those are written in pieces. */
export async function toAnyBoc(source: ChainSource, roots: Cell | readonly Cell[], mode = PLAIN): Promise<Uint8Array> {
  const isLarge = isLargeTree(...[roots].flat())
  return isLarge ? await source.large(writingBoc(roots, mode)) : writeBoc(roots, mode)
}

/** A proof of a tree that shows what `read` looks at, and what it returned. */
export function proveWhile<T>(root: Cell, read: () => T): { readonly proof: PlannedProof; readonly value: T } {
  const usage = new CellUsage()
  const value = usage.run(read)
  return { proof: { root, usage }, value }
}

/** Opens everything below a cell, so that it stays in the proof being made. */
export function keepAll(cell: Cell | null): void {
  if (cell === null) return
  const seen = new Set<Cell>()
  const open = (one: Cell): void => {
    if (seen.has(one)) return
    seen.add(one)
    openAny(one)
    one.refs.forEach(open)
  }
  open(cell)
}

/** A proof of a block that shows its header and what `read` looks at. */
export const proveBlock = (root: Cell, read: (block: Block) => void = () => undefined): PlannedProof =>
  proveWhile(root, () => {
    const block = loadBlock(openCell(root))
    blockInfoOf(block)
    read(block)
  }).proof

/** A proof of a block that shows the hash of the state after it. */
export function proveStateHash(root: Cell): Cell {
  const known = stateHashProofs.get(root)
  if (known !== undefined) return known
  const { usage } = proveBlock(root, ({ stateUpdate }) => openAny(stateUpdate))
  const proof = makeProof(root, usage)
  stateHashProofs.set(root, proof)
  return proof
}

/** By the root of the block: every answer about a state begins with the same one. */
const stateHashProofs = new WeakMap<Cell, Cell>()

/** The masterchain part of a block, opened with all inline fields. */
export function openMasterExtra(block: Block): MasterBlockExtra {
  const extra = masterExtraOf(blockExtraOf(block))
  if (extra === null) throw new LiteError('badQuery', 'a masterchain block is wanted')
  return extra
}

/** A proof of a state that shows what `read` looks at, and for the masterchain where its parts begin. */
export const proveState = <T>(root: Cell, read: (state: ShardState) => T) =>
  proveWhile(root, () => {
    const state = loadShardState(openCell(root))
    stateDetailsOf(state)
    return read(state)
  })

/** Opens what clients unpack of a masterchain state on their way to anything in it. */
export function openMaster(state: ShardState) {
  const extra = masterStateOf(state)
  if (extra === null) throw new LiteError('badQuery', 'a masterchain block is wanted')
  return { extra, details: masterDetailsOf(extra) }
}

/** Opens the way to the zerostate in the list of earlier blocks: the node's clients look it up in every state they unpack. */
export function openZerostate(seqno: number, { previousBlocks }: MasterStateDetails): void {
  if (seqno > 0) previousBlocks.get(0)
}

/** Proofs of a block and of its state, in two parts; the first is empty for a zerostate. */
export interface StateProof<T> {
  readonly blockProof: Cell | null
  readonly stateProof: PlannedProof
  readonly value: T
}

export async function proveAfter<T>(
  source: ChainSource,
  located: Located,
  read: (state: ShardState) => T,
): Promise<StateProof<T>> {
  const { root } = await source.state(located)
  const blockProof = located.facts === null ? null : proveStateHash(await source.blockRoot(located))
  const { proof, value } = proveState(root, read)
  return { blockProof, stateProof: proof, value }
}

/** What the proofs of all look-ups in a masterchain state's list of earlier blocks have in common. */
interface OpenedMaster {
  readonly root: Cell
  readonly blockProof: Cell | null
  readonly usage: CellUsage
  readonly details: MasterStateDetails
}

/** By the root of the state: clients that are at a block look up many others as of it. */
const openedMasters = new WeakMap<Cell, OpenedMaster>()

async function openedMaster(source: ChainSource, located: Located): Promise<OpenedMaster> {
  const { root } = await source.state(located)
  const known = openedMasters.get(root)
  if (known !== undefined) return known
  const { blockProof, stateProof, value } = await proveAfter(source, located, (state) => openMaster(state).details)
  const opened = { root, blockProof, usage: stateProof.usage, details: value }
  openedMasters.set(root, opened)
  return opened
}

/** A proof of the state after a masterchain block that shows what `read` looks at in it. */
export async function proveDetails(
  source: ChainSource,
  located: Located,
  read: (details: MasterStateDetails) => unknown,
): Promise<StateProof<null>> {
  const { root, blockProof, usage: before, details } = await openedMaster(source, located)
  const usage = new CellUsage()
  usage.run(() => read(details))
  usage.include(before)
  return { blockProof, stateProof: { root, usage }, value: null }
}

/** Both proofs in one bag, as accounts and shards have it. */
export const pairBoc = ({ blockProof, stateProof }: StateProof<unknown>): Uint8Array =>
  toBoc(blockProof === null ? stateProof : [blockProof, stateProof])

export const NO_PROOF = new Uint8Array()

const bocsOfBlockProofs = new WeakMap<Cell, Uint8Array>()

/** The proof of a block in a bag of its own, which many answers share. */
export function blockProofBoc({ blockProof }: StateProof<unknown>): Uint8Array {
  if (blockProof === null) return NO_PROOF
  const known = bocsOfBlockProofs.get(blockProof)
  if (known !== undefined) return known
  const boc = toBoc(blockProof)
  bocsOfBlockProofs.set(blockProof, boc)
  return boc
}

/** Each proof in a bag of its own. */
export const separateBocs = (proven: StateProof<unknown>) => ({
  stateProof: blockProofBoc(proven),
  dataProof: toBoc(proven.stateProof),
})
