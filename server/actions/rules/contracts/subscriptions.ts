// Plugins of wallets that take a regular payment.

import { everyday } from '../../../bodies/index.ts'
import type { ActionBlock } from '../../actionBlock.ts'
import { Kind } from '../../actionKind.ts'
import { carries, destinationOf, envelopeOf, isCall } from '../../base.ts'
import { digits, omitNulls } from '../../details.ts'
import type { TraceTransaction } from '../../input.ts'
import { fieldsOf, readBody } from '../../reading.ts'
import { type Match, Picked, type Rule } from '../../rule.ts'

const { paymentRequest, paymentConfirmed, subscriptionPayment, pluginDestruct } = everyday

interface Subscription {
  readonly subscriber: string | null
  readonly beneficiary: string | null
  readonly subscription: string | null
  readonly amount: bigint | null
}

const kindOf = (type: string): Kind<Subscription> =>
  new Kind({
    type,
    describe: ({ subscriber, beneficiary, subscription, amount }) => ({
      roles: { source: subscriber, destination: beneficiary, destinationSecondary: subscription },
      details: {
        subscriber,
        ...omitNulls({ beneficiary }),
        subscription,
        ...omitNulls({ amount: digits(amount) }),
      },
    }),
  })

const SUBSCRIBE = kindOf('subscribe')
const UNSUBSCRIBE = kindOf('unsubscribe')

const readRequest = fieldsOf(paymentRequest, 'amount')

/** Invariant: a wallet pays its plugin, which passes the payment on; the amount is what was requested, if that was paid. */
export const subscribe: Rule = {
  name: 'contracts/subscribe',
  begins: isCall(paymentConfirmed.opcode),
  match(payment) {
    const picked = new Picked(payment)
    const paid = picked.next(payment, isCall(subscriptionPayment.opcode))
    const envelope = envelopeOf(payment)
    if (paid === null || envelope === undefined) return null
    const request = picked.previous(payment, isCall(paymentRequest.opcode))
    const requested = (request === null ? null : readBody(request, readRequest))?.amount.grams ?? null
    const content = SUBSCRIBE.content({
      subscriber: envelope.source,
      beneficiary: destinationOf(paid),
      subscription: envelope.destination,
      // Gas for the way comes on top of what was requested.
      amount: carries(payment, requested) ? requested : envelope.value,
    })
    return { blocks: picked.blocks, content, failed: payment.failed }
  },
}

const isDestruct = isCall(pluginDestruct.opcode)

const endedIn = (transaction: TraceTransaction | undefined): boolean =>
  transaction?.origStatus === 'active' && transaction.endStatus !== 'active'

/** A plugin that was paid in vain often enough ends by itself: it says so to its wallet first, then to the beneficiary. */
function endedByItself(notice: ActionBlock): Match | null {
  const { parent, message } = notice.first
  if (!endedIn(parent?.transaction)) return null
  const notices = (notice.previous?.next ?? []).filter(
    (next) => isDestruct(next) && next.first.message?.source === message?.source && !next.next.some(isDestruct),
  )
  const [toWallet, toBeneficiary] = notices
  if (toWallet !== notice || toBeneficiary === undefined) return null
  const content = UNSUBSCRIBE.content({
    subscriber: destinationOf(toWallet),
    beneficiary: destinationOf(toBeneficiary),
    subscription: message?.source ?? null,
    amount: null,
  })
  return { blocks: new Set([toWallet, toBeneficiary]), content, failed: false, isScattered: true }
}

/**
 * Invariant: a plugin that is called to destroy itself says so on, or is gone. Its wallet has it notify the beneficiary;
 * called by that one, it notifies both.
 */
export const unsubscribe: Rule = {
  name: 'contracts/unsubscribe',
  begins: isDestruct,
  match(request) {
    const picked = new Picked(request)
    const answered = picked.every(request, isDestruct).map(destinationOf)
    const envelope = envelopeOf(request)
    if (envelope === undefined) return null
    const own = answered.length === 0 ? endedByItself(request) : null
    if (own !== null) return own
    if (answered.length === 0 && !request.failed && !endedIn(request.first.transaction)) return null
    const { source, destination: subscription } = envelope
    const [other = null] = answered.filter((account) => account !== source)
    const isByBeneficiary = answered.includes(source)
    const subscriber = isByBeneficiary ? (other ?? source) : source
    const content = UNSUBSCRIBE.content({
      subscriber,
      beneficiary: isByBeneficiary ? source : other,
      subscription,
      amount: null,
    })
    return { blocks: picked.blocks, content, failed: request.failed }
  },
}
