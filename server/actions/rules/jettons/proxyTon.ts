// TON that exchanges take as if it were a jetton: the request goes to their own wallet of a proxy, which keeps the TON.

import { wellKnownAccounts } from '../../../interfaces/index.ts'
import { carries, envelopeOf, isCall } from '../../base.ts'
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

/** Invariant: a wallet of proxied TON is requested to transfer what the request brought, or what it then sends on. */
export const proxyTonTransfer: Rule = {
  name: 'jettons/proxyTon',
  begins: isCall(REQUEST),
  match(request, facts) {
    const from = envelopeOf(request)
    const wallet = facts.get(from?.destination ?? '')?.jettonWallet
    const requested = readTransferRequest(request.first.openBody())
    if (from === undefined || wallet === undefined || requested === null || !isProxyTon(wallet.jetton)) return null
    // What comes in is kept by the wallet, what an exchange pays is sent on by it.
    const hasMoved = carries(request, requested.amount) || request.next.some((next) => carries(next, requested.amount))
    const picked = new Picked(request)
    picked.next(request, isCall(JETTON_NOTIFY))
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
