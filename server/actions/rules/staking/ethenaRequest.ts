// Unstaking of Ethena's staked dollars: they go to their master, which locks the payout in the wallet they came from.

import { jettons } from '../../../bodies/index.ts'
import { wellKnownAccounts } from '../../../interfaces/index.ts'
import { destinationOf, envelopeOf, isCall, sourceOf } from '../../base.ts'
import { JETTON_INTERNAL_TRANSFER, JETTON_NOTIFY, JETTON_TRANSFER_OPCODE } from '../../opcodes.ts'
import { fieldsOf, readBody } from '../../reading.ts'
import { Picked, type Rule } from '../../rule.ts'
import { ETHENA, withdrawalRequestKind } from './kinds.ts'

const { mint, lockedTransfer, internalTransfer } = jettons

const STAKED = wellKnownAccounts.stakedUsde.id

const REQUEST = withdrawalRequestKind('ethena_withdrawal_request')

/** What each message is answered with. */
const FLOW = [JETTON_INTERNAL_TRANSFER, JETTON_NOTIFY, mint.opcode, lockedTransfer.opcode]

const readLocked = fieldsOf(lockedTransfer, 'amount')
const readMoved = fieldsOf(internalTransfer, 'amount')

/** Invariant: staked dollars go to their known master, which sends locked ones back to a wallet of the same owner. */
export const ethenaRequest: Rule = {
  name: 'staking/ethenaRequest',
  begins: isCall(JETTON_TRANSFER_OPCODE),
  match(request, facts) {
    const picked = new Picked(request)
    const flow = [request]
    for (const opcode of FLOW) {
      const next = picked.next(flow.at(-1) ?? request, isCall(opcode))
      if (next === null) return null
      flow.push(next)
    }
    const [, moved, , order, locked] = flow
    if (moved === undefined || order === undefined || locked === undefined) return null
    const { source = null, destination: wallet = null } = envelopeOf(request) ?? {}
    const known = facts.get(wallet ?? '')?.jettonWallet
    const back = facts.get(destinationOf(locked) ?? '')?.jettonWallet
    const burnt = readBody(moved, readMoved)
    if (burnt === null || known?.jetton !== STAKED || known.owner !== back?.owner) return null
    // What went to anybody else was not given back.
    if (destinationOf(moved) !== STAKED || destinationOf(order) !== STAKED) return null
    const content = REQUEST.content({
      provider: ETHENA,
      holder: source,
      holderWallet: wallet,
      pool: sourceOf(order),
      payoutNft: null,
      asset: known.jetton,
      burnt: burnt.amount,
      minted: readBody(locked, readLocked)?.amount ?? null,
    })
    return { blocks: picked.blocks, content, failed: request.failed || locked.failed }
  },
}
