// Parses untrusted bytes into proven trees. Reading is bounded by the size of the input; any later error in their cells is
// the fault of the answer and becomes a ProofError here.

import {
  type BinaryHash,
  type Cell,
  CellError,
  CellKind,
  hashFromBytes,
  hashToHex,
  loadProof,
  MAX_DEPTH,
  orNull,
  readBocRoots,
  readingBocRoots,
  readShownTree,
} from '../../cell/index.ts'
import { fewAtOnce, ownerOfSignal } from '../../fairness/index.ts'
import { type BlockIdExt, isSameBlock } from '../blockId.ts'
import { LiteError } from '../liteErrors.ts'
import type { LiteOptions } from '../liteServer.ts'
import { MOST_LISTED } from '../transactionOrder.ts'
import { demand, ProofError, type ProofErrorCode } from './proofError.ts'

const LIMITS = { maxBytes: 16 * 1024 * 1024, maxCells: 1 << 19, maxDepth: MAX_DEPTH } as const
/** Made once: nearly every bag has one root or two. */
const OF_ONE = { ...LIMITS, maxRoots: 1, isHashed: false } as const
const OF_TWO = { ...LIMITS, maxRoots: 2, isHashed: false } as const
/** What a bag of two proofs may be that is read without a copy. */
export const PAIR_LIMITS = { ...OF_TWO, isConstant: true } as const
/** And of one. */
export const PROOF_LIMITS = { ...OF_ONE, isConstant: true } as const
const OF_HASHED = { ...LIMITS, maxRoots: 1, isHashed: true } as const

const limitsOf = (count: number) => (count === 1 ? OF_ONE : count === 2 ? OF_TWO : { ...LIMITS, maxRoots: count })

/** Of a bag that was read and checked before, and is not written to. */
export const readAgain = (maxRoots: number) => ({ ...LIMITS, maxRoots, isHashed: true, isConstant: true }) as const

/** Runs a check; cells that cannot be read where they must be make it fail as `malformed`. */
export function refusing<T>(what: string, check: () => T): T {
  try {
    return check()
  } catch (error) {
    if (error instanceof CellError) throw new ProofError('malformed', `${what}: ${error.message}`, { cause: error })
    throw error
  }
}

/** An answer with fewer bytes is read and hashed within a millisecond, and so is a bag of a few together with others. */
export const LARGE_ANSWER = 32 << 10
const FEW_BYTES = 1 << 10

/** What bags were found to hold, or why they cannot be read, for as long as their bytes live. */
const readBefore = new WeakMap<Uint8Array, () => readonly Cell[]>()

function* readingBefore(bags: readonly Uint8Array[]): Generator<void, void> {
  for (const bag of bags)
    try {
      const roots = yield* readingBocRoots(bag, { ...LIMITS, maxRoots: MOST_LISTED })
      readBefore.set(bag, () => roots)
    } catch (error) {
      readBefore.set(bag, () => {
        throw error
      })
    }
}

const isObject = (part: unknown): part is Readonly<Record<string, unknown>> => typeof part === 'object' && part !== null

/** The same bytes as `bagsOf` has, without a list of them: nearly every answer is small. */
function bytesOf(part: unknown): number {
  if (part instanceof Uint8Array) return part.length < FEW_BYTES ? 0 : part.length
  let bytes = 0
  if (Array.isArray(part)) for (const one of part) bytes += bytesOf(one)
  else if (isObject(part)) for (const name in part) bytes += bytesOf(part[name])
  return bytes
}

function bagsOf(part: unknown): readonly Uint8Array[] {
  if (part instanceof Uint8Array) return part.length < FEW_BYTES ? [] : [part]
  return typeof part === 'object' && part !== null ? Object.values(part).flatMap(bagsOf) : []
}

/**
 * Reads the bags of cells of a large answer in pieces: the check that follows finds them read, where one of 16 MB would hold
 * the event loop for a second.
 */
export const readAhead = <T>(answer: T, options?: LiteOptions): T | Promise<T> =>
  bytesOf(answer) < LARGE_ANSWER ? answer : readLarge(answer, options)

