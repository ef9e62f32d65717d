// The rule of the guide: a protocol that is not among the rules, in one file. Pools of a single nominator pay their owner
// on request.

import { Kind } from '../../../server/actions/actionKind.ts'
import { envelopeOf, isCall, TON_TRANSFER } from '../../../server/actions/base.ts'
import { digits } from '../../../server/actions/details.ts'
import type { AccountFacts } from '../../../server/actions/index.ts'
import { fieldsOf, readBody } from '../../../server/actions/reading.ts'
import { Picked, type Rule } from '../../../server/actions/rule.ts'
import { body } from '../../../server/bodies/index.ts'

const withdraw = body('_#00001000 query_id:uint64 coins:Coins')
const readWithdraw = fieldsOf(withdraw)

/** Of orbs-network/single-nominator, version 1.1. */
export const SINGLE_NOMINATOR_CODE = 'zA05WJ6ywM/g/eKEVmV6O909lTlVrj+Y8lZkqzyQT70='

interface Withdrawal {
  readonly owner: string | null
  readonly pool: string
  readonly requested: bigint
  readonly paid: bigint | null
}

const SINGLE_NOMINATOR_WITHDRAWAL = new Kind<Withdrawal>({
  type: 'single_nominator_withdraw',
  isFlat: true,
  describe: ({ owner, pool, requested, paid }) => ({
    roles: { source: owner, destination: pool },
    details: { owner, pool, requested: digits(requested), paid: digits(paid) },
  }),
})

const isPool = (known: AccountFacts | undefined): boolean => known?.codeHash === SINGLE_NOMINATOR_CODE

/** Invariant: the owner of a known pool requests a withdrawal of it; what was paid is what it then sent to the owner. */
export const singleNominatorWithdrawal: Rule = {
  name: 'staking/singleNominator',
  types: [SINGLE_NOMINATOR_WITHDRAWAL.type],
  begins: isCall(withdraw.opcode),
  match(request, facts) {
    const { source: owner = null, destination } = envelopeOf(request) ?? {}
    const pool = destination ?? ''
    const fields = readBody(request, readWithdraw)
    if (fields === null || !isPool(facts.get(pool))) return null
    const picked = new Picked(request)
    const paid = TON_TRANSFER.of(picked.next(request, (next) => TON_TRANSFER.of(next)?.destination === owner))
    const content = SINGLE_NOMINATOR_WITHDRAWAL.content({
      owner,
      pool,
      requested: fields.coins,
      paid: paid?.value ?? null,
    })
    return { blocks: picked.blocks, content, failed: request.failed || paid === undefined }
  },
}
