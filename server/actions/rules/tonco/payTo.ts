// A pool of TONCO to its router: the payments to make, and why.

import { tonco } from '../../../bodies/index.ts'
import type { Cell, Slice } from '../../../cell/index.ts'
import type { ActionBlock } from '../../actionBlock.ts'
import { fieldsOf } from '../../reading.ts'
import type { Picked } from '../../rule.ts'
import { type Leg, legAfter } from '../exchanges/legs.ts'
import { JETTON_TRANSFER } from '../jettons/transfer.ts'
import type { PayShare } from '../stonfi/payTo.ts'

export interface ToncoPayTo {
  readonly exitCode: number
  /** Both sides of the pool; none where nothing is paid. */
  readonly shares: readonly PayShare[]
  /** What was burnt, behind a withdrawal. */
  readonly burnt: Cell | null
}

const readFields = fieldsOf(tonco.payTo, 'exitCode', 'shares', 'burnt')

/** Behind the operation. */
export function readToncoPayTo(body: Slice): ToncoPayTo {
  const { exitCode, shares, burnt } = readFields(body)
  const sides =
    shares === null
      ? []
      : [
          { amount: shares.amount0, wallet: shares.wallet0 },
          { amount: shares.amount1, wallet: shares.wallet1 },
        ]
  return { exitCode, shares: sides, burnt }
}

/** What the router sent to another account is not what the owner was paid, and stays an action of its own. */
export function legsTo(owner: string | null, order: ActionBlock, picked: Picked): Leg[] {
  const legs: Leg[] = []
  const isToOwner = (block: ActionBlock): boolean => JETTON_TRANSFER.of(block)?.receiver === owner
  for (let leg = legAfter(order, picked, isToOwner); leg !== null; leg = legAfter(order, picked, isToOwner))
    if (leg.transfer.destination === owner) legs.push(leg)
  return legs
}
