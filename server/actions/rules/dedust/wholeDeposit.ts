// Both sides of one deposit in the same trace: the one that waited joins the one that completed it, when these two are all
// that the pool was given.

import { type ActionBlock, following } from '../../actionBlock.ts'
import type { Kind } from '../../actionKind.ts'
import type { Match, Rule } from '../../rule.ts'
import type { Deposit, DepositedAsset } from '../exchanges/deposit.ts'
import { DEDUST_DEPOSIT, DEDUST_DEPOSIT_PARTIAL } from './deposit.ts'
import { DEDUST_V2_DEPOSIT, DEDUST_V2_DEPOSIT_PARTIAL, type DepositV2, inSides, keptOf } from './depositV2.ts'

function rootOf(block: ActionBlock): ActionBlock {
  let root = block
  while (root.previous !== null) root = root.previous
  return root
}

interface Kinds<T extends Deposit> {
  readonly final: Kind<T>
  readonly waiting: Kind<T>
  /** Both deposits as one; null when the collector held other deposits as well. */
  readonly whole: (final: T, waiting: T) => T | null
}

/** When a deposit reached its collector: one that waits there came before the one that completes it. */
const arrivedAt = ({ nodes }: ActionBlock, { collector }: Deposit): bigint | undefined =>
  nodes.find(({ transaction }) => transaction.account === collector)?.transaction.lt

/** Joins two deposits of one sender to one collector. */
function wholeOf<T extends Deposit>(block: ActionBlock, { final, waiting, whole }: Kinds<T>): Match | null {
  const own = final.of(block)
  if (own === undefined) return null
  const completedAt = arrivedAt(block, own) ?? 0n
  for (const other of following(rootOf(block))) {
    const theirs = waiting.of(other)
    if (theirs === undefined || theirs.collector !== own.collector || theirs.sender !== own.sender) continue
    if ((arrivedAt(other, theirs) ?? completedAt) >= completedAt) continue
    const both = whole(own, theirs)
    if (both === null) continue
    return { blocks: new Set([other, block]), content: final.content(both), failed: block.failed, isScattered: true }
  }
  return null
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

const VERSION_1: Kinds<Deposit> = {
  final: DEDUST_DEPOSIT,
  waiting: DEDUST_DEPOSIT_PARTIAL,
  whole(final, waiting) {
    const [own] = final.given
    const [theirs] = waiting.given
    if (theirs.asset === own.asset || !isAllOf(final, own) || !isAllOf(final, theirs)) return null
    return { ...final, given: inOrder(own, theirs, final.targets?.[0].asset) }
  },
}

/** Invariant: two deposits of one sender meet in one collector, and are all that it brought to the pool. */
export const dedustWholeDeposit: Rule = {
  name: 'dedust/wholeDeposit',
  begins: (block) => DEDUST_DEPOSIT.is(block),
  match: (block) => wholeOf(block, VERSION_1),
}

const VERSION_2: Kinds<DepositV2> = {
  final: DEDUST_V2_DEPOSIT,
  waiting: DEDUST_V2_DEPOSIT_PARTIAL,
  whole(final, waiting) {
    const { collected, returned, wanted, side } = final
    if (collected === null || waiting.side === side) return null
    if (collected[side] !== final.credited || collected[waiting.side] !== waiting.credited) return null
    const given = inSides(side, final.given[side], keptOf(waiting, returned))
    const [{ asset: asset1 }, { asset: asset2 }] = given
    return {
      ...final,
      given,
      targets: [
        { asset: asset1, amount: wanted[0] },
        { asset: asset2, amount: wanted[1] },
      ],
    }
  },
}

/** The same for DeDust v2. */
export const dedustWholeDepositV2: Rule = {
  name: 'dedust/wholeDepositV2',
  begins: (block) => DEDUST_V2_DEPOSIT.is(block),
  match: (block) => wholeOf(block, VERSION_2),
}
