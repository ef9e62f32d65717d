// The steps of one batch, and whether they follow what is indexed.

import { type BlockIdExt, isSameBlock } from '../node/index.ts'
import type { PreparedStep } from './accounts/preparedStep.ts'
import type { LookedStep } from './assets/assetBook.ts'
import { transactionsOf } from './batchRows.ts'
import type { Tip } from './chain/chainStep.ts'
import type { Lookahead } from './chain/lookahead.ts'
import { IndexerError } from './indexerError.ts'

/** Thrown when a revert has undone what was gathered. */
export class BlockUndone extends Error {}

interface Gathering {
  readonly lookahead: Lookahead<PreparedStep, LookedStep>
  readonly head: BlockIdExt
  /** Transactions. */
  readonly most: number
}

/** The next step, and those after it that are ready, up to so many transactions. */
export async function gather({ lookahead, head, most }: Gathering): Promise<LookedStep[]> {
  const steps: LookedStep[] = []
  let next = lookahead.take()
  let count = 0
  while (next !== undefined) {
    const step = await next
    steps.push(step)
    count += transactionsOf(step.step).length
    lookahead.reach(head)
    next = count < most ? lookahead.takeReady() : undefined
  }
  return steps
}

/** Whether each step follows the one before it. Throws IndexerError for a block that names another number before it. */
export function continues(steps: readonly PreparedStep[], tip: Tip): boolean {
  let before = tip.id
  for (const { step } of steps) {
    const [previous] = step.master.previous
    if (previous?.seqno !== before.seqno)
      throw new IndexerError('gap', `masterchain block ${step.master.id.seqno} does not follow block ${before.seqno}`)
    if (!isSameBlock(previous, before)) return false
    before = step.master.id
  }
  return true
}
