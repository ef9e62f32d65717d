// Both sides of one deposit in the same trace: the one that waited joins the one that completed it, when these two are all
// that the pool was given.

import { type ActionBlock, following } from '../../actionBlock.ts'
import type { Rule } from '../../rule.ts'
import type { Deposit, DepositedAsset } from '../exchanges/deposit.ts'
import { DEDUST_DEPOSIT, DEDUST_DEPOSIT_PARTIAL } from './deposit.ts'

function rootOf(block: ActionBlock): ActionBlock {
  let root = block
  while (root.previous !== null) root = root.previous
  return root
}

/** Otherwise the collector held more: of earlier traces, or of a third deposit. */
const isAllOf = ({ targets }: Deposit, { asset, amount }: DepositedAsset): boolean =>
  targets?.some((target) => target.asset === asset && target.amount === amount) === true

/** In the order the pool has them. */
const inOrder = (
  one: DepositedAsset,
  other: DepositedAsset,
  first: string | null | undefined,
): [DepositedAsset, DepositedAsset] => (one.asset === first ? [one, other] : [other, one])

/** Invariant: two deposits of one sender meet in one collector, and are all that it brought to the pool. */
export const dedustWholeDeposit: Rule = {
  name: 'dedust/wholeDeposit',
  begins: (block) => DEDUST_DEPOSIT.is(block),
  match(block) {
    const final = DEDUST_DEPOSIT.of(block)
    if (final === undefined) return null
    const [own] = final.given
    for (const other of following(rootOf(block))) {
      const waiting = DEDUST_DEPOSIT_PARTIAL.of(other)
      if (waiting === undefined || waiting.collector !== final.collector || waiting.sender !== final.sender) continue
      const [theirs] = waiting.given
      if (theirs.asset === own.asset || !isAllOf(final, own) || !isAllOf(final, theirs)) continue
      const given = inOrder(own, theirs, final.targets?.[0].asset)
      return {
        blocks: new Set([other, block]),
        content: DEDUST_DEPOSIT.content({ ...final, given }),
        failed: block.failed,
        isScattered: true,
      }
    }
    return null
  },
}
