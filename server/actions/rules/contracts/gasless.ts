// A request that a wallet got inside a message: another account paid for it. What the wallet did then are actions of
// their own, which point at the request.

import { Kind } from '../../actionKind.ts'
import { CALL, envelopeOf, isCall, sentNothing } from '../../base.ts'
import { digits } from '../../details.ts'
import { GASLESS_REQUEST } from '../../gaslessType.ts'
import type { Rule } from '../../rule.ts'
import { isBroughtRequest } from './telegramWallet.ts'

const isSignedInside = isCall(0x73696e74)

interface GaslessRequest {
  readonly relayer: string | null
  readonly wallet: string | null
  readonly value: bigint | null
}

const GASLESS = new Kind<GaslessRequest>({
  type: GASLESS_REQUEST,
  describe: ({ relayer, wallet, value }) => ({
    roles: { source: relayer, destination: wallet },
    details: { source: relayer, destination: wallet, value: digits(value) },
  }),
})

const isWalletV5 = (name: string): boolean => name.startsWith('wallet_v5')

/**
 * Invariant: a wallet that takes signed requests inside messages is sent one by another account, and has acted on it
 * or failed.
 */
export const gaslessRequest: Rule = {
  name: 'contracts/gasless',
  begins: (block) => CALL.is(block) && !block.first.isLeaf && block.first.message?.source != null,
  match(request, facts) {
    const envelope = envelopeOf(request)
    const wallet = envelope?.destination ?? null
    if (envelope === undefined) return null
    const isToV5 = isSignedInside(request) && facts.get(wallet ?? '')?.interfaces.some(isWalletV5) === true
    if (!isToV5 && !isBroughtRequest(request, facts)) return null
    // A wallet passes over what its owner did not sign, in silence.
    if (sentNothing(request) && !request.failed) return null
    const content = GASLESS.content({ relayer: envelope.source, wallet, value: envelope.value })
    return { blocks: new Set([request]), content, failed: request.failed }
  },
}
