// Work at a block of a chain that may be reverted meanwhile: the embedded one, or that of a private network.

import { ApiError } from '../../../shared/errors.ts'
import { type BlockIdExt, type Chain, isSameBlock, LiteError } from '../../node/index.ts'

export type RevertedChain = Pick<Chain, 'idOf' | 'traits'>

/** Reverts during one piece of work, after which it fails. */
const MOST_REVERTS = 3

/** Whether the chain still has a block that was one of it. */
export async function isInChain(chain: RevertedChain, block: BlockIdExt): Promise<boolean> {
  if (!chain.traits.canRewind) return true
  try {
    return isSameBlock(await chain.idOf(block), block)
  } catch (error) {
    if (error instanceof LiteError && error.isMissing) return false
    throw error
  }
}

/** Where work starts: at a block, null when there is none. */
interface Start {
  readonly block: BlockIdExt | null
}

/**
 * Runs `work`, and again from another start when the block was reverted meanwhile: it failed because of that, or what it has read may
 * be of two branches. Throws ApiError `busy` when that goes on.
 */
export async function untilKept<S extends Start, T>(
  chain: RevertedChain,
  startOf: () => Promise<S>,
  work: (start: S) => Promise<T>,
): Promise<T> {
  for (let reverts = 0; ; reverts++) {
    const start = await startOf()
    const ended = await endOf(work(start))
    if (start.block === null || (await isInChain(chain, start.block))) {
      if (ended.failed) throw ended.error
      return ended.answer
    }
    if (reverts < MOST_REVERTS) continue
    const text = 'the chain was reverted again and again while the answer was computed'
    throw new ApiError('busy', text, { retryAfter: 1 }, ended.failed ? { cause: ended.error } : {})
  }
}

type End<T> = { readonly failed: false; readonly answer: T } | { readonly failed: true; readonly error: unknown }

const endOf = <T>(work: Promise<T>): Promise<End<T>> =>
  work.then(
    (answer) => ({ failed: false, answer }),
    (error: unknown) => ({ failed: true, error }),
  )
