// TON that exchanges take as if it were a jetton: the request goes to their own wallet of a proxy, which keeps the TON.

import { stonfi } from '../../../bodies/index.ts'
import { wellKnownAccounts } from '../../../interfaces/index.ts'
import type { ActionBlock } from '../../actionBlock.ts'
import { cameBack, carries, destinationOf, envelopeOf, isCall } from '../../base.ts'
import { JETTON_NOTIFY, JETTON_TRANSFER_OPCODE as REQUEST } from '../../opcodes.ts'
import { Picked, type Rule } from '../../rule.ts'
import { JETTON_TRANSFER, readTransferRequest } from './transfer.ts'

const MASTERS: ReadonlySet<string> = new Set([
  wellKnownAccounts.stonfiProxyTon.id,
  wellKnownAccounts.stonfiProxyTonV2.id,
  wellKnownAccounts.toncoProxyTon.id,
])

/** Whether a jetton is proxied TON. */
export const isProxyTon = (jetton: string | null | undefined): boolean =>
  typeof jetton === 'string' && MASTERS.has(jetton)

const isNotice = isCall(JETTON_NOTIFY)
const isSentOn = isCall(stonfi.tonTransfer.opcode)

/** Invariant: a wallet of proxied TON keeps for its owner what the request brought, or sends on what it pays to others. */
export const proxyTonTransfer: Rule = {
  name: 'jettons/proxyTon',
  begins: isCall(REQUEST),
  match(request, facts) {
    const from = envelopeOf(request)
    const wallet = facts.get(from?.destination ?? '')?.jettonWallet
    const requested = readTransferRequest(request.first.openBody())
    if (from === undefined || wallet === undefined || requested === null || !isProxyTon(wallet.jetton)) return null
    // What is for the wallet's owner stays there, and the owner is notified.
    const isForOwner = requested.destination === wallet.owner
    const isPaid = (block: ActionBlock): boolean =>
      carries(block, requested.amount) &&
      (isForOwner
        ? isSentOn(block)
        : (isSentOn(block) || isNotice(block)) && destinationOf(block) === requested.destination)
    const paid = request.next.find(isPaid)
    const hasMoved = paid === undefined ? isForOwner && carries(request, requested.amount) : !cameBack(paid)
    const picked = new Picked(request)
    picked.next(request, (block) => isNotice(block) && (paid === undefined || block === paid))
    const content = JETTON_TRANSFER.content({
      asset: wallet.jetton,
      sender: from.source,
      receiver: requested.destination,
      senderWallet: null,
      receiverWallet: null,
      ...requested,
    })
    return { blocks: picked.blocks, content, failed: request.failed || !hasMoved }
  },
}
