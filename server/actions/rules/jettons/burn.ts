// A burn: the owner calls the wallet, which notifies the master.

import { jettons } from '../../../bodies/index.ts'
import type { ActionBlock } from '../../actionBlock.ts'
import { Kind } from '../../actionKind.ts'
import { cameBack, destinationOf, isCall } from '../../base.ts'
import { digits } from '../../details.ts'
import { JETTON_BURN_NOTIFICATION, JETTON_INTERNAL_TRANSFER, JETTON_BURN_OPCODE as REQUEST } from '../../opcodes.ts'
import { fieldsOf, readBody } from '../../reading.ts'
import { Picked, type Rule } from '../../rule.ts'

export interface JettonBurnFacts {
  readonly owner: string
  readonly wallet: string
  readonly asset: string
  readonly amount: bigint
}

const readBurn = fieldsOf(jettons.burn, 'amount')
const readReturned = fieldsOf(jettons.internalTransfer, 'amount')
const isInternal = isCall(JETTON_INTERNAL_TRANSFER)

/** How much a request says is burnt; null when it cannot be read. */
export const burntAmount = (request: ActionBlock): bigint | null => readBody(request, readBurn)?.amount ?? null

export const JETTON_BURN = new Kind<JettonBurnFacts>({
  type: 'jetton_burn',
  describe: ({ owner, wallet, asset, amount }) => ({
    roles: { source: owner, sourceSecondary: wallet, asset },
    details: { owner, owner_jetton_wallet: wallet, asset, amount: digits(amount) },
  }),
})

/** What a master sent back to the wallet: pools of swap.coffee refuse so, without a bounce. */
const returnedTo = ({ wallet, amount }: JettonBurnFacts, notice: ActionBlock): ActionBlock | undefined =>
  notice.next.find(
    (next) =>
      isInternal(next) &&
      !next.failed &&
      destinationOf(next) === wallet &&
      readBody(next, readReturned)?.amount === amount,
  )

/**
 * Invariant: the owner of a known wallet requests the burn of it; what its master refuses comes back to it, whichever
 * notification it was: pools of STON.fi v2 have one of their own.
 */
export const jettonBurn: Rule = {
  name: 'jettons/burn',
  begins: isCall(REQUEST),
  match(request, facts) {
    const wallet = destinationOf(request) ?? ''
    const known = facts.get(wallet)?.jettonWallet
    const amount = burntAmount(request)
    if (known === undefined || amount === null) return null
    const burn = { owner: known.owner, wallet, asset: known.jetton, amount }
    const picked = new Picked(request)
    const isRefused = request.next.some((next) => destinationOf(next) === known.jetton && cameBack(next))
    const notice = picked.next(request, isCall(JETTON_BURN_NOTIFICATION))
    const returned = notice === null || destinationOf(notice) !== known.jetton ? undefined : returnedTo(burn, notice)
    if (returned !== undefined) picked.add(returned)
    const failed = request.failed || isRefused || returned !== undefined
    return { blocks: picked.blocks, content: JETTON_BURN.content(burn), failed }
  },
}