async function readLarge<T>(answer: T, { share, signal }: LiteOptions = {}): Promise<T> {
  const bags = bagsOf(answer).filter((bag) => !readBefore.has(bag))
  if (bags.length === 0) return answer
  try {
    await fewAtOnce(readingBefore(bags), { subject: share ?? ownerOfSignal(signal), signal })
  } catch (cause) {
    throw signal?.aborted === true ? new LiteError('cancelled', 'the query was cancelled', { cause }) : cause
  }
  return answer
}

/** Up to so many roots. Throws CellError. */
export const fewRootsOf = (boc: Uint8Array, most: number): readonly Cell[] =>
  (boc.length < FEW_BYTES ? undefined : readBefore.get(boc)?.()) ?? readBocRoots(boc, limitsOf(most))

/** Throws ProofError unless there are exactly this many roots. */
export function rootsOf(boc: Uint8Array, count: number): readonly Cell[] {
  demandBytes(boc)
  return demandCount(fewRootsOf(boc, count), count)
}

const demandBytes = (boc: Uint8Array): void => demand(boc.length > 0, 'missing', 'a part of the answer is empty')

function demandCount(roots: readonly Cell[], count: number): readonly Cell[] {
  demand(roots.length === count, 'malformed', `a bag of cells has ${roots.length} roots, not ${count}`)
  return roots
}

function demandWhole([root]: readonly Cell[]): Cell {
  demand(root !== undefined && root.mask === 0, 'malformed', 'a tree is pruned outside of a proof')
  return root
}

/** The only root of a bag of cells; its tree must have no pruned part. */
export const wholeTree = (boc: Uint8Array): Cell => demandWhole(rootsOf(boc, 1))

/** Like `wholeTree`, for bytes whose hash was checked. */
export function wholeTreeOf(boc: Uint8Array): Cell {
  demandBytes(boc)
  return demandWhole(demandCount(readBocRoots(boc, OF_HASHED), 1))
}

/** Like `wholeTreeOf`, in pieces between which other work can run; `isOwn` for a bag that this program wrote. */
export function* readingWholeTree(boc: Uint8Array, isOwn = false): Generator<void, Cell> {
  demandBytes(boc)
  const limits = isOwn ? { maxDepth: LIMITS.maxDepth, isOwn } : { ...LIMITS, isHashed: true }
  const roots = yield* readingBocRoots(boc, { maxRoots: 1, ...limits })
  return demandWhole(demandCount(roots, 1))
}

/** The one proof of a bag of cells. */
export function proofOf(boc: Uint8Array): Cell {
  const [root] = rootsOf(boc, 1)
  demand(root !== undefined, 'malformed', 'a bag of cells has no root')
  return root
}

/** The tree of a proof, with pruned parts, after its hash was checked. To go through a large one takes a third of a second. */
export function provenTree(proof: Cell, hash: BinaryHash | Uint8Array, what: string): Cell {
  const [tree] = proof.refs
  const expected = typeof hash === 'string' ? hash : hashFromBytes(hash)
  if (tree !== undefined && proof.kind === CellKind.merkleProof)
    demand(
      tree.hash(0) === expected,
      'hash',
      `the proof of ${what} is about ${tree.hashHex(0)}, not ${hashToHex(expected)}`,
    )
  return loadProof(proof)
}

/** The same of the one proof in a bag of cells. */
export function provenTreeOf(boc: Uint8Array, hash: BinaryHash, what: string): Cell {
  demandBytes(boc)
  const isLarge = boc.length >= LARGE_ANSWER || readBefore.has(boc)
  const shown = isLarge ? null : orNull(() => readShownTree(boc, OF_ONE, hash))
  return shown ?? provenTree(proofOf(boc), hash, what)
}

/** An answer must be about the requested block. */
export function demandSameBlock(found: BlockIdExt, wanted: BlockIdExt, code: ProofErrorCode = 'answer'): void {
  demand(isSameBlock(found, wanted), code, `block ${found.workchain}:${found.seqno} where another one was expected`)
}
