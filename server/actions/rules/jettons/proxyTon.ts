// TON that exchanges take as if it were a jetton: the request goes to their own wallet of a proxy, which keeps the TON.

import { envelopeOf, isCall } from '../../base.ts'
import { JETTON_NOTIFY, JETTON_TRANSFER as REQUEST } from '../../opcodes.ts'
import { Picked, type Rule } from '../../rule.ts'
import { JETTON_TRANSFER, readTransferRequest } from './transfer.ts'

const MASTERS: ReadonlySet<string> = new Set([
  '0:8CDC1D7640AD5EE326527FC1AD0514F468B30DC84B0173F0E155F451B4E11F7C',
  '0:671963027F7F85659AB55B821671688601CDCF1EE674FC7FBBB1A776A18D34A3',
  '0:949C4C66760C002800E2FA3D8A3CA4E1C90A9373B53AE7472033483BF14CD95E',
])

/** Whether a jetton is proxied TON. */
export const isProxyTon = (jetton: string | null | undefined): boolean =>
  typeof jetton === 'string' && MASTERS.has(jetton)

export const proxyTonTransfer: Rule = {
  name: 'jettons/proxyTon',
  begins: isCall(REQUEST),
  match(request, facts) {
    const from = envelopeOf(request)
    const wallet = facts.get(from?.destination ?? '')?.jettonWallet
    const requested = readTransferRequest(request.first.openBody())
    if (from === undefined || wallet === undefined || requested === null || !isProxyTon(wallet.jetton)) return null
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
    return { blocks: picked.blocks, content, failed: request.failed }
  },
}
